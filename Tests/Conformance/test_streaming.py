"""Bodies of gigabytes pass in both directions through a process that does not grow."""
import hashlib
import os
import threading
import time

from support import case, configs
from support.client import Client, encode
from support.gateway import eventually

MIB = 1 << 20
GIB = 1 << 30
BLOCK = bytes(range(256)) * 4096
GROWTH = 8 * MIB


class Peak:
    """Samples the resident memory of the gateway while the block runs."""

    def __init__(self, gateway):
        self.gateway = gateway
        self.before = gateway.memory()
        self.most = self.before
        self.done = threading.Event()
        self.thread = threading.Thread(target=self._sample, daemon=True)

    def _sample(self):
        while not self.done.wait(0.02):
            self.most = max(self.most, self.gateway.memory())

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.done.set()
        self.thread.join()

    @property
    def growth(self):
        return self.most - self.before


def stalls(position, every=512 * MIB, seconds=0.5):
    """A peer that stops now and then, so that both buffers of the gateway fill up."""
    if position and position % every == 0:
        time.sleep(seconds)    # the slowness under test


def pump(send, size):
    for position in range(0, size, len(BLOCK)):
        send(BLOCK)


def drain(sock, size):
    """Reads exactly `size` bytes with stalls; returns how many came."""
    buffer = bytearray(MIB)
    have = mark = 0
    while have < size:
        count = sock.recv_into(buffer, min(len(buffer), size - have))
        if not count:
            break
        have += count
        if have // (512 * MIB) > mark:
            mark = have // (512 * MIB)
            stalls(mark * 512 * MIB)
    return have


