"""Signature dialects that stand in no vendor's manual: each mixes the axes in another way, is written as a config, and is
computed a second time here from what arrives upstream."""
import base64
import hashlib
import hmac
import json
import os
import re
import subprocess
import tempfile
import urllib.parse
import zlib

from support import case, configs
from support.client import call
from support.upstream import answer

KEY = 'c2VjcmV0LWtleS1ieXRlcw=='
NOW = '1700000000.123456'
FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'vectors', 'invented')
FORM = ('Content-Type', 'application/x-www-form-urlencoded')
JSON = ('Content-Type', 'application/json')


def mac(name, key, text):
    key, text = (value.encode() if isinstance(value, str) else value for value in (key, text))
    return hmac.new(key, text, name).digest()


def openssl(*args, data=b''):
    done = subprocess.run(['openssl', *args], input=data, capture_output=True, timeout=20)
    assert done.returncode == 0, done.stderr
    return done.stdout


def quote(text, safe=''):
    return urllib.parse.quote(text, safe='-._~' + safe)


class Invented(case.Case):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = place.name

    def send(self, name, method, target, fields=(), body=b'', *, keys=None, nonce='N0nce', args=None):
        """What arrives at the upstream `api.example.com:8443` through the recipe `vectors/invented/NAME.yaml`."""
        path = os.path.join(self.folder, 'up.sock')
        upstream = self.upstream(lambda request, wire: answer(200, b'ok'), path=path)
        with open(os.path.join(FOLDER, name + '.yaml'), encoding='utf8') as file:
            recipe = file.read()
        names = ['key', *(keys or {})]
        text = configs.LISTEN + 'secrets: {' + ', '.join(f'{n}: {{file: secrets/{n}}}' for n in names) + '}\n'
        text += f'upstreams: {{api: {{url: "http://api.example.com:8443", socket: "{path}"}}}}\n' + recipe
        gateway = self.gateway(
            text, secrets={'secrets/key': KEY, **{'secrets/' + n: value for n, value in (keys or {}).items()}},
            args=args or ['--pin-now', NOW, '--pin-nonce', nonce])
        got = call(gateway.address, method, target, list(fields), body)
        self.assertTrue(upstream.requests, got)
        return upstream.last

    def verify(self, public, signature, message, *options):
        """`openssl dgst` or `pkeyutl` says that the signature is right."""
        for name, data in (('pub.pem', public), ('sig', signature), ('msg', message)):
            with open(os.path.join(self.folder, name), 'wb') as file:
                file.write(data)
        place = [os.path.join(self.folder, name) for name in ('pub.pem', 'sig', 'msg')]
        if options and options[0] == 'raw':
            openssl('pkeyutl', '-verify', '-pubin', '-inkey', place[0], '-rawin', '-sigfile', place[1], '-in', place[2])
        else:
            openssl('dgst', *options, '-verify', place[0], '-signature', place[1], place[2])

    def key_pair(self, *algorithm):
        private = openssl('genpkey', *algorithm)
        return private.decode(), openssl('pkey', '-pubout', data=private)


