"""What the head of an answer decides: nothing is held for it, also where the answer has no body at all."""
import threading

from support import case, configs, recipes
from support.client import Client, call, encode, get
from support.upstream import answer, json_answer

JSON = ('Content-Type', 'application/json')
CHUNKED = b'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n'
LINES = [b'{"type":"ADDED","code":5}\n', b'{"type":"DELETED"}\n']
LOGIN = '''login: {request: {path: /login, json: {u: "${secret.user}"}}, capture: {token: json.token}}
attach: {header: {Authorization: "Bearer ${session.token}"}}
'''


def chunk(data):
    return b'%x\r\n%s\r\n' % (len(data), data)


class Server:
    """/watch sends a line, and the next only when the gate opens; every other path is answered by `rule`."""

    def __init__(self, test, rule=None):
        self.rule = rule or (lambda request: json_answer({'code': 0}))
        self.logins, self.gate = 0, threading.Event()
        test.addCleanup(self.gate.set)
        self.upstream = test.upstream(self._handle)
        self.url = self.upstream.url

    def token(self, request):
        return request.field('Authorization')

    def is_fresh(self, request):
        return self.token(request) == f'Bearer t{self.logins}' and self.logins > 1

    def _handle(self, request, wire):
        if request.target == '/login':
            self.logins += 1
            return json_answer({'token': f't{self.logins}'})
        if request.target != '/watch':
            return self.rule(request)
        wire.send(CHUNKED + chunk(LINES[0]))
        if self.gate.wait(20):
            wire.send(chunk(LINES[1]) + b'0\r\n\r\n')


class Streams(case.Case):
    def assert_streams(self, gate, server, target='/watch'):
        """The first line is here while the upstream waits for the test to say so."""
        server.gate.clear()
        with Client(gate.address, 5) as client:
            client.send(encode('GET', target))
            self.assertEqual(client.head()[0], 200)
            self.assertEqual(client.exactly(int(client.line(), 16)), LINES[0])
            server.gate.set()
            client.exactly(2)
            self.assertEqual(client.exactly(int(client.line(), 16)), LINES[1])

    def test_tests_that_the_head_decides(self):
        def rule(request):
            return json_answer({'code': 0}) if server.is_fresh(request) else json_answer({'code': 5}, 401)
        for expired in ('status == 401 && json.code == 5', 'json.code == 5 && status == 401',
                        'status == 401 ? json.code == 5 : false', '!(status == 200 || json.code != 5)',
                        '[401, 403].exists(s, s == status && json.code == 5)',
                        'status >= 400 && response.?json.?code.orValue(0) == 5'):
            with self.subTest(expired=expired):
                server = Server(self, rule)
                gate = self.gateway(recipes.config(server.url, LOGIN + f"expired: '{expired}'"), secrets=recipes.SECRETS)
                self.assert_streams(gate, server)
                reply = get(gate.address, '/call')
                self.assertEqual((reply.status, reply.json, reply.outcome, server.logins), (200, {'code': 0}, 'relogin', 2))
                self.assert_streams(gate, server)

    def test_an_expiry_that_the_head_alone_tells(self):
        """`||`: a 401 is one whatever its body, and a 200 is not known before its end."""
        def rule(request):
            if server.is_fresh(request):
                return json_answer({'code': 0})
            return answer(401, b'') if request.target == '/head' else json_answer({'code': 5})
        for target in ('/head', '/body'):
            server = Server(self, rule)
            gate = self.gateway(recipes.config(server.url, LOGIN + "expired: 'status == 401 || json.code == 5'"),
                                secrets=recipes.SECRETS)
            reply = get(gate.address, target)
            self.assertEqual((reply.json, reply.outcome, server.logins), ({'code': 0}, 'relogin', 2))

    def test_a_member_that_may_yet_come_is_not_missing(self):
        def rule(request):
            return json_answer({'code': 0} if server.is_fresh(request) else {'code': 5})
        for test in ('response.?json.?code.orValue(0) == 5', 'has(response.json) && json.code == 5'):
            server = Server(self, rule)
            gate = self.gateway(recipes.config(server.url, LOGIN + f"expired: '{test}'"), secrets=recipes.SECRETS)
            self.assertEqual((get(gate.address, '/x').json, server.logins), ({'code': 0}, 2))

    def test_every_kind_of_test(self):
        server = Server(self)
        session = LOGIN + '''expired: 'status == 401 && json.code == 5'
taken: 'status == 409 && json.code == 6'
on_taken: yield
update: {token: 'headers["x-next"]'}'''
        signed = '''signatures:
  s:
    variables: {text: request.path}
    clock_refused: 'status == 403 && json.code == "RequestTimeTooSkewed"'
    echo: 'status == 403 ? json.text : ""'
    attach: {header: {X-Text: "${vars.text}"}}
envelopes:
  api: {ok: json.code == 0}
'''
        config = recipes.config(server.url, session, route='sign: s\nenvelope: {from: api, to: same}')
        gate = self.gateway(config.replace('upstreams:\n', signed + 'upstreams:\n'), secrets=recipes.SECRETS)
        self.assert_streams(gate, server)
        self.assertEqual(server.logins, 1)


