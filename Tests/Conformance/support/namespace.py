"""Names of our own: a network and files under /etc that only this process and its children see."""
import ctypes
import fcntl
import os
import socket
import struct
import tempfile
import threading

CLONE_NEWNS, CLONE_NEWUSER, CLONE_NEWNET = 0x20000, 0x10000000, 0x40000000
MS_BIND, MS_REC, MS_PRIVATE = 0x1000, 0x4000, 0x40000
FILES = {
    '/etc/hosts': '127.0.0.1 localhost\n',
    '/etc/resolv.conf': 'nameserver 127.0.0.53\noptions timeout:5 attempts:2\n',
    '/etc/nsswitch.conf': 'hosts: files dns\n',
}


def enter():
    """Moves this process, which must have one thread. OSError where that is not permitted."""
    libc = ctypes.CDLL(None, use_errno=True)
    uid, gid = os.getuid(), os.getgid()

    def check(result, what):
        if result:
            raise OSError(ctypes.get_errno(), f'{what}: {os.strerror(ctypes.get_errno())}')
    try:
        check(libc.unshare(CLONE_NEWNS | CLONE_NEWNET), 'unshare')
    except OSError:
        check(libc.unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWNET), 'unshare')
        for name, text in (('setgroups', 'deny'), ('uid_map', f'0 {uid} 1'), ('gid_map', f'0 {gid} 1')):
            with open(f'/proc/self/{name}', 'w') as file:
                file.write(text)
    check(libc.mount(None, b'/', None, MS_REC | MS_PRIVATE, None), 'mount /')
    with tempfile.TemporaryDirectory() as folder:
        for path, text in FILES.items():
            source = os.path.join(folder, os.path.basename(path))
            with open(source, 'w') as file:
                file.write(text)
            check(libc.mount(source.encode(), path.encode(), None, MS_BIND, None), f'mount {path}')
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        # SIOCSIFFLAGS: up and running.
        fcntl.ioctl(sock, 0x8914, struct.pack('16sh14x', b'lo', 0x41))


class NameServer:
    """Answers every name with one address, or as `mode` says: `ok`, `servfail`, `nxdomain`, `silent`, `half` (silent about
    AAAA)."""

    def __init__(self):
        self.reset()
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(('127.0.0.53', 53))
        threading.Thread(target=self._run, daemon=True).start()

    def reset(self):
        self.mode, self.address, self.questions = 'ok', '127.0.0.1', 0

    def _run(self):
        while True:
            data, client = self.socket.recvfrom(2000)
            self.questions += 1
            end = 12
            while data[end]:
                end += data[end] + 1
            kind = struct.unpack('>H', data[end + 1:end + 3])[0]
            if self.mode == 'silent' or (self.mode == 'half' and kind == 28):
                continue
            code = {'servfail': 2, 'nxdomain': 3}.get(self.mode, 0)
            record = b''
            if code == 0 and kind == 1:
                record = b'\xc0\x0c' + struct.pack('>HHIH', 1, 1, 1, 4) + socket.inet_aton(self.address)
            self.socket.sendto(data[:2] + struct.pack('>HHHHH', 0x8180 | code, 1, 1 if record else 0, 0, 0)
                               + data[12:end + 5] + record, client)
