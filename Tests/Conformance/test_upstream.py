"""How the gateway talks to upstreams: pools, retries, proxies, redirects, and what it never does."""
import gzip
import os
import socket
import tempfile
import threading

from support import case, configs
from support.client import Client, call, get
from support.upstream import Hangup, Reset, Upstream, answer


class Retries(case.Case):
    def broken_once(self, fault):
        """Serves one request per connection, then reads the next and breaks."""
        def handler(request, wire):
            if request.target == '/warm' or wire.served == 1 and request.target != '/fresh':
                return answer(200, b'ok')
            raise fault
        return self.pair(handler)

    def test_a_get_on_a_stale_kept_connection_is_sent_once_more(self):
        for fault in (Hangup(), Reset()):
            upstream, gateway = self.broken_once(fault)
            get(gateway.address, '/warm')
            self.assertEqual(get(gateway.address, '/x').status, 200)
            self.assertEqual([request.target for request in upstream.requests], ['/warm', '/x', '/x'])

    def test_a_post_that_was_read_is_never_sent_twice(self):
        for fault in (Hangup(), Reset()):
            upstream, gateway = self.broken_once(fault)
            for body in ('x', ''):
                get(gateway.address, '/warm')
                call(gateway.address, 'POST', '/order', body=body)
            self.assertEqual(len([1 for request in upstream.requests if request.target == '/order']), 2)

    def test_a_post_that_meets_a_hangup_is_connection_lost(self):
        for fault in (Hangup(), Reset()):
            def handler(request, wire, fault=fault):
                raise fault
            upstream, gateway = self.pair(handler)
            self.assert_refused(call(gateway.address, 'POST', '/x', body='1'), 502, 'connection_lost')
            self.assertEqual(len(upstream.requests), 1)

    def test_a_get_that_fails_twice_is_connection_lost(self):
        def handler(request, wire):
            raise Hangup
        upstream, gateway = self.pair(handler)
        self.assert_refused(get(gateway.address, '/x'), 502, 'connection_lost')
        self.assertLessEqual(len(upstream.requests), 2)

    def test_an_idle_connection_that_the_upstream_closed_is_not_used_for_a_post(self):
        upstream, gateway = self.pair()
        get(gateway.address, '/warm')
        with upstream.changed:
            for sock in list(upstream.open):
                sock.shutdown(2)
        upstream.wait(lambda up: not up.open)
        self.assertEqual(call(gateway.address, 'POST', '/x', body='1').status, 200)
        self.assertEqual(upstream.connections, 2)

    def test_two_hundred_orders_over_a_flaky_upstream_are_never_duplicated(self):
        lock, count = threading.Lock(), [0]

        def handler(request, wire):
            with lock:
                count[0] += 1
                bad = count[0] % 3 == 0
            if bad:
                raise Hangup
            return answer(200, b'ok')
        upstream = self.upstream(handler)
        gateway = self.gateway(configs.plain(upstream.url, upstream='breaker: {after: 1000}'))
        with Client(gateway.address) as client:
            for number in range(200):
                client.request('POST', f'/order/{number}', body=b'' if number % 2 else b'x')
        targets = [request.target for request in upstream.requests]
        self.assertEqual(len(targets), len(set(targets)))
        self.assertEqual(len(targets), 200)


class Pools(case.Case):
    def test_an_unsolicited_answer_on_an_idle_connection_reaches_nobody(self):
        sent = threading.Event()

        def handler(request, wire):
            wire.send(answer(200, request.target))
            if request.target == '/one':
                wire.send(answer(200, b'EVIL'))
                sent.set()
        upstream, gateway = self.pair(handler)
        with Client(gateway.address) as client:
            for number in range(50):
                sent.clear()
                self.assertEqual(client.request('GET', '/one').body, b'/one')
                # Before the next request leaves: what comes after it cannot be told from its answer.
                self.assertTrue(sent.wait(5))
                self.assertEqual(client.request('GET', f'/{number}').body, b'/%d' % number)

    def test_idle_connections_are_given_up_at_their_age(self):
        upstream = self.upstream()
        gateway = self.gateway(configs.plain(upstream.url, upstream='limits: {idle_age: 1s}'))
        get(gateway.address, '/x')
        upstream.wait(lambda up: not up.open, 10, 'the end of the idle connection')

    def test_an_upstream_on_a_unix_socket_is_reached(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 's')
            upstream = self.upstream(path=path)
            gateway = self.gateway(configs.plain('http://shop.local', upstream=f'socket: "{path}"'))
            self.assertEqual(get(gateway.address, '/x').status, 200)
            self.assertEqual(upstream.last.field('Host'), 'shop.local')

    def test_a_base_path_is_put_before_the_target(self):
        upstream = self.upstream()
        gateway = self.gateway(configs.plain(upstream.url + '/base'))
        get(gateway.address, '/a?b=1')
        self.assertEqual(upstream.last.target, '/base/a?b=1')