class NoBody(case.Case):
    def test_an_empty_page_is_an_expiry_and_a_head_is_not(self):
        def rule(request):
            if request.target == '/same':
                return b'HTTP/1.1 304 Not Modified\r\nETag: "1"\r\n\r\n'
            return answer(200, b'page' if server.is_fresh(request) and request.method != 'HEAD' else b'')
        server = Server(self, rule)
        test = "expired: 'status in [200, 304] && size(response.body) == 0'"
        gate = self.gateway(recipes.config(server.url, LOGIN + test), secrets=recipes.SECRETS)
        for method, target, status in (('HEAD', '/x', 200), ('GET', '/same', 304), ('HEAD', '/same', 304)):
            reply = call(gate.address, method, target)
            self.assertEqual((reply.status, reply.outcome, server.logins), (status, 'forwarded', 1))
        reply = get(gate.address, '/x')
        self.assertEqual((reply.body, reply.outcome, server.logins), (b'page', 'relogin', 2))

    def test_a_head_is_refused_by_its_head(self):
        def rule(request):
            return answer(200 if server.is_fresh(request) else 401)
        server = Server(self, rule)
        session = LOGIN + "expired: status == 401\ntaken: json.code == 9\non_taken: yield"
        gate = self.gateway(recipes.config(server.url, session), secrets=recipes.SECRETS)
        reply = call(gate.address, 'HEAD', '/x')
        self.assertEqual((reply.status, reply.outcome, server.logins), (200, 'relogin', 2))

    def test_what_is_not_looked_into_decides_by_its_head(self):
        """A test for an empty body is not true of a body that nobody looks into."""
        def rule(request):
            return (b'HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-1/9\r\nContent-Length: 2\r\n\r\nab'
                    if request.target == '/part' else answer(200, b'data: 1\n\n', [('Content-Type', 'text/event-stream')]))
        server = Server(self, rule)
        gate = self.gateway(recipes.config(server.url, LOGIN + "expired: 'size(response.body) == 0'"),
                            secrets=recipes.SECRETS)
        self.assertEqual((get(gate.address, '/part').body, get(gate.address, '/events').body), (b'ab', b'data: 1\n\n'))
        self.assertEqual(server.logins, 1)


class Envelopes(case.Case):
    ENVELOPE = '''envelopes:
  u: {ok: 'headers["x-err"] == "0"', code: 'int(headers["x-err"])', message: 'headers[?"x-text"]', data: 'json.?n'}
  j: {ok: json.code == 0}
'''

    def setUp(self):
        self.reply = b''
        upstream = self.upstream(lambda request, wire: self.reply)
        routes = '''routes:
  - {path: /map/**, upstream: up, envelope: {from: u, to: standard, status: map}}
  - {path: /j/**, upstream: up, envelope: {from: j, to: standard}}
  - {path: /**, upstream: up, envelope: {from: u, to: standard}}
'''
        self.gw = self.gateway(configs.plain(upstream.url, top=self.ENVELOPE).partition('routes:\n')[0] + routes)

    def told(self, reply, target='/x'):
        self.reply = reply
        got = get(self.gw.address, target)
        return got.status, got.json['success'], got.json['code'], got.json['message']

    def test_what_the_head_says_of_an_empty_answer(self):
        refused = [('X-Err', '21'), ('X-Text', 'no paper')]
        self.assertEqual(self.told(answer(200, b'', refused)), (200, False, 21, 'no paper'))
        self.assertEqual(self.told(answer(200, b'', refused), '/map/x'), (422, False, 21, 'no paper'))
        self.assertEqual(self.told(answer(404, b'', [('X-Err', '0')])), (404, True, 0, 'Not Found'))
        self.assertEqual(self.told(answer(200, b' \r\n', [('X-Err', '0')])), (200, True, 0, 'OK'))

    def test_what_only_a_body_could_say(self):
        self.assertEqual(self.told(answer(200)), (200, True, None, 'OK'))
        self.assertEqual(self.told(answer(404)), (404, False, None, 'Not Found'))
        self.assertEqual(self.told(answer(201), '/j/x'), (201, True, None, 'Created'))
        self.reply = answer(500, b'', [('X-Err', '0')])
        self.assert_refused(get(self.gw.address, '/x'), 502, 'upstream_error')


if __name__ == '__main__':
    case.main()
