"""Which lost requests are sent once more, and how a client hears why one was not."""
import os

from support import bearer, case, configs
from support.client import Client, call, encode, get
from support.upstream import Hangup, Reset, answer

HOSTS = ('127.0.0.1', 'up.localhost')       # without libcurl, and with it


class Retries(case.Case):
    def lost(self, host, fault=Hangup, **config):
        """A gateway with a warm connection that breaks off at the next request."""
        def handler(request, wire):
            if wire.served > 1:
                raise fault
            return answer(200, request.body)
        upstream = self.upstream(handler)
        gateway = self.gateway(configs.plain(f'http://{host}:{upstream.port}', **config))
        self.assertEqual(get(gateway.address, '/warm').status, 200)
        return upstream, gateway

    def sent(self, upstream):
        return [request.body for request in upstream.requests if request.target == '/x']

    def test_what_may_be_done_twice_is_sent_once_more(self):
        for host in HOSTS:
            for method, body in (('GET', None), ('PUT', b'x' * 100), ('DELETE', b'x')):
                for fault in (Hangup, Reset):
                    with self.subTest(host=host, method=method, fault=fault):
                        upstream, gateway = self.lost(host, fault)
                        reply = call(gateway.address, method, '/x', body=body)
                        self.assertEqual((reply.status, reply.field('Countersign-Retry')), (200, None))
                        self.assertEqual(self.sent(upstream), [body or b''] * 2)

    def test_what_may_not_is_lost_and_the_client_hears_why(self):
        for host in HOSTS:
            for method in ('POST', 'PATCH'):
                with self.subTest(host=host, method=method):
                    upstream, gateway = self.lost(host)
                    reply = call(gateway.address, method, '/x', body='1')
                    self.assert_refused(reply, 502, 'connection_lost')
                    self.assertEqual(reply.field('Countersign-Retry'), 'not_idempotent')
                    self.assertEqual(self.sent(upstream), [b'1'])
                    line = gateway.access.wait(lambda line: line.get('path') == '/x')
                    self.assertEqual((line['not_retried'], line['error']), ('not_idempotent', 'connection_lost'))

    def test_a_body_that_streamed_cannot_be_sent_again(self):
        for size, limit in ((100_000, '1MiB'), (10, '0')):
            with self.subTest(size=size):
                _, gateway = self.lost(HOSTS[0], route='limits: {replay: %s}' % limit)
                reply = call(gateway.address, 'PUT', '/x', body=os.urandom(size))
                self.assertEqual((reply.status, reply.field('Countersign-Retry')), (502, 'body_streamed'))

    def test_a_closed_port_is_not_tried_again(self):
        gateway = self.gateway(configs.plain('http://127.0.0.1:1'))
        self.assertEqual(get(gateway.address, '/x').field('Countersign-Retry'), 'pointless')

    def test_a_slow_answer_is_not_asked_for_again(self):
        for host in HOSTS:
            with self.subTest(host=host):
                upstream = self.upstream(lambda request, wire: wire.more())
                gateway = self.gateway(configs.plain(f'http://{host}:{upstream.port}',
                                                     upstream='timeouts: {first_byte: 200ms}'))
                reply = get(gateway.address, '/x')
                self.assertEqual((reply.status, reply.field('Countersign-Retry')), (504, 'pointless'))
                self.assertEqual(len(upstream.requests), 1)

    def test_an_upstream_cannot_say_it_for_us(self):
        _, gateway = self.pair(lambda request, wire: answer(200, b'', [('Countersign-Retry', 'x')]))
        self.assertIsNone(get(gateway.address, '/x').field('Countersign-Retry'))

    def test_an_early_answer_in_the_middle_of_an_upload_keeps_connections_apart(self):
        for host in HOSTS:
            with self.subTest(host=host):
                seen = []

                def raw(wire):
                    while True:
                        head = wire.read_head()
                        line = head.split(b'\r\n')[0]
                        seen.append(line)
                        if b'/up' in line:
                            return wire.send(answer(413, b'early'))
                        wire.read_body(head)
                        wire.send(answer(200, line))
                upstream = self.upstream(raw=raw)
                gateway = self.gateway(configs.plain(f'http://{host}:{upstream.port}', route='limits: {body: 1GiB}'))
                with Client(gateway.address) as client:
                    client.send(encode('POST', '/up', [('Content-Length', '3000000')]) + b'x' * 200_000)
                    reply = client.read()
                    self.assertEqual((reply.status, reply.body), (413, b'early'))
                    self.assertEqual(call(gateway.address, 'POST', '/next', body='n').body[:10], b'POST /next')
                self.assertEqual([line[:6] for line in seen], [b'POST /', b'POST /'])

    def test_bodies_of_every_kind_come_back_whole_in_a_replay(self):
        for host in HOSTS:
            server = self.start(bearer.TokenServer())
            gateway = self.gateway(bearer.config(
                f'http://{host}:{server.upstream.port}', session='attempts_window: {logins: 100, per: 1s}'),
                secrets=bearer.SECRETS)
            get(gateway.address, '/first')
            for size, fields in ((0, ()), (32_769, ()), (900_000, ()), (900_000, [('Transfer-Encoding', 'chunked')])):
                with self.subTest(host=host, size=size, fields=fields):
                    server.expire()
                    body = os.urandom(size)
                    framed = b'%x\r\n%s\r\n0\r\n\r\n' % (size, body) if fields else body
                    reply = call(gateway.address, 'PATCH', '/u', fields, framed)
                    self.assertEqual((reply.status, reply.outcome, reply.body), (200, 'relogin', b'/u ' + body))
                    last = [request for request in server.upstream.requests if request.target == '/u'][-2:]
                    self.assertEqual([request.body for request in last], [body, body])


if __name__ == '__main__':
    case.main()
