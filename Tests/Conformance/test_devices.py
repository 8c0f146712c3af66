"""Small devices: one connection for each request, certificates in other names or by nobody, and answers by careless hands."""
import os
import shutil
import ssl
import tempfile

from support import bearer, case, configs
from support.certificates import Authority
from support.client import Client, call, get
from support.gateway import command, folder
from support.upstream import Hangup, Upstream, answer


class Secure(case.Case):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix='countersign-ca-')
        cls.authority = Authority(cls.folder)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def both(self, handler=None, **options):
        """The same upstream in the clear and over TLS, with what the config says of it."""
        tls = 'tls: {ca_file: "%s"}\n' % self.authority.file
        for scheme, context in (('http', None), ('https', self.authority.server('both'))):
            with self.subTest(scheme):
                upstream = self.start(Upstream(handler, tls=context, **options))
                yield upstream, f'{scheme}://127.0.0.1:{upstream.port}', tls if context else ''


class Connections(Secure):
    def test_no_idle_connection_is_one_connection_for_each_request(self):
        for upstream, url, tls in self.both():
            gateway = self.gateway(configs.plain(url, upstream=tls + 'limits: {idle_connections: 0}'))
            with Client(gateway.address) as client:
                for number in range(6):
                    reply = client.request('POST' if number % 2 else 'GET', '/x', body=b'b' if number % 2 else None)
                    self.assertEqual(reply.status, 200, reply)
            self.assertEqual((upstream.connections, len(upstream.requests)), (6, 6))

    def test_a_reload_may_ask_for_it(self):
        for upstream, url, tls in self.both():
            config = configs.plain(url, upstream=tls + 'limits: {idle_connections: 4}')
            gateway = self.gateway(config)
            for _ in range(3):
                self.assertEqual(get(gateway.address, '/x').status, 200)
            self.assertEqual(upstream.connections, 1)
            gateway.reload(config.replace('idle_connections: 4', 'idle_connections: 0'))
            upstream.wait(lambda up: not up.open, what='the end of the idle connection')
            for _ in range(3):
                self.assertEqual(get(gateway.address, '/x').status, 200)
            self.assertEqual(upstream.connections, 4)

    def test_after_two_losses_posts_take_fresh_connections(self):
        def closes(request, wire):
            """After each answer, without saying so: when the next request is there."""
            if wire.served > 1:
                raise Hangup
            return answer(200, b'ok')
        for upstream, url, tls in self.both(closes):
            gateway = self.gateway(configs.plain(url, upstream=tls + 'breaker: off'))
            with Client(gateway.address) as client:
                seen = [client.request('POST', '/x', body=b'b').status for _ in range(10)]
            self.assertEqual(seen, [200, 502, 200, 502] + [200] * 6)