class Downloads(case.Case):
    SIZE = 2 * GIB

    def upstream_of(self, head, chunked=False):
        def handler(request, wire):
            wire.send(head)
            if chunked:
                frame = b'%x\r\n' % len(BLOCK) + BLOCK + b'\r\n'
                for _ in range(self.SIZE // len(BLOCK)):
                    wire.send(frame)
                wire.send(b'0\r\n\r\n')
            else:
                pump(wire.send, self.SIZE)
        return self.upstream(handler)

    def test_two_gibibytes_come_down_without_growth(self):
        upstream = self.upstream_of(b'HTTP/1.1 200 X\r\nContent-Length: %d\r\n\r\n' % self.SIZE)
        gateway = self.gateway(configs.plain(upstream.url))
        with Client(gateway.address, 30) as client:
            self.assertEqual(client.request('HEAD', '/warm').status, 200)
        with Client(gateway.address, 30) as client, Peak(gateway) as peak:
            client.send(encode('GET', '/big'))
            client.head()
            have = len(client.buffer) + drain(client.socket, self.SIZE - len(client.buffer))
        self.assertEqual(have, self.SIZE)
        self.assertLess(peak.growth, GROWTH)

    def test_a_client_that_does_not_read_throttles_the_upstream(self):
        sent = [0]

        def handler(request, wire):
            wire.send(b'HTTP/1.1 200 X\r\nContent-Length: %d\r\n\r\n' % GIB)
            for _ in range(GIB // len(BLOCK)):
                wire.send(BLOCK)
                sent[0] += len(BLOCK)
        upstream, gateway = self.pair(handler)
        with Client(gateway.address, receive_buffer=65536) as client, Peak(gateway) as peak:
            client.send(encode('GET', '/'))
            upstream.wait_requests(1)
            self.assertTrue(steady(lambda: sent[0]), 'the upstream was never throttled')
            self.assertLess(sent[0], 64 * MIB)
        self.assertLess(peak.growth, GROWTH)

    def test_the_bytes_of_a_throttled_download_are_unchanged(self):
        size = 64 * MIB
        data = os.urandom(MIB)

        def handler(request, wire):
            wire.send(b'HTTP/1.1 200 X\r\nContent-Length: %d\r\n\r\n' % size)
            for _ in range(size // MIB):
                wire.send(data)
        upstream, gateway = self.pair(handler)
        seen = hashlib.sha256()
        with Client(gateway.address, 20, receive_buffer=65536) as client:
            client.send(encode('GET', '/'))
            client.head()
            left = size
            while left:
                part = client.buffer or client.socket.recv(min(left, 100_001))
                client.buffer = b''
                self.assertTrue(part)
                seen.update(part)
                left -= len(part)
        self.assertEqual(seen.digest(), hashlib.sha256(data * (size // MIB)).digest())

    def test_fifty_slow_readers_cost_bounded_memory(self):
        def handler(request, wire):
            wire.send(b'HTTP/1.1 200 X\r\nContent-Length: %d\r\n\r\n' % GIB)
            pump(wire.send, GIB)
        upstream, gateway = self.pair(handler)
        before = gateway.memory()
        clients = [self.start(Client(gateway.address, receive_buffer=4096)) for _ in range(50)]
        for client in clients:
            client.send(encode('GET', '/'))
        upstream.wait_requests(50)
        self.assertTrue(steady(gateway.cpu, 0.02), 'the gateway never came to rest')
        # 128 KiB a transfer in our own buffers; libcurl keeps up to 512 KiB of one paused transfer itself.
        self.assertLess(gateway.memory() - before, 50 * 640 * 1024 + GROWTH)


class Uploads(case.Case):
    SIZE = 2 * GIB

    def big_gateway(self, upstream):
        return self.gateway(configs.plain(upstream.url, route='limits: {body: 4GiB}'))

    def receive(self, counted, chunked=False):
        def raw(wire):
            while True:
                head = wire.read_head()
                if b'/warm' in head:
                    wire.read_body(head)
                    wire.send(b'HTTP/1.1 200 X\r\nContent-Length: 0\r\n\r\n')
                    continue
                counted['head'] = head
                have = len(wire.buffer)
                counted['bytes'] = have + drain(wire.socket, self.SIZE - have)
                wire.send(b'HTTP/1.1 200 X\r\nContent-Length: 2\r\n\r\nok')
        return raw

    def test_two_gibibytes_go_up_without_growth(self):
        counted = {}
        upstream = self.upstream(raw=self.receive(counted))
        gateway = self.big_gateway(upstream)
        with Client(gateway.address, 30) as client:
            client.request('POST', '/warm', body='x')
        with Client(gateway.address, 30) as client, Peak(gateway) as peak:
            client.send(encode('POST', '/big', [('Content-Length', str(self.SIZE))]))
            pump(client.send, self.SIZE)
            self.assertEqual(client.read().status, 200)
        self.assertEqual(counted['bytes'], self.SIZE)
        self.assertIn(b'ontent-', counted['head'])
        self.assertLess(peak.growth, GROWTH)

    def test_an_upstream_that_does_not_read_throttles_the_client(self):
        hold = threading.Event()
        self.addCleanup(hold.set)
        upstream = self.upstream(raw=lambda wire: (wire.read_head(), hold.wait(30)))
        gateway = self.big_gateway(upstream)
        sent = [0]

        def push(client):
            try:
                for _ in range(GIB // len(BLOCK)):
                    client.send(BLOCK)
                    sent[0] += len(BLOCK)
            except OSError:
                pass
        with Client(gateway.address, 30) as client, Peak(gateway) as peak:
            client.send(encode('POST', '/', [('Content-Length', str(GIB))]))
            thread = threading.Thread(target=push, args=(client,), daemon=True)
            thread.start()
            self.assertTrue(steady(lambda: sent[0]), 'the client was never throttled')
            self.assertLess(sent[0], 64 * MIB)
            client.socket.shutdown(2)
            thread.join(5)
        self.assertLess(peak.growth, GROWTH)

    def test_an_upload_begins_upstream_before_it_is_complete(self):
        got = threading.Event()

        def raw(wire):
            wire.read_head()
            while b'first' not in wire.buffer:
                wire.more()
            got.set()
            wire.more()
        upstream = self.upstream(raw=raw)
        gateway = self.big_gateway(upstream)
        with Client(gateway.address) as client:
            client.send(encode('POST', '/', [('Content-Length', '1000000')]) + b'first')
            self.assertTrue(got.wait(3), 'the body was buffered')

    def test_an_early_final_answer_reaches_a_client_that_is_still_sending(self):
        def raw(wire):
            wire.read_head()
            wire.send(b'HTTP/1.1 403 X\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno')
        upstream = self.upstream(raw=raw)
        gateway = self.big_gateway(upstream)
        with Client(gateway.address, 5) as client:
            client.send(encode('POST', '/', [('Content-Length', '100000000')]) + b'x' * 1000)
            self.assertEqual(client.read().status, 403)

    def test_the_bytes_of_an_upload_are_unchanged(self):
        data = os.urandom(24 * MIB)
        upstream = self.upstream()
        gateway = self.big_gateway(upstream)
        with Client(gateway.address, 20) as client:
            self.assertEqual(client.request('POST', '/', body=data).status, 200)
        self.assertEqual(hashlib.sha256(upstream.last.body).digest(), hashlib.sha256(data).digest())


def steady(read, tolerance=0, seconds=0.7, timeout=15):
    """True once read() has stopped changing for `seconds`: a throttled peer has come to rest."""
    state = {'value': None, 'since': time.monotonic()}

    def rested():
        value = read()
        if state['value'] is None or abs(value - state['value']) > tolerance or not value:
            state.update(value=value, since=time.monotonic())
        return time.monotonic() - state['since'] > seconds
    try:
        return eventually(rested, timeout)
    except AssertionError:
        return False


if __name__ == '__main__':
    case.main()
