"""Pages of listed origins can call, and nobody else's: preflights are answered here, answers can be read."""
import socket

from support import case, configs
from support.client import Client, call, get
from support.upstream import answer

APP = 'https://app.example'
TOP = f'origins: ["{APP}"]'


class Origins(case.Case):
    def setUp(self):
        self.up, self.gate = self.pair(
            lambda request, wire: answer(200, b'ok', [('Access-Control-Allow-Origin', '*'), ('Vary', 'Accept')]), top=TOP)

    def preflight(self, *fields, origin=APP, target='/x', address=None):
        return call(address or self.gate.address, 'OPTIONS', target, [
            ('Origin', origin), ('Access-Control-Request-Method', 'PUT'), ('Sec-Fetch-Mode', 'cors'),
            ('Sec-Fetch-Site', 'cross-site'), *fields])

    def test_a_preflight_is_answered_without_the_upstream(self):
        reply = self.preflight(('Access-Control-Request-Headers', 'content-type, x-app'))
        self.assertEqual((reply.status, reply.body), (204, b''))
        self.assertEqual(reply.field('Access-Control-Allow-Origin'), APP)
        self.assertIn('PUT', reply.field('Access-Control-Allow-Methods').split(', '))
        self.assertEqual(reply.field('Access-Control-Allow-Headers'), 'content-type, x-app')
        self.assertEqual(reply.field('Access-Control-Max-Age'), '600')
        self.assertEqual(reply.field('Vary'), 'Origin')
        self.assertIsNone(reply.field('Access-Control-Allow-Credentials'))
        self.assertEqual(self.up.requests, [])

    def test_a_preflight_with_fields_that_are_none_allows_none(self):
        reply = self.preflight(('Access-Control-Request-Headers', 'content-type, a b'))
        self.assertEqual(reply.status, 204)
        self.assertIsNone(reply.field('Access-Control-Allow-Headers'))

    def test_a_preflight_to_a_private_address_is_allowed_when_asked(self):
        reply = self.preflight(('Access-Control-Request-Private-Network', 'true'))
        self.assertEqual(reply.field('Access-Control-Allow-Private-Network'), 'true')
        self.assertIsNone(self.preflight().field('Access-Control-Allow-Private-Network'))

    def test_an_answer_can_be_read_by_its_page_only(self):
        reply = get(self.gate.address, '/x', [('Origin', APP), ('Sec-Fetch-Site', 'cross-site')])
        self.assertEqual((reply.status, reply.all('Access-Control-Allow-Origin')), (200, [APP]))
        self.assertEqual(reply.all('Vary'), ['Accept', 'Origin'])
        self.assertIn('X-Request-Id', reply.field('Access-Control-Expose-Headers'))
        self.assertIsNone(reply.field('Access-Control-Allow-Credentials'))

    def test_an_error_can_be_read_too(self):
        self.gate.reload(configs.plain(self.up.url, top=TOP).replace('path: /**', 'path: /only'))
        reply = get(self.gate.address, '/else', [('Origin', APP)])
        self.assertEqual((reply.status, reply.field('Access-Control-Allow-Origin')), (404, APP))

    def refused(self, data, origin=APP, end=False):
        with Client(self.gate.address) as client:
            client.send(data.replace(b'ORIGIN', b'Origin: ' + origin.encode()))
            if end:
                client.socket.shutdown(socket.SHUT_WR)
            return client.read()

    def test_a_head_that_is_refused_can_be_read_too(self):
        """Else a page would see a network error, and nobody the reason."""
        host = b'Host: gw.test\r\n'
        for status, data in (
                (405, b'TRACE / HTTP/1.1\r\nHost: gw.test\r\nORIGIN\r\n\r\n'),
                (501, b'BREW / HTTP/1.1\r\nHost: gw.test\r\nORIGIN\r\n\r\n'),
                (414, b'GET /%s HTTP/1.1\r\nHost: gw.test\r\nORIGIN\r\n\r\n' % (b'a' * 9000)),
                (431, b'GET / HTTP/1.1\r\nORIGIN\r\n' + host + b'a: b\r\n' * 200 + b'\r\n'),
                (400, b'GET / HTTP/1.1\r\nORIGIN\r\n' + host + b'a b: c\r\n\r\n'),
                (505, b'GET / HTTP/3.0\r\nORIGIN\r\n' + host + b'\r\n')):
            reply = self.refused(data)
            self.assertEqual((reply.status, reply.all('Access-Control-Allow-Origin')), (status, [APP]))
            self.assertEqual(reply.field('Vary'), 'Origin')
            for origin in ('https://app.example.evil', 'null'):
                reply = self.refused(data, origin)
                self.assertEqual((reply.status, reply.field('Access-Control-Allow-Origin')), (status, None))
        reply = self.refused(b'GET / HTTP/1.1\r\nORIGIN\r\nHost: gw.te', end=True)
        self.assertEqual((reply.status, reply.field('Access-Control-Allow-Origin')), (400, APP))
        reply = self.refused(b'GET / HTTP/1.1\r\nORIGIN\r\nHost: else.test\r\n\r\n')
        self.assertEqual((reply.status, reply.field('Access-Control-Allow-Origin')), (421, APP))

    def test_a_head_that_comes_too_slowly_can_be_read_too(self):
        self.gate.reload(configs.plain(self.up.url, top=TOP + '\nlimits: {head_time: 300ms}'))
        reply = self.refused(b'GET / HTTP/1.1\r\nORIGIN\r\nHost: gw.te')
        self.assertEqual((reply.status, reply.field('Access-Control-Allow-Origin')), (408, APP))

    def test_an_options_request_that_is_no_preflight_is_forwarded(self):
        reply = call(self.gate.address, 'OPTIONS', '/x', [('Origin', APP)])
        self.assertEqual((reply.status, self.up.last.method), (200, 'OPTIONS'))

    def test_other_origins_get_nothing(self):
        for origin in ('https://app.example.evil', 'http://app.example', 'null', 'https://app.example:444'):
            reply = self.preflight(origin=origin)
            self.assertEqual((reply.status, reply.field('Access-Control-Allow-Origin')), (403, None), origin)

    def test_a_program_gets_no_such_fields(self):
        reply = get(self.gate.address, '/x')
        self.assertEqual((reply.field('Access-Control-Allow-Origin'), reply.all('Vary')), (None, ['Accept']))

    def test_the_admin_listener_takes_no_origin_at_all(self):
        for origin in (APP, f'http://{self.gate.admin}', f'http://{self.gate.address}'):
            for reply in (self.preflight(origin=origin, address=self.gate.admin, target='/sessions/s/login'),
                          call(self.gate.admin, 'POST', '/sessions/s/login', [('Origin', origin)], b''),
                          call(self.gate.admin, 'GET', '/health', [('Origin', origin)])):
                self.assertEqual((reply.status, reply.field('Access-Control-Allow-Origin')), (403, None), origin)


if __name__ == '__main__':
    case.main()