class Address(Secure):
    def test_the_url_names_the_server_and_the_address_says_where_it_is(self):
        for scheme, context in (('http', None), ('https', self.authority.server('hue', 'DNS:0017-bridge.test'))):
            upstream = self.start(Upstream(tls=context))
            tls = f'\ntls: {{ca_file: "{self.authority.file}"}}' if context else ''
            for host in ('127.0.0.1', 'localhost'):
                with self.subTest((scheme, host)):
                    gateway = self.gateway(configs.plain(
                        f'{scheme}://0017-bridge.test/base', upstream=f'address: "{host}:{upstream.port}"{tls}'))
                    self.assertEqual(get(gateway.address, '/x').status, 200)
                    self.assertEqual((upstream.last.field('Host'), upstream.last.target), ('0017-bridge.test', '/base/x'))
                    health = get(gateway.admin, '/health').json['upstreams']['up']
                    self.assertEqual(health['address'], f'{host}:{upstream.port}')

    def test_without_a_port_it_is_the_urls(self):
        upstream = self.upstream()
        gateway = self.gateway(configs.plain(f'http://device.test:{upstream.port}', upstream='address: 127.0.0.1'))
        self.assertEqual(get(gateway.address, '/x').status, 200)
        self.assertEqual(upstream.last.field('Host'), f'device.test:{upstream.port}')

    def test_the_certificate_is_checked_against_the_url(self):
        upstream = self.start(Upstream(tls=self.authority.server('other', 'DNS:other.test,IP:127.0.0.1')))
        gateway = self.gateway(configs.plain(
            'https://device.test', upstream=f'address: 127.0.0.1:{upstream.port}\ntls: {{ca_file: "{self.authority.file}"}}'))
        reply = get(gateway.address, '/x')
        self.assert_refused(reply, 502, 'tls')
        self.assertIn('address', reply.json['error']['detail'])
        self.assertEqual(upstream.requests, [])

    def test_logins_and_probes_go_there_too(self):
        server = self.start(bearer.TokenServer())
        gateway = self.gateway(bearer.config(
            'http://device.test', upstream=f'address: 127.0.0.1:{server.upstream.port}\nprobe: {{path: /ping, every: 50ms}}'),
            secrets=bearer.SECRETS)
        self.assertEqual(get(gateway.address, '/x').status, 200)
        server.upstream.wait(lambda up: any(request.target == '/ping' for request in up.requests), what='a probe')
        self.assertEqual({request.field('Host') for request in server.upstream.requests}, {'device.test'})

    def test_a_reload_leads_elsewhere(self):
        first, second = self.upstream(lambda *_: answer(200, b'first')), self.upstream(lambda *_: answer(200, b'second'))
        config = configs.plain('http://device.test', upstream=f'address: 127.0.0.1:{first.port}')
        gateway = self.gateway(config)
        self.assertEqual(get(gateway.address, '/').body, b'first')
        gateway.reload(config.replace(str(first.port), str(second.port)))
        self.assertEqual(get(gateway.address, '/').body, b'second')

    def test_what_it_does_not_go_with(self):
        for more, problem in (('socket: /tmp/s', 'socket and address exclude each other'),
                              ('proxy: "http://127.0.0.1:9"', 'the proxy looks for the upstream itself'),
                              ('', None)):
            text = configs.plain('http://device.test', upstream=f'address: 127.0.0.1:9\n{more}')
            with folder({'g.yaml': text}) as path:
                status, output, errors = command('check', f'{path}/g.yaml')
            self.assertEqual(status, 1 if problem else 0, errors)
            self.assertIn(problem or '', output + errors)
        for wrong in ('"http://x"', '"a b"', '127.0.0.1:0', '"127.0.0.1:"', '"::1"'):
            with folder({'g.yaml': configs.plain('http://device.test', upstream=f'address: {wrong}')}) as path:
                status, output, errors = command('check', f'{path}/g.yaml')
            self.assertEqual((status, 'is not an address' in output + errors), (1, True), wrong)


class SelfSigned(Secure):
    def setUp(self):
        folder = tempfile.mkdtemp(prefix='countersign-device-')
        self.addCleanup(shutil.rmtree, folder)
        self.device = Authority(folder)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(f'{folder}/ca.pem', f'{folder}/ca.key')
        self.up = self.start(Upstream(tls=context))
        self.pin = self.device.pin('ca')

    def ask(self, tls):
        self.text = configs.plain(f'https://127.0.0.1:{self.up.port}', upstream=f'tls: {{{tls}}}' if tls else '')
        self.gate = self.gateway(self.text)
        return get(self.gate.address, '/x')

    def test_the_error_names_the_keys(self):
        reply = self.ask('')
        self.assert_refused(reply, 502, 'tls')
        for key in ('tls.ca_file', 'tls.pins', 'tls.verify: false'):
            self.assertIn(key, reply.json['error']['detail'])

    def test_a_pin_is_enough_and_nothing_to_warn_about(self):
        self.assertEqual(self.ask(f'verify: false, pins: "{self.pin}"').status, 200)
        self.assertIs(get(self.gate.admin, '/health').json['upstreams']['up']['verifyTLS'], True)
        with folder({'g.yaml': self.text}) as path:
            status, output, errors = command('check', f'{path}/g.yaml')
        self.assertEqual((status, 'anyone in between' in output + errors), (0, False), output + errors)
        with folder({'g.yaml': self.text.replace(f', pins: "{self.pin}"', '')}) as path:
            status, output, errors = command('check', f'{path}/g.yaml')
        self.assertEqual((status, 'anyone in between' in output + errors), (0, True), output + errors)

    def test_another_key_is_refused(self):
        self.authority.leaf('wrong', 'DNS:localhost')
        reply = self.ask(f'verify: false, pins: "{self.authority.pin("wrong")}"')
        self.assert_refused(reply, 502, 'tls')
        self.assertEqual(self.up.requests, [])


