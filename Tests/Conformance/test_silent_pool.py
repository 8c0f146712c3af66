"""Kept-alive connections that died without a word: a router forgot them, the host was rebooted, this machine slept."""
import contextlib
import os
import shutil
import socket
import struct
import subprocess
import tempfile
import threading
import time

from support import bearer, case, configs
from support.certificates import Authority
from support.client import call, encode, get
from support.http2 import nginx_http2
from support.swarm import swarm
from support.upstream import Reset, Upstream, answer, json_answer

# An address goes without libcurl; a name needs it.
HOSTS = ('127.0.0.1', 'up.localhost')
POOL = 8


class Pool(Upstream):
    """Serves `POOL` connections at once under /warm. Once `killed`, they reset whatever arrives on them."""

    def __init__(self):
        self.killed = False
        self.meeting = threading.Barrier(POOL)
        super().__init__(self._handle)

    def _handle(self, request, wire):
        if self.killed and request.connection <= POOL:
            raise Reset
        if request.target == '/warm':
            self.meeting.wait(10)
        return answer(200, b'ok')


class SilentPool(case.Case):
    def warm(self, host):
        upstream = self.start(Pool())
        gateway = self.gateway(configs.plain(f'http://{host}:{upstream.port}'))
        self.assertEqual({reply.status for reply in swarm(gateway.address, [encode('GET', '/warm')] * POOL)}, {200})
        self.assertEqual(upstream.connections, POOL)
        upstream.killed = True
        return upstream, gateway

    def test_posts_lose_one_request_and_not_one_per_connection(self):
        for host in HOSTS:
            upstream, gateway = self.warm(host)
            statuses = [call(gateway.address, 'POST', f'/{number}', body='x').status for number in range(POOL)]
            self.assertEqual(statuses, [502] + [200] * (POOL - 1), host)
            self.assertEqual(upstream.connections, POOL + 1)

    def test_gets_lose_none_and_need_one_retry(self):
        for host in HOSTS:
            _, gateway = self.warm(host)
            self.assertEqual([get(gateway.address, f'/{number}').status for number in range(POOL)], [200] * POOL, host)
            self.assertIn(b'countersign_retries_total{upstream="up"} 1\n', get(gateway.admin, '/metrics').body)


class Relay:
    """Passes bytes to `port`. After `forget()` the connections that it has then swallow everything."""

    def __init__(self, port):
        self.target, self.connections, self.forgotten = port, 0, 0
        self.listener = socket.create_server(('127.0.0.1', 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            self.connections += 1
            server = socket.create_connection(('127.0.0.1', self.target))
            for source, sink in ((client, server), (server, client)):
                threading.Thread(target=self._pass, args=(source, sink, self.connections), daemon=True).start()

    def _pass(self, source, sink, number):
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                if number > self.forgotten:
                    sink.sendall(data)
            sink.shutdown(socket.SHUT_WR)

    def forget(self):
        self.forgotten = self.connections

    def close(self):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()


class Shared(case.Case):
    def test_a_shared_connection_that_swallows_requests_costs_one_deadline(self):
        folder = tempfile.mkdtemp(prefix='countersign-ca-')
        self.addCleanup(shutil.rmtree, folder)
        authority = Authority(folder)
        server = self.start(nginx_http2(*authority.leaf('two', 'IP:127.0.0.1')))
        relay = self.start(Relay(server.port))
        gateway = self.gateway(configs.plain(
            f'https://127.0.0.1:{relay.port}',
            upstream='http: 2\ntls: {ca_file: "%s"}\ntimeouts: {first_byte: 500ms}' % authority.file))
        for _ in range(3):
            self.assertEqual(get(gateway.address, '/').body, b'HTTP/2.0')
        self.assertEqual(relay.connections, 1)
        relay.forget()
        self.assert_refused(get(gateway.address, '/'), 504, 'timeout')
        for _ in range(3):
            self.assertEqual(get(gateway.address, '/').body, b'HTTP/2.0')
        self.assertEqual(relay.connections, 2)


class Logins(case.Case):
    def test_a_login_meets_no_used_connection(self):
        valid = []

        def handler(request, wire):
            if request.target == '/login':
                if request.served > 1:
                    raise Reset
                valid[:] = [f't{len(upstream.requests)}']
                return json_answer({'token': valid[0]})
            good = request.field('Authorization') in [f'Bearer {token}' for token in valid]
            return answer(200, b'ok') if good else json_answer({}, 401)
        for host in HOSTS:
            upstream = self.upstream(handler)
            gateway = self.gateway(bearer.config(f'http://{host}:{upstream.port}'), secrets=bearer.SECRETS)
            for _ in range(3):
                self.assertEqual(get(gateway.address, '/a').status, 200)
                valid.clear()


class Suspend(case.Case):
    """The clock of the pool goes on while the machine sleeps."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix='countersign-')
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.library = os.path.join(cls.folder, 'slept.so')
        compiler = os.environ.get('CC') or 'cc'
        source = os.path.join(os.path.dirname(__file__), 'support', 'slept.c')
        subprocess.run([compiler, '-O1', '-shared', '-fPIC', '-o', cls.library, source], check=True)

    def sleep(self, seconds):
        with open(self.path, 'r+b') as file:
            file.write(struct.pack('=q', seconds))

    def pair(self, handler=None, host='127.0.0.1', **config):
        self.path = os.path.join(self.folder, 'slept')
        with open(self.path, 'wb') as file:
            file.write(bytes(8))
        upstream = self.upstream(handler)
        return upstream, self.gateway(configs.plain(f'http://{host}:{upstream.port}', **config),
                                      env={'LD_PRELOAD': self.library, 'SLEPT': self.path})

    def test_deadlines_are_kept_after_a_suspend(self):
        def handler(request, wire):
            return wire.more() if request.target == '/silent' else answer(200, b'ok')
        for host in HOSTS:
            _, gateway = self.pair(handler, host, upstream='timeouts: {first_byte: 500ms}')
            # Leaves an event of the idle deadline behind, 30 s ahead on a clock that stands still in the suspend.
            self.assertEqual(call(gateway.address, 'POST', '/x', body='x' * 100_000).status, 200)
            self.sleep(40)
            start = time.monotonic()
            self.assert_refused(get(gateway.address, '/silent', timeout=60), 504, 'timeout')
            self.assertLess(time.monotonic() - start, 10)

    def test_connections_grow_old_in_a_suspend(self):
        for host in HOSTS:
            for method in ('GET', 'POST'):
                upstream, gateway = self.pair(host=host)
                for slept, connections in ((0, 1), (0, 1), (50, 1 if method == 'GET' else 2), (200, 3 - (method == 'GET'))):
                    self.sleep(slept)
                    self.assertEqual(call(gateway.address, method, '/x').status, 200)
                    self.assertEqual(upstream.connections, connections, (host, method, slept))


if __name__ == '__main__':
    case.main()
