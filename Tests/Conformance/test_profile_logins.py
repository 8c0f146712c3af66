"""Profiles that log in somewhere: OAuth 2.0's further grants, apps, roles, and stand-ins of the servers of Tests/RealServers."""
import base64
import hashlib
import hmac
import json
import re
import urllib.parse

import test_profiles as profiles
import test_proofs as proofs
from support import case, oauth, signed
from support.client import call, get
from support.gateway import command, eventually, folder
from support.upstream import answer, json_answer

CLIENT = {'client_id': oauth.CLIENT, 'client_secret': oauth.SECRET}


class Base(case.Case):
    def gate(self, url, profile, values, secrets, args=()):
        return self.gateway(profiles.use(url, profile, values, secrets),
                            secrets={'secrets/' + name: text for name, text in secrets.items()}, args=args)


class OAuth2(Base):
    """Against an authorization server that is strict about the RFCs."""

    def serve(self, profile, values, secrets, **options):
        server = self.start(oauth.AuthorizationServer(**options))
        gate = self.gate(server.url, profile, {'token_path': '/token', **values}, secrets)
        for _ in range(2):
            eventually(lambda: get(gate.address, '/a').status == 200, 5, 'the login')
            server.expire()
        return server

    def test_token_exchange(self):
        server = self.serve('oauth2-token-exchange', {'audience': 'https://api.test'}, {**CLIENT, 'subject_token': 'subject'})
        self.assertEqual(server.forms[0], {
            'grant_type': oauth.EXCHANGE, 'subject_token': 'subject', 'audience': 'https://api.test',
            'subject_token_type': 'urn:ietf:params:oauth:token-type:access_token',
            'requested_token_type': 'urn:ietf:params:oauth:token-type:access_token'})

    def test_jwt_bearer(self):
        private, public = oauth.make_key()
        server = self.server_without_client(public)
        values = {'token_path': '/token', 'issuer': 'svc@x', 'subject': 'ann', 'key_id': 'k7', 'scope': 'read'}
        gate = self.gate(server.url, 'oauth2-jwt-bearer', values, {'private_key': private})
        self.assertEqual(get(gate.address, '/a').status, 200)
        self.assertEqual(server.last_header, {'alg': 'RS256', 'typ': 'JWT', 'kid': 'k7'})
        self.assertEqual((server.last_claims['iss'], server.last_claims['sub']), ('svc@x', 'ann'))
        self.assertEqual(sorted(server.forms[0]), ['assertion', 'grant_type', 'scope'])

    def server_without_client(self, public):
        """The assertion alone says who asks (RFC 7523 3.1: client authentication is optional)."""
        server = self.start(oauth.AuthorizationServer(public_key=public))
        server._authenticate = lambda request, form: None
        return server

    def test_private_key(self):
        private, public = oauth.make_key(('EC', 'ec_paramgen_curve:P-256'))
        server = self.serve('oauth2-private-key', {'algorithm': 'ES256', 'key_id': 'k1'},
                            {'client_id': oauth.CLIENT, 'private_key': private}, auth='private_key_jwt', public_key=public)
        self.assertEqual((server.last_header, len(server.seen_jti)), ({'alg': 'ES256', 'typ': 'JWT', 'kid': 'k1'}, 2))

    def test_device(self):
        server = self.start(oauth.AuthorizationServer(auth='none'))
        gate = self.gate(server.url, 'oauth2-device', {'token_path': '/token', 'device_path': '/device', 'scope': 'all'},
                         {'client_id': oauth.CLIENT})
        reply = get(gate.address, '/a')
        self.assert_refused(reply, 401, 'login_required')
        self.assertIn('WDJB-MJHT', reply.json['error']['detail'])
        server.device['approved'] = True
        eventually(lambda: get(gate.address, '/a').status == 200, 5, 'the approval')
        server.expire()
        self.assertEqual(get(gate.address, '/a').status, 200)
        self.assertEqual(server.grants[-1], 'refresh_token')

    def test_dpop(self):
        key = signed.new_key(*proofs.EC)
        server = proofs.DPoPServer(signed.public(key), True)
        upstream = self.upstream(server)
        gate = self.gate(upstream.url, 'oauth2-dpop', {'token_path': '/token'}, {**CLIENT, 'proof_key': key})
        for target in ('/api/a', '/api/b'):
            self.assertEqual((get(gate.address, target).status, server.faults), (200, []))
        self.assertEqual(server.tokens, 1)
        # With the nonce of each learnt from a refusal.
        self.assertEqual([request.target for request in upstream.requests], ['/token', '/token', '/api/a', '/api/a', '/api/b'])