class Files(Secure):
    def test_files_are_looked_for_beside_the_config_from_wherever_it_is_started(self):
        certificate, key = self.authority.leaf('client', 'DNS:client')
        upstream = self.start(Upstream(tls=self.authority.server('mutual', ask_client=True)))
        text = configs.plain(
            f'https://127.0.0.1:{upstream.port}',
            upstream='tls: {ca_file: ../secrets/ca.pem, client_certificate: ../secrets/c.pem, client_key: ../secrets/c.key}',
            route='session: api\nattach: {header: {X-Key: "${secret.key}"}}',
            session='secrets: {key: {file: ../secrets/key}, store: {file: ../secrets/store}}\n'
                    'sessions:\n  api:\n    upstream: up\n    login: {request: {path: /login}, capture: {t: "\'token-1\'"}}\n'
                    '    store: {file: ../secrets/session, key: "${secret.store}"}\n'
                    '  handed:\n    upstream: up\n    token: {file: ../secrets/token}\n')
        files = {'c/gateway.yaml': text, 'secrets/key': 'key-0123456789', 'secrets/store': 'k' * 32, 'secrets/token': 't'}
        for name, source in (('ca.pem', self.authority.file), ('c.pem', certificate), ('c.key', key)):
            with open(source) as file:
                files[f'secrets/{name}'] = file.read()
        with folder(files) as path:
            for place, config in ((path, 'c/gateway.yaml'), (f'{path}/c', 'gateway.yaml'), ('/', f'{path}/c/gateway.yaml')):
                with self.subTest(config):
                    status, output, errors = command('check', config, cwd=place)
                    self.assertEqual(status, 0, output + errors)
                    status, output, errors = command('login', config, 'api', cwd=place)
                    self.assertEqual((status, 'logged in' in output), (0, True), output + errors)
            os.chmod(f'{path}/secrets/c.key', 0o644)
            status, output, errors = command('check', 'c/gateway.yaml', cwd=path)
            self.assertIn('"c/../secrets/c.key" is open to group or others', output + errors)


