"""`explain` shows what would be sent, without a network, reproducibly and without secrets."""
import base64
import contextlib
import hmac
import json
import os
import pty
import subprocess
import urllib.parse

from support import case, configs, corpus, shop
from support.client import call
from support.gateway import binary, command, folder

VECTORS = corpus.load('tpshop-md5.json')
FORM_TYPE = 'Content-Type: application/x-www-form-urlencoded'

# As PHP sees the form; the time counts only where there is one.
PHP = configs.TPSHOP.replace(
    """request.form.filter(f, !(f.name in ["time", "sign"])).sortBy(f, f.name).map(f, f.value).join("")
        + vars.time + secret.sign_key""",
    """php.sort(request.form.filter(f, !(f.name in ["time", "sign"]))).map(f, f.value).join("")
        + (size(request.form) > 0 ? vars.time : "") + secret.sign_key""")


def explain(*args, config=None, secrets=None):
    files = {**configs.SECRETS, **(secrets or {}), 'g.yaml': config or configs.tpshop('http://127.0.0.1:9')}
    with folder(files) as path:
        return command('explain', 'g.yaml', *args, cwd=path)


def on_terminal(*args):
    """The output of a run whose standard output is a terminal."""
    ours, theirs = pty.openpty()
    with folder({**configs.SECRETS, 'g.yaml': configs.tpshop('http://127.0.0.1:9')}) as path:
        process = subprocess.Popen([binary(), 'explain', 'g.yaml', *args], stdout=theirs, stdin=subprocess.DEVNULL, cwd=path)
        os.close(theirs)
        output = b''
        with contextlib.suppress(OSError):    # EIO: the other end is closed
            while data := os.read(ours, 1 << 16):
                output += data
        os.close(ours)
        return process.wait(10), output.decode()


def php_config(vector):
    """The shop's recipe; a body that is no form gets its signature in a header instead."""
    text = configs.LISTEN + PHP % {
        'url': 'http://127.0.0.1:9', 'upstream': '', 'session': '', 'capture': '',
        'routes': '  - {path: /**, upstream: shop, sign: tpshop}\n'}
    if not isinstance(form_of(vector), str):
        text = text.replace('form: {time: "${vars.time}", sign: "${vars.sign}"}', 'header: {X-Sign: "${vars.sign}"}')
    return text


def form_of(vector):
    if 'wire_body' in vector:
        return vector['wire_body']
    if 'body_params' in vector:
        return urllib.parse.urlencode(vector['body_params'])
    return None


