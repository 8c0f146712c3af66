"""The demo upstream that is built into the binary, as a process of its own."""
import re
import subprocess
import threading

from support.client import call
from support.gateway import Lines, binary, eventually


class Demo:
    """`countersign demo` on a free port."""

    def __init__(self, *args):
        self.process = subprocess.Popen(
            [binary(), 'demo', '--listen', '127.0.0.1:0', *args], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.out, self.log = Lines(self.process.stdout), Lines(self.process.stderr)
        self.lock = threading.Lock()
        try:
            match = eventually(
                lambda: re.search(rb'(?:127\.0\.0\.1:|port )([1-9]\d*)', self.out.text() + self.log.text())
                or self.process.poll() is not None, 5, 'the address of the demo upstream')
            if match is True:
                raise AssertionError('the demo upstream ended: ' + self.log.text().decode('utf8', 'replace'))
        except BaseException:
            self.close()
            raise
        self.address = '127.0.0.1:' + match.group(1).decode()
        self.url = 'http://' + self.address

    def control(self, command):
        """One switch of the control API, such as "slow?ms=100"; returns its answer."""
        method = 'GET' if command == 'counters' else 'POST'
        return call(self.address, method, '/_demo/' + command, host=self.address)

    def counters(self):
        return self.control('counters').json

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
