"""OAuth 2.0 from a config alone: every grant, every client authentication, rotation, and the device flow."""
import shutil
import subprocess
import tempfile

from support import case, configs, oauth
from support.certificates import Authority
from support.client import call, encode, get
from support.gateway import binary, command, eventually, folder
from support.swarm import swarm
from support.upstream import answer, json_answer

SESSION = """secrets:
  id: {file: secrets/id}
  key: {file: secrets/key}
  password: {file: secrets/password}
sessions:
  api:
    upstream: up
    oauth2:
      token_path: /token
      client_id: "${secret.id}"
%s%s"""
SECRETS = {'secrets/id': oauth.CLIENT, 'secrets/key': oauth.SECRET, 'secrets/password': 'pass word'}
PASSWORD = 'grant: password\nclient_secret: "${secret.key}"\nusername: ann\npassword: "${secret.password}"'
CLIENT = 'grant: client_credentials\nclient_secret: "${secret.key}"'
BACKOFF = 'backoff: {min: 100ms, max: 1s}\nattempts_window: {logins: 100, per: 1s}'


def config(url, oauth2, session=BACKOFF):
    return configs.plain(url, route='session: api',
                         session=SESSION % (configs.indent(oauth2, 6), configs.indent(session, 4)))


class OAuth2(case.Case):
    def server(self, **options):
        return self.start(oauth.AuthorizationServer(**options))

    def gate(self, server, oauth2, session=BACKOFF, **secrets):
        files = {**SECRETS, **{f'secrets/{name}': text for name, text in secrets.items()}}
        return self.gateway(config(server.url, oauth2, session), secrets=files)

    def assert_served(self, gate, target='/a'):
        reply = get(gate.address, target)
        self.assertEqual((reply.status, reply.body), (200, target.encode()), reply)


class Clients(OAuth2):
    def test_basic_encodes_both_halves(self):
        self.assert_served(self.gate(self.server(), CLIENT))

    def test_post(self):
        self.assert_served(self.gate(self.server(auth='post'), CLIENT + '\nclient_auth: post'))

    def test_public_client(self):
        self.assert_served(self.gate(self.server(auth='none'), 'grant: client_credentials\nclient_auth: none'))

    def test_client_secret_jwt(self):
        server = self.server(auth='client_secret_jwt')
        gate = self.gate(server, CLIENT + '\nclient_auth: client_secret_jwt')
        self.assert_served(gate)
        server.expire()
        self.assert_served(gate)
        self.assertEqual(len(server.seen_jti), 2)

    def test_private_key_jwt(self):
        private, public = oauth.make_key()
        server = self.server(auth='private_key_jwt', public_key=public)
        text = 'grant: client_credentials\nclient_auth: private_key_jwt\nprivate_key: "${secret.key}"\nkey_id: k1'
        self.assert_served(self.gate(server, text, key=private))
        self.assertEqual(server.last_header, {'alg': 'RS256', 'typ': 'JWT', 'kid': 'k1'})

    def test_private_key_jwt_on_a_curve(self):
        private, public = oauth.make_key(('EC', 'ec_paramgen_curve:P-256'))
        server = self.server(auth='private_key_jwt', public_key=public)
        text = 'grant: client_credentials\nclient_auth: private_key_jwt\nprivate_key: "${secret.key}"\nalgorithm: ES256'
        self.assert_served(self.gate(server, text, key=private))

    def test_a_wrong_secret_is_refused_and_not_tried_again(self):
        server = self.server()
        gate = self.gate(server, CLIENT, key='wrong')
        for _ in range(5):
            self.assert_refused(get(gate.address, '/a'), 401, 'login_refused')
        self.assertEqual(len(server.forms), 1)