class Exchanges(Base):
    """Signed by the recipes of the documentation once more, in Python."""

    def send(self, profile, secrets, method, target, body=''):
        upstream = self.upstream()
        gate = self.gate(upstream.url, profile, {}, secrets, ['--pin-now', '1658384314.791'])
        self.assertEqual(call(gate.address, method, target, [('Content-Type', 'application/json')], body).status, 200)
        return upstream.last

    def test_okx(self):
        secrets = {'key_id': 'id', 'key': 's3cret', 'passphrase': 'pass'}
        for method, target, body in (('GET', '/api/v5/account/balance?ccy=BTC', ''),
                                     ('POST', '/api/v5/trade/order', '{"sz":"2"}')):
            request = self.send('okx', secrets, method, target, body)
            time = '2022-07-21T06:18:34.791Z'
            mac = hmac.digest(b's3cret', (time + method + target + body).encode(), 'sha256')
            self.assertEqual([request.field('OK-ACCESS-' + name) for name in ('KEY', 'PASSPHRASE', 'TIMESTAMP', 'SIGN')],
                             ['id', 'pass', time, base64.b64encode(mac).decode()])

    def test_bybit(self):
        for method, target, body, payload in (
                ('GET', '/v5/order/realtime?category=option&symbol=BTC', '', 'category=option&symbol=BTC'),
                ('POST', '/v5/order/create', '{"category":"option"}', '{"category":"option"}')):
            request = self.send('bybit', {'key_id': 'id', 'key': 's3cret'}, method, target, body)
            mac = hmac.digest(b's3cret', ('1658384314791id5000' + payload).encode(), 'sha256').hex()
            self.assertEqual([request.field('X-BAPI-' + name) for name in ('API-KEY', 'TIMESTAMP', 'RECV-WINDOW', 'SIGN')],
                             ['id', '1658384314791', '5000', mac])


class WeChat(Base):
    def test_jssdk_signs_the_published_example(self):
        ticket = 'sM4AOVdWfPE4DxkXGEs8VMCPGGVi4C3VM0P37wVUCFvkVAy_90u5h9nbSlYy3-Sl-HhTdfl2fzFy1AOcHKP7qg'

        def handle(request, wire):
            path, _, query = request.target.partition('?')
            if path == '/cgi-bin/token':
                return json_answer({'access_token': 'a+1', 'expires_in': 7200})
            if path == '/cgi-bin/ticket/getticket':
                self.assertEqual(query, 'access_token=a%2B1&type=jsapi')
                return json_answer({'errcode': 0, 'errmsg': 'ok', 'ticket': ticket, 'expires_in': 7200})
            return answer(200, b'{}')
        upstream = self.upstream(handle)
        gate = self.gate(upstream.url, 'wechat-jssdk', {}, {'app_id': 'id', 'app_secret': 's'},
                         ['--pin-now', '1414587457', '--pin-nonce', 'Wm3WZYTPz0wzccnW'])
        page = urllib.parse.quote('http://mp.weixin.qq.com?params=value#fragment', safe='')
        self.assertEqual(get(gate.address, '/config?url=' + page).status, 200)
        self.assertEqual(upstream.last.target, f'/config?url={page}&noncestr=Wm3WZYTPz0wzccnW&timestamp=1414587457'
                         '&signature=0f9de62fce790f9a083d5c99e95740ceb90c27ed')