class Sloppy(Secure):
    def ask(self, raw, scheme='http', plan=''):
        def send(wire):
            wire.read_head()
            wire.send(raw)
            wire.read_head()
        context = self.authority.server('sloppy') if scheme == 'https' else None
        upstream = self.start(Upstream(tls=context, raw=send))
        tls = f'tls: {{ca_file: "{self.authority.file}"}}' if context else ''
        gateway = self.gateway(configs.plain(f'{scheme}://127.0.0.1:{upstream.port}', upstream=f'breaker: off\n{tls}'))
        return get(gateway.address, '/x')

    def test_what_a_recipient_may_take(self):
        for scheme in ('http', 'https'):
            for raw in (b'HTTP/1.1 200 OK\nContent-Type: application/json\nContent-Length: 7\n\n{"a":1}',
                        b'HTTP/1.1 200 OK\r\nContent-Length: 7\r\nContent-Length: 7\r\n\r\n{"a":1}',
                        b'HTTP/1.1 200 OK\r\nX-Name : v\r\nContent-Length: 7\r\n\r\n{"a":1}'):
                with self.subTest((scheme, raw)):
                    reply = self.ask(raw, scheme)
                    self.assertEqual((reply.status, reply.body), (200, b'{"a":1}'), reply)
                    self.assertEqual(reply.all('Content-Length'), ['7'])
                    if b'X-Name' in raw:
                        self.assertEqual(reply.field('X-Name'), 'v')

    def test_a_blank_before_the_colon_of_a_length(self):
        reply = self.ask(b'HTTP/1.1 200 OK\r\nContent-Length : 7\r\n\r\n{"a":1}')
        self.assertEqual((reply.status, reply.body, reply.all('Content-Length')), (200, b'{"a":1}', ['7']))

    def test_what_is_refused_names_the_field(self):
        for field, detail in ((b'X-Name: a\x01b', 'bad_field_value: field X-Name'), (b'X Name: a', 'bad_field_name: field X'),
                              (b'Content-Length: 8', 'duplicate_content_length: field Content-Length')):
            for scheme in ('http', 'https'):
                with self.subTest((scheme, field)):
                    reply = self.ask(b'HTTP/1.1 200 OK\r\nContent-Length: 7\r\n' + field + b'\r\n\r\n{"a":1}', scheme)
                    self.assert_refused(reply, 502, 'bad_answer')
                    self.assertIn(detail, reply.json['error']['detail'])

    def test_requests_stay_strict(self):
        _, gateway = self.pair()
        for raw in (b'POST / HTTP/1.1\r\nHost: gw.test\r\nContent-Length : 1\r\n\r\nx', b'GET / HTTP/1.1\nHost: gw.test\n\n',
                    b'POST / HTTP/1.1\r\nHost: gw.test\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\nx'):
            with Client(gateway.address) as client:
                client.send(raw)
                self.assertEqual(client.read().status, 400, raw)


class Methods(case.Case):
    def test_a_route_admits_the_methods_that_it_lists(self):
        upstream = self.upstream(lambda request, wire: answer(207, request.method + ' ' + request.body.decode()))
        config = configs.plain(upstream.url, route='methods: [GET, PROPFIND, PURGE]').replace(
            '  - path: /**', '  - {path: /plain, upstream: up}\n  - path: /**')
        gateway = self.gateway(config)
        self.assertEqual(call(gateway.address, 'PROPFIND', '/a', body=b'<x/>').body, b'PROPFIND <x/>')
        self.assertEqual(call(gateway.address, 'PURGE', '/a').body, b'PURGE ')
        self.assertEqual(get(gateway.address, '/plain').status, 207)
        count = len(upstream.requests)
        for method, target, status in (('MKCOL', '/a', 501), ('propfind', '/a', 501), ('POST', '/a', 405),
                                       ('CONNECT', '/a', 405), ('TRACE', '/a', 405)):
            self.assertEqual(call(gateway.address, method, target).status, status, (method, target))
        self.assertEqual(call(gateway.address, 'POST', '/a').field('Allow'), 'GET, PROPFIND, PURGE')
        self.assertEqual(len(upstream.requests), count)

    def test_a_route_without_methods_takes_the_common_ones(self):
        upstream = self.upstream()
        config = configs.plain(upstream.url).replace(
            '  - path: /**', '  - {path: /dav/**, methods: [PROPFIND], upstream: up}\n  - path: /**')
        gateway = self.gateway(config)
        self.assertEqual(call(gateway.address, 'PROPFIND', '/dav/a').status, 200)
        reply = call(gateway.address, 'PROPFIND', '/a')
        self.assertEqual((reply.status, reply.field('Allow')), (405, 'GET, HEAD, POST, PUT, DELETE, PATCH, OPTIONS'))

    def test_only_what_is_registered_as_idempotent_is_sent_twice(self):
        for method, sent, status in (('PROPFIND', 3, 200), ('MKCOL', 3, 200), ('LOCK', 2, 502), ('PURGE', 2, 502)):
            with self.subTest(method):
                lost = []

                def handler(request, wire):
                    if wire.served == 2 and not lost:
                        lost.append(request)
                        raise Hangup
                    return answer(200, b'ok')
                upstream = self.upstream(handler)
                gateway = self.gateway(configs.plain(upstream.url, route='methods: [GET, PROPFIND, MKCOL, LOCK, PURGE]'))
                with Client(gateway.address) as client:
                    self.assertEqual(client.request('GET', '/a').status, 200)
                    self.assertEqual(client.request(method, '/a').status, status)
                self.assertEqual([request.method for request in upstream.requests], ['GET'] + [method] * (sent - 1))

    def test_an_expired_session_is_replayed_for_any(self):
        server = self.start(bearer.TokenServer())
        gateway = self.gateway(bearer.config(server.url, route='methods: [PURGE]'), secrets=bearer.SECRETS)
        self.assertEqual(call(gateway.address, 'PURGE', '/a').status, 200)
        server.expire()
        reply = call(gateway.address, 'PURGE', '/a')
        self.assertEqual((reply.status, reply.outcome), (200, 'relogin'))

    def test_what_a_config_may_list(self):
        for method, status, words in (
                ('CONNECT', 1, 'is not a method that is forwarded'), ('TRACE', 1, 'is not a method that is forwarded'),
                ('get', 1, 'did you mean GET?'), ('propfind', 1, 'did you mean PROPFIND?'), ('"A B"', 1, 'is not a method'),
                ('GTE', 0, 'did you mean GET?'), ('X-VENDOR-7', 0, ''), ('REPORT', 0, '')):
            with folder({'g.yaml': configs.plain('http://127.0.0.1:9', route=f'methods: [{method}]')}) as path:
                code, output, errors = command('check', f'{path}/g.yaml')
            self.assertEqual(code, status, (method, output, errors))
            self.assertIn(words, output + errors)
            if not words:
                self.assertNotIn('did you mean', output + errors)


