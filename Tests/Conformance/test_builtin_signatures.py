"""HTTP message signatures, OAuth 1.0a and body digests through sockets: what arrives upstream carries the signature."""
import base64
import hashlib
import hmac
import json
import re
import urllib.parse

from support import case, configs, corpus, signed
from support.client import FORM, call, get
from support.gateway import command

CORPUS = corpus.load('built-in.json')
KEYS = CORPUS['keys']
CREATED = '1618884473'
BODY = b'{"hello": "world"}'
FIELDS = [tuple(line.split(': ', 1)) for line in CORPUS['test_request'].split('\n\n')[0].split('\n')[2:-1]]

MESSAGE = configs.LISTEN + """secrets: {key: {file: secrets/key}}
upstreams: {up: {url: "http://%s", socket: $FOLDER/up.sock}}
signatures:
  digest: {digest: {content_digest: [sha-512]}}
  message:
    http_message_signature:
      algorithm: %s
      key: "%s"
      components: %s
%sroutes:
  - {path: /**, upstream: up, sign: message%s}
"""


class Signing(case.Case):
    def make(self, config, secrets, *args):
        gateway = self.gateway(config, secrets=secrets, args=args)
        return self.upstream(path=gateway.folder + '/up.sock'), gateway

    def message(self, algorithm, secret, components, parameters='', *, host='example.com', key='${secret.key}'):
        config = MESSAGE % (host, algorithm, key, json.dumps(components), parameters, '')
        return self.make(config, {'secrets/key': secret}, '--pin-now', CREATED, '--pin-nonce', 'b3k2pp5k7z-50gnwp.yemd')

    def split(self, request):
        """Input and raw signature under the label."""
        label, _, value = request.field('Signature').partition('=')
        name, _, given = request.field('Signature-Input').partition('=')
        self.assertEqual((label, name), ('sig1', 'sig1'))
        self.assertTrue(value.startswith(':') and value.endswith(':'), value)
        return given, base64.b64decode(value[1:-1])


def components(signature_input):
    inner = signature_input[1:signature_input.index(')')]
    return re.findall(r'"[^"]+"(?:;[a-z]+(?:="[^"]*")?)*', inner)


def parameters(signature_input):
    pairs = re.findall(r';([a-z]+)=("[^"]*"|\d+)', signature_input[signature_input.index(')'):])
    return '      parameters: ' + json.dumps({
        name: {'created': '${int(now)}', 'nonce': '${nonce}'}.get(name, value.strip('"')) for name, value in pairs}) + '\n'


class Messages(Signing):
    """Appendix B.2 and B.3 of RFC 9421; one test for each is added below."""

    def check(self, vector):
        given, alg = vector['signature_input'], vector['alg']
        private = KEYS.get(vector.get('private_key'))
        if alg == 'rsa-pss-sha512':
            private = KEYS[CORPUS['messages'][0]['private_key']]
        if alg == 'ecdsa-p256-sha256':
            private = signed.new_key('-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256')
        host, fields = 'example.com', list(FIELDS)
        if 'client-cert' in given:
            host = 'service.internal.example'
            fields.append(('Client-Cert', re.search(r'"client-cert": (.*)', vector['signature_base']).group(1)))
        secret, key = private, '${secret.key}'
        if alg == 'hmac-sha256':
            secret, key = vector['secret_base64'], '${base64.decode(secret.key)}'
        upstream, gateway = self.message(alg, secret, components(given), parameters(given), host=host, key=key)
        reply = call(gateway.address, 'POST', '/foo?param=Value&Pet=dog', fields, BODY)
        self.assertEqual(reply.status, 200, reply)
        arrived, signature = self.split(upstream.last)
        self.assertEqual(arrived, given)
        if alg in ('hmac-sha256', 'ed25519'):
            self.assertEqual(base64.b64encode(signature).decode(), vector['expected'])
        else:
            base = vector['signature_base'].encode()
            self.assertTrue(signed.verifies(signed.public(private), alg, base, signature))
            self.assertFalse(signed.verifies(signed.public(private), alg, base + b' ', signature))
        status, output, error = command('explain', gateway.config_path, 'POST', '/foo?param=Value&Pet=dog', '--json',
                                        '--data', BODY.decode(), '--now', CREATED, '--nonce', 'b3k2pp5k7z-50gnwp.yemd',
                                        *[part for name, value in fields for part in ('--header', f'{name}: {value}')])
        self.assertEqual(status, 0, error)
        inputs = {part['function']: part['message'] for item in json.loads(output)['computed'] for part in item['inputs']}
        self.assertEqual(inputs['signature base'], vector['signature_base'])


