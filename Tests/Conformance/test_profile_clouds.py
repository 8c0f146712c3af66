"""Profiles of clouds and enterprise systems: against stand-ins that verify by hashlib and openssl, and published examples."""
import base64
import datetime
import email.utils
import hashlib
import hmac
import json
import re
import time
import urllib.parse

from support import case, oauth, servers, signed
from support.client import call
from support.gateway import eventually
from support.servers import form, path, query, sent
from support.upstream import answer, json_answer

KEY, PUBLIC = oauth.make_key()
OTHER_KEY, _ = oauth.make_key()
BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer'


def jwt(token, public, algorithm):
    """Header and claims of a JWT whose signature was verified."""
    head, body, signature = token.split('.')
    if not signed.verifies(public, algorithm, f'{head}.{body}'.encode(), oauth.decode(signature)):
        return None, None
    return json.loads(oauth.decode(head)), json.loads(oauth.decode(body))


def bearer(request):
    kind, _, token = (request.field('Authorization') or '').partition(' ')
    return token if kind == 'Bearer' else None


def basic(user, password):
    return 'Basic ' + base64.b64encode(f'{user}:{password}'.encode()).decode()


class Logins(servers.Servers):
    def google(self, subject=None):
        def server(request, sessions):
            if path(request) == '/token':
                values = form(request)
                assert values['grant_type'] == BEARER
                header, claims = jwt(values['assertion'], PUBLIC, 'RS256')
                if header is None:
                    no = {'error': 'invalid_grant', 'error_description': 'Invalid JWT Signature.'}
                    return sessions.refuse(json_answer(no, 400))
                assert header == {'alg': 'RS256', 'typ': 'JWT', 'kid': 'k1'}
                now = claims['iat']
                assert abs(now - time.time()) < 5 and claims.pop('exp') - claims.pop('iat') == 3600
                assert claims.pop('sub', None) == subject
                assert claims == {'iss': 'svc@p.iam', 'scope': 'a b', 'aud': 'https://oauth2.googleapis.com/token'}, claims
                return json_answer({'access_token': sessions.new(), 'token_type': 'Bearer', 'expires_in': 3599})
            if bearer(request) != sessions.alive:
                return json_answer({'error': {'code': 401, 'status': 'UNAUTHENTICATED'}}, 401)
            return json_answer({})
        return server

    @staticmethod
    def google_key(private):
        return json.dumps({'type': 'service_account', 'client_email': 'svc@p.iam', 'private_key_id': 'k1', 'private_key': private,
                           'token_uri': 'https://oauth2.googleapis.com/token'}, indent=2)

    def test_google_service_account(self):
        for subject in (None, 'ann@example.com'):
            values = {'server': 'up', 'scope': 'a b', **({'subject': subject} if subject else {})}
            self.drive('google-service-account', self.google(subject), values, {'service_account': self.google_key(KEY)},
                       wrong=('service_account', self.google_key(OTHER_KEY)), logout=False)

    def entra(self, prove):
        def server(request, sessions):
            if path(request) == '/t.example/oauth2/v2.0/token':
                values = form(request)
                assert values.pop('grant_type') == 'client_credentials'
                assert values.pop('scope') == 'https://graph.microsoft.com/.default'
                assert values.pop('client_id') == 'app-1'
                if not prove(values):
                    return sessions.refuse(json_answer({'error': 'invalid_client', 'error_codes': [7000215]}, 401))
                return json_answer({'access_token': sessions.new(), 'token_type': 'Bearer', 'expires_in': 3599})
            if bearer(request) != sessions.alive:
                return json_answer({'error': {'code': 'InvalidAuthenticationToken'}}, 401)
            return json_answer({})
        return server

    ENTRA = {'server': 'up', 'tenant': 't.example'}

    def test_microsoft_entra(self):
        self.drive('microsoft-entra', self.entra(lambda values: values == {'client_secret': 's&1'}), self.ENTRA,
                   {'client_id': 'app-1', 'client_secret': 's&1'}, wrong=('client_secret', 'no'), logout=False)

    def test_microsoft_entra_certificate(self):
        certificate, private = signed.openssl('req', '-x509', '-new', '-key', '/dev/stdin', '-subj', '/CN=app', '-days', '2',
                                              data=KEY.encode()).decode(), KEY
        thumb = base64.urlsafe_b64encode(hashlib.sha256(signed.openssl(
            'x509', '-outform', 'DER', data=certificate.encode())).digest()).decode().rstrip('=')
        seen = set()

        def prove(values):
            assert values['client_assertion_type'] == oauth.ASSERTION and len(values) == 2
            header, claims = jwt(values['client_assertion'], signed.public(private), 'PS256')
            if header is None:
                return False
            assert header == {'alg': 'PS256', 'typ': 'JWT', 'x5t#S256': thumb}, header
            assert claims['aud'] == 'https://login.microsoftonline.com/t.example/oauth2/v2.0/token'
            assert claims['iss'] == claims['sub'] == 'app-1' and claims['jti'] not in seen
            assert claims['nbf'] - 5 <= time.time() <= claims['exp'] <= time.time() + 600
            seen.add(claims['jti'])
            return True
        # One file with both, the key first, as the portal's tools write it.
        both = private + certificate
        self.drive('microsoft-entra-certificate', self.entra(prove), self.ENTRA,
                   {'client_id': 'app-1', 'certificate': both, 'private_key': both}, wrong=('private_key', OTHER_KEY),
                   logout=False)

    def test_github_app(self):
        def server(request, sessions):
            assert request.field('User-Agent')
            if request.method == 'POST':
                assert path(request) == '/app/installations/77/access_tokens'
                header, claims = jwt(bearer(request), PUBLIC, 'RS256')
                if header is None:
                    return sessions.refuse(json_answer({'message': 'A JSON web token could not be decoded'}, 401))
                now = time.time()
                assert claims['iss'] == 'Iv1' and claims['iat'] < now < claims['exp'] <= claims['iat'] + 600, claims
                return json_answer({'token': sessions.new(), 'expires_at': '2099-01-01T00:00:00Z'}, 201)
            if bearer(request) != sessions.alive:
                return json_answer({'message': 'Bad credentials', 'status': '401'}, 401)
            return sessions.end(bearer(request)) if request.method == 'DELETE' else json_answer({})
        self.drive('github-app', server, {'app': 'Iv1', 'installation': '77'}, {'private_key': KEY},
                   wrong=('private_key', OTHER_KEY), fields=[('User-Agent', 'client')])

    def test_salesforce(self):
        def server(request, sessions):
            if path(request) == '/services/oauth2/token':
                values = form(request)
                assert values['grant_type'] == 'client_credentials' and len(values) == 3
                if values['client_secret'] != 's3':
                    return sessions.refuse(json_answer({'error': 'invalid_client', 'error_description': 'x'}, 400))
                return json_answer({'access_token': sessions.new(), 'instance_url': 'https://m.my.salesforce.com',
                                    'token_type': 'Bearer', 'issued_at': '1700000000000'})
            if bearer(request) != sessions.alive:
                return json_answer([{'message': 'Session expired or invalid', 'errorCode': 'INVALID_SESSION_ID'}], 401)
            return json_answer({})
        self.drive('salesforce', server, {}, {'client_id': 'c', 'client_secret': 's3'}, wrong=('client_secret', 'no'),
                   target='/services/data/', logout=False, token='00D!t%d')

    def test_vault_approle(self):
        def server(request, sessions):
            token = request.field('X-Vault-Token')
            assert request.field('X-Vault-Namespace') == 'team'
            if path(request) == '/v1/auth/machines/login':
                if sent(request) != {'role_id': 'r', 'secret_id': 's'}:
                    return sessions.refuse(json_answer({'errors': ['invalid role or secret ID']}, 400))
                return json_answer({'auth': {'client_token': sessions.new(), 'lease_duration': 3600, 'renewable': True}})
            if token != sessions.alive:
                return json_answer({'errors': ['2 errors occurred:\n\t* permission denied\n\t* invalid token\n\n']}, 403)
            return sessions.end(token) if path(request) == '/v1/auth/token/revoke-self' else json_answer({})
        self.drive('vault-approle', server, {'mount': 'machines', 'namespace': 'team'}, {'role_id': 'r', 'secret_id': 's'},
                   wrong=('secret_id', 'no'), target='/v1/secret/data/a')

    def test_vault_renews_until_it_brings_little(self):
        """What a policy forbids is no expiry; the lease runs out, is renewed once, and then there is a login."""
        leases, seen = [2, 2, 1, 3600], []

        def server(request, sessions):
            what = path(request).rpartition('/')[2]
            seen.append(what)
            if what == 'forbidden':
                return json_answer({'errors': ['1 error occurred:\n\t* permission denied\n\n']}, 403)
            return json_answer({'auth': {'client_token': 't', 'lease_duration': leases.pop(0), 'renewable': True}})
        sessions = servers.Sessions()
        _, gateway = self.gate(server, sessions, 'vault-approle', {}, {'role_id': 'r', 'secret_id': 's'})
        self.assertEqual(call(gateway.address, 'GET', '/v1/forbidden').status, 403)
        self.assertEqual(seen, ['login', 'forbidden'])
        eventually(lambda: len(seen) == 5, 20, 'the renewals')
        self.assertEqual(seen[2:], ['renew-self', 'renew-self', 'login'])

    def test_zoom(self):
        def server(request, sessions):
            if path(request) == '/oauth/token':
                assert form(request) == {'grant_type': 'account_credentials', 'account_id': 'acc'}
                if request.field('Authorization') != basic('c', 's'):
                    no = {'reason': 'Invalid client_id or client_secret', 'error': 'invalid_client'}
                    return sessions.refuse(json_answer(no, 400))
                return json_answer({'access_token': sessions.new(), 'token_type': 'bearer', 'expires_in': 3599})
            if bearer(request) != sessions.alive:
                return json_answer({'code': 124, 'message': 'Access token is expired.'}, 401)
            return json_answer({})
        self.drive('zoom-s2s', server, {'server': 'up', 'account': 'acc'}, {'client_id': 'c', 'client_secret': 's'},
                   wrong=('client_secret', 'no'), target='/v2/users/me', logout=False)

    def test_sap(self):
        def server(request, sessions):
            assert query(request)['sap-client'] == '100'
            cookie = request.field('Cookie')
            if path(request) == '/sap/public/bc/icf/logoff':
                return sessions.end(cookie.partition('=')[2])
            if request.field('Authorization') != basic('ann', 'p:w'):
                return sessions.refuse(answer(401, 'Anmeldung fehlgeschlagen', [('Content-Type', 'text/html')]))
            token = request.field('X-CSRF-Token')
            if token == 'Fetch':
                assert path(request) == '/sap/opu/odata/sap/S/' and not cookie
                new = sessions.new()
                return json_answer({'d': {}}, 200, [('x-csrf-token', 'c' + new),
                                                    ('Set-Cookie', f'SAP_SESSIONID_X_100={new}; path=/')])
            if (token, cookie) != (f'c{sessions.alive}', f'SAP_SESSIONID_X_100={sessions.alive}'):
                return answer(403, 'CSRF token validation failed', [('x-csrf-token', 'Required')])
            return json_answer({'d': {}})
        self.drive('sap-odata-csrf', server, {'service_path': '/sap/opu/odata/sap/S/', 'client': '100'},
                   {'username': 'ann', 'password': 'p:w'}, wrong=('password', 'no'), target='/sap/opu/odata/sap/S/A', body='{}',
                   fields=[('Content-Type', 'application/json')])

    def test_splunk(self):
        def server(request, sessions):
            kind, _, token = (request.field('Authorization') or '').partition(' ')
            if path(request) == '/services/auth/login':
                if form(request) != {'username': 'ann', 'password': 'p&w', 'output_mode': 'json'}:
                    return sessions.refuse(json_answer({'messages': [{'type': 'WARN', 'text': 'Login failed'}]}, 401))
                return json_answer({'sessionKey': sessions.new(), 'message': '', 'code': ''})
            if (kind, token) != ('Splunk', sessions.alive):
                return answer(401, '<msg type="WARN">call not properly authenticated</msg>', [('Content-Type', 'text/xml')])
            if request.method == 'DELETE':
                return sessions.end(urllib.parse.unquote(path(request).removeprefix('/services/authentication/httpauth-tokens/')))
            return json_answer({})
        self.drive('splunk', server, {}, {'username': 'ann', 'password': 'p&w'}, wrong=('password', 'no'),
                   target='/services/search/jobs', token='a^_/%d')


