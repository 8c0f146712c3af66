"""On an envelope route: answers that are no envelope. A refusal stays one, an empty success too, a redirect passes."""
import threading

from support import case, configs
from support.client import Client, call, encode, get
from support.gateway import command, eventually, folder
from support.upstream import answer

ENVELOPES = '''envelopes:
  api:
    ok: json.code == 0
    code: json.code
    message: json.msg
    data: json.data
    render: {c: "${code.orValue(-1)}", m: "${message}", d: "${data}"}
'''
KEPT = [('Retry-After', '9'), ('WWW-Authenticate', 'Basic realm="x"'), ('Allow', 'GET'), ('Location', '/q')]
TARGETS = ('standard', 'problem', 'api')
DESCRIBING = [('ETag', '"1"'), ('Content-MD5', 'x'), ('Digest', 'sha-256=x'), ('Repr-Digest', 'sha-256=:x:'),
              ('Signature', 's=:x:'), ('Signature-Input', 's=("content-digest")'), ('x-amz-checksum-crc32', 'x'),
              ('x-amz-meta-owner', 'x'), ('x-goog-hash', 'crc32c=x'),
              ('Last-Modified', 'Mon, 02 Jan 2006 15:04:05 GMT'), ('Accept-Ranges', 'bytes'), ('Content-Range', 'bytes 0-1/2')]


class Base(case.Case):
    def routes(self, handler, top='', more=''):
        """One route for each rendering."""
        upstream = self.upstream(handler)
        routes = ''.join(f'  - path: /{to}/**\n    upstream: up\n    envelope: {{from: api, to: {to}}}\n'
                         for to in (*TARGETS, 'same'))
        head = configs.plain(upstream.url, top=top + ENVELOPES).partition('routes:\n')[0]
        return upstream, self.gateway(head + 'routes:\n' + routes + more)


class Chosen(case.Case):
    """`status` of a route."""

    def gate(self, status, to='api', inspect=''):
        self.reply = answer(200, '{"code":0,"data":1}')
        self.up = self.upstream(lambda request, wire: self.reply)
        return self.gateway(configs.plain(
            self.up.url, top=ENVELOPES.replace('ok: json.code', 'ok: status == 500 || json.code'),
            route=f'envelope: {{from: api, to: {to}, status: {status}}}\n{inspect}'))

    def test_always_200_and_a_code(self):
        gate = self.gate('200')
        for status in (200, 400, 503):
            self.reply = answer(status, '{"code":7,"msg":"no"}')
            reply = get(gate.address, '/a')
            self.assertEqual((reply.status, reply.json), (200, {'c': 7, 'm': 'no'} | {'d': None}))
        self.reply = answer(200, '<html>')
        reply = get(gate.address, '/a')
        self.assertEqual((reply.status, reply.json['c']), (200, -1))
        self.assertTrue(reply.field('Proxy-Status').startswith('countersign; error='))

    def test_codes_are_statuses(self):
        gate = self.gate('"kind != null ? status : ok ? 200 : {4004: 404, 4009: 409}[?int(code.orValue(0))].orValue(400)"')
        for code, status in ((0, 200), (4004, 404), (4009, 409), (1, 400)):
            self.reply = answer(200, '{"code":%d}' % code)
            self.assertEqual(get(gate.address, '/a').status, status)
        self.reply = answer(200, '<html>')
        self.assertEqual(get(gate.address, '/a').status, 502)

    def test_with_same_only_the_gateways_own_answers_have_it(self):
        gate = self.gate('"kind == null ? 599 : 418"', 'same')
        self.reply = answer(409, '{"code":7}')
        self.assertEqual(get(gate.address, '/a').status, 409)
        self.up.close()
        self.assertEqual(get(gate.address, '/a').status, 418)

    def test_a_value_that_is_none_is_told_in_the_log(self):
        gate = self.gate('int(code.orValue(1))')
        self.reply = answer(409, '{"code":7}')
        reply = get(gate.address, '/a')
        self.assertEqual((reply.status, reply.json['c']), (409, 7))
        self.assertIsNone(reply.field('Countersign-Envelope'))
        gate.stop()
        gate.output()
        told = [record for record in gate.log.records if record.get('expression') == 'status']
        self.assertEqual([line['reason'] for line in told], ['bad argument: a status is a number from 200 to 599'])

    def test_map_makes_a_success_one(self):
        gate = self.gate('map', 'standard')
        self.reply = answer(500, '{"code":7,"data":1}')
        reply = get(gate.address, '/a')
        self.assertEqual((reply.status, reply.json['success']), (200, True))

    def test_check_shows_where_it_is_wrong(self):
        for status, told in (('maps', 'g.yaml:4:66 routes.envelope.status: unknown name `maps`'),
                             ('ok ? "a" : "b"', 'must give a status, not string'),
                             ('700', 'a status is a number from 200 to 599'),
                             ('304', 'an answer with the status 304 has no body'), ('ok && text', 'unknown name `text`')):
            text = 'listen: 127.0.0.1:0\nupstreams: {up: {url: "http://127.0.0.1:9"}}\nenvelopes: {api: {ok: json.ok}}\n' \
                   f"routes: {{path: /**, upstream: up, envelope: {{from: api, status: '{status}'}}}}\n"
            with folder({'g.yaml': text}) as path:
                code, output, error = command('check', 'g.yaml', cwd=path)
            self.assertEqual(code, 1, output)
            self.assertIn(told, output + error)

    def test_a_media_type_of_its_own(self):
        up = self.upstream(lambda request, wire: answer(200, '{"code":0,"data":1}'))
        gate = self.gateway(configs.plain(
            up.url, top=ENVELOPES + '    render_type: application/vnd.api+json\n', route='envelope: {from: api, to: api}'))
        self.assertEqual(get(gate.address, '/a').field('Content-Type'), 'application/vnd.api+json')
        up.close()
        reply = get(gate.address, '/a')
        self.assertEqual((reply.field('Content-Type'), reply.json['c']), ('application/vnd.api+json', -1))