for _number, _vector in enumerate(CORPUS['messages']):
    def _test(self, vector=_vector):
        self.check(vector)
    _test.__doc__ = _vector['name']
    setattr(Messages, f'test_vector_{_number}', _test)


class Components(Signing):
    """Every kind of component, against the base that is written here by hand."""

    def assert_base(self, wanted, fields=(), *, method='POST', target='/a', body=b'x'):
        names = [line.split(': ', 1)[0] for line in wanted]
        upstream, gateway = self.message('hmac-sha256', 'key', names, '      parameters: {created: "${int(now)}"}\n',
                                         host='Example.COM:8080')
        reply = call(gateway.address, method, target, fields, body)
        self.assertEqual(reply.status, 200, reply)
        given, signature = self.split(upstream.last)
        self.assertEqual(given, '(' + ' '.join(names) + ');created=' + CREATED)
        base = '\n'.join([*wanted, '"@signature-params": ' + given])
        self.assertEqual(signature.hex(), hmac.new(b'key', base.encode(), hashlib.sha256).hexdigest(), base)

    def test_derived_components(self):
        self.assert_base(['"@method": POST', '"@target-uri": http://example.com:8080/a%2Fb/?q=1&r',
                          '"@authority": example.com:8080', '"@scheme": http', '"@request-target": /a%2Fb/?q=1&r',
                          '"@path": /a%2Fb/', '"@query": ?q=1&r'], target='/a%2Fb/?q=1&r')

    def test_no_query_is_a_lone_mark(self):
        self.assert_base(['"@query": ?'])

    def test_query_parameters_are_recoded(self):
        self.assert_base(['"@query-param";name="var": this%20is%20a%20big%0Amultiline%20value',
                          '"@query-param";name="bar": with%20plus%20whitespace',
                          '"@query-param";name="fa%C3%A7ade%22%3A%20": something', '"@query-param";name="e": '],
                         target='/p?var=this%20is%20a%20big%0Amultiline%20value&bar=with+plus+whitespace'
                                '&fa%C3%A7ade%22%3A%20=something&e')

    def test_lines_are_joined_and_trimmed(self):
        self.assert_base(['"cache-control": max-age=60, must-revalidate', '"x-empty": ', '"content-length": 1'],
                         [('Cache-Control', 'max-age=60'), ('X-Empty', ''), ('Cache-Control', '   must-revalidate ')])

    def test_strict_structured_fields(self):
        self.assert_base(['"example-dict";sf: a=1, b=2;x=1;y=2, c=(a b c), d', '"example-list";sf: ("foo";a=1);lvl=5, 1.5, ?0'],
                         [('Example-Dict', ' a=1,    b=2;x=1;y=2,   c=(a   b   c), d=?1'),
                          ('Example-List', '( "foo"; a=1 ); lvl=5,01.50 ,  ?0')])

    def test_a_member_of_a_dictionary(self):
        self.assert_base(['"example-dict";key="a": 1', '"example-dict";key="d": ?1', '"example-dict";key="b": 2;x=1;y=2',
                          '"example-dict";key="c": (a b c)'],
                         [('Example-Dict', ' a=1, b=2;x=1;y=2, c=(a   b    c), d')])

    def test_binary_wrapped_lines(self):
        self.assert_base(['"example-header";bs: :dmFsdWUsIHdpdGgsIGxvdHM=:, :b2YsIGNvbW1hcw==:'],
                         [('Example-Header', 'value, with, lots'), ('Example-Header', 'of, commas')])

    def test_what_the_request_lacks_refuses_it(self):
        upstream, gateway = self.message('hmac-sha256', 'key', ['x-needed'])
        reply = call(gateway.address, 'GET', '/a')
        self.assertEqual((reply.status, upstream.requests), (400, []))
        self.assertIn('x-needed', reply.body.decode())

    def test_a_repeated_parameter_is_not_signed(self):
        upstream, gateway = self.message('hmac-sha256', 'key', ['"@query-param";name="a"'])
        self.assertEqual(call(gateway.address, 'GET', '/?a=1&a=2').status, 400)

    def test_a_clients_signature_stays_beside_ours(self):
        theirs = [('Signature-Input', 'client=("@method");created=1'), ('Signature', 'client=:AAEC:')]
        names = ['@method', '"signature";key="client"']
        for keep, label in (('      keep_client: true\n', 'client'), ('', None)):
            upstream, gateway = self.message('hmac-sha256', 'key', names if keep else names[:1],
                                             '      parameters: {created: "${int(now)}"}\n' + keep)
            self.assertEqual(get(gateway.address, '/a', theirs).status, 200)
            fields = upstream.last.all('Signature-Input')
            self.assertEqual([value.partition('=')[0] for value in fields], [label, 'sig1'] if label else ['sig1'])
            if not keep:
                continue
            given = fields[1].partition('=')[2]
            base = f'"@method": GET\n"signature";key="client": :AAEC:\n"@signature-params": {given}'
            ours = upstream.last.all('Signature')[1]
            wanted = base64.b64encode(hmac.new(b'key', base.encode(), hashlib.sha256).digest()).decode()
            self.assertEqual(ours, f'sig1=:{wanted}:')
            for bad in ('sig1=:AAEC:', 'client=:AAEC'):
                reply = get(gateway.address, '/a', [theirs[0], ('Signature', bad)])
                self.assertEqual((reply.status, len(upstream.requests)), (400, 1), bad)

    def test_the_other_algorithms(self):
        curve = ('-algorithm', 'EC', '-pkeyopt')
        for algorithm, options in (('rsa-v1_5-sha256', ('-algorithm', 'RSA')), ('ed25519', ('-algorithm', 'ed25519')),
                                   ('ecdsa-p384-sha384', (*curve, 'ec_paramgen_curve:P-384'))):
            key = signed.new_key(*options)
            upstream, gateway = self.message(algorithm, key, ['@method'])
            get(gateway.address, '/x')
            given, signature = self.split(upstream.last)
            base = f'"@method": GET\n"@signature-params": {given}'.encode()
            self.assertTrue(signed.verifies(signed.public(key), algorithm, base, signature), algorithm)

    def test_a_key_that_does_not_fit_does_not_load_and_is_not_shown(self):
        with self.assertRaises(AssertionError) as refused:
            self.message('ed25519', 'no key at all', ['@method'])
        self.assertIn('http_message_signature.key: is no key that can be used here', str(refused.exception))
        self.assertNotIn('no key at all', str(refused.exception))


