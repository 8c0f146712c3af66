"""A session outlives the process: sealed on disk, and whatever is wrong with the file costs a login and no request."""
import contextlib
import os
import shutil
import signal
import stat
import threading

from support import case, configs
from support.client import get
from support.gateway import Gateway, command, eventually, folder
from support.upstream import Upstream, answer, json_answer

KEY = 'b7s0mX3vQ2e9Jk1Lw8Rz4Tn6Yc5Ud0Pa'
SECRETS = {'secrets/name': 'till-7', 'secrets/key': KEY}
REFRESH = '''refresh:
  - request: {method: POST, path: /refresh, json: {with: "${session.refresh}"}}
    refused: status == 403
    capture: {token: json.token, refresh: json.refresh, expires_in: "json.?expires_in"}
'''


class Rotating:
    """Access tokens a1, a2, ... and refresh tokens r1, r2, ..., each of which works once, as in RFC 9700 4.14.2."""

    def __init__(self):
        self.logins = self.refreshes = 0
        self.access = self.refresh = None
        self.extra, self.refuse = {}, False
        self.hold, self.old_lives, self.older = None, False, None
        self.seen = []
        self.upstream = Upstream(self._handle)
        self.url = self.upstream.url

    def close(self):
        self.upstream.close()

    def _issue(self):
        number = self.logins + self.refreshes
        self.access, self.refresh = f'access-token-{number}', f'refresh-token-{number}'
        return json_answer({'token': self.access, 'refresh': self.refresh, **self.extra},
                           fields=[('Set-Cookie', f'SID=cookie-{number}; Path=/')])

    def _handle(self, request, wire):
        if request.target == '/login':
            if self.refuse:
                return answer(403)
            self.logins += 1
            return self._issue()
        if request.target == '/refresh':
            known = [token for token in (self.refresh, self.old_lives and self.older) if token]
            if self.refuse or not any(f'"{token}"'.encode() in request.body for token in known):
                return answer(403)
            self.refreshes += 1
            self.older = self.refresh
            reply, hold = self._issue(), self.hold
            if hold:
                hold.wait(10)
            return reply
        token = (request.field('Authorization') or '').removeprefix('Bearer ')
        self.seen.append((token, request.field('Cookie')))
        return answer(200, b'in') if token == self.access else answer(401)


def post_lost(gate):
    """A request whose answer dies with the gateway."""
    with contextlib.suppress(OSError, EOFError):
        get(gate.address, '/x')


class Base(case.Case):
    def setUp(self):
        self.server = self.start(Rotating())
        place = folder({})
        self.folder = place.__enter__()
        self.addCleanup(place.__exit__, None, None, None)
        self.file = os.path.join(self.folder, 'api.session')

    def config(self, extra='', *, attach='header: {Authorization: "Bearer ${session.token}"}'):
        session = f'''secrets:
  name: {{file: secrets/name}}
  key: {{file: secrets/key}}
sessions:
  api:
    upstream: up
    login:
      - request: {{method: POST, path: /login, json: {{name: "${{secret.name}}"}}}}
        refused: status == 403
        capture: {{token: json.token, refresh: json.refresh, expires_in: "json.?expires_in"}}
    attach: {{{attach}}}
    store: {{file: "{self.file}", key: "${{secret.key}}"}}
''' + configs.indent(extra, 4)
        return configs.plain(self.server.url, route='session: api', session=session)

    def gate(self, extra='', secrets=SECRETS, **options):
        return self.gateway(self.config(extra, **options), secrets=secrets)

    def health(self, gate):
        report = get(gate.admin, '/health').json
        return report['sessions']['api']['store'], report['status']

    def works(self, gate):
        reply = get(gate.address, '/x')
        self.assertEqual((reply.status, reply.body), (200, b'in'), reply)
        return reply

    def first(self, **options):
        """A gateway that has logged in and ended."""
        gate = self.gate(**options)
        self.works(gate)
        self.assertEqual(gate.stop(), 0)
        return gate

    def warning(self, gate, message):
        return gate.log.wait(lambda record: record.get('message', '').startswith(message))

    def assert_ignored(self, word, gate):
        """The next login replaced what could not be used."""
        line = self.warning(gate, 'stored session not used')
        self.assertEqual((line['level'], line['session']), ('warning', 'api'))
        self.assertIn(word, line['problem'])
        store, status = self.health(gate)
        self.assertEqual((store['state'], status), ('ignored', 'ok'))
        self.assertIn(word, store['problem'])
        logins = self.server.logins
        self.works(gate)
        self.assertEqual(self.server.logins, logins + 1)
        self.assertEqual(self.health(gate)[0], {'state': 'saved', 'problem': None})

    def assert_unsaved(self, gate, word):
        """The session serves; only the file is missing, and that is told."""
        self.works(gate)
        line = self.warning(gate, 'session could not be stored')
        self.assertIn(word, line['problem'])
        store, status = self.health(gate)
        self.assertEqual((store['state'], status), ('failed', 'degraded'))
        self.assertIn(word, store['problem'])
        self.assertEqual(get(gate.admin, '/readyz').status, 200)
        code, output, _ = command('status', '--admin', gate.admin)
        self.assertEqual(code, 1)
        self.assertIn('store failed: ', output)