class Digests(Invented):
    def test_php_query_with_a_tail_and_upper_md5(self):
        request = self.send('php_query', 'POST', '/p', [FORM], 'b.c=x+y%7E*&10=%E4%B8%AD&9=&a[]=1')
        fields = {'b_c': 'x y~*', '10': '中', '9': ''}
        sent = urllib.parse.parse_qs(request.target.partition('?')[2])
        names = re.findall(r'(?:^|&)([^=&]*)=', sent['over'][0])
        self.assertEqual(sorted(names), ['10', '9', 'a', 'b_c'])
        encoded = {name: urllib.parse.quote_plus(value, safe='-_.').replace('~', '%7E') for name, value in fields.items()}
        encoded['a'] = 'Array'
        text = '&'.join(f'{name}={encoded[name]}' for name in names) + '&&' + KEY
        self.assertEqual(sent['sig'], [hashlib.md5(text.encode()).hexdigest().upper()])

    def test_a_long_text_is_cut_before_it_is_hashed(self):
        for text in ('short', 'ein längerer Text, der gekürzt wird 中文'):
            request = self.send('cut_text', 'POST', '/t', [FORM], urllib.parse.urlencode({'q': text}), nonce='salt')
            form = dict(urllib.parse.parse_qsl(request.body.decode()))
            cut = text if len(text) <= 20 else text[:10] + str(len(text)) + text[-10:]
            want = hashlib.sha256(('app' + cut + 'salt' + '1700000000' + KEY).encode()).hexdigest()
            self.assertEqual(form['sign'], want)
            self.doCleanups()
            self.setUp()

    def test_the_signed_bytes_have_another_charset(self):
        body = urllib.parse.urlencode({'title': '订单 1', 'to': '张三', 'empty': ''})
        request = self.send('gbk', 'POST', '/g', [FORM], body)
        form = dict(urllib.parse.parse_qsl(request.body.decode()))
        text = 'title:订单 1\nto:张三\n'.encode('gbk') + KEY.encode('utf-16-le')
        self.assertEqual(form['s'], hashlib.sha1(text).hexdigest())

    def test_an_encrypted_body_under_national_standards(self):
        private, public = self.key_pair('-algorithm', 'SM2')
        body = '{"password": "密码 pa55"}'
        request = self.send('national', 'POST', '/n', [JSON], body, nonce='0123456789abcdefXYZ', keys={'sm2': private})
        stamp, data = '20231115061320', json.loads(request.body)['data']
        self.assertEqual(request.field('X-Time'), stamp)
        key = hashlib.pbkdf2_hmac('sha256', KEY.encode(), stamp.encode(), 1000, 16)
        plain = openssl('enc', '-d', '-aes-128-cbc', '-K', key.hex(), '-iv', b'0123456789abcdef'.hex(),
                        data=base64.b64decode(data))
        self.assertEqual(plain.decode(), body)
        tag = openssl('dgst', '-sm3', '-mac', 'HMAC', '-macopt', 'key:' + KEY, data=(stamp + data).encode())
        tag = tag.decode().split()[-1].upper()
        self.assertEqual(request.field('X-Tag'), tag)
        self.assertEqual(request.field('X-Check'), str(zlib.crc32(data.encode())))
        place = [os.path.join(self.folder, name) for name in ('pub.pem', 'sig', 'msg')]
        for name, content in zip(place, (public, base64.b64decode(request.field('X-Sign')), tag.encode())):
            with open(name, 'wb') as file:
                file.write(content)
        openssl('pkeyutl', '-verify', '-pubin', '-inkey', place[0], '-rawin', '-digest', 'sm3', '-sigfile', place[1],
                '-in', place[2], '-pkeyopt', 'distid:1234567812345678')

    def test_a_digest_of_a_digest_of_sorted_json(self):
        body = '{"b": [1.10, {"z":1,"y":"é"}], "a": "x", "sign": "mine"}'
        request = self.send('sorted_json', 'POST', '/j', [JSON], body)
        sent = json.loads(request.body)
        self.assertEqual(list(sent), ['b', 'a', 'ts', 'sign'])
        self.assertIs(type(sent['ts']), int)
        text = '{"a":"x","b":[1.10,{"y":"é","z":1}],"ts":1700000000123}'
        inner = hashlib.sha512(text.encode()).digest()
        outer = hashlib.new('sha512_256', inner + KEY.encode()).digest()
        self.assertEqual(sent['sign'], base64.urlsafe_b64encode(outer).decode())


