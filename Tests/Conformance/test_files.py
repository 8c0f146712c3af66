"""Answers that are labelled as files: an expiry is found in a small one, a large one streams, an envelope reads what it names."""
import threading

from support import case, configs, recipes
from support.client import Client, encode, get
from support.upstream import answer

EXPIRED = '{"code":401}'
SESSION = '''login: [{request: {path: /login}, capture: {token: json.token}}]
attach: {header: {Token: "${session.token}"}}
expired: json.code == 401'''
LABELS = ('application/octet-stream', 'application/vnd.ms-excel', 'image/png', 'application/zip', 'text/csv', 'video/mp4')


class Expiry(case.Case):
    """The token in `dead` is refused."""

    def setUp(self):
        self.count, self.dead = 0, 't1'
        self.refusal = self.good = None
        upstream = self.upstream(self.handle)
        self.gw = self.gateway(recipes.config(upstream.url, SESSION), secrets=recipes.SECRETS)

    def handle(self, request, wire):
        if request.target == '/login':
            self.count += 1
            return answer(200, '{"token":"t%d"}' % self.count, [('Content-Type', 'application/json')])
        return self.refusal(wire) if request.field('Token') == self.dead else self.good(wire)

    def chunked(self, type, parts, gate=None):
        def send(wire):
            wire.send(f'HTTP/1.1 200 X\r\nContent-Type: {type}\r\nTransfer-Encoding: chunked\r\n\r\n'.encode())
            for part in parts:
                wire.send(b'%x\r\n%s\r\n' % (len(part), part))
            if gate:
                gate.wait(5)
            wire.send(b'0\r\n\r\n')
        return send

    def expect_relogin(self, label):
        self.dead = f't{max(self.count, 1)}'
        reply = get(self.gw.address, '/export')
        self.assertEqual((reply.outcome, reply.body), ('relogin', b'\x89PNG'), label)

    def test_a_refusal_under_the_label_of_a_file_is_found(self):
        for label in LABELS:
            self.good = lambda wire: answer(200, b'\x89PNG', [('Content-Type', label)])
            self.refusal = lambda wire: answer(200, EXPIRED, [('Content-Type', label)])
            self.expect_relogin(label)
            self.refusal = self.chunked(label, [b' \n', EXPIRED.encode()])
            self.expect_relogin(label)

    def test_a_refusal_with_a_file_name_is_found(self):
        self.good = lambda wire: answer(200, b'\x89PNG')
        self.refusal = lambda wire: answer(200, EXPIRED, [('Content-Type', 'application/json'),
                                                          ('Content-Disposition', 'attachment; filename="a.xls"')])
        self.expect_relogin('attachment')

    def test_a_download_whose_length_is_not_told_streams_from_its_first_byte(self):
        gate, self.dead = threading.Event(), None
        self.addCleanup(gate.set)
        self.good = self.chunked('application/octet-stream', [b'PK\x03\x04' * 10], gate)
        client = self.start(Client(self.gw.address))
        client.send(encode('GET', '/export'))
        self.assertEqual(client.head()[0], 200)
        # The upstream has not finished: what it sent is here all the same.
        self.assertIn(b'PK\x03\x04', client.exactly(44))
        gate.set()

    def test_lines_of_json_stream_from_the_first_one(self):
        for label in ('application/x-ndjson', 'application/stream+json; charset=utf-8', 'Application/JSONL'):
            gate, self.dead = threading.Event(), None
            self.addCleanup(gate.set)
            self.good = self.chunked(label, [b'{"n":1}\n'], gate)
            client = self.start(Client(self.gw.address))
            client.send(encode('GET', '/watch'))
            self.assertEqual(client.head()[0], 200)
            self.assertIn(b'{"n":1}', client.exactly(13), label)
            gate.set()

    def test_a_document_that_grows_too_large_streams(self):
        parts = [b'{' + b' ' * 40000, b' ' * 40000]
        gate, self.dead = threading.Event(), None
        self.addCleanup(gate.set)
        self.good = self.chunked('application/octet-stream', parts, gate)
        client = self.start(Client(self.gw.address))
        client.send(encode('GET', '/export'))
        self.assertEqual(client.head()[0], 200)
        client.exactly(70000)
        gate.set()


ENVELOPES = '''envelopes:
  api:
    %s
    ok: json.code == 0
    code: json.code
    message: json.?msg.orValue("")
    data: json.?data
'''


class Envelopes(case.Case):
    def ask(self, body, fields, options='types: [application/octet-stream, "image/*"]', status=200):
        upstream = self.upstream(lambda request, wire: answer(status, body, fields))
        gate = self.gateway(configs.plain(
            upstream.url, top=ENVELOPES % options, route='envelope: {from: api, to: standard}'))
        return get(gate.address, '/x')

    def test_types_that_the_envelope_names_are_read(self):
        for type in ('application/octet-stream', 'image/png', 'Application/Octet-Stream; a=b'):
            reply = self.ask('{"code":0,"data":7}', [('Content-Type', type), ('Content-Disposition', 'attachment')])
            self.assertEqual(reply.json, {'success': True, 'code': 0, 'message': '', 'data': 7}, type)

    def test_others_pass(self):
        for type in ('application/pdf', 'text/csv', 'application/x-ndjson'):
            self.assertEqual(self.ask('a,b\n', [('Content-Type', type)]).body, b'a,b\n')

    def test_what_is_to_be_saved_passes(self):
        fields = [('Content-Type', 'text/plain'), ('Content-Disposition', 'attachment; filename="a.csv"'), ('ETag', '"1"')]
        reply = self.ask('a,b\n', fields)
        self.assertEqual((reply.body, reply.field('Content-Disposition'), reply.field('ETag')),
                         (b'a,b\n', 'attachment; filename="a.csv"', '"1"'))

    def test_a_refusal_with_a_file_name_is_told(self):
        reply = self.ask('{"code":3,"msg":"no"}', [('Content-Disposition', 'attachment')], status=403)
        self.assertEqual((reply.status, reply.json['code']), (403, 3))


if __name__ == '__main__':
    case.main()
