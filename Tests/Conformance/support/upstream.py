"""Recording upstreams with one thread per connection, down to single bytes and resets."""
import contextlib
import json
import re
import socket
import ssl
import struct
import threading
import time


class Request:
    """One request as the upstream read it."""

    def __init__(self, head, body, connection, served):
        self.head, self.body, self.connection, self.served = head, body, connection, served
        lines = head.decode('latin1').split('\r\n')
        self.method, self.target, self.version = lines[0].split(' ', 2)
        self.fields = [(name, value.strip()) for name, _, value in (line.partition(':') for line in lines[1:])]

    def all(self, name):
        return [value for key, value in self.fields if key.lower() == name.lower()]

    def field(self, name):
        values = self.all(name)
        assert len(values) < 2, f'{name} appears {len(values)} times'
        return values[0] if values else None

    def __repr__(self):
        return f'<{self.method} {self.target} {self.body[:100]!r}>'


class Hangup(Exception):
    """Raised by a handler: close the connection without a further byte."""


class Reset(Exception):
    """Raised by a handler: reset the connection."""


def answer(status=200, body=b'', fields=(), phrase=''):
    """Response bytes with a Content-Length."""
    body = body.encode() if isinstance(body, str) else body
    lines = [f'HTTP/1.1 {status} {phrase}'] + [f'{name}: {value}' for name, value in fields]
    return '\r\n'.join(lines + [f'Content-Length: {len(body)}']).encode('latin1') + b'\r\n\r\n' + body


def json_answer(value, status=200, fields=()):
    """JSON response; `value` is text or bytes that is sent as it is, or a value to encode."""
    body = value if isinstance(value, (str, bytes)) else json.dumps(value, ensure_ascii=False)
    return answer(status, body, [('Content-Type', 'application/json'), *fields])


class Wire:
    """The server's end of one connection."""

    def __init__(self, sock, number):
        self.socket, self.number = sock, number
        self.buffer = b''
        self.served = 0

    def more(self):
        data = self.socket.recv(1 << 18)
        if not data:
            raise EOFError
        self.buffer += data

    def send(self, data):
        self.socket.sendall(data)

    def read_head(self):
        while b'\r\n\r\n' not in self.buffer:
            self.more()
        head, self.buffer = self.buffer.split(b'\r\n\r\n', 1)
        return head

    def read_body(self, head):
        low = head.lower()
        if b'\r\nexpect: 100-continue' in low:
            self.send(b'HTTP/1.1 100 Continue\r\n\r\n')
        if b'\r\ntransfer-encoding: chunked' in low:
            return self._chunks()
        match = re.search(rb'\r\ncontent-length: *(\d+)', low)
        count = int(match.group(1)) if match else 0
        parts, have = [self.buffer], len(self.buffer)
        while have < count:
            data = self.socket.recv(1 << 20)
            if not data:
                raise EOFError
            parts.append(data)
            have += len(data)
        data = b''.join(parts)
        self.buffer = data[count:]
        return data[:count]

    def _chunks(self):
        body = []
        while True:
            while b'\r\n' not in self.buffer:
                self.more()
            line, self.buffer = self.buffer.split(b'\r\n', 1)
            size = int(line.split(b';')[0], 16)
            while len(self.buffer) < size + 2:
                self.more()
            body.append(self.buffer[:size])
            self.buffer = self.buffer[size + 2:]
            if size == 0:
                return b''.join(body)


class Upstream:
    """Answers by `handler(request, wire)`, which returns response bytes, or None when it has written itself."""

    def __init__(self, handler=None, *, port=0, path=None, tls=None, backlog=512, family=socket.AF_INET, host=None,
                 raw=None):
        self.handler = handler or (lambda request, wire: answer(200, b'ok'))
        self.raw = raw
        self.tls = tls
        self.requests = []
        self.connections = 0
        self.open = set()
        self.changed = threading.Condition()
        if path:
            self.listener = socket.socket(socket.AF_UNIX)
            self.listener.bind(path)
        else:
            self.listener = socket.socket(family)
            self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            self.listener.bind((host or ('::1' if family == socket.AF_INET6 else '127.0.0.1'), port))
            self.port = self.listener.getsockname()[1]
            self.url = f'http://127.0.0.1:{self.port}'
        self.listener.listen(backlog)
        self.closing = False
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                sock, _ = self.listener.accept()
            except OSError:
                return
            if self.closing:
                sock.close()
                return
            with self.changed:
                self.connections += 1
                number = self.connections
                self.open.add(sock)
                self.changed.notify_all()
            threading.Thread(target=self._serve, args=(sock, number), daemon=True).start()

    def _serve(self, sock, number):
        wire = Wire(sock, number)
        try:
            sock.settimeout(120)
            if sock.family != socket.AF_UNIX:
                sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if self.tls:
                wire.socket = self.tls.wrap_socket(sock, server_side=True)
            if self.raw:
                self.raw(wire)
                return
            while True:
                self._one(wire)
        except Reset:
            with contextlib.suppress(OSError):
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack('ii', 1, 0))
        except (OSError, EOFError, ValueError, Hangup, ssl.SSLError):
            pass
        finally:
            with self.changed:
                self.open.discard(sock)
                self.changed.notify_all()
            wire.socket.close()

    def _one(self, wire):
        head = wire.read_head()
        body = wire.read_body(head)
        wire.served += 1
        request = Request(head, body, wire.number, wire.served)
        with self.changed:
            self.requests.append(request)
            self.changed.notify_all()
        reply = self.handler(request, wire)
        if reply is not None:
            if request.method == 'HEAD':
                reply = reply.partition(b'\r\n\r\n')[0] + b'\r\n\r\n'
            wire.send(reply)

    def wait(self, test, timeout=5.0, what='the upstream event'):
        """Waits until test(self) is true."""
        end = time.monotonic() + timeout
        with self.changed:
            while not test(self):
                left = end - time.monotonic()
                if left <= 0:
                    raise AssertionError(f'{what} did not happen within {timeout} s; requests: {self.requests[-5:]}')
                self.changed.wait(left)

    def wait_requests(self, count, timeout=5.0):
        self.wait(lambda up: len(up.requests) >= count, timeout, f'request {count}')
        return self.requests

    @property
    def last(self):
        return self.requests[-1]

    def close(self):
        """Stops listening and cuts every connection: from now on the port refuses."""
        self.closing = True
        with contextlib.suppress(OSError):
            self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        with self.changed:
            for sock in list(self.open):
                with contextlib.suppress(OSError):
                    sock.shutdown(socket.SHUT_RDWR)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def refuse_hello(wire):
    """What a plain HTTP server says to a TLS client."""
    wire.more()
    wire.send(b'HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n')


def free_port():
    """A port that nobody listens on (it was bound a moment ago)."""
    with socket.socket() as sock:
        sock.bind(('127.0.0.1', 0))
        return sock.getsockname()[1]


@contextlib.contextmanager
def black_hole():
    """A port whose backlog is full: the kernel drops each further SYN, so that connects time out."""
    with contextlib.ExitStack() as stack:
        listener = stack.enter_context(socket.socket())
        listener.bind(('127.0.0.1', 0))
        listener.listen(0)
        for _ in range(4):
            sock = stack.enter_context(socket.socket())
            sock.setblocking(False)
            sock.connect_ex(listener.getsockname())
        yield listener.getsockname()[1]