class Digests(Signing):
    CONFIG = configs.LISTEN + """upstreams: {up: {url: "http://example.com", socket: $FOLDER/up.sock}}
signatures:
  digest: {digest: {content_md5: true, content_digest: [%s], digest: [sha-256]}}
routes:
  - {path: /**, upstream: up, sign: digest}
"""

    def test_the_published_digests(self):
        for vector in CORPUS['content_digest']:
            upstream, gateway = self.make(self.CONFIG % vector['algorithm'], {})
            body = vector['body'].encode()
            call(gateway.address, 'POST', '/x', [('Content-Digest', 'sha-256=:forged:')], body)
            request = upstream.last
            self.assertEqual(request.field('Content-Digest'), vector['expected'])
            self.assertEqual(request.field('Content-MD5'), base64.b64encode(hashlib.md5(body).digest()).decode())
            self.assertEqual(request.field('Digest'), 'SHA-256=' + base64.b64encode(hashlib.sha256(body).digest()).decode())


OAUTH = configs.LISTEN + """secrets: {consumer: {file: secrets/consumer}, token: {file: secrets/token}}
upstreams: {up: {url: "%s", socket: $FOLDER/up.sock}}
signatures:
  oauth:
    oauth1: {consumer_key: "%s", %s}
routes:
  - {path: /**, upstream: up, sign: oauth}
"""


