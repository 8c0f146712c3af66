"""Synapse: access tokens of a few seconds, refresh tokens that rotate, logouts under load."""
import contextlib
import hashlib
import hmac
import os
import re
import signal
import tempfile
import threading
import time
import urllib.parse

from real import case, install
from real.server import Caller, Server

USER, PASSWORD = 'alice', 'pw p%ss "ü"'
LIFETIME = 5    # seconds
CLIENT = '/_matrix/client/v3'


class Synapse(Server):
    """A homeserver on SQLite without federation. Its rate limits are raised, nothing else is out of the ordinary."""

    health = '/health'

    def prepare(self):
        self.python = install.python('matrix-synapse~=1.163')
        self.run(self.python, '-m', 'synapse.app.homeserver', '--server-name', 'real.test', '--config-path', 'homeserver.yaml',
                 '--generate-config', '--report-stats=no')
        often = '{per_second: 10000, burst_count: 10000}'
        self.write('test.yaml', f"""refreshable_access_token_lifetime: {LIFETIME}s
nonrefreshable_access_token_lifetime: {LIFETIME}s
refresh_token_lifetime: 24h
rc_login: {{address: {often}, account: {often}, failed_attempts: {often}}}
rc_message: {often}
rc_media_create: {often}
suppress_key_server_warning: true
trusted_key_servers: []
listeners:
  - {{port: {self.port}, bind_addresses: [127.0.0.1], type: http, tls: false, resources: [{{names: [client]}}]}}
""")

    def command(self):
        return [self.python, '-m', 'synapse.app.homeserver', '-c', 'homeserver.yaml', '-c', 'test.yaml']

    def register(self, user, password):
        with open(self.path('homeserver.yaml'), encoding='utf8') as file:
            secret = re.search(r'registration_shared_secret: "(.*)"', file.read()).group(1)
        with contextlib.closing(Caller(f'127.0.0.1:{self.port}')) as caller:
            target = '/_synapse/admin/v1/register'
            nonce = caller.expect(200, 'GET', target).json['nonce']
            mac = hmac.new(secret.encode(), b'\0'.join([nonce.encode(), user.encode(), password.encode(), b'notadmin']),
                           hashlib.sha1).hexdigest()
            caller.expect(200, 'POST', target, {'nonce': nonce, 'username': user, 'password': password, 'admin': False,
                                                'mac': mac})


# A config that does not know when a token ends.
WITHOUT_END = {'expires_in': ''}


def stored(path):
    """A session that outlives the process."""
    store = f'{{file: "{path}", key: "${{secret.store}}"}}'
    return f'sessions: {{real: {{attempts_window: {{logins: 30, per: 30s}}, store: {store}}}}}\n'


