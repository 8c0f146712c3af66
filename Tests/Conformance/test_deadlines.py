"""Slow peers meet a deadline, on both sides, whatever they do to look busy."""
import threading
import time

from support import bearer, case, configs
from support.client import Client, call, encode, get
from support.upstream import Hangup, answer


class SlowClients(case.Case):
    def drip(self, client, data, gap, limit):
        """Sends single bytes until the peer answers or closes; returns the seconds that took."""
        import select
        start = time.monotonic()
        for byte in data:
            try:
                client.send(bytes([byte]))
            except OSError:
                break
            if select.select([client.socket], [], [], gap)[0] or time.monotonic() - start > limit:
                break
        return time.monotonic() - start

    def test_a_silent_connection_without_a_request_is_closed(self):
        _, gateway = self.pair(top='limits: {head_time: 400ms, keep_alive: 400ms}')
        with Client(gateway.address) as client:
            self.assertTrue(client.ends(3))

    def test_a_head_that_drips_is_408_at_the_total_deadline(self):
        upstream, gateway = self.pair(top='limits: {head_time: 600ms}')
        with Client(gateway.address) as client:
            took = self.drip(client, b'GET / HTTP/1.1\r\nHost: gw.test\r\n' + b'X: y\r\n' * 200, 0.05, 5)
            self.assertLess(took, 2)
            self.assertEqual(client.read().status, 408)
            self.assertTrue(client.ends())
        self.assertEqual(upstream.requests, [])

    def test_a_body_that_stops_is_408_and_close(self):
        upstream, gateway = self.pair(top='limits: {body_idle: 400ms}')
        with Client(gateway.address) as client:
            client.send(encode('POST', '/', [('Content-Length', '10')]) + b'half')
            self.assertEqual(client.read().status, 408)
            self.assertTrue(client.ends())
        self.assertEqual(upstream.requests, [])

    def test_a_body_below_the_minimum_rate_is_408(self):
        _, gateway = self.pair(top='limits: {body_idle: 5s, body_rate: 1KiB, body_rate_after: 500ms}')
        with Client(gateway.address) as client:
            client.send(encode('POST', '/', [('Content-Length', '1000')]))
            self.assertLess(self.drip(client, b'x' * 1000, 0.05, 6), 4)
            self.assertEqual(client.read().status, 408)

    def test_an_idle_kept_connection_is_closed_after_keep_alive(self):
        _, gateway = self.pair(top='limits: {keep_alive: 400ms}')
        with Client(gateway.address) as client:
            self.assertEqual(client.request('GET', '/').status, 200)
            start = time.monotonic()
            self.assertTrue(client.ends(3))
            self.assertGreater(time.monotonic() - start, 0.2)

    def test_a_client_that_does_not_read_is_cut_after_write_stall(self):
        def handler(request, wire):
            wire.send(b'HTTP/1.1 200 X\r\nContent-Length: 1073741824\r\n\r\n')
            block = bytes(1 << 20)
            for _ in range(1024):
                wire.send(block)
        upstream, gateway = self.pair(handler, top='limits: {write_stall: 500ms}')
        with Client(gateway.address, receive_buffer=4096) as client:
            client.send(encode('GET', '/'))
            upstream.wait_requests(1)
            upstream.wait(lambda up: not up.open, 6, 'the end of the stalled transfer')

    def test_slow_clients_do_not_slow_an_honest_one(self):
        _, gateway = self.pair(top='limits: {head_time: 2s}')
        slow = [self.start(Client(gateway.address)) for _ in range(300)]
        for client in slow:
            client.send(b'GET / HT')
        with Client(gateway.address) as client:
            start = time.monotonic()
            for _ in range(100):
                self.assertEqual(client.request('GET', '/').status, 200)
            self.assertLess(time.monotonic() - start, 3)


