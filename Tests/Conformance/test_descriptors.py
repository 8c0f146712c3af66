"""Clients get a share of the descriptors: under shortage idle ones make room, then accepting pauses; it neither spins, nor
floods the log, nor takes what upstreams and the operator need."""
import os
import socket
import threading
import time

from support import case, configs
from support.client import Client, connect, encode, get
from support.gateway import eventually
from support.upstream import answer
from test_admin import metrics

CLOSED = 'countersign_idle_connections_closed_total'
SHARE = 96 // 2 - 16


class Exhaustion(case.Case):
    def setUp(self):
        self.release = threading.Event()
        self.addCleanup(self.release.set)

        def handler(request, wire):
            if request.target == '/slow':
                self.release.wait(20)
            return answer(200, b'x')
        self.up = upstream = self.upstream(handler)
        self.gate = self.gateway(configs.plain(upstream.url, top='limits: {connections: 100000}'), nofile=96)

    def crowd(self, count=300):
        sockets = []
        for _ in range(count):
            sock = socket.socket()
            sock.setblocking(False)
            sock.connect_ex(('127.0.0.1', self.gate.port))
            sockets.append(sock)
            self.addCleanup(sock.close)
        return sockets

    def test_it_survives_rests_and_resumes(self):
        busy = [self.start(Client(self.gate.address)) for _ in range(SHARE)]
        for client in busy:
            client.send(encode('GET', '/slow'))
        self.up.wait_requests(SHARE)
        self.crowd_sockets = self.crowd()
        eventually(lambda: metrics(self.gate)['countersign_accept_pauses_total'] > 0, 10, 'the shortage')
        before, lines = self.gate.cpu(), len(self.gate.log.text().splitlines())
        start = time.monotonic()
        while time.monotonic() - start < 2:
            time.sleep(0.1)    # the time over which idleness is measured
        self.assertLess(self.gate.cpu() - before, 0.4, 'it spins')
        self.assertLess(len(self.gate.log.text().splitlines()) - lines, 10, 'it floods the log')
        self.assertEqual(get(self.gate.admin, '/livez', timeout=2).status, 200)
        self.release.set()
        for client in busy:
            self.assertEqual(client.read().status, 200)
        for sock in self.crowd_sockets:
            sock.close()

        def serves():
            try:
                with Client(self.gate.address, 2) as client:
                    return client.request('GET', '/x').status == 200
            except OSError:
                return False
        eventually(serves, 5, 'recovery')
        self.assertGreater(metrics(self.gate)['countersign_limit_refusals_total{limit="descriptors"}'], 0)

    def test_idle_clients_make_room_and_the_operator_is_answered(self):
        self.crowd()
        for _ in range(5):
            self.assertEqual(get(self.gate.admin, '/livez', timeout=2).status, 200)
            self.assertEqual(get(self.gate.address, '/x', timeout=2).status, 200)
        numbers = metrics(self.gate)
        self.assertGreater(numbers[CLOSED], 0)
        self.assertLessEqual(numbers['countersign_connections'], SHARE + 2)

    def test_the_one_that_is_idle_for_longest_goes_first(self):
        clients = [self.start(Client(self.gate.address)) for _ in range(SHARE)]
        for client in clients:
            self.assertEqual(client.request('GET', '/x').status, 200)
        clients[0].request('GET', '/x')
        self.assertEqual(get(self.gate.address, '/x').status, 200)
        self.assertTrue(clients[1].ends())
        self.assertEqual(clients[0].request('GET', '/x').status, 200)
        self.assertEqual(clients[-1].request('GET', '/x').status, 200)

    def test_a_connection_that_was_open_before_goes_on(self):
        with Client(self.gate.address) as client:
            self.assertEqual(client.request('GET', '/x').status, 200)
            self.crowd()
            self.assertEqual(client.request('GET', '/x').status, 200)


class Leaks(case.Case):
    def descriptors(self, gateway):
        return len(os.listdir(f'/proc/{gateway.pid}/fd'))

    def test_connections_that_come_and_go_leave_no_descriptor(self):
        upstream, gateway = self.pair()
        get(gateway.address, '/x')
        before = self.descriptors(gateway)
        for number in range(500):
            sock = connect(gateway.address)
            sock.sendall([b'', b'GET', b'GET / HTTP/1.1\r\nHost: gw.test\r\n\r\n', b'BAD\r\n\r\n'][number % 4])
            sock.close()
        eventually(lambda: self.descriptors(gateway) <= before + 4, 5, 'the descriptors to come back')


if __name__ == '__main__':
    case.main()