class Restart(Base):
    def test_a_restart_needs_no_login(self):
        self.first()
        gate = self.gate()
        line = gate.log.wait(lambda record: record.get('message') == 'session restored')
        self.assertEqual((line['session'], line['generation']), ('api', 1))
        self.assertEqual(get(gate.admin, '/health').json['sessions']['api']['state'], 'ready')
        self.assertEqual(self.works(gate).outcome, 'forwarded')
        self.assertEqual(self.server.logins, 1)
        self.assertEqual({token for token, _ in self.server.seen}, {'access-token-1'})

    def test_a_kill_needs_none_either(self):
        gate = self.gate()
        self.works(gate)
        gate.signal(signal.SIGKILL)
        gate.wait_exit()
        self.works(self.gate())
        self.assertEqual(self.server.logins, 1)

    def test_a_rotated_refresh_token_is_the_one_that_is_used(self):
        gate = self.gate(REFRESH)
        self.works(gate)
        for _ in range(2):
            self.server.access = None
            self.works(gate)
        gate.signal(signal.SIGKILL)
        gate.wait_exit()
        self.server.access = None
        self.assertEqual(self.works(self.gate(REFRESH)).outcome, 'relogin')
        self.assertEqual((self.server.logins, self.server.refreshes), (1, 3))

    def test_it_is_on_disk_before_it_is_used(self):
        gate = self.gate(REFRESH)
        states = []
        inner = self.server.upstream.handler

        def look(request, wire):
            if request.target == '/x':
                with open(self.file, 'rb') as file:
                    states.append(file.read())
            return inner(request, wire)
        self.server.upstream.handler = look
        self.works(gate)
        self.server.access = None
        self.works(gate)
        self.assertEqual(len(states), 3)
        self.assertNotEqual(states[1], states[2], 'the replay came before the new credential was on disk')
        self.assertEqual(states[0], states[1])

    def test_one_that_has_expired_is_refreshed_and_not_tried(self):
        self.server.extra = {'expires_in': 1}
        self.first(extra=REFRESH)
        eventually(lambda: os.path.getmtime(self.file) + 1.5 < self.now(), 5, 'the end of the token')
        self.server.seen.clear()
        self.works(self.gate(REFRESH))
        self.assertEqual((self.server.logins, self.server.refreshes), (1, 1))
        self.assertEqual([token for token, _ in self.server.seen], ['access-token-2'])

    def now(self):
        probe = os.path.join(self.folder, 'now')
        with open(probe, 'w', encoding='utf8'):
            pass
        return os.path.getmtime(probe)

    def test_cookies_come_back_too(self):
        self.first(extra='cookies: true')
        self.works(self.gate('cookies: true'))
        self.assertEqual(self.server.seen[-1], ('access-token-1', 'SID=cookie-1'))
        self.assertEqual(self.server.logins, 1)

    def test_other_limits_and_another_attach_keep_it(self):
        self.first()
        gate = self.gate('wait: {requests: 3}', attach='header: {Authorization: "Bearer ${session.token}", X-Till: "7"}')
        self.works(gate)
        gate.reload(self.config('wait: {requests: 4}'))
        self.works(gate)
        self.assertEqual(self.server.logins, 1)

    def test_a_reload_in_the_middle_of_a_rotation(self):
        gate = self.gate(REFRESH)
        self.works(gate)
        self.server.access = None
        hold = self.server.hold = threading.Event()
        self.addCleanup(hold.set)
        replies = []
        thread = threading.Thread(target=lambda: replies.append(get(gate.address, '/x')))
        thread.start()
        self.server.upstream.wait(lambda up: up.last.target == '/refresh')
        gate.reload(self.config(REFRESH + 'wait: {requests: 5}'))
        hold.set()
        thread.join(10)
        self.assertEqual(replies[0].status, 200)
        self.works(gate)
        self.assertEqual((self.server.logins, self.server.refreshes), (1, 1))

    def test_a_kill_between_the_rotation_and_the_file(self):
        """The gap that nobody can close: the server has rotated, and its answer is lost."""
        gate = self.gate(REFRESH)
        self.works(gate)
        for lives_on, logins in ((True, 1), (False, 2)):
            self.server.access, self.server.old_lives = None, lives_on
            self.server.hold, lost = threading.Event(), len(self.server.upstream.requests)
            thread = threading.Thread(target=lambda gate=gate: post_lost(gate))
            thread.start()
            self.server.upstream.wait(
                lambda up, lost=lost: any(request.target == '/refresh' for request in up.requests[lost:]))
            gate.signal(signal.SIGKILL)
            gate.wait_exit()
            self.server.hold.set()
            self.server.hold = None
            thread.join(10)
            gate = self.gate(REFRESH)
            self.works(gate)
            self.assertEqual(self.server.logins, logins, 'where the old refresh token lives on, nothing is lost')

    def test_a_mistake_in_the_config_does_not_cost_the_session(self):
        self.first()
        self.server.refuse = True
        gate = self.gate(secrets={**SECRETS, 'secrets/name': 'till-8'})
        self.assert_refused(get(gate.address, '/x'), 401, 'login_refused')
        self.server.refuse = False
        self.works(self.gate())
        self.assertEqual(self.server.logins, 1)

    def test_a_refused_login_forgets_it(self):
        gate = self.gate(REFRESH)
        self.works(gate)
        self.server.access, self.server.refuse = None, True
        self.assert_refused(get(gate.address, '/x'), 401, 'login_refused')
        self.assertFalse(os.path.exists(self.file))
        self.assertEqual(self.health(gate)[0], {'state': 'empty', 'problem': None})