class Grants(OAuth2):
    def test_password(self):
        server = self.server()
        self.assert_served(self.gate(server, PASSWORD + '\nscope: read write\nextra: {tenant: t1}'))
        self.assertEqual(server.forms[0], {
            'grant_type': 'password', 'username': 'ann', 'password': 'pass word', 'scope': 'read write', 'tenant': 't1'})

    def test_extra_takes_the_place_of_the_grants_own(self):
        up = self.upstream(lambda request, wire: json_answer(
            {'access_token': 't', 'refresh_token': 'r', 'expires_in': 1} if request.target == '/token' else {}))
        gate = self.gateway(config(up.url, 'grant: client_credentials\nclient_secret: "${secret.key}"\nscope: a\n'
                                   'extra: {grant_type: account_credentials, account_id: n1, scope: b}'), secrets=SECRETS)
        get(gate.address, '/a')
        up.wait(lambda up: len([r for r in up.requests if r.target == '/token']) >= 2)
        forms = [r.body for r in up.requests if r.target == '/token']
        self.assertEqual(forms[0], b'grant_type=account_credentials&account_id=n1&scope=b')
        self.assertEqual(forms[1], b'grant_type=refresh_token&refresh_token=r&account_id=n1&scope=b')

    def test_a_401_is_a_refusal_whatever_it_says(self):
        for refused, body, kind in (
                ('', {'error': 'server_error'}, 'login_refused'), ('', {}, 'login_refused'),
                ('\nrefused: json.error == "nope"', {'error': 'server_error'}, 'login_unavailable'),
                ('\nrefused: json.error == "nope"', {'error': 'nope'}, 'login_refused')):
            up = self.upstream(lambda request, wire, body=body: json_answer(body, 401))
            gate = self.gateway(config(up.url, CLIENT + refused), secrets=SECRETS)
            error = get(gate.address, '/a').json['error']
            self.assertEqual(error['kind'], kind, (refused, body))

    def test_refresh_token_from_the_config(self):
        server = self.server(refresh_tokens={'first'})
        gate = self.gate(server, 'grant: refresh_token\nrefresh_token: "${secret.password}"\n'
                         'client_secret: "${secret.key}"', password='first')
        for number in range(3):
            self.assert_served(gate, f'/{number}')
            server.expire()
        self.assertEqual(server.reused, 0)

    def test_token_exchange(self):
        server = self.server()
        self.assert_served(self.gate(server, 'grant: token_exchange\nclient_secret: "${secret.key}"\n'
                                     'subject_token: "${secret.password}"\naudience: api', password='subject'))
        self.assertEqual(server.forms[0]['subject_token_type'], 'urn:ietf:params:oauth:token-type:access_token')
        self.assertEqual(server.forms[0]['audience'], 'api')

    def test_jwt_bearer(self):
        private, public = oauth.make_key()
        server = self.server(auth='none', public_key=public)
        self.assert_served(self.gate(
            server, 'grant: jwt_bearer\nclient_auth: none\nprivate_key: "${secret.key}"\nissuer: svc@x\n'
            'subject: ann\nclaims: {scope: a b}', key=private))
        claims = server.last_claims
        self.assertEqual((claims['iss'], claims['sub'], claims['scope']), ('svc@x', 'ann', 'a b'))

    def test_expires_in_renews_before_the_end(self):
        server = self.server(lifetime=2)
        gate = self.gate(server, CLIENT)
        self.assert_served(gate)
        eventually(lambda: server.issued >= 2, 4, 'the renewal')
        self.assert_served(gate)
        self.assertEqual([token for _, token in server.calls if token not in ('access-1', f'access-{server.issued}')], [])

    def test_another_server_hands_the_token_out(self):
        server, api = self.server(), self.server()
        text = config(api.url, CLIENT + '\nupstream: as').replace('upstreams:\n', f'upstreams:\n  as:\n    url: "{server.url}"\n')
        gate = self.gateway(text, secrets=SECRETS)
        api.valid = {'access-1'}
        self.assert_served(gate)
        self.assertEqual((len(server.forms), len(api.forms)), (1, 0))


