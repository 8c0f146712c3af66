"""Running out of descriptors pauses accepting; it neither spins, nor floods the log, nor forgets to resume."""
import os
import socket
import time

from support import case, configs
from support.client import Client, connect, get
from support.gateway import eventually


class Exhaustion(case.Case):
    def setUp(self):
        upstream = self.upstream()
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
        self.crowd_sockets = self.crowd()
        eventually(lambda: len(os.listdir(f'/proc/{self.gate.pid}/fd')) >= 90, 10, 'the shortage')
        before, lines = self.gate.cpu(), len(self.gate.log.text().splitlines())
        start = time.monotonic()
        while time.monotonic() - start < 2:
            time.sleep(0.1)    # the time over which idleness is measured
        self.assertLess(self.gate.cpu() - before, 0.4, 'it spins')
        self.assertLess(len(self.gate.log.text().splitlines()) - lines, 10, 'it floods the log')
        for sock in self.crowd_sockets:
            sock.close()

        def serves():
            try:
                with Client(self.gate.address, 2) as client:
                    return client.request('GET', '/x').status == 200
            except OSError:
                return False
        eventually(serves, 5, 'recovery')
        page = eventually(lambda: get(self.gate.admin, '/metrics').body, 3)
        paused = [line for line in page.decode().splitlines() if line.startswith('countersign_accept_pauses_total')]
        self.assertGreater(float(paused[0].split()[-1]), 0)

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