class Sealed(Base):
    def test_nothing_of_it_can_be_read(self):
        self.first()
        with open(self.file, 'rb') as file:
            box = file.read()
        for word in (b'access', b'refresh', b'till-7', b'token', b'api', KEY.encode()):
            self.assertNotIn(word, box)

    def test_the_first_start_warns_of_nothing(self):
        gate = self.gate()
        self.assertEqual(self.health(gate), ({'state': 'empty', 'problem': None}, 'ok'))
        self.works(gate)
        self.assertEqual(self.health(gate)[0], {'state': 'saved', 'problem': None})
        self.assertFalse([record for record in gate.log.records if record.get('level') == 'warning'])

    def test_a_file_that_was_changed(self):
        self.first()
        with open(self.file, 'r+b') as file:
            file.seek(-20, os.SEEK_END)
            byte = file.read(1)
            file.seek(-20, os.SEEK_END)
            file.write(bytes([byte[0] ^ 1]))
        self.assert_ignored('changed after it was sealed', self.gate())

    def put(self, content):
        with open(os.open(self.file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), 'wb') as file:
            file.write(content)

    def test_an_empty_file(self):
        self.put(b'')
        self.assert_ignored('is no sealed session', self.gate())

    def test_a_file_that_is_something_else_stays(self):
        for content in (b'{"token": "mine"}', b'CSBOX' * 40, b'CSBOX'):
            self.put(content)
            self.server.refuse = False
            with self.subTest(content=content), Gateway(self.config(REFRESH), secrets=SECRETS) as gate:
                self.assert_unsaved(gate, 'is no sealed session, and is not replaced')
                # The session serves on from memory, and nothing removes the file.
                self.server.access = None
                self.works(gate)
                self.server.access, self.server.refuse = None, True
                self.assert_refused(get(gate.address, '/x'), 401, 'login_refused')
                with open(self.file, 'rb') as file:
                    self.assertEqual(file.read(), content)

    def test_another_key(self):
        self.first()
        self.assert_ignored('another key', self.gate(secrets={**SECRETS, 'secrets/key': KEY[::-1]}))

    def test_another_login_recipe(self):
        self.first()
        self.assert_ignored('the config has changed', self.gate(REFRESH))

    def test_another_user(self):
        self.first()
        self.assert_ignored('the config has changed', self.gate(secrets={**SECRETS, 'secrets/name': 'till-8'}))

    def test_another_upstream(self):
        self.first()
        other = self.start(Rotating())
        old, self.server = self.server, other
        self.assert_ignored('the config has changed', self.gate())
        self.assertEqual((old.logins, other.logins), (1, 1))


