"""No secret leaves: every byte of logs, metrics, health, errors, explain and the process is searched."""
import base64
import hashlib
import signal
import urllib.parse

from support import case, configs, shop
from support.client import Client, call, encode, get, post
from support.gateway import command, folder

PASSWORD = 'canary-password-7f3a+/='
KEY = 'canary-sign-key-91c2'
USER = 'canary-user-55d0'


def forms(secret):
    """The secret as it might leak: plain, escaped, in base64 and in hex."""
    raw = secret.encode()
    return {raw, urllib.parse.quote(secret, safe='').encode(), base64.b64encode(raw), raw.hex().encode()}


class Canary(case.Case):
    def setUp(self):
        self.store = self.shop(key=KEY, user=USER, password=PASSWORD)
        self.gate = self.shop_gateway(self.store, top='log: {level: debug}', secrets={
            'secrets/user': USER, 'secrets/password': PASSWORD, 'secrets/key': KEY}, upstream='breaker: {after: 3, wait: 30s}')
        self.answers = []

    def see(self, reply):
        self.answers.append(reply.head + b'\r\n\r\n' + reply.body)
        return reply

    def live_through_everything(self):
        """Login, replay, refusals, broken requests, bad answers, an outage, a reload, all pages."""
        self.tokens = []

        def token():
            if self.store.token:
                self.tokens.append(self.store.token)
        address, admin = self.gate.address, self.gate.admin
        self.see(post(address, '/api/User/userInfo', 'echo=1'))
        token()
        self.store.expire()
        self.see(post(address, '/api/User/userInfo', 'echo=2'))
        token()
        self.see(get(address, '/nowhere'))
        self.see(call(address, 'GET', '/api/x/y', host='evil.example'))
        with Client(address) as client:
            client.send(b'BROKEN\x00\r\n\r\n')
            self.see(client.read())
        self.store.fail = [500, 503]
        self.see(post(address, '/api/User/userInfo', 'echo=3'))
        self.see(post(address, '/api/User/userInfo', 'echo=4'))
        self.store.result = '{"broken":'
        self.see(post(address, '/api/User/userInfo', 'echo=5'))
        self.store.result = None
        self.store.expire()
        self.store.login_answers = [(-5, 'maintenance'), b'HTTP/1.1 200 X\r\nContent-Length: 4\r\n\r\nhtml']
        self.see(post(address, '/api/User/userInfo', 'echo=6'))
        self.store.go_away()
        for _ in range(6):
            self.see(post(address, '/api/Goods/x', 'echo=7', [('Accept-Language', 'zh')]))
        self.gate.reload()
        self.gate.reload(configs.tpshop(self.store.url) + 'bogus: 1\n', 'reload failed')
        for page in ('/livez', '/readyz', '/health', '/metrics', '/sessions/shop'):
            self.see(get(admin, page))
        self.see(get(address, '/_countersign/health'))

    def secrets(self):
        hashed = hashlib.md5(('TPSHOP' + PASSWORD).encode()).hexdigest()
        return {'password': PASSWORD, 'sign key': KEY, 'password hash': hashed,
                **{f'token {number}': token for number, token in enumerate(set(self.tokens))}}

    def assert_absent(self, data, where, allowed=()):
        for name, secret in self.secrets().items():
            if name in allowed:
                continue
            for form in forms(secret):
                self.assertNotIn(form, data, f'the {name} is in {where}')

    def test_no_secret_in_logs_answers_or_pages(self):
        self.live_through_everything()
        self.assertGreaterEqual(len(set(self.tokens)), 2)
        # The shop's own answers may name what the client asked for; these actions return no credential.
        self.assert_absent(b'\n'.join(self.answers), 'an answer')
        self.gate.stop()
        output = self.gate.output()
        self.assertGreater(len(output), 1000)
        self.assert_absent(output, 'the logs')
        self.assertNotIn(USER.encode(), output, 'the user name is in the logs')

    def test_no_secret_in_explain_check_or_status(self):
        self.tokens = ['0123456789abcdef0123456789abcdef']
        outputs = []
        for args in (
                ('check', self.gate.config_path), ('check', self.gate.config_path, '--json'),
                ('explain', self.gate.config_path, 'POST', '/api/User/userInfo', '--data', 'a=1', '--header',
                 'Content-Type: application/x-www-form-urlencoded', '--session', 'token=' + self.tokens[0],
                 '--session', 'user_id=1'),
                ('explain', self.gate.config_path, 'POST', '/api/User/userInfo', '--session', 'token=' + self.tokens[0],
                 '--session', 'user_id=1', '--json', '--data', 'a=1',
                 '--header', 'Content-Type: application/x-www-form-urlencoded'),
                ('status', '--admin', self.gate.admin)):
            _, out, error = command(*args)
            outputs.append((out + error).encode())
        self.assert_absent(b'\n'.join(outputs), 'the output of a command')

    def test_no_secret_in_the_arguments_of_the_process(self):
        self.tokens = []
        with open(f'/proc/{self.gate.pid}/cmdline', 'rb') as file:
            self.assert_absent(file.read(), 'the arguments')

    def test_no_secret_in_what_a_crash_prints(self):
        self.tokens = []
        with Client(self.gate.address) as client:
            client.send(encode('POST', '/api/User/userInfo', [('Content-Type', 'application/x-www-form-urlencoded')], 'echo=1'))
            client.read()
        self.tokens = [self.store.token]
        self.gate.signal(signal.SIGILL)
        self.gate.wait_exit()
        self.assert_absent(self.gate.output(), 'the crash output')


