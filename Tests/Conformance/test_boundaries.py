"""What the gateway owns stays its own, and what others own is left alone: paths, names, socket files, streams."""
import os
import socket
import threading
from collections import Counter

from support import bearer, case, configs
from support.client import Client, call, encode, get
from support.gateway import Gateway, eventually
from support.swarm import swarm
from support.upstream import Hangup, Upstream, answer

HOSTS = ('127.0.0.1', 'up.localhost')       # without libcurl, and with it


class Paths(case.Case):
    def test_reserved_paths_are_never_forwarded_and_other_spellings_are_other_paths(self):
        upstream, gateway = self.pair()
        for target in ('/_countersign/nope', '/_countersign', '/_countersign?x', '/_countersign//health',
                       '/_countersign/%6civez', '/_countersign/readyz', '/_countersign/metrics'):
            self.assertEqual(get(gateway.address, target).status, 404, target)
        self.assertEqual(upstream.requests, [])
        for target in ('/%5Fcountersign/health', '//_countersign/health', '/_Countersign/health', '/_countersign;x/health'):
            self.assertEqual((get(gateway.address, target).status, upstream.last.target), (200, target))

    def test_targets_are_signed_as_they_are_sent(self):
        sign = 'signatures:\n  s: {attach: {header: {X-T: "${request.target}"}}}\n'
        for host in HOSTS:
            upstream = self.upstream()
            gateway = self.gateway(configs.plain(f'http://{host}:{upstream.port}', session=sign, route='sign: s'))
            for target in ('/a///b', '/a%2Fb', '/a%2fb', '/a+b', '/%E4%BD%A0', '/a%20b?x=1%3D2&y=a%2Bb&z=a+b', '/x?', '/x?&&a',
                           '/x?a=b%3Dc==&b', "/a'b(c)*!~", '/a;v=1/b', '/a@b:c', '/?q=%25', '/x?u=http://h/p?q'):
                with self.subTest(host=host, target=target):
                    self.assertEqual(get(gateway.address, target).status, 200)
                    self.assertEqual((upstream.last.target, upstream.last.field('X-T')), (target, target))


class Names(case.Case):
    def test_other_spellings_of_loopback_are_other_names(self):
        upstream, gateway = self.pair()
        port = gateway.port
        for host in (f'LOCALHOST:{port}', f'[::1]:{port}'):
            self.assertEqual(get(gateway.address, '/w').status, 200)
            self.assertEqual(call(gateway.address, 'GET', '/w', host=host).status, 200, host)
        count = len(upstream.requests)
        for host, status in ((f'localhost.:{port}', 421), (f'127.1:{port}', 421), (f'2130706433:{port}', 421),
                             (f'127.0.0.2:{port}', 421), (f'localhost:{port + 1}', 421), ('127.0.0.1', 421),
                             (f'[::ffff:127.0.0.1]:{port}', 421), (f'x@localhost:{port}', 400), (f'localhost:{port}/x', 400)):
            self.assertEqual(call(gateway.address, 'GET', '/w', host=host).status, status, host)
        self.assertEqual(len(upstream.requests), count)

    def test_a_page_that_only_its_referer_tells_of_is_cross_site(self):
        server = self.start(bearer.TokenServer())
        gateway = self.gateway(bearer.config(server.url, top='origins: ["https://app.example"]'), secrets=bearer.SECRETS)
        for referer, status in (('https://evil.example/', 403), (f'http://localhost:{gateway.port}/page', 200),
                                ('https://app.example/page', 200), ('about:blank', 200),
                                (f'http://localhost:{gateway.port}@evil.example/', 403)):
            reply = call(gateway.address, 'GET', '/delete?id=1', [('Referer', referer)], host=f'localhost:{gateway.port}')
            self.assertEqual(reply.status, status, referer)
        self.assertEqual(server.done, ['/delete?id=1'] * 3)
        self.assertEqual(get(gateway.admin, '/health', [('Referer', 'https://app.example/')]).status, 403)