class Explain(case.Case):
    FORM = ('--header', FORM_TYPE)

    def test_it_reproduces_a_published_example(self):
        for vector in VECTORS:
            data = form_of(vector)
            kind = FORM_TYPE if data is not None else 'Content-Type: application/json'
            status, out, error = explain(
                'POST', '/x', '--header', kind, '--data', data or '{}', '--now', vector.get('time', '1'), '--json',
                config=php_config(vector), secrets={'secrets/key': vector.get('api_secret_key', 'tpshop2')})
            self.assertEqual(status, 0, out + error)
            sign = next(item for item in json.loads(out)['computed'] if item['name'] == 'sign' and item['place'] == 'variable')
            self.assertEqual(sign['value'], vector['expected'], vector['name'])
            signed, = sign['inputs']
            self.assertEqual(signed['function'], 'hash.md5')
            expected = vector['string_to_sign']
            for secret in ('tpshop2', shop.USER, shop.PASSWORD):
                expected = expected.replace(secret, '***')
            self.assertEqual(signed['message'], expected, vector['name'])

    def test_what_is_shown_is_what_is_sent(self):
        """Byte for byte, against what an upstream receives from a running gateway with the same time."""
        upstream = self.upstream()
        config = configs.LISTEN + '''upstreams: {up: {url: "$URL/base"}}
signatures:
  s:
    variables: {t: string(int(now)), m: "hex.encode(hash.sha256(request.target + string(request.body) + vars.t))"}
    attach: {header: {X-Sign: "${vars.m}", X-Nonce: "${nonce}"}, query: {t: "${vars.t}"}, cookie: {n: "1"}}
routes: [{path: /**, upstream: up, sign: s, attach: {header: {X-App: "a b"}}}]
'''.replace('$URL', upstream.url)
        gateway = self.gateway(config, args=('--pin-now', '1492495675', '--pin-nonce', 'n1'))
        for method, target, body in (('GET', '/a%20b?x=1&&y', None), ('POST', '/p', b'{"a": 1}'), ('POST', '/p', b''),
                                     ('PUT', '/p?', b'x' * 5000), ('DELETE', '/d', None), ('OPTIONS', '/o', None)):
            fields = [('Accept', 'application/json'), ('X-Mixed-Case', 'v'), ('Cookie', 'a=1'), ('Connection', 'x-gone'),
                      ('X-Gone', '1'), ('X-Forwarded-For', '10.0.0.1')]
            before = len(upstream.requests)
            call(gateway.address, method, target, fields, body)
            sent = upstream.requests[before]
            args = [word for name, value in fields for word in ('--header', f'{name}: {value}')]
            if body is not None:
                args += ['--data', body.decode()]
            status, out, error = explain(
                method, f'http://{gateway.address}{target}', *args, '--now', '1492495675', '--nonce', 'n1', '--json',
                config=config.replace('127.0.0.1:0]', gateway.address + ']'))
            self.assertEqual(status, 0, out + error)
            self.assertEqual(json.loads(out)['request']['bytes'].encode(), sent.head + b'\r\n\r\n' + sent.body, method)

    def test_a_refusal_says_why(self):
        for args, status, words in (
                (('POST', '/api/a/b', '--header', 'Content-Type: text/plain', '--data', 'x'), 400, 'form'),
                (('GET', '/nowhere'), 404, 'no route'),
                (('TRACE', '/api/a/b'), 405, 'refused_method'),
                (('GET', '/api/../x'), 400, 'dot_segment'),
                (('GET', 'http://evil.test/api/a/b'), 421, 'foreign_host'),
                (('GET', '/api/a/b', '--header', 'Origin: https://evil.test'), 403, 'origin'),
                (('GET', '/api/a/b', '--header', 'A: b\r\nC: d\r\n\r\nGET / HTTP/1.1'), 400, 'early'),
                (('POST', '/api/a/b', '--data', 'x' * 100), 413, 'limit')):
            config = configs.tpshop('http://127.0.0.1:9', routes=configs.route('limits: {body: 99}'))
            code, out, error = explain(*args, config=config)
            self.assertEqual((code, error), (1, ''), args)
            self.assertRegex(out, rf'(?m)^refused +{status} \w+: .*{words}', args)

    def test_a_very_short_secret_goes_where_it_is_a_value(self):
        config = configs.LISTEN + """secrets: {user: {file: secrets/user}}
upstreams: {up: {url: "http://127.0.0.1:9"}}
routes: [{path: /**, upstream: up, attach: {header: {Authorization: "user=${secret.user}"}, form: {user: "${secret.user}"}}}]
"""
        _, out, error = explain('POST', '/u', '--data', '', config=config, secrets={'secrets/user': 'u'})
        self.assertIn('Authorization: user=***\n', out, error)
        self.assertIn('\nuser=***', out)
        self.assertIn('POST /u HTTP', out)
        self.assertNotIn('=u', out)

    def test_the_device_is_the_one_of_run(self):
        upstream = self.upstream()
        config = configs.plain(upstream.url, route='attach: {header: {X-Device: "${device}"}}')
        call(self.gateway(config).address, 'GET', '/')
        _, out, error = explain('GET', '/', config=config)
        device = upstream.last.field('X-Device')
        self.assertRegex(device, r'\A[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z')
        if os.path.exists('/etc/machine-id'):
            self.assertIn(f'X-Device: {device}\n', out, error)

    def test_dropped_fields_are_told(self):
        _, out, _ = explain(
            'POST', '/api/a/b', *self.FORM, '--header', 'Cookie: c=12345', '--header', 'X_Under: 1', '--header', 'TE: trailers',
            '--data', 'a=1&sign=zz&time=3')
        for words in ('header X_Under', 'header TE', 'header Cookie', 'form sign', 'form time'):
            self.assertRegex(out, rf'(?m)^dropped +{words}:')
        self.assertNotIn('12345', out)

    def test_an_unknown_session_value_is_told(self):
        status, _, error = explain('POST', '/api/a/b', '--session', 'tokn=1')
        self.assertEqual(status, 1)
        self.assertIn('token', error)

    def test_derived_keys_are_masked_and_signatures_are_not(self):
        config = configs.LISTEN + '''secrets: {key: {file: secrets/key}}
upstreams: {up: {url: "http://127.0.0.1:9"}}
signatures:
  s:
    variables: {k: "hmac.sha256('AWS4' + secret.key, '20240101')", s: "hex.encode(hmac.sha256(vars.k, request.path))"}
    attach: {header: {X-Sign: "${vars.s}"}}
routes: [{path: /**, upstream: up, sign: s}]
'''
        derived = hmac.digest(b'AWS4' + shop.KEY.encode(), b'20240101', 'sha256')
        sign = hmac.digest(derived, b'/x', 'sha256').hex()
        for form in ((), ('--json',)):
            status, out, error = explain('GET', '/x', *form, config=config)
            self.assertEqual(status, 0, error)
            self.assertIn(sign, out)
            self.assertNotIn(derived.hex(), out)

    def test_encoded_secrets_are_masked_too(self):
        config = configs.LISTEN + '''secrets: {key: {file: secrets/key}}
upstreams: {up: {url: "http://127.0.0.1:9"}}
routes: [{path: /**, upstream: up, attach: {header: {Authorization: "Basic ${base64.encode('user:' + secret.key)}",
  X-Hex: "${hex.encode(secret.key)}"}, query: {k: "${secret.key}"}}}]
'''
        key = 'k ey/%41"+\u00fc'
        for form in ((), ('--json',)):
            status, out, error = explain('GET', '/x', *form, config=config, secrets={'secrets/key': key})
            self.assertEqual(status, 0, error)
            for text in (key, urllib.parse.quote(key), base64.b64encode(f'user:{key}'.encode()).decode(), key.encode().hex()):
                self.assertNotIn(text, out)
                self.assertNotIn(json.dumps(text)[1:-1], out)

    def test_it_shows_the_route_the_edits_and_the_final_request(self):
        status, out, error = explain(
            'POST', '/api/User/userInfo?page=1', *self.FORM, '--data', 'a=1', '--session', 'token=abc123def',
            '--session', 'user_id=7', '--now', '1492495675')
        self.assertEqual(status, 0, error)
        self.assertIn('/api/**', out)
        self.assertIn('/index.php?m=Api&c=User&a=userInfo&page=1', out)
        self.assertIn('1492495675', out)
        self.assertIn('user_id', out)

    def test_secrets_and_session_values_are_masked(self):
        status, out, error = explain(
            'POST', '/api/User/userInfo', *self.FORM, '--data', 'a=1', '--session', 'token=abc123def',
            '--session', 'user_id=7', '--now', '1')
        self.assertEqual(status, 0, error)
        for secret in (shop.KEY, shop.PASSWORD, 'abc123def'):
            self.assertNotIn(secret, out + error)

    def test_short_session_values_are_masked(self):
        status, out, error = explain(
            'POST', '/api/User/userInfo', *self.FORM, '--data', 'a=1', '--session', 'token=qzxw', '--session', 'user_id=7',
            '--now', '1')
        self.assertEqual(status, 0, error)
        self.assertNotIn('qzxw', out + error)
        self.assertIn('user_id=7', out)

    def test_a_body_without_a_type_is_told_of(self):
        status, out, error = explain('POST', '/api/User/userInfo', '--data', 'a=1', '--session', 'token=abc123def',
                                     '--session', 'user_id=7', '--now', '1')
        self.assertIn('the body has no Content-Type', out + error)

    def test_secrets_are_shown_on_demand(self):
        args = ('POST', '/api/User/userInfo', *self.FORM, '--data', 'a=1', '--session', 'token=abc123def',
                '--session', 'user_id=7', '--now', '1', '--show-secrets')
        status, out, error = explain(*args)
        self.assertEqual((status, out), (2, ''))
        self.assertIn('terminal', error)
        status, out = on_terminal(*args)
        self.assertEqual(status, 0)
        self.assertIn('abc123def', out)
        self.assertIn(shop.KEY, out)

    def test_the_json_form_holds_the_same(self):
        status, out, error = explain('POST', '/api/User/userInfo', *self.FORM, '--data', 'a=1', '--session', 'token=abc123def',
                                     '--session', 'user_id=7', '--now', '1', '--json')
        self.assertEqual(status, 0, error)
        self.assertIsInstance(json.loads(out), dict)
        self.assertNotIn('abc123def', out)

    def test_the_nonce_is_fixed_on_demand(self):
        config = configs.LISTEN + '''upstreams: {up: {url: "http://127.0.0.1:9"}}
signatures: {s: {variables: {n: nonce}, attach: {header: {X-Nonce: "${vars.n}"}}}}
routes: [{path: /**, upstream: up, sign: s}]
'''
        _, out, error = explain('GET', '/x', '--nonce', 'fixed-nonce-1', '--now', '1', config=config)
        self.assertIn('fixed-nonce-1', out, error)

    def test_an_unmatched_request_is_told(self):
        status, out, error = explain('GET', '/nowhere')
        self.assertEqual(status, 1)
        self.assertIn('/nowhere', out + error)

    def test_the_same_input_gives_the_same_output(self):
        args = ('POST', '/api/User/userInfo', *self.FORM, '--data', 'a=1', '--session', 'token=t', '--session', 'user_id=7',
                '--now', '1492495675', '--nonce', 'n')
        self.assertEqual(explain(*args), explain(*args))


