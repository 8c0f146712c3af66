"""devpi: a token in a header of its own, whose ten hours pass in seconds, because the server's clock is moved."""
import contextlib
import io
import os
import threading
import time
import zipfile

from real import case, install
from real.server import Caller, Server

USER, PASSWORD = 'till', 'r:00t pass "ü"'
FAKETIME = '/usr/lib/*/faketime/libfaketime.so.1'


class Gate:
    """Calls pass it; `closed()` waits until none is under way and holds the others back, so that they all come at once."""

    def __init__(self):
        self.changed = threading.Condition()
        self.inside, self.shut = 0, False

    @contextlib.contextmanager
    def passed(self):
        with self.changed:
            self.changed.wait_for(lambda: not self.shut)
            self.inside += 1
        try:
            yield
        finally:
            with self.changed:
                self.inside -= 1
                self.changed.notify_all()

    @contextlib.contextmanager
    def closed(self):
        with self.changed:
            self.shut = True
            self.changed.wait_for(lambda: not self.inside)
        try:
            yield
        finally:
            with self.changed:
                self.shut = False
                self.changed.notify_all()


class Devpi(Server):
    """An index server without mirrors. `later()` moves its wall clock; the program itself is as it was published."""

    health = '/+api'

    def prepare(self):
        self.bin = install.python('devpi-server~=6.20').rsplit('/', 1)[0]
        self.preload = install.debian('libfaketime', FAKETIME)
        self.hours = 0
        self.write('clock', '+0')
        self.run(self.bin + '/devpi-init', '--serverdir', self.path('data'), '--root-passwd', PASSWORD, '--no-root-pypi')

    def command(self):
        return [self.bin + '/devpi-server', '--serverdir', self.path('data'), '--host', '127.0.0.1', '--port', str(self.port)]

    def environment(self):
        return {'LD_PRELOAD': self.preload, 'FAKETIME_TIMESTAMP_FILE': self.path('clock'), 'FAKETIME_NO_CACHE': '1',
                'FAKETIME_DONT_FAKE_MONOTONIC': '1'}

    def later(self):
        """Eleven hours pass: every token is too old. To the server every kept connection has been idle for as long, and it
        closes them all; what is sent on one at that moment is lost, as it is with any server. So it is waited for. A
        connection whose last answer it has not put away yet is overlooked, until more time has passed."""
        with contextlib.closing(Caller(f'127.0.0.1:{self.port}', timeout=2)) as kept:
            kept.expect(200, 'GET', '/+api')
            for _ in range(10):
                self.hours += 11
                self.write('clock.new', f'+{self.hours}h')
                os.replace(self.path('clock.new'), self.path('clock'))
                self.call('GET', '/+api')
                with contextlib.suppress(TimeoutError):
                    assert kept.connection.sock.recv(1) == b'', 'the server says something unasked'
                    break
            else:
                raise AssertionError('the server keeps a connection that idled for days')
        self.call('GET', '/+api')    # once more around its loop


def wheel(name, version):
    """The smallest package that pip takes."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, 'w') as file:
        file.writestr(name + '.py', f'version = {version!r}\n' + '#' * 5000)
        folder = f'{name}-{version}.dist-info/'
        file.writestr(folder + 'METADATA', f'Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n')
        file.writestr(folder + 'WHEEL', 'Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n')
        file.writestr(folder + 'RECORD', '')
    return content.getvalue()


def upload(name, version):
    """What `twine upload` sends."""
    parts = {':action': 'file_upload', 'metadata_version': '2.1', 'protocol_version': '1', 'filetype': 'bdist_wheel',
             'pyversion': 'py3', 'name': name, 'version': version}
    body = ''.join(f'--frontier\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{value}\r\n'
                   for key, value in parts.items())
    body += (f'--frontier\r\nContent-Disposition: form-data; name="content"; filename="{name}-{version}-py3-none-any.whl"\r\n'
             'Content-Type: application/octet-stream\r\n\r\n')
    return (body.encode() + wheel(name, version) + b'\r\n--frontier--\r\n',
            {'Content-Type': 'multipart/form-data; boundary=frontier'})


class TestDevpi(case.Case):
    server_class = Devpi

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        with contextlib.closing(Caller(f'127.0.0.1:{cls.server.port}')) as caller:
            caller.expect(201, 'PUT', '/' + USER, {'password': PASSWORD, 'email': 'till@example.com'})

    def start(self, password=PASSWORD):
        return self.gateway('devpi', {'username': USER, 'password': password}, more=case.OFTEN)

    def test_tokens_of_ten_hours(self):
        gateway, ends = self.start(), 4
        with contextlib.closing(Caller(gateway.address)) as caller:
            caller.expect(200, 'PUT', f'/{USER}/dev', {'type': 'stage', 'bases': [], 'volatile': False})
        uploaded, lock, gate = [], threading.Lock(), Gate()

        def work(caller, worker, number):
            with gate.passed():
                call(caller, worker, number)

        def call(caller, worker, number):
            if worker % 4:
                status = caller.expect(200, 'GET', '/+api').json['result']['authstatus']
                assert status[:2] == ['ok', USER], status
            elif worker % 8:
                caller.expect(200, 'PATCH', f'/{USER}/dev', [f'title=of {worker}, the {number}th'],
                              {'Accept': 'application/json'})
            else:    # an upload that is not repeatable: the index refuses a second one with 409
                name, version = f'package{worker}', f'1.{number}'
                caller.expect(200, 'POST', f'/{USER}/dev/', *upload(name, version))
                with lock:
                    uploaded.append((name, version))

        def pass_time():
            for _ in range(ends):
                time.sleep(3)
                with gate.closed():
                    self.server.later()
        tally = self.drive(gateway, work, seconds=4 * ends + 3, during=pass_time)
        self.assertGreaterEqual(tally.outcomes['relogin'], ends, tally)
        # A busy server may lose one token more than the clock takes (seen once; the default window of five was used up then).
        self.assert_logins(gateway, ends + 1, ends + 2)
        with contextlib.closing(Caller(gateway.address)) as caller:
            for name in {name for name, _ in uploaded}:
                stored = caller.expect(200, 'GET', f'/{USER}/dev/{name}', headers={'Accept': 'application/json'}).json
                self.assertEqual(sorted(stored['result']), sorted(version for other, version in uploaded if other == name))

    def test_pip(self):
        """pip reads the index and a package through the gateway."""
        gateway = self.start()
        with contextlib.closing(Caller(gateway.address)) as caller:
            caller.expect(200, 'PUT', f'/{USER}/pip', {'type': 'stage', 'bases': []})
            for version in ('1.0', '1.1'):
                caller.expect(200, 'POST', f'/{USER}/pip/', *upload('countersigned', version))
        self.server.run(self.server.bin + '/python', '-m', 'pip', '--isolated', 'download', '--no-deps', '--no-cache-dir',
                        '--index-url', f'http://{gateway.address}/{USER}/pip/+simple/', '-d', 'got', 'countersigned')
        with open(self.server.path('got', 'countersigned-1.1-py3-none-any.whl'), 'rb') as file:
            self.assertIn(b'countersigned.py', file.read())

    def test_wrong_password_is_tried_once(self):
        gateway = self.start(password='wrong')
        with contextlib.closing(Caller(gateway.address)) as caller:
            for _ in range(3):
                self.assertEqual(caller.expect(401, 'GET', '/+api').json['error']['kind'], 'login_refused')
        self.assertEqual(self.session(gateway)['state'], 'refused')


if __name__ == '__main__':
    case.unittest.main()