class TestSynapse(case.Case):
    server_class = Synapse

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.server.register(USER, PASSWORD)

    def start(self, values=None, password=PASSWORD, more=case.OFTEN):
        return self.gateway('matrix-synapse', {'username': USER, 'password': password}, values, more)

    @staticmethod
    def whoami(caller, worker, number):
        answer = caller.expect(200, 'GET', CLIENT + '/account/whoami').json
        assert answer['user_id'] == f'@{USER}:real.test', answer
        return answer['device_id']

    def devices(self, gateway):
        with contextlib.closing(Caller(gateway.address)) as caller:
            return len(caller.expect(200, 'GET', CLIENT + '/devices').json['devices'])

    def test_login_at_each_expiry(self):
        gateway, seconds = self.start(WITHOUT_END, more=case.OFTEN.replace('real: {', 'real: {refresh: null, ')), 16
        tally = self.drive(gateway, self.whoami, seconds=seconds)
        self.assertGreaterEqual(tally.outcomes['relogin'], 2, tally)
        self.assert_logins(gateway, 3, seconds // LIFETIME + 2)

    def test_refresh_ahead(self):
        """The end is known: the token is renewed before it, and calls never wait. One device all the way."""
        gateway, seconds = self.start(), 16
        before = self.devices(gateway)
        tally = self.drive(gateway, self.whoami, seconds=seconds)
        self.assert_logins(gateway, 3, seconds // (LIFETIME - 2) + 2)
        self.assertEqual(self.devices(gateway), before, 'a login where a refresh would do')
        self.assertLess(tally.outcomes['relogin'], tally.calls // 4, tally)

    def test_refresh_after_expiry(self):
        """The end is not known: it is learnt from M_UNKNOWN_TOKEN, and each time one refresh serves all. One device."""
        gateway = self.start(WITHOUT_END)
        before, seconds = self.devices(gateway), 16
        tally = self.drive(gateway, self.whoami, seconds=seconds)
        self.assertGreaterEqual(tally.outcomes['relogin'], 2, tally)
        self.assert_logins(gateway, 3, seconds // LIFETIME + 2)
        self.assertEqual(self.devices(gateway), before, 'a login where a refresh would do')

    def test_messages_across_expiries(self):
        """Tokens die under senders: each message is there once."""
        gateway = self.start(WITHOUT_END)
        with contextlib.closing(Caller(gateway.address)) as caller:
            room = urllib.parse.quote(caller.expect(200, 'POST', CLIENT + '/createRoom', {'name': 'Zimmer ü'}).json['room_id'])
        sent, lock = [], threading.Lock()

        def work(caller, worker, number):
            text = f'{worker}/{number} ü'
            caller.expect(200, 'PUT', f'{CLIENT}/rooms/{room}/send/m.room.message/{worker}-{number}',
                          {'msgtype': 'm.text', 'body': text})
            with lock:
                sent.append(text)
        tally = self.drive(gateway, work, seconds=16)
        self.assertGreaterEqual(tally.outcomes['relogin'], 2, tally)
        self.assertEqual(sorted(self.messages(gateway, room)), sorted(sent))

    def test_logout_under_load(self):
        """A logout voids both tokens: the refresh is refused, a login follows, and nobody notices. The logouts come before
        a token's own end, so that each costs one login; one that falls together with a renewal voids old and new token."""
        gateway, ends, pause = self.start(WITHOUT_END), 4, LIFETIME / 2

        def work(caller, worker, number):
            self.whoami(caller, worker, number)
            if worker % 2:
                caller.expect(200, 'POST', f'{CLIENT}/user/%40{USER}%3Areal.test/filter',
                              {'room': {'timeline': {'limit': worker}}})

        def end():
            with contextlib.closing(Caller(gateway.address)) as caller:
                for _ in range(ends):
                    time.sleep(pause)
                    caller.expect(200, 'POST', CLIENT + '/logout', {})
        tally = self.drive(gateway, work, seconds=(ends + 1) * pause - 1, during=end)
        self.assertGreaterEqual(tally.outcomes['relogin'], ends, tally)
        self.assert_logins(gateway, ends + 1, ends + 2)

    def test_logged_out_everywhere(self):
        """Another client of the account ends all its sessions, the gateway's too, while calls are under way. Between two such
        ends a new session lives on, so that one replay is enough; one that is ended before its first use needs another."""
        gateway, ends, pause = self.start(WITHOUT_END), 3, LIFETIME / 2

        def end():
            with contextlib.closing(Caller(f'127.0.0.1:{self.server.port}')) as other:
                for _ in range(ends):
                    token = other.expect(200, 'POST', CLIENT + '/login', {
                        'type': 'm.login.password', 'identifier': {'type': 'm.id.user', 'user': USER}, 'password': PASSWORD,
                    }).json['access_token']
                    time.sleep(pause)
                    other.expect(200, 'POST', CLIENT + '/logout/all', {}, {'Authorization': 'Bearer ' + token})
        tally = self.drive(gateway, self.whoami, seconds=(ends + 1) * pause, during=end)
        self.assertGreaterEqual(tally.outcomes['relogin'], ends, tally)
        self.assert_logins(gateway, ends + 1, ends + 4)    # and tokens that end by themselves meanwhile

    def test_logouts_together_with_renewals(self):
        """A logout that falls together with a renewal voids the old token and the new one: a second replay hides that."""
        gateway, pauses = self.start(), [LIFETIME * part / 10 for part in (3, 7, 8, 8, 9, 4, 8, 2, 8, 1, 8)]

        def end():
            with contextlib.closing(Caller(gateway.address)) as caller:
                for pause in pauses:
                    time.sleep(pause)
                    caller.expect(200, 'POST', CLIENT + '/logout', {})
        tally = self.drive(gateway, self.whoami, seconds=sum(pauses) + 2, during=end)
        self.assertGreaterEqual(tally.outcomes['relogin'], len(pauses), tally)

    def test_kills_in_the_middle_of_renewals(self):
        """kill -9 at any moment, under load, across renewals: the stored session goes on, and it is one device all the
        way. Synapse lets the old refresh token live until the new credential is used, and that is on disk first."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'matrix.session')
            device, restored = None, 0
            for life in range(6):
                gateway = self.gateway('matrix-synapse', {'username': USER, 'password': PASSWORD, 'store': 'k' * 32}, None,
                                       stored(path))
                with contextlib.closing(Caller(gateway.address)) as caller:
                    device = device or self.whoami(caller, 0, 0)
                    self.assertEqual(self.whoami(caller, 0, 0), device, f'life {life}')
                restored += 'session restored' in gateway.log.text().decode()
                self.kill_under_load(gateway, (0.7 + life * 0.55) * LIFETIME * 0.8)
        self.assertEqual(restored, 5)

    def kill_under_load(self, gateway, seconds):
        """What is under way may fail: its gateway is gone."""
        def work():
            with contextlib.closing(Caller(gateway.address)) as caller:
                with contextlib.suppress(OSError, EOFError, AssertionError):
                    while True:
                        self.whoami(caller, 0, 0)
        threads = [threading.Thread(target=work, daemon=True) for _ in range(8)]
        for thread in threads:
            thread.start()
        time.sleep(seconds)
        gateway.signal(signal.SIGKILL)
        for thread in threads:
            thread.join(30)

    def test_media_and_long_polls(self):
        """Uploads of two megabytes, downloads and polls that hang while tokens die and are renewed."""
        gateway = self.start(WITHOUT_END)

        def work(caller, worker, number):
            if worker % 3:
                caller.expect(200, 'GET', CLIENT + '/sync?timeout=1500' + since.get(worker, ''))
                since[worker] = '&since=' + caller.expect(200, 'GET', CLIENT + '/sync?timeout=0').json['next_batch']
                return
            data = os.urandom(2 << 20)
            place = caller.expect(200, 'POST', '/_matrix/media/v3/upload?filename=%C3%BC%20x.bin', data,
                                  {'Content-Type': 'application/octet-stream'}).json['content_uri'].removeprefix('mxc://')
            assert caller.expect(200, 'GET', f'/_matrix/client/v1/media/download/{place}').body == data, place
        since = {}
        tally = self.drive(gateway, work, seconds=16)
        self.assertGreaterEqual(tally.outcomes['relogin'], 2, tally)
        self.assert_logins(gateway, 3, 6)

    @staticmethod
    def messages(gateway, room):
        found, start = [], ''
        with contextlib.closing(Caller(gateway.address)) as caller:
            while start is not None:
                page = caller.expect(200, 'GET', f'{CLIENT}/rooms/{room}/messages?dir=b&limit=500' + start).json
                found += [event['content']['body'] for event in page['chunk'] if event['type'] == 'm.room.message']
                start = '&from=' + page['end'] if page.get('end') else None
        return found

    def test_wrong_password_is_tried_once(self):
        gateway = self.start(password='wrong')
        with contextlib.closing(Caller(gateway.address)) as caller:
            for _ in range(3):
                reply = caller.expect(401, 'GET', CLIENT + '/account/whoami')
                self.assertEqual(reply.json['error']['kind'], 'login_refused')
        self.assertEqual(self.session(gateway)['state'], 'refused')


if __name__ == '__main__':
    case.unittest.main()