class Published(servers.Published):
    """Examples that the vendors' own clients test themselves with, or that stand in their documentation."""

    AKAMAI = {'profile': 'akamai-edgegrid', 'url': 'http://akaa-baseurl-xxxxxxxxxxx-xxxxxxxxxxxxx.luna.akamaiapis.net',
              'secrets': {'client_token': 'akab-client-token-xxx-xxxxxxxxxxxxxxxx', 'client_secret': 'x' * 43 + '=',
                          'access_token': 'akab-access-token-xxx-xxxxxxxxxxxxxxxx'},
              'now': '1395430461', 'nonce': 'nonce-xx-xxxx-xxxx-xxxx-xxxxxxxxxxxx'}

    def test_akamai(self):
        for method, target, body, sign in (
                ('GET', '/', '', 'tL+y4hxyHxgWVD30X3pWnGKHcPzmrIF+LThiAOhMxYU='),
                ('GET', '/testapi/v1/t1?p1=1&p2=2', '', 'hKDH1UlnQySSHjvIcZpDMbQHihTQ0XyVAKZaApabdeA='),
                ('POST', '/testapi/v1/t3', 'datadatadatadatadatadatadatadata', 'hXm4iCxtpN22m4cbZb4lVLW5rhX8Ca82vCFqXzSTPe4='),
                ('POST', '/testapi/v1/t6', '', '1gEDxeQGD5GovIkJJGcBaKnZ+VaPtrc4qBUHixjsPCQ=')):
            expected = ('EG1-HMAC-SHA256 client_token=akab-client-token-xxx-xxxxxxxxxxxxxxxx;access_token='
                        'akab-access-token-xxx-xxxxxxxxxxxxxxxx;timestamp=20140321T19:34:21+0000;nonce='
                        f'nonce-xx-xxxx-xxxx-xxxx-xxxxxxxxxxxx;signature={sign}')
            self.check('akamai', {**self.AKAMAI, 'send': [method, target, [], body],
                                  'expect': {'header Authorization': expected}})

    def test_ovh(self):
        self.check('ovh', {
            'profile': 'ovh', 'url': 'http://eu.api.ovh.com/1.0', 'now': '1366560945', 'nonce': 'n',
            'secrets': {'application_key': '7kbG7Bk7S9Nt7ZSV', 'application_secret': 'EXEgWIz07P0HYwtQDs7cNIqCiQaWSuHF',
                        'consumer_key': 'MtSwSrPpNjqfVSmJhLbPyr2i45lSwPU1'},
            'send': ['GET', '/domains/', [], ''],
            'expect': {'header X-Ovh-Signature': '$1$d3705e8afb27a0d2970a322b96550abfc67bb798',
                       'header X-Ovh-Timestamp': '1366560945', 'header X-Ovh-Application': '7kbG7Bk7S9Nt7ZSV',
                       'header X-Ovh-Consumer': 'MtSwSrPpNjqfVSmJhLbPyr2i45lSwPU1', 'target': '/1.0/domains/'}})