class Sockets(case.Case):
    def config(self, path):
        text = configs.plain(self.upstream().url)
        return text.replace('127.0.0.1:0]', f'127.0.0.1:0, "unix:{path}"]', 1)

    def test_one_that_somebody_else_put_there_stays_at_the_end(self):
        gateway = self.gateway(self.config('$FOLDER/s'))
        path = os.path.join(gateway.folder, 's')
        os.unlink(path)
        with socket.socket(socket.AF_UNIX) as other:
            other.bind(path)
            self.assertEqual(gateway.stop(), 0)
            self.assertTrue(os.path.exists(path))

    def test_one_that_serves_is_not_taken_over(self):
        gateway = self.gateway(self.config('$FOLDER/s'))
        path = os.path.join(gateway.folder, 's')
        second = self.start(Gateway(self.config(path), wait=False))
        self.assertEqual(second.wait_exit(), 1)
        self.assertIn(b'Address already in use', second.output())
        self.assertEqual(get('unix:' + path, '/').status, 200)

    def test_what_is_no_socket_is_never_removed(self):
        first = self.gateway(self.config('$FOLDER/s'))
        for name, make in (('file', lambda path: os.close(os.open(path, os.O_CREAT))), ('folder', os.mkdir),
                           ('link', lambda path: os.symlink(first.config_path, path))):
            path = os.path.join(first.folder, name)
            make(path)
            second = self.start(Gateway(self.config(path), wait=False))
            self.assertEqual(second.wait_exit(), 1, name)
            self.assertIn(b'is no socket', second.output())
            self.assertTrue(os.path.lexists(path), name)


class Streams(case.Case):
    def test_a_stream_outlives_a_reload_that_drops_its_route_and_upstream(self):
        for host in HOSTS:
            with self.subTest(host=host):
                stop = threading.Event()
                self.addCleanup(stop.set)

                def handler(request, wire):
                    wire.send(b'HTTP/1.1 200 X\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n')
                    while not stop.wait(0.02):
                        wire.send(b'5\r\ndata\n\r\n')
                    raise Hangup
                upstream = self.upstream(handler)
                text = configs.plain(f'http://{host}:{upstream.port}')
                gateway = self.gateway(text)
                with Client(gateway.address) as client:
                    client.send(encode('GET', '/s'))
                    client.head()
                    gateway.reload(text.replace('  up:', '  other:').replace('upstream: up', 'upstream: other'))
                    # More than the buffers could have held at the reload.
                    self.assertEqual(client.exactly(10 * 50), b'5\r\ndata\n\r\n' * 50)

    def test_a_body_goes_to_the_address_that_answers(self):
        """`localhost` has two addresses, and only one of them serves."""
        for host in ('localhost', 'up.localhost'):
            upstream = self.start(Upstream(lambda request, wire: answer(200, request.body), family=socket.AF_INET6))
            gateway = self.gateway(configs.plain(f'http://{host}:{upstream.port}'))
            for size in (10, 500_000):
                body = os.urandom(size)
                for fields, sent in (((), body), ([('Transfer-Encoding', 'chunked')], b'%x\r\n%s\r\n0\r\n\r\n' % (size, body))):
                    reply = call(gateway.address, 'POST', '/x', fields, sent)
                    self.assertEqual((reply.status, reply.body == body), (200, True), (host, size))


class Logins(case.Case):
    def test_a_failed_login_is_one_cause_for_all_and_one_line(self):
        server = self.start(bearer.TokenServer())
        gateway = self.gateway(bearer.config(server.url, session='backoff: {min: 30s, max: 60s}'), secrets=bearer.SECRETS)
        self.assertEqual(get(gateway.address, '/first').status, 200)
        gate = server.login_gate = threading.Event()
        server.login_replies = [answer(400, b'nope')] * 10
        server.expire()
        replies = []
        crowd = threading.Thread(target=lambda: replies.extend(
            swarm(gateway.address, [encode('GET', f'/{number}') for number in range(80)])))
        crowd.start()
        eventually(lambda: b'countersign_parked{session="api"} 80' in get(gateway.admin, '/metrics').body, 5, 'the crowd')
        gate.set()
        crowd.join(10)
        self.assertEqual(Counter(reply.status for reply in replies), {503: 80})
        self.assertEqual(len({reply.body for reply in replies}), 1)
        self.assertIn(b'login_unavailable', replies[0].body)
        self.assertEqual(server.attempts, 2)
        # The dead credential is not used again while the login does not come back.
        count = len(server.calls)
        self.assertEqual(get(gateway.address, '/after').status, 503)
        self.assertEqual(len(server.calls), count)
        lines = Counter(record['message'] for record in gateway.log.records if record['level'] == 'error')
        self.assertEqual(lines, {'login failed': 1, 'request failed': 1})


if __name__ == '__main__':
    case.main()