class Statuses(Base):
    def setUp(self):
        self.status, self.body, self.type = 200, b'', 'text/html'
        self.sent, self.gw = self.routes(
            lambda request, wire: answer(self.status, self.body, [('Content-Type', self.type), *KEPT]))

    def ask(self, to, status, body=b'', method='GET', type='text/html'):
        self.status, self.body, self.type = status, body, type
        return call(self.gw.address, method, f'/{to}/x')

    def assert_kept(self, reply):
        for name, value in KEPT:
            self.assertEqual(reply.field(name), value)

    def test_an_empty_success_is_a_success(self):
        for status, phrase in ((200, 'OK'), (201, 'Created'), (202, 'Accepted')):
            reply = self.ask('standard', status, method='POST')
            self.assertEqual((reply.status, reply.json), (
                status, {'success': True, 'code': None, 'message': phrase, 'data': None}))
            self.assertEqual(reply.field('Location'), '/q')
            self.assertIsNone(reply.field('Proxy-Status'))
        self.assertEqual(self.ask('problem', 201).body, b'null')
        self.assertEqual(self.ask('api', 201).json, {'c': -1, 'm': 'Created', 'd': None})
        self.assertEqual(len(self.sent.requests), 5)

    def test_a_refusal_keeps_its_status_whatever_its_body(self):
        for status, phrase in ((400, 'Bad Request'), (401, 'Unauthorized'), (403, 'Forbidden'), (404, 'Not Found'),
                               (405, 'Method Not Allowed'), (409, 'Conflict'), (429, 'Too Many Requests')):
            for body in (b'', b'<html>no', b'{"code":'):
                replies = {to: self.ask(to, status, body) for to in TARGETS}
                for reply in replies.values():
                    self.assertEqual(reply.status, status, reply)
                    self.assert_kept(reply)
                    self.assertIsNone(reply.field('Proxy-Status'))
                self.assertEqual(replies['standard'].json, {
                    'success': False, 'code': None, 'message': phrase, 'data': None})
                self.assertEqual(replies['problem'].field('Content-Type'), 'application/problem+json')
                self.assertEqual(replies['problem'].json, {
                    'type': 'urn:countersign:error:upstream', 'title': phrase, 'status': status, 'code': None})
                self.assertEqual(replies['api'].json, {'c': -1, 'm': phrase, 'd': None})

    def test_a_line_of_plain_text_is_the_message(self):
        reply = self.ask('standard', 429, b'slow down, please\n', type='text/plain')
        self.assertEqual((reply.status, reply.json['message']), (429, 'slow down, please'))

    def test_a_refusal_in_the_dialect_is_read(self):
        reply = self.ask('standard', 403, b'{"code":7,"msg":"no"}')
        self.assertEqual((reply.status, reply.json['code'], reply.json['message']), (403, 7, 'no'))
        self.assert_kept(reply)

    def test_a_redirect_passes_as_it_is(self):
        for to in (*TARGETS, 'same'):
            for status in (301, 302, 303, 307, 308):
                for body in (b'', b'<a href="/q">moved</a>', b'{"code":0}'):
                    reply = self.ask(to, status, body)
                    self.assertEqual((reply.status, reply.body, reply.field('Location')), (status, body, '/q'))
                    self.assertEqual(reply.field('Content-Type'), 'text/html')

    def test_a_status_without_a_body_passes_as_it_is(self):
        for to in TARGETS:
            for status in (204, 205, 304):
                reply = self.ask(to, status)
                self.assertEqual((reply.status, reply.body), (status, b''))

    def test_a_page_under_a_success_is_no_success(self):
        self.assert_refused(self.ask('standard', 200, b'<html>log in'), 502, 'bad_answer')
        self.assert_refused(self.ask('standard', 201, b'{"code":0'), 502, 'bad_answer')

    def test_an_error_page_of_the_upstream_tells_when_to_come_again(self):
        for body in (b'', b'<html>oops'):
            reply = self.ask('standard', 503, body)
            self.assert_refused(reply, 502, 'upstream_error')
            self.assertIn('503', reply.json['error']['detail'])
            self.assertEqual((reply.field('Retry-After'), reply.json['error']['retryAfter']), ('9', 9))

    def test_the_upstreams_own_dialect_is_never_touched(self):
        for status in (200, 201, 401, 404, 429, 500, 503):
            for body in (b'', b'<html>no'):
                reply = self.ask('same', status, body)
                self.assertEqual((reply.status, reply.body), (status, body))
                self.assert_kept(reply)