class Role(Base):
    def test_requests_are_signed_with_the_keys_of_the_role(self):
        asked = []

        def handle(request, wire):
            if request.method == 'POST':
                asked.append(request)
                return answer(200, '<AssumeRoleResponse><AssumeRoleResult><Credentials><AccessKeyId>AKIAROLE</AccessKeyId>'
                              '<SecretAccessKey>role-key</SecretAccessKey><SessionToken>role-token</SessionToken><Expiration>'
                              '2099-01-01T00:00:00Z</Expiration></Credentials></AssumeRoleResult></AssumeRoleResponse>')
            return answer(200)
        upstream = self.upstream(handle)
        gate = self.gate(upstream.url, 'aws-assume-role', {
            'role': 'arn:aws:iam::1:role/r', 'region': 'eu-west-1', 'service': 's3', 's3': 'true'},
            {'key_id': 'AKIAUSER', 'key': 'user-key'})
        self.assertEqual(get(gate.address, '/b/k').status, 200)
        self.assertEqual(urllib.parse.parse_qs(asked[0].body.decode()), {
            'Action': ['AssumeRole'], 'Version': ['2011-06-15'], 'RoleArn': ['arn:aws:iam::1:role/r'],
            'RoleSessionName': ['countersign'], 'DurationSeconds': ['3600']})
        request = upstream.last
        self.assertEqual(request.field('X-Amz-Security-Token'), 'role-token')
        for sent, key_id, key, service in ((asked[0], 'AKIAUSER', 'user-key', 'sts'), (request, 'AKIAROLE', 'role-key', 's3')):
            signature = sent.field('Authorization')
            self.assertIn(f'Credential={key_id}/', signature)
            self.assertIn(f'/eu-west-1/{service}/aws4_request', signature)
            words = dict(word.split('=') for word in signature.partition(' ')[2].split(', '))
            signer, date = signed.SigV4(key, 'eu-west-1', service, s3=service == 's3'), sent.field('X-Amz-Date')
            digest = hashlib.sha256(sent.body).hexdigest()
            canonical = signer.canonical(sent.method, sent.target, sent.fields, words['SignedHeaders'].split(';'), digest)
            self.assertEqual(words['Signature'], signer.signature(date, canonical))


class Servers(Base):
    """What the real servers say (Tests/RealServers runs them), as far as the profiles go by it."""

    SECRETS = {'username': 'ann', 'password': 'p&s ü'}

    def drive(self, profile, login_target, login, call_, target='/x', values=None, extra=''):
        """Two calls, the second with a session that has died; returns logins and the last request."""
        logins = []

        def handle(request, wire):
            if request.target in login_target:
                logins.append(request)
                return login(len(logins))
            return call_(request, len(logins))
        upstream = self.upstream(handle)
        config = profiles.use(upstream.url, profile, values, self.SECRETS) + extra
        gate = self.gateway(config, secrets={'secrets/' + name: text for name, text in self.SECRETS.items()})
        self.assertEqual(get(gate.address, target).status, 200)
        return logins, upstream.last

    def test_qbittorrent(self):
        def login(number):
            return answer(200, b'Ok.', [('Set-Cookie', f'SID=s{number}; HttpOnly; path=/')])

        def work(request, number):
            return answer(200, b'v4.5') if number == 2 else answer(403, b'Forbidden')
        logins, last = self.drive('qbittorrent', ('/api/v2/auth/login',), login, work)
        self.assertEqual([request.body for request in logins], [b'username=ann&password=p%26s+%C3%BC'] * 2)
        self.assertEqual([last.field(name) for name in ('Cookie', 'Referer', 'Origin')],
                         ['SID=s2', f'http://{last.field("Host")}/', f'http://{last.field("Host")}'])

    MATRIX = ('/_matrix/client/v3/login', '/_matrix/client/v3/refresh')

    def matrix(self, refreshes, extra='', **values):
        def token(number):
            return json_answer({'access_token': f't{number}', 'refresh_token': f'r{number}', 'expires_in_ms': 300000})

        def work(request, number):
            dead = json_answer({'errcode': 'M_UNKNOWN_TOKEN', 'soft_logout': True}, 401)
            return json_answer({}) if number == 2 else dead
        logins, last = self.drive('matrix-synapse', self.MATRIX, token, work, '/_matrix/client/v3/sync', values, extra)
        self.assertEqual(json.loads(logins[0].body), {
            'type': 'm.login.password', 'identifier': {'type': 'm.id.user', 'user': 'ann'}, 'password': 'p&s ü',
            'refresh_token': True, 'initial_device_display_name': 'Countersign'})
        self.assertEqual(logins[1].target, self.MATRIX[refreshes])
        if refreshes:
            self.assertEqual(json.loads(logins[1].body), {'refresh_token': 'r1'})
        self.assertEqual(last.field('Authorization'), 'Bearer t2')

    def test_matrix_synapse(self):
        self.matrix(True)
        self.matrix(True, expires_in='')

    def test_matrix_synapse_without_refresh_tokens(self):
        self.matrix(False, 'sessions: {up: {refresh: null}}\n')

    def test_devpi(self):
        def login(number):
            return json_answer({'type': 'proxyauth', 'result': {'password': f'ann.t{number}', 'expiration': 36000}})

        def work(request, number):
            return json_answer({'result': {'authstatus': ['ok', 'ann', []] if number == 2 else ['noauth', '', []]}})
        logins, last = self.drive('devpi', ('/+login',), login, work, '/+api')
        self.assertEqual(json.loads(logins[0].body), {'user': 'ann', 'password': 'p&s ü'})
        self.assertEqual(base64.b64decode(last.field('X-Devpi-Auth')), b'ann:ann.t2')

    def test_wrong_passwords_are_not_tried_again(self):
        for profile, target, wrong in (
                ('qbittorrent', '/x', answer(200, b'Fails.')), ('devpi', '/x', json_answer({}, 401)),
                ('matrix-synapse', '/_matrix/client/v3/sync', json_answer({'errcode': 'M_FORBIDDEN'}, 403))):
            upstream = self.upstream(lambda request, wire, wrong=wrong: wrong)
            gate = self.gate(upstream.url, profile, {}, self.SECRETS)
            for _ in range(3):
                self.assert_refused(get(gate.address, target), 401, 'login_refused')
            self.assertEqual(len(upstream.requests), 1, profile)