class Cookies(case.Case):
    SESSION = 'secrets: {user: {file: secrets/user}}\nsessions:\n  api:\n    upstream: up\n    cookies: true\n' \
              '    login: {request: {path: /login, form: {u: "${secret.user}"}}}\n    expired: status == 401\n'

    def config(self, cookies):
        lines = [('Set-Cookie', line) for line in cookies]
        upstream = self.upstream(lambda request, wire: answer(204, b'', lines) if request.target == '/login' else answer())
        return configs.plain(upstream.url, route='session: api', session=self.SESSION)

    def test_a_cookie_that_is_not_kept_is_told(self):
        config = self.config(['SID=s3cret-canary; Domain=app.corp', 'OLD=; Domain=app.corp; Max-Age=0', 'OK=1'])
        gateway = self.gateway(config, secrets={'secrets/user': 'ann'})
        self.assertEqual(get(gateway.address, '/a').status, 200)
        line = gateway.log.wait(lambda record: record.get('message') == 'cookie not kept')
        self.assertEqual((line['level'], line['session'], line['cookie'], line['reason']),
                         ('warning', 'api', 'SID', 'its Domain app.corp is not 127.0.0.1'))
        lines = [record for record in gateway.log.records if record.get('message') == 'cookie not kept']
        self.assertEqual(len(lines), 1, 'the end of one that was not there is nothing to tell')
        self.assertNotIn(b's3cret-canary', gateway.log.text())

    def test_the_login_command_tells_it_too(self):
        config = self.config(['SID=s3cret-canary; Domain=app.corp', '__Host-a=1; Secure; Path=/x'])
        with folder({'g.yaml': config, 'secrets/user': 'ann'}) as path:
            status, output, errors = command('login', f'{path}/g.yaml', 'api')
        self.assertEqual(status, 0, errors)
        self.assertIn('cookie SID not kept: its Domain app.corp is not 127.0.0.1\n', output)
        self.assertIn('cookie __Host-a not kept: its name asks for Secure, Path=/ and no Domain\n', output)
        self.assertNotIn('canary', output + errors)


if __name__ == '__main__':
    case.main()