class Representations(Base):
    def setUp(self):
        self.type, self.status = 'application/json', 200
        self.sent, self.gw = self.routes(lambda request, wire: answer(
            self.status, b'{"code":0,"data":1}', [('Content-Type', self.type), *DESCRIBING, *KEPT]))

    def test_a_head_tells_nothing_of_another_body(self):
        for to in TARGETS:
            for method in ('HEAD', 'GET'):
                reply = call(self.gw.address, method, f'/{to}/x')
                for name, value in DESCRIBING:
                    self.assertIsNone(reply.field(name), (method, name))
                self.assertEqual(reply.field('Location'), '/q')
            reply = call(self.gw.address, 'HEAD', f'/{to}/x')
            self.assertEqual((reply.status, reply.body), (200, b''))
            self.assertIsNone(reply.field('Content-Length'))
            self.assertIsNone(reply.field('Transfer-Encoding'))

    def test_a_head_leaves_the_connection_usable(self):
        with Client(self.gw.address) as client:
            for _ in range(3):
                self.assertEqual(client.request('HEAD', '/standard/x').status, 200)
                self.assertEqual(client.request('GET', '/standard/x').json['data'], 1)

    def test_a_head_keeps_its_status(self):
        for self.status in (404, 500, 503):
            reply = call(self.gw.address, 'HEAD', '/standard/x')
            self.assertEqual((reply.status, reply.field('ETag'), reply.field('Retry-After')), (self.status, None, '9'))

    def test_a_head_of_what_passes_as_it_is_tells_all(self):
        for path, self.type in (('/same/x', 'application/json'), ('/standard/x', 'image/png')):
            reply = call(self.gw.address, 'HEAD', path)
            self.assertEqual((reply.field('Content-Length'), reply.field('ETag')), ('19', '"1"'))

    def test_parts_are_not_asked_for_where_bodies_are_made_anew(self):
        asked = [('Range', 'bytes=0-3'), ('If-Range', '"1"'), ('If-None-Match', '"1"')]
        for to in TARGETS:
            self.assertEqual(get(self.gw.address, f'/{to}/x', asked).json, get(self.gw.address, f'/{to}/x').json)
            request = self.sent.requests[-2]
            self.assertEqual([request.field(name) for name, _ in asked], [None, None, '"1"'])
        get(self.gw.address, '/same/x', asked)
        self.assertEqual([self.sent.last.field(name) for name, _ in asked], [value for _, value in asked])