class Examples(case.Case):
    """The example at the head of each file is what somebody copies: it loads."""

    def test_each_example_loads(self):
        status, out, _ = command('profiles')
        self.assertEqual(status, 0)
        names = [line.split()[0] for line in out.splitlines()]
        self.assertGreater(len(names), 100)
        private, public = oauth.make_key()
        proof, _ = oauth.make_key(('EC', 'ec_paramgen_curve:P-256'))
        # Keys are tried when a config is loaded. The usual secret is base 64, and a seed of Ed25519 at the same time.
        account = json.dumps({'client_email': 'a@b', 'private_key': private, 'private_key_id': 'k', 'token_uri': 'https://a/'})
        contents = {'secrets/platform.pem': public, 'secrets/service-account.json': account,
                    **dict.fromkeys(('secrets/dpop.pem', 'secrets/AuthKey.p8', 'secrets/cdp.pem'), proof)}
        for name in names:
            with self.subTest(name):
                lines = command('profiles', name)[1].splitlines()
                text = '\n'.join(line[4:] for line in lines if line.startswith('#   '))
                self.assertIn(name, text)
                pems = [] if name == 'http-message-signature' else re.findall(r'secrets/[\w.-]+pem', text)
                rsa = dict.fromkeys(pems, private)
                self.assertEqual(self.problems(text, {**rsa, **contents}), '')

    @staticmethod
    def problems(text, contents):
        text = re.sub(r'{file: [^}]*?([\w.-]+)}', r'{file: secrets/\1}', text.replace('...', '{env: ANY}'))
        config, words = 'listen: 127.0.0.1:0\n' + text, re.findall(r'env: (\w+)', text)
        files = {file: contents.get(file, 'abcdefghijklmnopqrstuvwxyz012345')
                 for file in re.findall(r'secrets/[\w.-]+', config)}
        with folder({'c.yaml': config, **files}) as path:
            status, out, error = command('check', 'c.yaml', cwd=path, env={word: 'x' for word in words})
        return out + error if status else ''


if __name__ == '__main__':
    case.main()
