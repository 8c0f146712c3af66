"""A place in an upstream comes before credential and signature; what is sent again is signed anew."""
import threading
import time

from support import bearer, case, configs
from support.client import Client, encode, get
from support.gateway import eventually
from support.upstream import Hangup, answer

SIGNATURE = 'signatures:\n  s:\n    attach: {header: {X-Time: "${string(time.unixMilli(now))}", X-Nonce: "${nonce}"}}\n'


class Places(case.Case):
    def test_a_request_that_waited_carries_the_time_of_its_going(self):
        gate, sent = threading.Event(), []

        def handler(request, wire):
            if request.target == '/first':
                gate.wait(10)
                sent.append(int(time.time() * 1000))
            return answer(200, b'ok')
        upstream = self.upstream(handler)
        gateway = self.gateway(configs.plain(
            upstream.url, upstream='limits: {in_flight: 1}', route='sign: s', session=SIGNATURE))
        clients = [self.start(Client(gateway.address)) for _ in range(2)]
        clients[0].send(encode('GET', '/first'))
        upstream.wait_requests(1)
        clients[1].send(encode('GET', '/second'))
        eventually(lambda: b'countersign_upstream_queued{upstream="up"} 1' in get(gateway.admin, '/metrics').body, 3,
                   'the queued request')
        gate.set()
        self.assertEqual([client.read().status for client in clients], [200, 200])
        self.assertGreaterEqual(int(upstream.requests[1].field('X-Time')), sent[0])

    def test_requests_that_wait_go_out_under_the_newest_credential(self):
        server = self.start(bearer.TokenServer())
        gateway = self.gateway(
            bearer.config(server.url, upstream='limits: {in_flight: 1}'), secrets=bearer.SECRETS)
        self.assertEqual(get(gateway.address, '/warm').status, 200)
        gate = server.gates['/first'] = threading.Event()
        clients = [self.start(Client(gateway.address)) for _ in range(6)]
        clients[0].send(encode('GET', '/first'))
        eventually(lambda: any(target == '/first' for target, _ in server.calls), 3, 'the first call')
        for number, client in enumerate(clients[1:]):
            client.send(encode('GET', f'/{number}'))
        eventually(lambda: b'countersign_upstream_queued{upstream="up"} 5' in get(gateway.admin, '/metrics').body, 3,
                   'the queued requests')
        server.expire()
        gate.set()
        self.assertEqual({client.read().status for client in clients}, {200})
        # One of them met the dead credential; the others waited for their place and got the new one.
        self.assertEqual(server.issued, 2)
        dead = [target for target, token in server.calls if token == 't1' and target not in ('/warm', '/first')]
        self.assertLessEqual(len(dead), 1)

    def test_a_login_needs_no_place(self):
        server = self.start(bearer.TokenServer())
        text = bearer.config(server.url, upstream='limits: {in_flight: 1}').replace(
            'routes:\n', 'routes:\n  - {path: /open/**, upstream: up}\n')
        gateway = self.gateway(text, secrets=bearer.SECRETS)
        gate = server.gates['/open/x'] = threading.Event()
        clients = [self.start(Client(gateway.address)) for _ in range(2)]
        clients[0].send(encode('GET', '/open/x'))
        eventually(lambda: b'countersign_upstream_in_flight{upstream="up"} 1' in get(gateway.admin, '/metrics').body, 3,
                   'the request that holds the place')
        clients[1].send(encode('GET', '/with-session'))
        eventually(lambda: server.issued == 1, 3, 'the login')
        gate.set()
        clients[0].read()
        self.assertEqual(clients[1].read().status, 200)

    def test_a_place_comes_back_however_an_exchange_ends(self):
        def handler(request, wire):
            if request.target == '/hangup':
                raise Hangup
            if request.target == '/stuck':
                wire.more()
            return answer(200, b'ok')
        upstream = self.upstream(handler)
        gateway = self.gateway(configs.plain(upstream.url, upstream='limits: {in_flight: 1}\nbreaker: {after: 100}'))
        for _ in range(3):
            self.assertEqual(get(gateway.address, '/hangup').status, 502)
            with Client(gateway.address) as client:
                seen = len(upstream.requests)
                client.send(encode('GET', '/stuck'))
                upstream.wait_requests(seen + 1)
            self.assertEqual(get(gateway.address, '/').status, 200)
        with Client(gateway.address) as holder, Client(gateway.address) as waiter:
            seen = len(upstream.requests)
            holder.send(encode('GET', '/stuck'))
            upstream.wait_requests(seen + 1)
            waiter.send(encode('GET', '/left'))
            eventually(lambda: b'countersign_upstream_queued{upstream="up"} 1' in get(gateway.admin, '/metrics').body, 3,
                       'the queued request')
        eventually(lambda: b'countersign_upstream_queued{upstream="up"} 0' in get(gateway.admin, '/metrics').body, 3,
                   'the end of the wait')
        self.assertEqual(get(gateway.address, '/').status, 200)


class Retries(case.Case):
    def lossy(self):
        """An upstream that reads a request on a used connection and closes."""
        def handler(request, wire):
            if request.served > 1 and request.target != '/fine':
                raise Hangup
            return answer(200, b'ok')
        upstream = self.upstream(handler)
        gateway = self.gateway(configs.plain(
            upstream.url, upstream='breaker: {after: 100000}', route='sign: s', session=SIGNATURE))
        return upstream, gateway

    def test_a_retry_is_signed_anew_and_counted(self):
        upstream, gateway = self.lossy()
        for target in ('/warm', '/lost'):
            self.assertEqual(get(gateway.address, target).status, 200)
        self.assertEqual([request.target for request in upstream.requests], ['/warm', '/lost', '/lost'])
        self.assertEqual(len({request.field('X-Nonce') for request in upstream.requests}), 3)
        self.assertIn(b'countersign_retries_total{upstream="up"} 1', get(gateway.admin, '/metrics').body)

    def test_retries_have_a_budget(self):
        upstream, gateway = self.lossy()
        statuses = []
        for number in range(60):
            get(gateway.address, '/fine')
            statuses.append(get(gateway.address, f'/{number}').status)
        extra = len(upstream.requests) - 120
        # A floor of three, or a tenth of what was sent.
        self.assertLessEqual(extra, 13)
        self.assertGreaterEqual(extra, 3)
        self.assertIn(502, statuses)


if __name__ == '__main__':
    case.main()