class OAuth(Signing):
    """The examples of RFC 5849, OAuth Core and X; those for https are checked through `explain`."""

    def vector_config(self, vector):
        params = dict(vector['params'])
        parts = urllib.parse.urlsplit(vector['base_uri'])
        options = 'consumer_secret: "${secret.consumer}"'
        if 'oauth_token' in params:
            options += ', token: %s, token_secret: "${secret.token}"' % params['oauth_token']
        options += ', version: ' + ('true' if 'oauth_version' in params else 'false')
        extra = {name: value for name, value in params.items() if name in ('oauth_callback', 'oauth_verifier')}
        options += ', parameters: ' + json.dumps(extra)
        plain = {name: value for name, value in params.items() if not name.startswith('oauth_')}
        config = OAUTH % (f'{parts.scheme}://{parts.netloc}', params['oauth_consumer_key'], options)
        secrets = {'secrets/consumer': vector['consumer_secret'], 'secrets/token': vector['token_secret'] or 'unused'}
        return config, secrets, params, plain, parts.path

    def check(self, vector):
        config, secrets, params, plain, path = self.vector_config(vector)
        gateway = self.gateway(config, secrets=secrets,
                               args=['--pin-now', params['oauth_timestamp'], '--pin-nonce', params['oauth_nonce']])
        query = {name: value for name, value in plain.items() if vector['method'] == 'GET' or name == 'include_entities'}
        form = {name: value for name, value in plain.items() if name not in query}
        target = path + ('?' + urllib.parse.urlencode(query) if query else '')
        args = ['--header', 'Content-Type: application/x-www-form-urlencoded', '--data', urllib.parse.urlencode(form)]
        status, output, error = command(
            'explain', gateway.config_path, vector['method'], target, '--now', params['oauth_timestamp'], '--nonce',
            params['oauth_nonce'], '--json', *(args if vector['method'] == 'POST' else []))
        self.assertEqual(status, 0, error + output)
        inputs = {part['function']: part['message'] for item in json.loads(output)['computed'] for part in item['inputs']}
        self.assertEqual(inputs['string to sign'], vector['base_string'])
        fields = {field['name']: field['value'] for field in json.loads(output)['request']['fields']}
        self.assertIn(f'oauth_signature="{urllib.parse.quote(vector["expected"], safe="")}"', fields['Authorization'])

    def test_the_example_over_a_socket(self):
        vector = next(vector for vector in CORPUS['oauth1'] if 'Core' in vector['name'])
        config, secrets, params, plain, path = self.vector_config(vector)
        upstream, gateway = self.make(config, secrets, '--pin-now', params['oauth_timestamp'], '--pin-nonce',
                                      params['oauth_nonce'])
        get(gateway.address, path + '?' + urllib.parse.urlencode(plain), [('Authorization', 'OAuth forged')])
        self.assertEqual(upstream.last.field('Authorization'),
                         'OAuth oauth_consumer_key="dpf43f3p2l4k3l03", oauth_token="nnch734d00sl2jdk", '
                         'oauth_signature_method="HMAC-SHA1", oauth_timestamp="1191242096", oauth_nonce="kllo9940pd9333jh", '
                         'oauth_version="1.0", oauth_signature="tR3%2BTy81lMeYAr%2FFid0kMTYa%2FWM%3D"')

    def base(self, method, uri, pairs):
        quoted = sorted((signed.quote(name), signed.quote(value)) for name, value in pairs)
        text = '&'.join(f'{name}={value}' for name, value in quoted)
        return '&'.join([method, signed.quote(uri), signed.quote(text)])

    def place(self, options, method, target, fields=(), body=None, secrets=None):
        upstream, gateway = self.make(
            OAUTH % ('http://API.example.com:80/base', 'k y', 'consumer_secret: "${secret.consumer}", token: t, '
                     'token_secret: "${secret.token}", ' + options),
            {'secrets/consumer': 'c&s', 'secrets/token': 't s', **(secrets or {})}, '--pin-now', '1', '--pin-nonce', 'n')
        reply = call(gateway.address, method, target, fields, body)
        self.assertEqual(reply.status, 200, reply)
        return upstream.last

    def mac(self, base, digest=hashlib.sha1):
        return base64.b64encode(hmac.new(b'c%26s&t%20s', base.encode(), digest).digest()).decode()

    def test_in_the_query_with_sha256(self):
        target = self.place('placement: query, method: HMAC-SHA256', 'GET', '/p%20q?b=2+3&a=%2F&a').target
        path, _, query = target.partition('?')
        pairs = urllib.parse.parse_qsl(query, keep_blank_values=True)
        self.assertEqual(pairs[-1][0], 'oauth_signature')
        base = self.base('GET', 'http://api.example.com' + path, pairs[:-1])
        self.assertEqual(path, '/base/p%20q')
        self.assertEqual(pairs[-1][1], self.mac(base, hashlib.sha256), base)

    def test_in_the_form(self):
        request = self.place('placement: form', 'POST', '/f?q=1', [FORM], b'x=a+b&y=%C3%A9&oauth_nonce=own')
        pairs = urllib.parse.parse_qsl(request.body.decode(), keep_blank_values=True)
        self.assertEqual([value for name, value in pairs if name == 'oauth_nonce'], ['n'])
        base = self.base('POST', 'http://api.example.com/base/f', [('q', '1')] + pairs[:-1])
        self.assertEqual(pairs[-1], ('oauth_signature', self.mac(base)))

    def test_plaintext_and_realm(self):
        value = self.place('method: PLAINTEXT, realm: Photos', 'GET', '/').field('Authorization')
        self.assertTrue(value.startswith('OAuth realm="Photos", oauth_consumer_key="k%20y", '), value)
        self.assertIn('oauth_signature="c%2526s%26t%2520s"', value)

    def test_rsa(self):
        key = signed.new_key('-algorithm', 'RSA')
        upstream, gateway = self.make(
            OAUTH.replace('secrets: {', 'secrets: {key: {file: secrets/key}, ') % (
                'http://api.example.com', 'ck', 'method: RSA-SHA1, private_key: "${secret.key}"'),
            {'secrets/consumer': 'c', 'secrets/token': 't', 'secrets/key': key}, '--pin-now', '1', '--pin-nonce', 'n')
        get(gateway.address, '/r?z=1')
        pairs = re.findall(r'(\w+)="([^"]*)"', upstream.last.field('Authorization'))
        pairs = [(name, urllib.parse.unquote(value)) for name, value in pairs]
        base = self.base('GET', 'http://api.example.com/r', [('z', '1')] + pairs[:-1])
        self.assertTrue(signed.verifies(signed.public(key), 'rsa-sha1', base.encode(), base64.b64decode(pairs[-1][1])))

    def test_a_body_that_is_no_form_is_not_signed(self):
        request = self.place('version: false', 'POST', '/j', [('Content-Type', 'application/json')], b'{"a": 1}')
        pairs = [(name, urllib.parse.unquote(value))
                 for name, value in re.findall(r'(\w+)="([^"]*)"', request.field('Authorization'))]
        base = self.base('POST', 'http://api.example.com/base/j', pairs[:-1])
        self.assertEqual(pairs[-1][1], self.mac(base))


for _number, _vector in enumerate(CORPUS['oauth1']):
    def _test(self, vector=_vector):
        self.check(vector)
    _test.__doc__ = _vector['name']
    setattr(OAuth, f'test_vector_{_number}', _test)