class Errors(Base):
    """What the expressions of an envelope cannot tell is said."""

    def ask(self, body, status=200):
        _, gate = self.routes(lambda request, wire: answer(status, body, [('Content-Type', 'application/json')]))
        return gate, get(gate.address, '/standard/x')

    def warnings(self, gate):
        return [(line['expression'], line['reason']) for line in gate.log.records
                if line['message'] == 'an expression of the envelope errs; told as absent']

    def test_a_success_that_cannot_be_told_is_a_bad_answer(self):
        gate, reply = self.ask('{"status":1}')
        self.assert_refused(reply, 502, 'bad_answer')
        self.assertIn('envelope api, ok cannot be told: no such key: code', reply.json['error']['detail'])
        line = gate.log.wait(lambda line: line['message'] == 'request failed')
        self.assertEqual(line['detail'], reply.json['error']['detail'])

    def test_a_refusal_keeps_its_status(self):
        gate, reply = self.ask('{"error":"x"}', 404)
        self.assertEqual((reply.status, reply.json['message']), (404, 'Not Found'))
        gate.log.wait(lambda line: line.get('expression') == 'ok')

    def test_a_part_that_errs_is_told_once(self):
        gate, reply = self.ask('{"code":0}')
        self.assertEqual(reply.json, {'success': True, 'code': 0, 'message': None, 'data': None})
        get(gate.address, '/standard/x')
        get(gate.address, '/problem/x')
        gate.log.wait(lambda line: line.get('route') == '/problem/**')
        self.assertEqual(self.warnings(gate), 2 * [('data', 'no such key: data')])


class Held(Base):
    """Answers that are looked into count among what is held: 128 KiB here, and an answer has 50 kB."""
    SESSION = '''sessions:
  api:
    upstream: up
    login: [{request: {method: POST, path: /login}, capture: {t: json.t}}]
    expired: json.code == 401
    attach: {header: {T: "${session.t}"}}
'''

    def setUp(self):
        self.pour, self.go = threading.Event(), threading.Event()
        self.addCleanup(self.go.set)
        self.addCleanup(self.pour.set)

        def handler(request, wire):
            if request.target == '/login':
                return answer(200, b'{"t":"token"}')
            self.pour.wait(20)
            wire.send(b'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 50012\r\n\r\n'
                      b'{"code":0,"x"' + b' ' * 49987)
            self.go.wait(20)
            wire.send(b':"123456"}  ')

        self.sent, self.gw = self.routes(handler, top='limits: {held: 128KiB}\n' + self.SESSION, more=(
            '  - {path: /tested/**, upstream: up, session: api}\n'))

    def held(self, count):
        eventually(lambda: b'countersign_held_bytes %d\n' % count in get(self.gw.admin, '/metrics').body, 5)

    def ask(self, *paths):
        clients = [self.start(Client(self.gw.address)) for _ in paths]
        for client, path in zip(clients, paths):
            client.send(encode('GET', path))
        self.sent.wait(lambda up: sum(r.target != '/login' for r in up.requests) >= len(paths))
        return clients

    def test_an_answer_that_does_not_fit_is_refused(self):
        clients = self.ask(*['/standard/x'] * 3)
        self.pour.set()
        self.held(100000)
        eventually(lambda: b'limit_refusals_total{limit="held"} 1' in get(self.gw.admin, '/metrics').body, 5)
        self.go.set()
        replies = sorted((client.read() for client in clients), key=lambda reply: reply.status)
        self.assertEqual([reply.status for reply in replies], [200, 200, 503])
        self.assert_refused(replies[2], 503, 'overloaded')
        self.assertIn('limits.held', replies[2].json['error']['detail'])
        self.held(0)
        self.assertEqual(get(self.gw.address, '/standard/x').json['success'], True)

    def test_a_request_whose_answer_will_not_fit_does_not_go_out(self):
        clients = self.ask(*['/standard/x'] * 2)
        self.pour.set()
        self.held(100000)
        self.assert_refused(get(self.gw.address, '/standard/x'), 503, 'overloaded')
        self.assertEqual(len(self.sent.requests), 2)
        self.go.set()
        for client in clients:
            self.assertEqual(client.read().json['success'], True)
        self.held(0)
        self.assertEqual(get(self.gw.address, '/standard/x').json['success'], True)

    def test_an_answer_that_only_a_test_would_read_streams_unread(self):
        self.pour.set()
        self.ask('/standard/x', '/standard/x')
        self.held(100000)
        tested, = self.ask('/tested/x')
        self.assertEqual(tested.head()[0], 200)
        self.held(100000)
        self.go.set()
        self.held(0)

    def test_an_answer_that_a_test_reads_is_held_until_it_is_told(self):
        client, = self.ask('/tested/x')
        self.pour.set()
        self.held(50000)
        self.go.set()
        self.assertEqual(len(client.read().body), 50012)
        self.held(0)

    def test_an_answer_that_streams_is_not_held(self):
        client, = self.ask('/same/x')
        self.pour.set()
        self.assertEqual(client.head()[0], 200)
        self.held(0)

    def test_a_client_that_leaves_frees_its_place(self):
        client, = self.ask('/standard/x')
        self.pour.set()
        self.held(50000)
        client.__exit__(None, None, None)
        self.held(0)


if __name__ == '__main__':
    case.main()
