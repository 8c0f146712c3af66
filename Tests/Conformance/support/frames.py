"""An HTTP/2 upstream made of frames (RFC 9113), for what a whole server does not do when it is told to."""
import socket
import struct
import threading

DATA, HEADERS, SETTINGS, GOAWAY = 0, 1, 4, 7
END_STREAM, ACK, END_HEADERS = 1, 1, 4


class FrameServer:
    """Over TLS. `handler(connection, stream)` is called for each whole request, one at a time; connections count from 1."""

    def __init__(self, context, handler):
        context.set_alpn_protocols(['h2'])
        self.context, self.handler = context, handler
        self.listener = socket.create_server(('127.0.0.1', 0))
        self.port = self.listener.getsockname()[1]
        self.connections = []
        # (connection, stream, body) of each request, in order.
        self.requests = []
        self.lock = threading.Lock()
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                plain, _ = self.listener.accept()
            except OSError:
                return
            connection = FrameConnection(self, plain)
            self.connections.append(connection)
            connection.number = len(self.connections)
            threading.Thread(target=connection.run, daemon=True).start()

    def close(self):
        self.listener.close()
        for connection in self.connections:
            connection.close()


class FrameConnection:
    def __init__(self, server, plain):
        self.server, self.socket = server, plain
        self.bodies = {}

    def run(self):
        try:
            self.socket = self.server.context.wrap_socket(self.socket, server_side=True)
            file = self.socket.makefile('rb')
            file.read(24)
            self.send(SETTINGS, 0, 0)
            while head := file.read(9):
                size, kind, flags = int.from_bytes(head[:3], 'big'), head[3], head[4]
                stream, payload = int.from_bytes(head[5:], 'big') & 0x7fffffff, file.read(size)
                if kind == SETTINGS and not flags & ACK:
                    self.send(SETTINGS, ACK, 0)
                if kind in (HEADERS, DATA):
                    body = self.bodies.setdefault(stream, bytearray())
                    if kind == DATA:
                        body += payload
                    if flags & END_STREAM:
                        with self.server.lock:
                            self.server.requests.append((self.number, stream, bytes(body)))
                            self.server.handler(self, stream)
        except (OSError, ValueError):
            pass

    def send(self, kind, flags, stream, payload=b''):
        self.socket.sendall(struct.pack('>I', len(payload))[1:] + bytes([kind, flags]) + struct.pack('>I', stream) + payload)

    def answer(self, stream, body=b'ok'):
        """`:status: 200` of HPACK's static table."""
        self.send(HEADERS, END_HEADERS, stream, b'\x88')
        self.send(DATA, END_STREAM, stream, body)

    def go_away(self, last_stream):
        self.send(GOAWAY, 0, 0, struct.pack('>II', last_stream, 0))

    def close(self):
        try:
            self.socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self.socket.close()