class Derived(case.Case):
    """What a recipe makes of a secret is one too, wherever recipes are shown."""

    MADE = {
        'replaced': ('secret.password.replace("a", "4")', lambda text: text.replace('a', '4')),
        'reversed': ('secret.password.reverse()', lambda text: text[::-1]),
        'upper': ('secret.password.upperAscii()', str.upper),
        'cut': ('secret.password.substring(3)', lambda text: text[3:]),
        'split': ('secret.password.split("").map(c, c + "~").join("")', lambda text: ''.join(c + '~' for c in text)),
        'joined': ('base64.encode(secret.user + ":" + secret.password.reverse())',
                   lambda text: base64.b64encode(f'{USER}:{text[::-1]}'.encode()).decode()),
        'hex': ('hex.encode("x" + secret.password.upperAscii())', lambda text: ('x' + text.upper()).encode().hex()),
        'twice': ('url.encode(url.encode(secret.password))',
                  lambda text: urllib.parse.quote(urllib.parse.quote(text, safe=''), safe='')),
        'json': ('json.encode({"p": secret.password.reverse()})', lambda text: '{"p":"%s"}' % text[::-1]),
        'key': ('hex.encode(pbkdf2.sha256(secret.password, "salt", 2, 16))',
                lambda text: hashlib.pbkdf2_hmac('sha256', text.encode(), b'salt', 2, 16).hex()),
    }

    def config(self):
        attach = ', '.join("X-%s: '${%s}'" % (name, source) for name, (source, _) in self.MADE.items())
        fields = ', '.join("%s: '${%s}'" % (name, source) for name, (source, _) in self.MADE.items())
        return configs.LISTEN + (
            'secrets: {user: {file: secrets/user}, password: {file: secrets/password}}\n'
            'upstreams: {up: {url: "http://127.0.0.1:9"}}\n'
            'sessions:\n  api:\n    upstream: up\n'
            '    login: {request: {path: /login, form: {%s}}, capture: {token: json.token}}\n'
            'signatures:\n  s:\n    variables:\n      text: request.method + secret.password.reverse() + request.path\n'
            '      sign: hex.encode(hash.sha256(vars.text))\n    attach: {header: {X-Sign: "${vars.sign}"}}\n'
            'routes:\n  - {path: /**, upstream: up, session: api, sign: s, attach: {header: {%s}, query: {%s}}}\n'
            % (fields, attach, fields))

    def test_explain_shows_none_of_it(self):
        with folder({'secrets/user': USER, 'secrets/password': PASSWORD, 'g.yaml': self.config()}) as path:
            for arguments in (('GET', '/a'), ('GET', '/a', '--json'), ('--login', 'api'), ('--login', 'api', '--json')):
                status, out, error = command('explain', 'g.yaml', *arguments, cwd=path)
                self.assertEqual(status, 0, error)
                for name, (_, make) in self.MADE.items():
                    made = make(PASSWORD)
                    for form in (made, urllib.parse.quote(made, safe=''), made.replace('"', '\\"')):
                        with self.subTest(name, arguments=arguments):
                            self.assertNotIn(form, out)
                # What is signed is told but for the secret in it, and so is the signature.
                if '--login' not in arguments:
                    self.assertIn('GET***/a', out)
                    self.assertIn(hashlib.sha256(f'GET{PASSWORD[::-1]}/a'.encode()).hexdigest(), out)


class WrittenDown(case.Case):
    """A secret that somebody wrote into the config is refused or warned of, without its text."""

    SECTIONS = {
        'a secret': 'secrets: {pw: %s}', 'a list': 'secrets: {pw: [%s]}', 'another key': 'secrets: {pw: {value: %s}}',
        'a variable': 'secrets: {pw: {env: %s}}', 'twice': 'secrets: {pw: {env: HOME}, pw: %s}',
        'a URL': 'upstreams: {u: {url: "http://me:%s@127.0.0.1:1"}}',
        'a query': 'upstreams: {u: {url: "http://127.0.0.1:1/?k=%s"}}',
        'a proxy': 'upstreams: {u: {url: "http://127.0.0.1:1", proxy: "http://me:%s@127.0.0.1:3"}}',
        'a header': 'upstreams: {u: {url: "http://127.0.0.1:1", attach: {header: {Authorization: "Bearer %s"}}}}',
        'an open one': 'upstreams: {u: {url: "http://127.0.0.1:1", attach: {header: {Authorization: "B ${%s"}}}}',
        'a text': 'upstreams: {u: {url: "http://127.0.0.1:1", attach: {header: {A: "${foo(\'%s\')}"}}}}',
        'a constant': 'upstreams: {u: {url: "http://127.0.0.1:1", attach: {header: {A: "${base64.decode(\'%s!\')}"}}}}',
        'a key': 'signatures: {s: {aws_sigv4: {access_key: A, secret_key: %s, region: x, service: s3}}}',
        'a pin': 'upstreams: {u: {url: "https://127.0.0.1:1", tls: {pins: ["%s"]}}}', 'no YAML': 'secrets: {pw: "%s}',
    }

    def test_check_tells_where_and_not_what(self):
        for name, section in self.SECTIONS.items():
            with folder({'g.yaml': configs.LISTEN + section % PASSWORD + '\n'}) as path:
                for more in ((), ('--json',)):
                    _, out, error = command('check', 'g.yaml', *more, cwd=path)
                    with self.subTest(name, more=more):
                        self.assertGreater(len(out), 20)
                        self.assertNotIn('canary', out + error)


class LoginAnswers(case.Case):
    def test_the_answer_of_a_login_is_never_shown_to_a_client(self):
        store = self.shop()
        gateway = self.shop_gateway(store)
        store.login_answers = [(0, 'row holds ' + shop.PASSWORD)]
        reply = post(gateway.address, '/api/User/userInfo', 'echo=1')
        self.assertNotIn(shop.PASSWORD.encode(), reply.body)


if __name__ == '__main__':
    case.main()