class Answers(case.Case):
    """`--answer` takes a sample through the route's tests and its envelope."""

    CONFIG = configs.plain('http://127.0.0.1:9', session='''sessions:
  api:
    upstream: up
    login: [{request: {path: /login}, capture: {token: json.token}}]
    attach: {header: {Token: "${session.token}"}}
    expired: json.code == 401
''', top='''envelopes:
  api: {unwrap: [jsonp], ok: json.code == 0, code: json.code, message: json.msg, data: json.?data}
''', route='session: api\nenvelope: {from: api, to: standard}')

    def explain(self, body, *args):
        with folder({'g.yaml': self.CONFIG, 'a': body}) as path:
            return command('explain', 'g.yaml', 'GET', '/x', '--answer', 'a', *args, cwd=path)

    def test_each_step_is_shown(self):
        code, out, _ = self.explain('cb({"code":0,"data":[1]});')
        self.assertEqual(code, 0, out)
        lines = [line for line in out.split('\n') if line.startswith(('sample', 'told'))]
        self.assertEqual(lines, [
            'sample     expired: false  (json.code == 401)', 'sample     ok: true  (json.code == 0)',
            'sample     code: 0  (json.code)', 'sample     message: errs: no such key: msg  (json.msg)',
            'sample     data: [1]  (json.?data)', 'told       200 {"success":true,"code":0,"message":null,"data":[1]}'])

    def test_status_and_fields_count(self):
        _, out, _ = self.explain('x', '--answer-header', 'Content-Type: image/png')
        self.assertIn('told       as it is', out)
        _, out, _ = self.explain('<html>', '--answer-status', '403')
        self.assertIn('told       403 {"success":false,"code":null,"message":"Forbidden","data":null}', out)
        _, out, _ = self.explain('<html>', '--answer-status', '612 No such file')
        self.assertIn('told       502 upstream_error', out)
        _, out, _ = self.explain('<html>', '--answer-status', '403 No such right')
        self.assertIn('"message":"No such right"', out)
        _, out, _ = self.explain('<html>')
        self.assertIn('told       502 bad_answer: the answer is not JSON', out)

    def test_a_rendering_that_errs_is_told(self):
        text = self.CONFIG.replace(
            'data: json.?data}', 'data: json.?data, render: {a: "${data}", id: "${request.json.id}"}}').replace(
            'to: standard', 'to: api')
        with folder({'g.yaml': text, 'a': '{"code":0,"data":[1]}'}) as path:
            def explain(body):
                return command('explain', 'g.yaml', 'POST', '/x', '--header', 'Content-Type: application/json',
                               '--data', body, '--answer', 'a', cwd=path)[1]
            out = explain('{}')
            self.assertIn('sample     render.id: errs: no such key: id  (${request.json.id})', out)
            self.assertIn('told       200 {"success":true,"code":0,"message":null,"data":[1]}\n'
                          '           in the standard envelope, since render errs', out)
            self.assertIn('told       200 {"a":[1],"id":4}', explain('{"id":4}'))

    def test_for_programs(self):
        sample = json.loads(self.explain('{"code":401}', '--json')[1])['sample']
        self.assertEqual(sample['steps'][0], {
            'name': 'expired', 'source': 'json.code == 401', 'value': 'true', 'error': None})
        self.assertIsNone(sample['refused'])

    def test_what_is_wrong_with_the_options(self):
        for args, problem in ((('--answer-status', '200'), '--answer FILE is missing'),
                              (('--answer', 'nowhere'), '"nowhere": no such file'),
                              (('--answer', 'g.yaml', '--answer-status', '99'), 'a number from 200 to 999')):
            with folder({'g.yaml': self.CONFIG}) as path:
                code, _, error = command('explain', 'g.yaml', 'GET', '/x', *args, cwd=path)
            self.assertNotEqual(code, 0)
            self.assertIn(problem, error)


if __name__ == '__main__':
    case.main()