class Macs(Invented):
    def test_headers_by_prefix_and_json_members_in_one_list(self):
        request = self.send('mixed_pairs', 'PUT', '/m', [JSON, ('X-App-Zone', '  eu   west '), ('X-App-Id', '7'),
                                                         ('x-app-zone', 'two')], '{"n":1.50,"flag":true,"t":"ü"}')
        pairs = [('x-app-id', '7'), ('x-app-zone', 'eu west,two'), ('n', '1.50'), ('flag', 'true'), ('t', 'ü')]
        text = ';'.join(f'{name}|{value}' for name, value in sorted(pairs, key=lambda pair: pair[0].encode()))
        tag = mac('sha512', base64.b64decode(KEY), text)[:16]
        self.assertEqual(request.field('X-Tag'), base64.urlsafe_b64encode(tag).decode())

    def test_a_key_that_is_a_hex_text_and_encoded_header_values(self):
        request = self.send('text_key', 'GET', '/v1/a%20b//c?z=1&y=%2f&y=%2B', [('X-Bce-Meta', 'ä b'.encode().decode('latin1'))])
        date = '2023-11-14T22:13:20Z'
        prefix = f'auth-v1/ak/{date}/1800'
        key = mac('sha256', KEY, prefix).hex()
        text = '\n'.join(['GET', quote(urllib.parse.unquote('/v1/a%20b//c'), '/'), 'y=%2B&y=%2F&z=1',
                          f'host:{quote("api.example.com:8443")}\nx-bce-date:{quote(date)}\nx-bce-meta:{quote("ä b")}'])
        self.assertEqual(request.field('Authorization'), f'{prefix}/host;x-bce-date;x-bce-meta/{mac("sha256", key, text).hex()}')

    def test_host_and_port_on_lines_and_a_payload_hash(self):
        request = self.send('hawk', 'POST', '/r?a=1', [('Content-Type', 'text/plain; charset=utf-8')], 'Thank you')
        payload = base64.b64encode(hashlib.sha256(b'hawk.1.payload\ntext/plain\nThank you\n').digest()).decode()
        lines = ['hawk.1.header', '1700000000', 'N0nce', 'POST', '/r?a=1', 'api.example.com', '8443', payload, 'ext', '']
        tag = base64.b64encode(mac('sha256', KEY, '\n'.join(lines))).decode()
        self.assertEqual(request.field('Authorization'),
                         f'Hawk id="me", ts="1700000000", nonce="N0nce", hash="{payload}", ext="ext", mac="{tag}"')

    def test_a_key_that_is_a_base64_text_and_a_body_that_is_cut(self):
        body = 'x' * 3000
        request = self.send('edge', 'POST', '/e?q=1', [('Content-Type', 'a/b'), ('X-One', ' a  b ')], body)
        stamp = '20231114T22:13:20+0000'
        head = f'EG1-HMAC-SHA256 client_token=ct;access_token=at;timestamp={stamp};nonce=N0nce;'
        content = base64.b64encode(hashlib.sha256(body[:2048].encode()).digest()).decode()
        text = '\t'.join(['POST', 'https', 'api.example.com:8443', '/e?q=1', 'x-one:a b', content, head])
        key = base64.b64encode(mac('sha256', KEY, stamp)).decode()
        tag = base64.b64encode(mac('sha256', key, text)).decode()
        self.assertEqual(request.field('Authorization'), f'{head}signature={tag}')

    def test_cookie_double_encoded_path_and_lower_case_escapes(self):
        request = self.send('cookie', 'GET', '//a//d%20e/?q=%C3%BC+x&Q=1', [('Cookie', 'a=1')])
        path = quote('/a/d%20e/', '/')
        query = '&'.join(sorted(['Q=1', 'q=%c3%bc%20x']))
        tag = mac('sha384', KEY, f'GET {path}?{query}\n1700000000123456')
        want = base64.b64encode(tag).decode().rstrip('=')
        self.assertEqual(request.all('Cookie'), [f'a=1; ts=1700000000123456; sig={want}'])

    def test_a_token_that_is_built_of_json(self):
        request = self.send('token', 'POST', '/tok', [JSON], '{"k":1}')
        head, claims, tag = request.field('Authorization').removeprefix('Bearer ').split('.')

        def part(text):
            return base64.urlsafe_b64decode(text + '=' * (-len(text) % 4))
        self.assertEqual(part(head), b'{"alg":"HS256","typ":"JWT"}')
        self.assertEqual(json.loads(part(claims)), {
            'iat': 1700000000, 'exp': 1700000300, 'jti': 'N0nce', 'aud': 'https://api.example.com:8443/tok',
            'body': hashlib.sha256(b'{"k":1}').hexdigest()})
        self.assertEqual(part(tag), mac('sha256', KEY, f'{head}.{claims}'))

    def test_every_request_counts_up(self):
        path = os.path.join(self.folder, 'up.sock')
        upstream = self.upstream(lambda request, wire: answer(200, b'ok'), path=path)
        with open(os.path.join(FOLDER, 'counter.yaml'), encoding='utf8') as file:
            recipe = file.read()
        gateway = self.gateway(configs.LISTEN + 'secrets: {key: {file: secrets/key}}\n'
                               f'upstreams: {{api: {{url: "http://a.example", socket: "{path}"}}}}\n' + recipe,
                               secrets={'secrets/key': KEY})
        for _ in range(20):
            call(gateway.address, 'GET', '/c')
        numbers = [int(request.field('X-Count')) for request in upstream.requests]
        self.assertEqual(numbers, sorted(set(numbers)))
        for request in upstream.requests:
            want = mac('sha224', KEY, request.field('X-Count') + '|GET|/c').hex()
            self.assertEqual(request.field('X-Proof'), want[-12:])