class Files(Base):
    def mode(self):
        return stat.S_IMODE(os.stat(self.file).st_mode)

    def test_only_its_owner_may_read_it(self):
        old = os.umask(0)
        self.addCleanup(os.umask, old)
        self.first()
        self.assertEqual(self.mode(), 0o600)
        self.assertEqual(os.listdir(self.folder), ['api.session'])

    def test_one_that_others_may_read_is_not_trusted(self):
        self.first()
        os.chmod(self.file, 0o640)
        self.assert_ignored('open to group or others', self.gate())
        self.assertEqual(self.mode(), 0o600)

    def test_what_a_crash_left_behind_is_no_obstacle(self):
        os.mkdir(os.path.join(self.folder, 'elsewhere'))
        os.symlink(os.path.join(self.folder, 'elsewhere', 'x'), os.path.join(self.folder, '.api.session.new'))
        self.first()
        self.assertEqual(sorted(os.listdir(self.folder)), ['api.session', 'elsewhere'])
        self.assertEqual(os.listdir(os.path.join(self.folder, 'elsewhere')), [])

    def test_a_full_disk(self):
        # A limit on the size of files ends a write as a full disk does.
        gate = self.gateway(self.config(REFRESH), secrets=SECRETS, limits={'fsize': 64})
        self.assert_unsaved(gate, 'write ' + self.file)
        self.assertEqual(os.listdir(self.folder), [])
        self.server.access = None
        self.works(gate)
        self.assertEqual(self.server.refreshes, 1)

    def test_a_folder_that_went_away_and_came_back(self):
        gate = self.gate(REFRESH)
        shutil.rmtree(self.folder)
        self.assert_unsaved(gate, 'No such file or directory')
        os.mkdir(self.folder, 0o700)
        self.server.access = None
        self.works(gate)
        self.assertEqual(self.health(gate), ({'state': 'saved', 'problem': None}, 'ok'))

    def test_a_folder_that_nobody_can_write_to(self):
        # Also for root: what stands in the way is no question of rights.
        os.mkdir(self.file)
        gate = self.gate()
        self.assertIn('not a regular file', self.health(gate)[0]['problem'])
        self.assert_unsaved(gate, 'is not replaced')
        self.assertEqual(os.listdir(self.folder), ['api.session'])


if __name__ == '__main__':
    case.main()
