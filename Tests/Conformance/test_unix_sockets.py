"""Upstreams on unix sockets."""
import os
import socket
import tempfile
import time

from support import case, configs
from support.client import Client, encode, get
from support.upstream import answer


class Backlog(case.Case):
    """A unix socket whose backlog is full refuses nobody: it says "again"."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = os.path.join(folder.name, 's')
        self.listener = self.start(socket.socket(socket.AF_UNIX))
        self.listener.bind(path)
        self.listener.listen(0)
        self.filling = []
        while True:
            client = self.start(socket.socket(socket.AF_UNIX))
            client.setblocking(False)
            try:
                client.connect(path)
            except BlockingIOError:
                break
            self.filling.append(client)
        self.path = path

    def gate(self, connect):
        return self.gateway(configs.plain(
            'http://shop.local', upstream=f'socket: "{self.path}"\ntimeouts: {{connect: {connect}}}'))

    def test_it_is_tried_until_the_connect_timeout(self):
        start = time.monotonic()
        self.assert_refused(get(self.gate('300ms').address, '/x'), 504, 'timeout')
        self.assertGreater(time.monotonic() - start, 0.3)

    def test_room_that_comes_in_time_is_taken(self):
        client = self.start(Client(self.gate('9s').address))
        client.send(encode('GET', '/x'))
        for _ in self.filling:
            self.listener.accept()[0].close()
        self.listener.settimeout(5)
        served = self.start(self.listener.accept()[0])
        served.recv(4096)
        served.sendall(answer(200, b'at last'))
        self.assertEqual(client.read().body, b'at last')


if __name__ == '__main__':
    case.main()