class Certificate(OAuth2):
    def test_the_clients_certificate_proves_who_it_is(self):
        place = tempfile.mkdtemp(prefix='countersign-ca-')
        self.addCleanup(shutil.rmtree, place)
        authority = Authority(place)
        server = self.server(auth='none', tls=authority.server('as', ask_client=True))
        certificate, key = authority.leaf('client', 'DNS:client')
        tls = f'tls: {{ca_file: "{authority.file}", client_certificate: "{certificate}", client_key: "{key}"}}'
        text = config(server.url, 'grant: client_credentials\nclient_auth: tls').replace(
            f'url: "{server.url}"\n', f'url: "{server.url}"\n    {tls}\n')
        self.assert_served(self.gateway(text, secrets=SECRETS))
        self.assertEqual(server.forms, [{'grant_type': 'client_credentials', 'client_id': oauth.CLIENT}])


class Rotation(OAuth2):
    def test_each_refresh_token_is_used_once(self):
        server = self.server()
        gate = self.gate(server, PASSWORD)
        for number in range(5):
            self.assert_served(gate, f'/{number}')
            server.expire()
        self.assertEqual(server.grants, ['password'] + ['refresh_token'] * 4)
        self.assertEqual(server.reused, 0)

    def test_many_at_once_share_one_refresh(self):
        server = self.server()
        gate = self.gate(server, PASSWORD)
        self.assert_served(gate)
        for _ in range(3):
            server.expire()
            replies = swarm(gate.address, [encode('GET', f'/{number}') for number in range(50)])
            self.assertEqual({reply.status for reply in replies}, {200})
        self.assertEqual(server.grants, ['password'] + ['refresh_token'] * 3)

    def test_a_server_that_keeps_the_refresh_token_gets_the_same_again(self):
        server = self.server(rotates=False)
        gate = self.gate(server, PASSWORD)
        for number in range(4):
            self.assert_served(gate, f'/{number}')
            server.expire()
        self.assertEqual(server.grants, ['password'] + ['refresh_token'] * 3)

    def test_a_dead_refresh_token_means_a_full_login(self):
        server = self.server()
        gate = self.gate(server, PASSWORD)
        self.assert_served(gate)
        server.expire()
        server.refresh_tokens.clear()
        self.assert_served(gate)
        self.assertEqual(server.grants, ['password', 'refresh_token', 'password'])

    def test_an_outage_of_the_token_endpoint_keeps_the_refresh_token(self):
        server = self.server()
        gate = self.gate(server, PASSWORD)
        self.assert_served(gate)
        server.expire()
        server.next_replies = [answer(503, b'down'), answer(502, b'<html>')]
        self.assert_refused(get(gate.address, '/a'), 503, 'login_unavailable')
        eventually(lambda: get(gate.address, '/a').status == 200, 5, 'recovery')
        self.assertEqual(server.grants, ['password', 'refresh_token'])

    def test_temporarily_unavailable_is_no_refusal(self):
        server = self.server(next_replies=[json_answer({'error': 'temporarily_unavailable'}, 400)])
        gate = self.gate(server, CLIENT)
        self.assert_refused(get(gate.address, '/a'), 503, 'login_unavailable')
        eventually(lambda: get(gate.address, '/a').status == 200, 5, 'recovery')

    def test_a_failed_refresh_ahead_leaves_the_old_token_in_use(self):
        server = self.server(lifetime=3)
        gate = self.gate(server, PASSWORD)
        self.assert_served(gate)
        server.next_replies = [answer(500, b'x')]
        eventually(lambda: not server.next_replies, 4, 'the failed refresh')
        self.assert_served(gate)

    def test_refresh_can_be_switched_off(self):
        server = self.server()
        gate = self.gate(server, PASSWORD + '\nrefresh: false')
        self.assert_served(gate)
        server.expire()
        self.assert_served(gate)
        self.assertEqual(server.grants, ['password', 'password'])