class Signed(servers.Servers):
    """Computed a second time, in Python; bodies are no text."""

    BODY = b'{"a":"\xff\xfe"}'

    def test_ovh_with_a_body(self):
        secrets = {'application_key': 'k', 'application_secret': 's', 'consumer_key': 'c'}
        request = self.send('ovh', {}, secrets, 'POST', '/v?a=%20b', self.BODY)
        text = f's+c+POST+https://{request.field("Host")}/v?a=%20b+'.encode() + self.BODY + b'+1700000000'
        self.assertEqual(request.field('X-Ovh-Signature'), '$1$' + hashlib.sha1(text).hexdigest())

    def test_a_clock_is_learnt(self):
        """A refused time is taken from the answer's Date, here an hour ahead, and the request is sent again."""
        for profile, secrets, refusal in (
                ('ovh', ('application_key', 'application_secret', 'consumer_key'), {'errorCode': 'QUERY_TIME_OUT'}),
                ('akamai-edgegrid', ('client_token', 'client_secret', 'access_token'), {'detail': 'Invalid timestamp'})):
            times = []

            def server(request, sessions, refusal=refusal, times=times):
                if stamp := request.field('X-Ovh-Timestamp'):
                    times.append(int(stamp))
                else:
                    text = re.search('timestamp=([^;]+)', request.field('Authorization'))[1]
                    times.append(datetime.datetime.strptime(text, '%Y%m%dT%H:%M:%S%z').timestamp())
                date = email.utils.formatdate(time.time() + 3600, usegmt=True)
                return json_answer(refusal, 400, [('Date', date)]) if len(times) == 1 else json_answer({})
            _, gateway = self.gate(server, servers.Sessions(), profile, {}, dict.fromkeys(secrets, 'abc'))
            self.assertEqual(call(gateway.address, 'GET', '/x').status, 200)
            self.assertAlmostEqual(times[1] - times[0], 3600, delta=10)

    def test_service_bus(self):
        key = 'bG9va3MgbGlrZSBiYXNlIDY0'
        request = self.send('azure-servicebus', {'policy': 'send'}, {'key': key}, 'POST', '/orders/messages?timeout=60',
                            self.BODY)
        resource = urllib.parse.quote(f'https://{request.field("Host")}/orders', safe='')
        mac = hmac.digest(key.encode(), f'{resource}\n1700000300'.encode(), 'sha256')
        sign = urllib.parse.quote(base64.b64encode(mac).decode(), safe='')
        self.assertEqual(request.field('Authorization'), f'SharedAccessSignature sr={resource}&sig={sign}&se=1700000300&skn=send')

    def test_tables(self):
        key, entity = base64.b64encode(b'account key').decode(), "/Customers(PartitionKey='a',RowKey='b%20c')"
        for target, resource in ((entity + '?$select=x', entity),
                                 ('/?restype=service&comp=properties', '/?comp=properties')):
            request = self.send('azure-tables', {'account': "'acct'"}, {'key': key}, 'GET', target)
            date = 'Tue, 14 Nov 2023 22:13:20 GMT'
            mac = hmac.digest(b'account key', f'{date}\n/acct{resource}'.encode(), 'sha256')
            self.assertEqual((request.field('x-ms-date'), request.field('Authorization')),
                             (date, 'SharedKeyLite acct:' + base64.b64encode(mac).decode()))

    def test_app_store_connect(self):
        key = signed.new_key('-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256')
        values = {'key_id': '2X9R4HXF34', 'issuer': 'i-1'}
        request = self.send('app-store-connect', values, {'private_key': key}, 'GET', '/v1/apps')
        header, claims = jwt(bearer(request), signed.public(key), 'ES256')
        self.assertEqual(header, {'alg': 'ES256', 'typ': 'JWT', 'kid': '2X9R4HXF34'})
        self.assertEqual(claims, {'iss': 'i-1', 'iat': servers.NOW, 'exp': servers.NOW + 600, 'aud': 'appstoreconnect-v1'})

    def test_snowflake(self):
        values = {'account': 'ORG-ACC', 'user': 'LOADER'}
        request = self.send('snowflake', values, {'private_key': KEY}, 'POST', '/api/v2/statements', b'{}')
        header, claims = jwt(bearer(request), PUBLIC, 'RS256')
        print_ = hashlib.sha256(signed.openssl('pkey', '-pubin', '-outform', 'DER', data=PUBLIC.encode())).digest()
        self.assertEqual(header, {'alg': 'RS256', 'typ': 'JWT'})
        self.assertEqual(claims, {'iss': 'ORG-ACC.LOADER.SHA256:' + base64.b64encode(print_).decode(), 'sub': 'ORG-ACC.LOADER',
                                  'iat': servers.NOW, 'exp': servers.NOW + 600})
        self.assertEqual(request.field('X-Snowflake-Authorization-Token-Type'), 'KEYPAIR_JWT')


if __name__ == '__main__':
    case.main()
