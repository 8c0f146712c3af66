"""A raw HTTP/1.1 client: it sends exactly the bytes it is given and reads answers strictly."""
import json as json_module
import select
import socket
import time


class Answer:
    """One response as it came over the wire."""

    def __init__(self, status, fields, body, interim, trailers, head, whole):
        self.status, self.fields, self.body = status, fields, body
        self.interim, self.trailers, self.head, self.whole = interim, trailers, head, whole

    def field(self, name):
        """The value of the only field of this name; None when absent, AssertionError when repeated."""
        values = self.all(name)
        assert len(values) < 2, f'{name} appears {len(values)} times: {values}'
        return values[0] if values else None

    def all(self, name):
        return [value for key, value in self.fields if key.lower() == name.lower()]

    @property
    def outcome(self):
        return self.field('Countersign-Outcome')

    @property
    def closing(self):
        """Whether the answer announces the end of its connection."""
        return (self.field('Connection') or '').lower() == 'close'

    @property
    def json(self):
        return json_module.loads(self.body)

    @property
    def kind(self):
        """The kind of a gateway-made error answer in the standard envelope."""
        return (self.json.get('error') or {}).get('kind')

    def __repr__(self):
        return f'<{self.status} {self.body[:200]!r}>'


def connect(address, timeout=10.0):
    """A socket to "host:port", "[v6]:port" or "unix:/path"."""
    if address.startswith('unix:'):
        sock = socket.socket(socket.AF_UNIX)
        sock.settimeout(timeout)
        sock.connect(address[5:])
        return sock
    host, port = address.rsplit(':', 1)
    sock = socket.create_connection((host.strip('[]'), int(port)), timeout=timeout)
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return sock


class Client:
    """One connection. Reading raises EOFError at an early end and TimeoutError when nothing comes."""

    def __init__(self, address, timeout=10.0, receive_buffer=None):
        self.address = address
        self.timeout = timeout
        if receive_buffer:
            host, port = address.rsplit(':', 1)
            self.socket = socket.socket(socket.AF_INET)
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
            self.socket.settimeout(timeout)
            self.socket.connect((host, int(port)))
        else:
            self.socket = connect(address, timeout)
        self.buffer = b''

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.socket.close()

    def send(self, data):
        self.socket.sendall(data)

    def half_close(self):
        self.socket.shutdown(socket.SHUT_WR)

    def _more(self):
        data = self.socket.recv(1 << 18)
        if not data:
            raise EOFError(f'connection ended after {self.buffer[:200]!r}')
        self.buffer += data

    def line(self):
        while b'\r\n' not in self.buffer:
            self._more()
        line, self.buffer = self.buffer.split(b'\r\n', 1)
        return line

    def exactly(self, count):
        parts, have = [], 0
        while True:
            parts.append(self.buffer)
            have += len(self.buffer)
            self.buffer = b''
            if have >= count:
                break
            self._more()
        data = b''.join(parts)
        self.buffer = data[count:]
        return data[:count]

    def head(self):
        """Status line and fields of the next message: (status, fields, raw)."""
        while b'\r\n\r\n' not in self.buffer:
            self._more()
        raw, self.buffer = self.buffer.split(b'\r\n\r\n', 1)
        lines = raw.decode('latin1').split('\r\n')
        assert lines[0].startswith('HTTP/1.'), f'no status line: {lines[0]!r}'
        fields = []
        for line in lines[1:]:
            name, colon, value = line.partition(':')
            assert colon and name == name.strip() and name, f'bad field line {line!r}'
            fields.append((name, value.strip(' \t')))
        return int(lines[0].split(' ')[1]), fields, raw

    def read(self, method='GET'):
        """The next final answer, with the interim answers before it."""
        interim = []
        while True:
            status, fields, raw = self.head()
            if status >= 200:
                break
            interim.append((status, fields))
        answer = Answer(status, fields, b'', interim, [], raw, True)
        coding, length = answer.field('Transfer-Encoding'), answer.field('Content-Length')
        assert not (coding and length), 'both Transfer-Encoding and Content-Length'
        if method == 'HEAD' or status in (204, 304):
            return answer
        if coding:
            assert coding.lower() == 'chunked', coding
            answer.body, answer.trailers = self._chunks()
        elif length is not None:
            answer.body = self.exactly(int(length))
        else:
            answer.body = self.rest()
        return answer

    def _chunks(self):
        body = []
        while True:
            size = int(self.line().split(b';')[0], 16)
            if size == 0:
                break
            body.append(self.exactly(size))
            assert self.exactly(2) == b'\r\n', 'chunk without its line end'
        trailers = []
        while line := self.line():
            trailers.append(line)
        return b''.join(body), trailers

    def rest(self):
        """Everything until the connection ends."""
        data = [self.buffer]
        self.buffer = b''
        while chunk := self.socket.recv(1 << 18):
            data.append(chunk)
        return b''.join(data)

    def request(self, method, target, fields=(), body=None, version='1.1', host='gw.test'):
        self.send(encode(method, target, fields, body, version, host))
        return self.read(method)

    def ends(self, timeout=5.0):
        """True when the peer closes within `timeout` seconds (bytes on the way are dropped)."""
        end = time.monotonic() + timeout
        while (left := end - time.monotonic()) > 0:
            ready, _, _ = select.select([self.socket], [], [], left)
            if not ready:
                return False
            try:
                if not self.socket.recv(1 << 18):
                    return True
            except ConnectionResetError:
                return True
        return False

    def stays_open(self, seconds=0.3):
        """True when the peer neither closes nor sends within `seconds`: for proving an absence only."""
        ready, _, _ = select.select([self.socket], [], [], seconds)
        return not ready and not self.buffer


def encode(method, target, fields=(), body=None, version='1.1', host='gw.test'):
    """Request bytes; a body gets its Content-Length unless the fields frame it."""
    items = list(fields.items()) if isinstance(fields, dict) else list(fields)
    if isinstance(body, str):
        body = body.encode()
    lines = [f'{method} {target} HTTP/{version}']
    if host is not None:
        lines.append(f'Host: {host}')
    lines += [f'{name}: {value}' for name, value in items]
    framed = any(name.lower() in ('content-length', 'transfer-encoding') for name, _ in items)
    if body is not None and not framed:
        lines.append(f'Content-Length: {len(body)}')
    return '\r\n'.join(lines).encode('latin1') + b'\r\n\r\n' + (body or b'')


def call(address, method, target, fields=(), body=None, timeout=10.0, host='gw.test'):
    """One request on a connection of its own."""
    with Client(address, timeout) as client:
        return client.request(method, target, fields, body, host=host)


FORM = ('Content-Type', 'application/x-www-form-urlencoded')


def post(address, target, form, fields=(), timeout=10.0):
    """One form POST; `form` is text that is sent as it is."""
    return call(address, 'POST', target, [FORM, *fields], form, timeout)


def get(address, target, fields=(), timeout=10.0):
    return call(address, 'GET', target, fields, None, timeout)
