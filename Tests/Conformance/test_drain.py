"""SIGTERM answers what is in flight, takes nothing new, and exits 0."""
import signal
import threading
import time

from support import case, configs
from support.client import Client, connect, encode, get
from support.gateway import eventually
from support.swarm import steady
from support.upstream import answer


class Drain(case.Case):
    def slow_pair(self, top=''):
        self.release = threading.Event()
        self.addCleanup(self.release.set)

        def handler(request, wire):
            if request.target.startswith('/slow'):
                self.release.wait(20)
            return answer(200, request.target)
        return self.pair(handler, top=top)

    def test_an_idle_gateway_exits_at_once(self):
        _, gateway = self.pair()
        start = time.monotonic()
        self.assertEqual(gateway.stop(5), 0)
        self.assertLess(time.monotonic() - start, 2)

    def test_an_interrupt_does_the_same(self):
        _, gateway = self.pair()
        gateway.signal(signal.SIGINT)
        self.assertEqual(gateway.wait_exit(5), 0)

    def test_exchanges_in_flight_are_answered_and_their_connections_closed(self):
        upstream, gateway = self.slow_pair()
        clients = [self.start(Client(gateway.address)) for _ in range(20)]
        for number, client in enumerate(clients):
            client.send(encode('GET', f'/slow/{number}'))
        upstream.wait_requests(20)
        gateway.signal(signal.SIGTERM)
        self.assert_not_accepting(gateway)
        self.release.set()
        for number, client in enumerate(clients):
            reply = client.read()
            self.assertEqual((reply.status, reply.body), (200, b'/slow/%d' % number))
            self.assertTrue(reply.closing)
            self.assertTrue(client.ends())
        self.assertEqual(gateway.wait_exit(5), 0)

    def assert_not_accepting(self, gateway):
        def refused():
            try:
                connect(gateway.address, 1).close()
                return False
            except OSError:
                return True
        eventually(refused, 3, 'the end of accepting')

    def test_the_operator_is_told_until_the_end(self):
        upstream, gateway = self.slow_pair()
        client = self.start(Client(gateway.address))
        client.send(encode('GET', '/slow'))
        upstream.wait_requests(1)
        kept = self.start(Client(gateway.admin))
        self.assertEqual(kept.request('GET', '/readyz').status, 200)
        gateway.signal(signal.SIGTERM)
        self.assert_not_accepting(gateway)
        reply = get(gateway.admin, '/readyz')
        self.assertEqual((reply.status, reply.json['reasons']), (503, ['draining']))
        self.assertEqual(kept.request('GET', '/readyz').status, 503)
        self.assertEqual(get(gateway.admin, '/livez').status, 200)
        waiting = self.start(Client(gateway.admin))
        self.release.set()
        self.assertEqual(client.read().status, 200)
        self.assertEqual(gateway.wait_exit(5), 0)
        self.assertTrue(waiting.ends())

    def test_a_quit_drains_too(self):
        _, gateway = self.pair()
        gateway.signal(signal.SIGQUIT)
        self.assertEqual(gateway.wait_exit(5), 0)

    def test_signals_without_a_meaning_end_nothing(self):
        _, gateway = self.pair()
        for number in (signal.SIGUSR1, signal.SIGUSR2, signal.SIGALRM, signal.SIGVTALRM, signal.SIGPROF, signal.SIGIO,
                       signal.SIGPWR, signal.SIGXFSZ, signal.SIGPIPE):
            gateway.signal(number)
            self.assertEqual(get(gateway.address, '/x').status, 200, number)
        self.assertEqual(gateway.stop(), 0)

    def test_a_body_on_its_way_is_finished(self):
        def handler(request, wire):
            wire.send(b'HTTP/1.1 200 X\r\nContent-Length: 8\r\n\r\nhalf')
            self.release.wait(10)
            wire.send(b'half')
        upstream, gateway = self.slow_pair()
        upstream.handler = handler
        with Client(gateway.address) as client:
            client.send(encode('GET', '/slow'))
            client.head()
            client.exactly(4)
            gateway.signal(signal.SIGTERM)
            self.assert_not_accepting(gateway)
            self.release.set()
            self.assertEqual(client.exactly(4), b'half')
        self.assertEqual(gateway.wait_exit(5), 0)

    def test_kept_idle_connections_do_not_hold_it_up(self):
        _, gateway = self.pair()
        clients = [self.start(Client(gateway.address)) for _ in range(50)]
        for client in clients:
            client.request('GET', '/x')
        start = time.monotonic()
        self.assertEqual(gateway.stop(5), 0)
        self.assertLess(time.monotonic() - start, 3)

    def test_the_drain_ends_at_its_deadline(self):
        upstream, gateway = self.slow_pair('limits: {drain: 500ms}')
        client = self.start(Client(gateway.address))
        client.send(encode('GET', '/slow'))
        upstream.wait_requests(1)
        start = time.monotonic()
        gateway.signal(signal.SIGTERM)
        self.assertEqual(gateway.wait_exit(5), 0)
        self.assertLess(time.monotonic() - start, 3)

    def test_a_stop_under_load_fails_no_request_that_was_taken(self):
        _, gateway = self.pair()

        def stop():
            time.sleep(0.5)    # the moment of the stop
            gateway.signal(signal.SIGTERM)
        thread = threading.Thread(target=stop)
        thread.start()
        results = steady(gateway.address, lambda number: encode('GET', f'/{number}'), 1.5, workers=16)
        thread.join()
        self.assertEqual(gateway.wait_exit(5), 0)
        # After the close of its connection a client only meets refused connects, never half an answer.
        errors = {result.error.split('(')[0] for _, result in results if result.status != 200}
        self.assertLessEqual(errors, {'ConnectionRefusedError'})

    def test_the_port_is_free_afterwards(self):
        upstream, gateway = self.pair()
        port = gateway.port
        self.assertEqual(gateway.stop(), 0)
        again = self.gateway(configs.plain(upstream.url).replace('127.0.0.1:0', f'127.0.0.1:{port}', 1))
        self.assertEqual(again.port, port)


if __name__ == '__main__':
    case.main()
