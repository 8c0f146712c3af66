"""What stands behind the status of an answer, and statuses that no RFC knows."""
from support import case, configs, recipes
from support.client import Client, call, get
from support.upstream import answer, json_answer

ENVELOPE = '''envelopes:
  api: {ok: status < 400, code: status, message: response.reason, data: 'json.?data'}
'''
ROUTES = '''routes:
  - {path: /told/**, upstream: up, envelope: {from: api, to: standard}}
  - {path: /**, upstream: up}
'''


def line(reply):
    return reply.head.split(b'\r\n')[0]


class Reasons(case.Case):
    def setUp(self):
        self.reply = b''
        self.up = self.upstream(lambda request, wire: self.reply)
        self.gw = self.gateway(configs.plain(self.up.url, top=ENVELOPE).partition('routes:\n')[0] + ROUTES)

    def ask(self, reply, target='/x', method='GET'):
        self.reply = reply
        return call(self.gw.address, method, target)

    def test_they_are_passed_on(self):
        for status, words in ((403, 'Permission check failed (/vms/100, VM.Audit)'), (200, 'Fine'), (500, 'd\u00e9j\u00e0 vu')):
            for method in ('GET', 'HEAD'):
                reply = self.ask(answer(status, b'' if method == 'HEAD' else b'no', phrase=words), method=method)
                self.assertEqual(line(reply), f'HTTP/1.1 {status} {words}'.encode('latin1'))

    def test_the_usual_ones_where_there_are_none(self):
        self.assertEqual(line(self.ask(answer(404, b'no'))), b'HTTP/1.1 404 Not Found')
        self.assertEqual(line(self.ask(b'HTTP/1.1 404\r\nContent-Length: 0\r\n\r\n')), b'HTTP/1.1 404 Not Found')

    def test_an_envelope_reads_them(self):
        reply = self.ask(answer(403, b'{"data":null}', phrase='Permission check failed'), '/told/x')
        self.assertEqual((reply.json['success'], reply.json['message']), (False, 'Permission check failed'))
        self.assertEqual(line(reply), b'HTTP/1.1 403 Permission check failed')
        self.assertEqual(self.ask(answer(404, b'{}', phrase=''), '/told/x').json['message'], 'Not Found')
        self.assertEqual(line(self.ask(answer(403, b'no', phrase='a' * 1025))), b'HTTP/1.1 403 Forbidden')

    def test_they_go_with_their_status_alone(self):
        config = ENVELOPE.replace('status < 400', 'json.code == 0')
        routes = 'routes:\n  - {path: /**, upstream: up, envelope: {from: api, to: standard, status: map}}\n'
        gate = self.gateway(configs.plain(self.up.url, top=config).partition('routes:\n')[0] + routes)
        self.reply = answer(200, b'{"code":1}', phrase='Fine')
        self.assertEqual(line(get(gate.address, '/x')), b'HTTP/1.1 422 Unprocessable Content')

    def test_a_refusal_without_a_readable_body_has_its_words(self):
        reply = self.ask(answer(403, b'<html>', phrase='No such right'), '/told/x')
        self.assertEqual(reply.json['message'], 'No such right')

    def test_a_credential_in_them_stays_inside(self):
        def handler(request, wire):
            if request.target == '/login':
                return json_answer({'token': 'token-0123456789'})
            return answer(200, b'{"ok":1}', phrase='Hello ' + request.field('Authorization'))
        upstream = self.upstream(handler)
        session = ('login: {request: {path: /login, json: {u: "${secret.user}"}}, capture: {token: json.token}}\n'
                   'attach: {header: {Authorization: "Bearer ${session.token}"}}')
        config = recipes.config(upstream.url, session)
        gate = self.gateway(config, secrets=recipes.SECRETS)
        self.assertEqual(line(get(gate.address, '/x')), b'HTTP/1.1 200 OK')
        # Nor does a message have them that is made of the answer.
        told = ENVELOPE + recipes.config(upstream.url, session, route='envelope: {from: api, to: standard}')
        reply = get(self.gateway(told, secrets=recipes.SECRETS).address, '/x')
        self.assertEqual((reply.status, reply.json['message']), (200, 'OK'))


class Statuses(case.Case):
    def setUp(self):
        self.reply = b''
        self.up = self.upstream(lambda request, wire: self.reply)
        self.gw = self.gateway(configs.plain(self.up.url, top=ENVELOPE).partition('routes:\n')[0] + ROUTES)

    def test_beyond_599(self):
        for status in (600, 612, 631, 999):
            self.reply = answer(status, b'{"error":"no such file or directory"}', [('Content-Type', 'application/json')])
            reply = get(self.gw.address, '/x')
            self.assertEqual((reply.status, reply.json), (status, {'error': 'no such file or directory'}))
            self.assertEqual(line(reply), b'HTTP/1.1 %d ' % status)
            reply = get(self.gw.address, '/told/x')
            self.assertEqual((reply.status, reply.json['success'], reply.json['code']), (status, False, status))

    def test_the_connection_stays(self):
        self.reply = answer(612, b'x', phrase='no such file')
        with Client(self.gw.address) as client:
            for _ in range(3):
                reply = client.request('GET', '/x')
                self.assertEqual(line(reply), b'HTTP/1.1 612 no such file')
        self.assertEqual(self.up.connections, 1)

    def test_they_count_as_server_errors(self):
        self.reply = answer(612, b'<html>')
        self.assert_refused(get(self.gw.address, '/told/x'), 502, 'upstream_error')

    def test_what_is_no_status(self):
        for status in ('1000', '099', '42', '2x0'):
            self.reply = answer(status, b'x')
            reply = get(self.gw.address, '/x')
            self.assert_refused(reply, 502, 'bad_answer')
            self.assertIn(f'bad_status: {status}', reply.json['error']['detail'])


if __name__ == '__main__':
    case.main()