class Proxies(case.Case):
    def test_a_configured_proxy_is_used_with_its_password(self):
        proxy = self.upstream(lambda request, wire: answer(200, b'by proxy'))
        gateway = self.gateway(configs.plain(
            'http://shop.invalid', upstream=f'proxy: {{url: "{proxy.url}", username: puser, password: ppass}}',
            top='secrets: {puser: {file: u}, ppass: {file: p}}'), secrets={'u': 'me', 'p': 'pw'})
        self.assertEqual(get(gateway.address, '/x').body, b'by proxy')
        self.assertEqual(proxy.last.target, 'http://shop.invalid/x')
        self.assertEqual(proxy.last.field('Proxy-Authorization'), 'Basic bWU6cHc=')

    def test_a_proxy_in_the_environment_is_ignored(self):
        proxy, upstream = self.upstream(), self.upstream()
        gateway = self.gateway(configs.plain(upstream.url), env={
            'http_proxy': proxy.url, 'HTTP_PROXY': proxy.url, 'all_proxy': proxy.url, 'ALL_PROXY': proxy.url, 'no_proxy': ''})
        self.assertEqual(get(gateway.address, '/x').status, 200)
        self.assertEqual((len(proxy.requests), len(upstream.requests)), (0, 1))


class Redirects(case.Case):
    def test_a_redirect_is_passed_and_not_followed(self):
        other = self.upstream()
        for status in (301, 302, 303, 307, 308):
            upstream, gateway = self.pair(
                lambda request, wire, status=status: answer(status, b'', [('Location', other.url + '/x')]))
            reply = call(gateway.address, 'POST', '/x', body='secret')
            self.assertEqual(reply.status, status)
            self.assertEqual(len(upstream.requests), 1)
        self.assertEqual(other.requests, [])


class Interim(case.Case):
    def test_early_hints_do_not_disturb_the_final_answer(self):
        _, gateway = self.pair(lambda request, wire: b'HTTP/1.1 103 X\r\nLink: </a>\r\n\r\n' + answer(200, b'final'))
        with Client(gateway.address) as client:
            self.assertEqual(client.request('GET', '/').body, b'final')
            self.assertEqual(client.request('GET', '/').body, b'final')

    def test_a_compressed_answer_passes_untouched(self):
        packed = gzip.compress(b'hello' * 100)
        _, gateway = self.pair(lambda request, wire: answer(200, packed, [('Content-Encoding', 'gzip')]))
        reply = get(gateway.address, '/', [('Accept-Encoding', 'gzip')])
        self.assertEqual((reply.body, reply.field('Content-Encoding')), (packed, 'gzip'))


class Words(case.Case):
    def test_what_is_wrong_with_a_head_has_one_name_on_both_ways(self):
        for host in ('127.0.0.1', 'up.localhost'):
            for head, word in ((b'HTTP/9.9 200 OK\r\n\r\n', 'bad_version'),
                               (b'HTTP/1.1 200 OK\r\nX: ' + b'a' * 300_000 + b'\r\n\r\n', 'head_too_large')):
                def handler(request, wire, head=head):
                    wire.send(head)
                    raise Hangup
                upstream = self.upstream(handler)
                gateway = self.gateway(configs.plain(f'http://{host}:{upstream.port}'))
                reply = get(gateway.address, '/x')
                self.assertEqual((reply.status, reply.json['error']['kind']), (502, 'bad_answer'), host)
                self.assertIn(word, reply.json['error']['detail'], host)


class Families(case.Case):
    def test_an_upstream_on_ipv6_is_reached(self):
        upstream = self.start(Upstream(family=socket.AF_INET6))
        gateway = self.gateway(configs.plain(f'http://[::1]:{upstream.port}'))
        self.assertEqual(get(gateway.address, '/x').status, 200)
        self.assertEqual(upstream.last.field('Host'), f'[::1]:{upstream.port}')

    def test_a_name_with_a_dead_address_still_works(self):
        upstream = self.upstream()    # on 127.0.0.1 only, while localhost may name ::1 first
        gateway = self.gateway(configs.plain(f'http://localhost:{upstream.port}'))
        self.assertEqual(get(gateway.address, '/x').status, 200)


if __name__ == '__main__':
    case.main()