class Keys(Invented):
    def test_ecdsa_over_a_structured_digest(self):
        private, public = self.key_pair('-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256')
        request = self.send('ecdsa', 'PATCH', '/x//y', [JSON], '{}', keys={'private_key': private})
        digest = request.field('Content-Digest')
        self.assertEqual(digest, f'sha-512=:{base64.b64encode(hashlib.sha512(b"{}").digest()).decode()}:')
        names, tag = re.fullmatch(r'sig=(\("host" "content-digest"\);created=1700000000;keyid="k1"), sig=:(.*):',
                                  request.field('X-Signature')).groups()
        raw = base64.b64decode(tag)
        self.assertEqual(len(raw), 64)
        text = f'PATCH\n/x/y\nhost: api.example.com:8443\ncontent-digest: {digest}\n{names}'
        self.verify(public, self.der(raw), text.encode(), '-sha256')

    @staticmethod
    def der(raw):
        def number(data):
            data = data.lstrip(b'\0') or b'\0'
            data = b'\0' + data if data[0] & 0x80 else data
            return b'\x02' + bytes([len(data)]) + data
        body = number(raw[:32]) + number(raw[32:])
        return b'\x30' + bytes([len(body)]) + body

    def test_ed25519_with_a_raw_key_in_hex(self):
        private, public = self.key_pair('-algorithm', 'ed25519')
        der = openssl('pkey', '-outform', 'DER', data=private.encode())
        request = self.send('ed25519', 'POST', '/e', [('Content-Type', 'a/b')], b'\x00\xff', keys={'seed': der[-32:].hex()})
        stamp, nonce, tag = re.fullmatch(r't=(\d+),n=(\w+),s=([0-9A-F]+)', request.field('X-Sig')).groups()
        self.assertEqual((stamp, nonce), ('1700000000', 'N0nce'))
        self.verify(public, bytes.fromhex(tag), b'1700000000.N0nce.\x00\xff', 'raw')

    def test_rsa_pss_inside_an_xml_body(self):
        private, public = self.key_pair('-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048')
        body = '<?xml version="1.0"?>\n<r a=">"><!-- x --><amount>1&amp;2</amount><Z>z</Z><sign>mine</sign><n><m>1</m></n></r>\n'
        request = self.send('xml_pss', 'POST', '/x', [('Content-Type', 'application/xml')], body,
                            keys={'private_key': private})
        sent = request.body.decode()
        self.assertEqual(sent.count('<sign>'), 1)
        tag = base64.b64decode(re.search('<sign>(.*)</sign>', sent).group(1))
        self.assertEqual(sent.replace(re.search('<sign>.*</sign>', sent).group(0), ''),
                         body.replace('<sign>mine</sign>', '').replace('</r>', '<time>20231115061320</time></r>'))
        text = 'Z=z&amount=1&2&n=<m>1</m>&time=20231115061320'
        self.verify(public, tag, text.encode(), '-sha512', '-sigopt', 'rsa_padding_mode:pss', '-sigopt', 'rsa_pss_saltlen:-1')


if __name__ == '__main__':
    case.main()