class SlowUpstreams(case.Case):
    TIMES = 'timeouts: {connect: 1s, first_byte: 500ms, idle: 500ms}'

    def test_no_first_byte_is_504_timeout(self):
        _, gateway = self.pair(lambda request, wire: wire.more(), upstream=self.TIMES)
        start = time.monotonic()
        self.assert_refused(call(gateway.address, 'POST', '/', body='x'), 504, 'timeout')
        self.assertLess(time.monotonic() - start, 2)

    def test_an_answer_head_that_drips_meets_the_first_byte_deadline(self):
        def handler(request, wire):
            for byte in b'HTTP/1.1 200 OK\r\n' + b'X: y\r\n' * 100:
                wire.send(bytes([byte]))
                time.sleep(0.1)    # a slow upstream
        _, gateway = self.pair(handler, upstream=self.TIMES)
        start = time.monotonic()
        self.assert_refused(call(gateway.address, 'POST', '/', body='x'), 504, 'timeout')
        self.assertLess(time.monotonic() - start, 3)

    def test_a_login_whose_answer_drips_meets_a_deadline_of_its_own(self):
        over = threading.Event()
        self.addCleanup(over.set)

        def handler(request, wire):
            if request.target != '/login':
                return answer()
            wire.send(b'HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n')
            while not over.wait(0.05):
                wire.send(b'x')
            raise Hangup
        for host in ('127.0.0.1', 'up.localhost'):
            with self.subTest(host=host):
                up = self.upstream(handler)
                gateway = self.gateway(bearer.config(
                    f'http://{host}:{up.port}', upstream=self.TIMES, session='login_time: 600ms'), secrets=bearer.SECRETS)
                start = time.monotonic()
                reply = get(gateway.address, '/a')
                self.assert_refused(reply, 503, 'login_unavailable')
                self.assertIn('login_time', reply.json['error']['detail'])
                self.assertLess(time.monotonic() - start, 3)
                self.assertEqual(get(gateway.admin, '/health').json['sessions']['api']['state'], 'backoff')
                up.wait(lambda up: not up.open, 5, 'the end of the login')

    def test_without_an_idle_limit_a_stream_may_pause(self):
        """It has paused for longer than the one beside it, which is cut."""
        for host in ('127.0.0.1', 'up.localhost'):
            with self.subTest(host=host):
                goes_on = threading.Event()
                self.addCleanup(goes_on.set)

                def handler(request, wire, goes_on=goes_on):
                    wire.send(b'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf!')
                    if goes_on.wait(10):
                        wire.send(b'whole')
                url = f'http://{host}:{self.upstream(handler).port}'
                patient = self.gateway(configs.plain(url, upstream='timeouts: {idle: 0s}'))
                other = self.gateway(configs.plain(url, upstream='timeouts: {idle: 300ms}'))
                with Client(patient.address, 5) as stream, Client(other.address, 5) as cut:
                    for client in (stream, cut):
                        client.send(encode('GET', '/'))
                        client.head()
                        self.assertEqual(client.exactly(5), b'half!')
                    try:
                        self.assertEqual(cut.rest(), b'')
                    except ConnectionResetError:
                        pass
                    goes_on.set()
                    self.assertEqual(stream.exactly(5), b'whole')

    def test_a_body_that_stalls_is_aborted_visibly(self):
        def handler(request, wire):
            wire.send(b'HTTP/1.1 200 X\r\nContent-Length: 10\r\n\r\nhalf!')
            wire.more()
        _, gateway = self.pair(handler, upstream=self.TIMES)
        with Client(gateway.address, 5) as client:
            client.send(encode('GET', '/'))
            client.head()
            # Five bytes of ten, then the end or a reset: never what looks whole.
            try:
                self.assertEqual(len(client.rest()), 5)
            except ConnectionResetError:
                pass

    def test_a_chunked_answer_that_breaks_off_has_no_last_chunk(self):
        def handler(request, wire):
            wire.send(b'HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\n\r\n' + b'4\r\nhalf\r\n')
            wire.more()
        _, gateway = self.pair(handler, upstream=self.TIMES)
        with Client(gateway.address, 5) as client:
            client.send(encode('GET', '/'))
            client.head()
            try:
                self.assertNotIn(b'0\r\n\r\n', client.rest())
            except ConnectionResetError:
                pass

    def test_the_total_deadline_ends_a_steady_drip(self):
        def handler(request, wire):
            wire.send(b'HTTP/1.1 200 X\r\nContent-Length: 1000\r\n\r\n')
            for _ in range(100):
                wire.send(b'x')
                time.sleep(0.1)    # a slow upstream
        _, gateway = self.pair(handler, upstream='timeouts: {total: 1s}')
        with Client(gateway.address, 5) as client:
            start = time.monotonic()
            client.send(encode('GET', '/'))
            client.head()
            try:
                client.rest()
            except ConnectionResetError:
                pass
            self.assertLess(time.monotonic() - start, 3)

    def test_a_slow_upstream_does_not_hold_up_another(self):
        slow = self.upstream(lambda request, wire: wire.more())
        quick = self.upstream()
        gateway = self.gateway(configs.LISTEN + f'''upstreams:
  slow: {{url: "{slow.url}", timeouts: {{first_byte: 5s}}}}
  quick: {{url: "{quick.url}"}}
routes:
  - {{path: /slow/**, upstream: slow}}
  - {{path: /**, upstream: quick}}
''')
        held = [self.start(Client(gateway.address)) for _ in range(100)]
        for client in held:
            client.send(encode('GET', '/slow/x'))
        slow.wait_requests(100)
        start = time.monotonic()
        for _ in range(50):
            self.assertEqual(get(gateway.address, '/quick').status, 200)
        self.assertLess(time.monotonic() - start, 2)

    def test_a_long_answer_outlives_the_first_byte_deadline(self):
        gap = threading.Event()

        def handler(request, wire):
            wire.send(b'HTTP/1.1 200 X\r\nContent-Length: 8\r\n\r\n')
            for _ in range(8):
                wire.send(b'x')
                gap.wait(0.15)
        _, gateway = self.pair(handler, upstream=self.TIMES)
        self.assertEqual(get(gateway.address, '/').body, b'xxxxxxxx')


class Unanswered(case.Case):
    def test_half_a_body_never_reaches_another_request(self):
        upstream, gateway = self.pair(lambda request, wire: answer(200, request.body), top='limits: {body_idle: 300ms}')
        with Client(gateway.address) as client:
            client.send(encode('POST', '/', [('Content-Length', '50')]) + b'GET /smuggled HTTP/1.1\r\n')
            self.assertEqual(client.read().status, 408)
        self.assertEqual(get(gateway.address, '/after').status, 200)
        self.assertEqual([request.target for request in upstream.requests], ['/after'])


if __name__ == '__main__':
    case.main()
