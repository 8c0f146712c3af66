"""Starts the real binary on free ports with an inline config, and reads what it says about itself."""
import contextlib
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import tempfile
import threading
import time

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), '..', '..', '..'))


def binary():
    """The gateway under test: COUNTERSIGN, else the debug build."""
    path = os.environ.get('COUNTERSIGN', os.path.join(ROOT, '.build', 'debug', 'countersign'))
    path = os.path.abspath(path)
    if not os.access(path, os.X_OK):
        raise AssertionError(f'no gateway binary at {path}: build it or set COUNTERSIGN')
    return path


def raise_descriptor_limit():
    """The tests hold both ends of thousands of connections."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 20000 if hard == resource.RLIM_INFINITY else min(hard, 20000)
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


class Lines:
    """Collects one output stream of the process, byte for byte, and wakes those who wait for a line."""

    def __init__(self, stream):
        self.raw = bytearray()
        self.records = []
        self.changed = threading.Condition()
        self.ended = False
        self.thread = threading.Thread(target=self._read, args=(stream,), daemon=True)
        self.thread.start()

    def _read(self, stream):
        rest = b''
        while True:
            data = os.read(stream.fileno(), 1 << 16)
            *lines, rest = (rest + data).split(b'\n')
            with self.changed:
                self.raw += data
                for line in lines:
                    self._add(line)
                self.ended = not data
                self.changed.notify_all()
            if not data:
                stream.close()
                return

    def _add(self, line):
        with contextlib.suppress(ValueError):
            record = json.loads(line)
            if isinstance(record, dict):
                self.records.append(record)

    def wait(self, test, timeout=5.0, start=0):
        """The first record from index `start` on that passes `test`; AssertionError after `timeout` seconds."""
        end = time.monotonic() + timeout
        with self.changed:
            while True:
                for record in self.records[start:]:
                    if test(record):
                        return record
                left = end - time.monotonic()
                if left <= 0 or self.ended:
                    text = bytes(self.raw[-1500:]).decode('utf8', 'replace')
                    raise AssertionError(f'no such line within {timeout} s; last output:\n{text}')
                self.changed.wait(left)

    def text(self):
        with self.changed:
            return bytes(self.raw)


class Gateway:
    """One running gateway. Use as a context manager; leaving it kills what is left and removes the folder."""

    def __init__(self, config, *, secrets=None, env=None, args=(), nofile=None, limits=None, wait=True, program='run'):
        raise_descriptor_limit()
        self.signalled = None
        self.folder = tempfile.mkdtemp(prefix='countersign-')
        os.chmod(self.folder, 0o700)
        for name, value in (secrets or {}).items():
            self.write(name, value, 0o600)
        self.config_path = self.write('gateway.yaml', config.replace('$FOLDER', self.folder), 0o600)
        command = [binary(), program, self.config_path, *args]
        if nofile:
            command = ['prlimit', f'--nofile={nofile}:{nofile}', *command]
            if os.getuid() == 0:    # root could raise the limit again
                command = ['setpriv', '--bounding-set=-sys_resource', *command]
        for name, value in (limits or {}).items():
            command = ['prlimit', f'--{name}={value}:{value}', *command]
        self.started = time.monotonic()
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env={**os.environ, **(env or {})}, cwd=self.folder)
        self.access = Lines(self.process.stdout)
        self.log = Lines(self.process.stderr)
        self.listeners = []
        self.admin = None
        if wait:
            try:
                self.wait_ready()
            except BaseException:
                self.close()
                raise

    def write(self, name, content, mode=0o600):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        data = content if isinstance(content, bytes) else content.encode()
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), 'wb') as file:
            file.write(data)
        os.chmod(path, mode)
        return path

    def wait_ready(self, timeout=10.0):
        self.log.wait(lambda record: record.get('message') == 'ready', timeout)
        self.ready_after = time.monotonic() - self.started
        for record in list(self.log.records):
            if record.get('message') == 'listening':
                if record.get('role') == 'admin':
                    self.admin = record['address']
                else:
                    self.listeners.append(record['address'])
        if not self.listeners:
            raise AssertionError('the gateway is ready but logged no "listening" line')

    @property
    def address(self):
        """The first main listener."""
        return self.listeners[0]

    @property
    def port(self):
        return int(self.address.rsplit(':', 1)[1])

    @property
    def pid(self):
        return self.process.pid

    def memory(self):
        """Resident bytes now."""
        with open(f'/proc/{self.pid}/status') as status:
            return int(re.search(r'VmRSS:\s+(\d+) kB', status.read()).group(1)) * 1024

    def cpu(self):
        """CPU seconds used so far."""
        with open(f'/proc/{self.pid}/stat') as stat:
            fields = stat.read().rsplit(') ', 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf('SC_CLK_TCK')

    def signal(self, number):
        self.signalled = number
        self.process.send_signal(number)

    def reload(self, config=None, message='reloaded', timeout=5.0):
        """Writes a new config, sends SIGHUP and returns the line that reports the outcome."""
        if config is not None:
            self.write('gateway.yaml', config.replace('$FOLDER', self.folder))
        start = len(self.log.records)
        self.signal(signal.SIGHUP)
        return self.log.wait(lambda record: record.get('message') == message, timeout, start)

    def wait_exit(self, timeout=10.0):
        try:
            return self.process.wait(timeout)
        except subprocess.TimeoutExpired:
            raise AssertionError(f'the gateway did not exit within {timeout} s') from None

    def stop(self, timeout=10.0):
        """SIGTERM, then the exit status."""
        self.signal(signal.SIGTERM)
        return self.wait_exit(timeout)

    def output(self):
        """Every byte that the process wrote, once it has ended."""
        self.access.thread.join(5)
        self.log.thread.join(5)
        return self.access.text() + self.log.text()

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.access.thread.join(5)
        self.log.thread.join(5)
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        crashed = self.process.poll() not in (None, 0)
        status = self.process.returncode
        self.close()
        if crashed and status is not None and status < 0 and -status not in (signal.SIGKILL, self.signalled):
            raise AssertionError(f'the gateway died by signal {-status}:\n' + self.log.text()[-2000:].decode('utf8', 'replace'))


def command(*args, env=None, cwd=None, timeout=10):
    """Runs one command of the binary: (exit status, stdout, stderr)."""
    done = subprocess.run([binary(), *args], capture_output=True, timeout=timeout, cwd=cwd,
                          stdin=subprocess.DEVNULL, env={**os.environ, **(env or {})})
    return done.returncode, done.stdout.decode('utf8', 'replace'), done.stderr.decode('utf8', 'replace')


@contextlib.contextmanager
def folder(files):
    """A private folder with the given files: {name: text or (text, mode)}."""
    path = tempfile.mkdtemp(prefix='countersign-')
    try:
        os.chmod(path, 0o700)
        for name, content in files.items():
            content, mode = content if isinstance(content, tuple) else (content, 0o600)
            target = os.path.join(path, name)
            os.makedirs(os.path.dirname(target), mode=0o700, exist_ok=True)
            with open(target, 'w', encoding='utf8') as file:
                file.write(content)
            os.chmod(target, mode)
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


def eventually(test, timeout=5.0, what='the condition'):
    """Polls `test` until it returns something true, and returns that; AssertionError after `timeout` seconds."""
    end = time.monotonic() + timeout
    while True:
        value = test()
        if value:
            return value
        if time.monotonic() > end:
            raise AssertionError(f'{what} did not come true within {timeout} s')
        time.sleep(0.01)
