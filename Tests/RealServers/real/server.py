"""One real server as a process: started on a free port, awaited, stopped."""
import contextlib
import http.client
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time

from support.upstream import free_port

READY = 120.0    # seconds; a loaded machine with two cores takes its time


class Server:
    """Subclasses say how they are started: `prepare()` writes files into `folder`, `command()` and `environment()` run.
    It is ready when `health` answers. Its output is kept for the failure message."""

    health = '/'

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix='countersign-real-')
        self.port = free_port()
        self.url = f'http://127.0.0.1:{self.port}'
        self.log = os.path.join(self.folder, 'output.log')
        self.process = None
        try:
            self.prepare()
            self._start()
        except BaseException:
            self.close()
            raise

    def prepare(self):
        """Writes what the server needs before its start."""

    def command(self):
        raise NotImplementedError

    def environment(self):
        return {}

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def write(self, name, text):
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'w', encoding='utf8') as file:
            file.write(text)
        return path

    def run(self, *command, timeout=300):
        """Runs a command of the server's package to its end."""
        done = subprocess.run(command, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=timeout)
        if done.returncode:
            raise AssertionError(f'{" ".join(command)} failed:\n' + done.stdout.decode('utf8', 'replace')[-2000:])

    def _start(self):
        begin = time.monotonic()
        with open(self.log, 'wb') as log:
            self.process = subprocess.Popen(
                self.command(), cwd=self.folder, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
                env={**os.environ, 'PYTHONDONTWRITEBYTECODE': '', 'HOME': self.folder, **self.environment()},
                start_new_session=True)
        while True:
            if self.process.poll() is not None:
                raise AssertionError(f'{type(self).__name__} ended with {self.process.returncode}:\n{self.output()}')
            with contextlib.suppress(OSError, http.client.HTTPException):
                if self.call('GET', self.health).status < 500:
                    self.started_in = time.monotonic() - begin
                    return
            if time.monotonic() - begin > READY:
                raise AssertionError(f'{type(self).__name__} not ready within {READY:.0f} s:\n{self.output()}')
            time.sleep(0.1)

    def output(self):
        with open(self.log, 'rb') as log:
            return log.read().decode('utf8', 'replace')[-3000:]

    def call(self, method, target, body=None, headers=None, timeout=60):
        """One request straight to the server, past the gateway."""
        with contextlib.closing(Caller(f'127.0.0.1:{self.port}', timeout)) as caller:
            return caller.request(method, target, body, headers)

    def close(self):
        if self.process and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                os.killpg(self.process.pid, signal.SIGKILL)    # its own session: nothing else is in the group
                self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


class Reply:
    """One answer: status, fields (lower-case names, first value), body."""

    def __init__(self, status, fields, body):
        self.status, self.fields, self.body = status, fields, body

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def outcome(self):
        return self.fields.get('countersign-outcome')

    def __repr__(self):
        return f'<{self.status} {self.outcome} {self.body[:300]!r}>'


class Caller:
    """An ordinary HTTP client with one kept connection."""

    def __init__(self, address, timeout=60):
        host, port = address.rsplit(':', 1)
        self.connection = http.client.HTTPConnection(host, int(port), timeout=timeout)
        self.outcomes = {}

    def request(self, method, target, body=None, headers=None):
        headers = dict(headers or {})
        if isinstance(body, (dict, list)):
            body = json.dumps(body).encode()
            headers.setdefault('Content-Type', 'application/json')
        self.connection.request(method, target, body, headers)
        answer = self.connection.getresponse()
        fields = {}
        for name, value in answer.getheaders():
            fields.setdefault(name.lower(), value)
        reply = Reply(answer.status, fields, answer.read())
        self.outcomes[reply.outcome] = self.outcomes.get(reply.outcome, 0) + 1
        return reply

    def expect(self, status, method, target, body=None, headers=None):
        """A request whose answer must have this status (or one of these)."""
        reply = self.request(method, target, body, headers)
        wanted = status if isinstance(status, tuple) else (status,)
        assert reply.status in wanted, f'{method} {target}: {reply}'
        return reply

    def close(self):
        self.connection.close()