class Device(OAuth2):
    TEXT = 'grant: device_code\ndevice_path: /device\nclient_auth: none\nscope: all'

    def setUp(self):
        self.as_ = self.server(auth='none')

    def health(self, gate):
        return get(gate.admin, '/health').json['sessions']['api']

    def wait_for_code(self, gate):
        get(gate.address, '/a')
        eventually(lambda: self.health(gate)['state'] == 'login_required', 5, 'the code')

    def test_requests_are_told_what_to_do_until_somebody_approves(self):
        gate = self.gate(self.as_, self.TEXT)
        reply = get(gate.address, '/a')
        self.assert_refused(reply, 401, 'login_required')
        self.assertIn('https://as.test/device', reply.json['error']['detail'])
        self.assertIn('WDJB-MJHT', reply.json['error']['detail'])
        self.assertIn('WDJB-MJHT', self.health(gate)['action'])
        self.as_.device['approved'] = True
        eventually(lambda: get(gate.address, '/a').status == 200, 5, 'the approval')
        self.assertIsNone(self.health(gate)['action'])

    def test_the_interval_is_kept_and_slow_down_slows_down(self):
        self.as_.device['answers'] = ['authorization_pending', 'authorization_pending', 'slow_down']
        gate = self.gate(self.as_, self.TEXT)
        get(gate.address, '/a')
        self.as_.device['approved'] = True
        eventually(lambda: self.as_.issued == 1, 12, 'the token')
        at = self.as_.device['at']
        gaps = [later - earlier for earlier, later in zip(at, at[1:])]
        self.assertTrue(all(gap >= 0.98 for gap in gaps), gaps)
        self.assertGreaterEqual(gaps[-1], 5.9)

    def test_denied_or_too_late_needs_somebody_again(self):
        for code in ('access_denied', 'expired_token'):
            self.as_.device.update(answers=['authorization_pending', code], approved=False)
            gate = self.gate(self.as_, self.TEXT)
            self.wait_for_code(gate)
            eventually(lambda: not self.as_.device['answers'], 5, code)
            polls = self.as_.device['polls']
            for _ in range(3):
                self.assert_refused(get(gate.address, '/a'), 401, 'login_required')
            self.assertEqual(self.as_.device['polls'], polls)
            self.as_.device['approved'] = True
            self.assertEqual(call(gate.admin, 'POST', '/sessions/api/login').status, 202)
            eventually(lambda: get(gate.address, '/a').status == 200, 5, 'a second try')

    def test_the_refresh_token_needs_nobody(self):
        self.as_.device['approved'] = True
        gate = self.gate(self.as_, self.TEXT)
        eventually(lambda: get(gate.address, '/a').status == 200, 5, 'the login')
        self.as_.expire()
        self.assert_served(gate)
        self.assertEqual(self.as_.grants[-1], 'refresh_token')

    def test_the_login_command_shows_the_code_and_waits(self):
        gate = self.gate(self.as_, self.TEXT)
        self.as_.device['answers'] = ['authorization_pending']
        self.as_.device['approved'] = True
        done = subprocess.run([binary(), 'login', gate.config_path, 'api', '--admin', gate.admin],
                              capture_output=True, timeout=20)
        self.assertEqual(done.returncode, 0, done)
        self.assertIn(b'WDJB-MJHT', done.stderr)
        self.assert_served(gate)


class Issues(OAuth2):
    def check(self, text):
        env = {'S_id': 'x', 'S_key': 'y', 'S_password': 'z'}
        source = config('http://127.0.0.1:1', text).replace('{file: ', '{env: ').replace('secrets/', 'S_')
        with self.subTest(text), folder({'c.yaml': source}) as path:
            status, output, _ = command('check', path + '/c.yaml', env=env)
            self.assertEqual(status, 1, output)
            return output

    def test_what_a_grant_needs(self):
        self.assertIn('username is missing', self.check('grant: password\npassword: x'))
        self.assertIn('subject_token is missing', self.check('grant: token_exchange'))
        self.assertIn('device_path is missing', self.check('grant: device_code'))
        self.assertIn('private_key is missing', self.check('grant: client_credentials\nclient_auth: private_key_jwt'))
        self.assertIn('grant', self.check('grant: implicit'))
