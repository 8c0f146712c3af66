"""Proofs: DPoP and HTTP Digest; each against a server that checks them."""
import hashlib
import json
import re
import threading
import urllib.parse

from support import case, configs, corpus, signed
from support.client import Client, call, get, post
from support.gateway import command
from support.signed import b64url, jwk, unpad
from support.upstream import answer, json_answer

CORPUS = corpus.load('built-in.json')
EC = ('-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256')


class DPoPServer:
    """Token endpoint and API that check proofs; each wants a nonce of its own when told so."""

    def __init__(self, public_pem, wants_nonce):
        self.public, self.wants_nonce = public_pem, wants_nonce
        self.algorithm = 'ES256' if len(public_pem) > 150 else 'EdDSA'
        self.faults, self.seen, self.tokens = [], set(), 0
        self.nonces = {'/token': 'as-1', '/api': 'rs-1'}

    def __call__(self, request, wire):
        path = request.target.split('?')[0]
        kind = '/token' if path == '/token' else '/api'
        fields = [('DPoP-Nonce', self.nonces[kind])] if self.wants_nonce else []
        proof, fault = self.check(request, path, kind)
        if self.wants_nonce and proof and proof.get('nonce') != self.nonces[kind]:
            if kind == '/token':
                return json_answer({'error': 'use_dpop_nonce'}, 400, fields)
            return answer(401, b'', [('WWW-Authenticate', 'DPoP error="use_dpop_nonce", error_description="x"'), *fields])
        if fault:
            self.faults.append(fault)
            return json_answer({'error': 'invalid_dpop_proof'}, 400, fields)
        if kind == '/token':
            self.tokens += 1
            return json_answer({'access_token': f'token-{self.tokens}', 'token_type': 'DPoP', 'expires_in': 3600}, 200, fields)
        return json_answer({'ok': True}, 200, fields)

    def check(self, request, path, kind):
        proof = request.field('DPoP')
        if not proof:
            return None, 'no proof'
        head, body, signature = proof.split('.')
        header, claims = json.loads(b64url(head)), json.loads(b64url(body))
        if header != {'typ': 'dpop+jwt', 'alg': self.algorithm, 'jwk': jwk(self.public)}:
            return claims, f'header {header}'
        if not signed.verifies(self.public, self.algorithm, f'{head}.{body}'.encode(), b64url(signature)):
            return claims, 'signature'
        if claims['htm'] != request.method or not claims['htu'].endswith(path) or '?' in claims['htu']:
            return claims, f'htm, htu {claims}'
        if claims['htu'] != f'http://{request.field("Host")}{path}' or claims['jti'] in self.seen:
            return claims, f'htu or jti {claims}'
        self.seen.add(claims['jti'])
        scheme, _, token = (request.field('Authorization') or ' ').partition(' ')
        if kind == '/api' and (scheme != 'DPoP' or claims.get('ath') != unpad(hashlib.sha256(token.encode()).digest())):
            return claims, f'ath {claims}'
        if kind == '/token' and 'ath' in claims:
            return claims, 'ath without a token'
        return claims, None


class DPoP(case.Case):
    CONFIG = configs.LISTEN + """secrets: {key: {file: secrets/key}}
upstreams: {up: {url: "%s"}}
sessions:
  api:
    upstream: up
    login:
      - request: {method: POST, path: /token, form: {grant_type: client_credentials}}
        capture: {access_token: json.access_token}
    attach: {header: {Authorization: "DPoP ${session.access_token}"}}
    dpop: {key: "${secret.key}", algorithm: %s}
routes:
  - {path: /**, upstream: up, session: api}
"""

    def start_all(self, wants_nonce, options=EC, algorithm='ES256'):
        key = signed.new_key(*options)
        server = DPoPServer(signed.public(key), wants_nonce)
        upstream = self.upstream(server)
        return server, upstream, self.gateway(self.CONFIG % (upstream.url, algorithm), secrets={'secrets/key': key})

    def test_each_request_and_the_login_carry_a_proof(self):
        for options, algorithm in ((EC, 'ES256'), (('-algorithm', 'ed25519'), 'EdDSA')):
            server, upstream, gateway = self.start_all(False, options, algorithm)
            for target in ('/api/a', '/api/b?q=1'):
                reply = call(gateway.address, 'POST', target, [('DPoP', 'forged')], b'x')
                self.assertEqual((reply.status, server.faults), (200, []))
            self.assertEqual(server.tokens, 1)

    def test_a_nonce_is_learnt_and_the_request_sent_again_once(self):
        server, upstream, gateway = self.start_all(True)
        self.assertEqual((post(gateway.address, '/api/a', 'x=1').status, server.faults), (200, []))
        self.assertEqual([request.target for request in upstream.requests], ['/token', '/token', '/api/a', '/api/a'])
        self.assertEqual(upstream.last.body, b'x=1')
        get(gateway.address, '/api/b')
        self.assertEqual(len(upstream.requests), 5, 'a known nonce is used at once')
        server.nonces['/api'] = 'rs-2'
        self.assertEqual((get(gateway.address, '/api/c').status, server.faults), (200, []))

    def test_a_trial_login_answers_the_nonce_too(self):
        server, upstream, gateway = self.start_all(True)
        status, output, error = command('login', gateway.config_path, 'api')
        self.assertEqual((status, server.faults), (0, []), output + error)
        self.assertEqual([request.target for request in upstream.requests], ['/token', '/token'])
        self.assertIn('step 1: POST /token: status 400\nstep 2: POST /token: status 200\nlogged in\n', output)

    def test_a_server_that_never_takes_a_nonce_is_no_loop(self):
        def handler(request, wire):
            if request.target == '/token':
                return json_answer({'access_token': f't{len(upstream.requests)}'})
            return answer(401, b'', [('WWW-Authenticate', 'DPoP error="use_dpop_nonce"'), ('DPoP-Nonce', 'n')])
        key = signed.new_key(*EC)
        upstream = self.upstream(handler)
        gateway = self.gateway(self.CONFIG % (upstream.url, 'ES256'), secrets={'secrets/key': key})
        self.assertEqual(get(gateway.address, '/api/a').status, 401)
        # Three times with the first token (two answers to the challenge), then once with each of two newer ones.
        self.assertEqual(len(upstream.requests), 8)

    def test_explain_shows_the_claims(self):
        server, upstream, gateway = self.start_all(False)
        status, output, error = command('explain', gateway.config_path, 'GET', '/api/a?x=1', '--json', '--now', '5',
                                        '--nonce', 'n1', '--session', 'access_token=abc')
        self.assertEqual(status, 0, error)
        claims = next(part['message'] for item in json.loads(output)['computed'] for part in item['inputs']
                      if part['function'] == 'DPoP claims')
        self.assertEqual(json.loads(claims)['iat'], 5)
        self.assertEqual(json.loads(claims)['ath'], unpad(hashlib.sha256(b'abc').digest()))


HASHES = {'MD5': hashlib.md5, 'SHA-256': hashlib.sha256, 'SHA-512-256': lambda data: hashlib.new('sha512_256', data)}


class DigestServer:
    """Checks HTTP Digest strictly: nonce, counter, response."""

    def __init__(self, *, user='Mufasa', password='Circle of Life', algorithm='MD5', qop='auth', userhash=False,
                 lifetime=10**9, stale=True, nextnonce=False, rspauth=None, realm='http-auth@example.org'):
        self.user, self.password, self.realm, self.algorithm = user, password, realm, algorithm
        self.qop, self.userhash, self.lifetime, self.stale, self.nextnonce = qop, userhash, lifetime, stale, nextnonce
        self.rspauth = rspauth
        self.counts, self.number, self.failures, self.faults, self.log = {}, 0, 0, [], []
        self.uses, self.begun = {}, {}
        self.lock = threading.Lock()

    def hash(self, *parts):
        name = (self.algorithm or 'MD5').removesuffix('-sess')
        return HASHES[name](b':'.join(part.encode() if isinstance(part, str) else part for part in parts)).hexdigest()

    def challenge(self, stale=False):
        nonce = self.fresh()
        value = f'Digest realm="{self.realm}", nonce="{nonce}", opaque="op\\"aque"'
        if self.qop:
            value += f', qop="{self.qop}"'
        if self.algorithm:
            value += f', algorithm={self.algorithm}'
        value += ', userhash=true' if self.userhash else ''
        value += ', stale=TRUE' if stale and self.stale else ''
        return answer(401, b'', [('WWW-Authenticate', 'Negotiate'), ('WWW-Authenticate', f'Basic realm="x, y", {value}')])

    def fresh(self):
        self.number += 1
        nonce = f'nonce/{self.number}=='
        self.counts[nonce], self.uses[nonce] = set(), 0
        return nonce

    def __call__(self, request, wire):
        with self.lock:
            return self.judge(request)

    def judge(self, request):
        value = request.field('Authorization')
        if not value:
            return self.challenge()
        self.log.append(value)
        given = {name.lower(): (quoted.replace('\\"', '"') if quoted else plain)
                 for name, quoted, plain in re.findall(r'([\w*]+)=(?:"((?:[^"\\]|\\.)*)"|([^,\s]+))', value)}
        nonce = given['nonce']
        if given.get('opaque') != 'op"aque' or given['uri'] != request.target or nonce not in self.counts:
            self.faults.append(value)
            return answer(400)
        self.uses[nonce] += 1
        if self.uses[nonce] > self.lifetime:
            return self.challenge(stale=True)
        wanted_user = self.hash(self.user, self.realm) if self.userhash else self.user
        if 'username*' in given:
            given['username'] = urllib.parse.unquote(given['username*'].removeprefix("UTF-8''"))
        first = self.hash(self.user, self.realm, self.password)
        if (self.algorithm or '').endswith('-sess'):
            first = self.hash(first, self.begun.setdefault(nonce, nonce), given['cnonce'])
        second = [request.method, request.target]
        if given.get('qop') == 'auth-int':
            second.append(self.hash(request.body))
        if self.qop:
            if given['nc'] in self.counts[nonce] or int(given['nc'], 16) != len(self.counts[nonce]) + 1:
                self.faults.append('nc ' + value)
            self.counts[nonce].add(given['nc'])
            expected = self.hash(first, nonce, given['nc'], given['cnonce'], given['qop'], self.hash(*second))
        else:
            expected = self.hash(first, nonce, self.hash(*second))
        if given['response'] != expected or given['username'] != wanted_user:
            self.failures += 1
            return self.challenge()
        fields = []
        if self.nextnonce:
            fields.append(('Authentication-Info', f'qop=auth, nextnonce="{self.fresh()}"'))
        if self.rspauth:
            proof = self.hash(first, nonce, given['nc'], given['cnonce'], 'auth', self.hash('', request.target))
            proof = proof if self.rspauth == 'right' else proof[::-1]
            fields.append(('Authentication-Info', f'qop=auth, rspauth="{proof}", cnonce="{given["cnonce"]}", nc={given["nc"]}'))
        return answer(200, b'ok', fields)


class Digest(case.Case):
    CONFIG = configs.LISTEN + """secrets: {user: {file: secrets/user}, password: {file: secrets/password}}
upstreams: {up: {url: "%s"}}
sessions:
  web: {upstream: up, digest_auth: {username: "${secret.user}", password: "${secret.password}"}}
routes:
  - {path: /**, upstream: up, session: web}
"""

    def make(self, server, user=None, password=None, args=()):
        upstream = self.upstream(server)
        secrets = {'secrets/user': user or server.user, 'secrets/password': password or server.password}
        return upstream, self.gateway(self.CONFIG % upstream.url, secrets=secrets, args=args)

    def test_the_published_examples(self):
        for vector in CORPUS['digest']:
            server = DigestServer(
                user=vector['username'], password=vector['password'], algorithm=vector['algorithm'], realm=vector['realm'],
                userhash='userhash' in vector)
            server.fresh = lambda nonce=vector['nonce'], server=server: (
                server.counts.setdefault(nonce, set()), server.uses.setdefault(nonce, 0), nonce)[-1]
            upstream, gateway = self.make(server, args=['--pin-nonce', vector['cnonce']])
            self.assertEqual(get(gateway.address, vector['uri']).status, 200, vector['name'])
            value = upstream.last.field('Authorization')
            self.assertIn(f'response="{vector["expected"]}"', value, vector['name'])
            if 'userhash' in vector:
                self.assertIn(f'username="{vector["userhash"]}"', value)

    def test_every_algorithm_and_protection(self):
        for algorithm in ('MD5', 'SHA-256', 'SHA-512-256', 'MD5-sess', 'SHA-256-sess', None):
            for qop in ('auth', 'auth-int', 'auth-int, auth', None):
                server = DigestServer(algorithm=algorithm, qop=qop, user='J\u00e4s\u00f8n "Doe"')
                if qop is None and algorithm and algorithm.endswith('-sess'):
                    continue
                upstream, gateway = self.make(server)
                for number in range(3):
                    reply = post(gateway.address, f'/x/{number}?q=%2F', 'a=' + 'b' * number)
                    self.assertEqual((reply.status, server.faults), (200, []), (algorithm, qop, server.log))
                self.assertEqual(len(upstream.requests), 4, 'one challenge is enough')

    def test_a_stale_nonce_costs_one_more_request(self):
        server = DigestServer(lifetime=2)
        upstream, gateway = self.make(server)
        for number in range(7):
            self.assertEqual(post(gateway.address, f'/{number}', 'a=1').status, 200)
        self.assertEqual((server.failures, server.faults), (0, []))
        self.assertEqual(len(upstream.requests), 1 + 7 + 3)

    def test_a_server_that_forgets_stale(self):
        server = DigestServer(lifetime=2, stale=False)
        upstream, gateway = self.make(server)
        for number in range(7):
            self.assertEqual(get(gateway.address, f'/{number}').status, 200)

    def test_the_next_nonce_is_used(self):
        server = DigestServer(nextnonce=True, lifetime=1)
        upstream, gateway = self.make(server)
        for number in range(4):
            self.assertEqual(get(gateway.address, f'/{number}').status, 200)
        self.assertEqual(len(upstream.requests), 5)

    def test_a_server_that_does_not_know_the_password_is_told_of(self):
        for rspauth, algorithm, count in (('right', 'MD5', 0), ('right', 'SHA-256-sess', 0), ('wrong', 'MD5', 3)):
            server = DigestServer(rspauth=rspauth, algorithm=algorithm)
            upstream, gateway = self.make(server)
            for number in range(3):
                reply = get(gateway.address, f'/{number}')
                self.assertEqual((reply.status, reply.body), (200, b'ok'), 'the answer is passed either way')
            page = get(gateway.admin, '/metrics').body.decode()
            line = f'countersign_digest_unproven_total{{session="web"}} {count}'
            self.assertEqual(line in page, count > 0, page)
            if count:
                gateway.log.wait(lambda record: 'did not prove' in record.get('message', ''))
            else:
                self.assertNotIn(b'did not prove', gateway.log.text())

    def test_a_wrong_password_is_tried_once(self):
        server = DigestServer()
        upstream, gateway = self.make(server, password='wrong')
        for _ in range(4):
            reply = get(gateway.address, '/x')
            self.assertEqual(reply.kind, 'login_refused', reply)
        self.assertEqual((server.failures, len(upstream.requests)), (1, 2))
        health = json.loads(get(gateway.admin, '/health').body)
        self.assertEqual(health['sessions']['web']['state'], 'refused')
        call(gateway.admin, 'POST', '/sessions/web/login')
        get(gateway.address, '/x')
        self.assertEqual(server.failures, 2, 'an operator may ask for another try')

    def test_a_wrong_password_is_tried_once_by_many_at_once(self):
        server = DigestServer()
        upstream, gateway = self.make(server, password='wrong')
        kinds = self.at_once(gateway, 12, 1, lambda reply: reply.kind)
        self.assertEqual(kinds, {'login_refused'})
        self.assertEqual(server.failures, 1)

    def at_once(self, gateway, clients, steps, look):
        results = []

        def run(number):
            results.extend(look(get(gateway.address, f'/{number}/{step}')) for step in range(steps))
        threads = [threading.Thread(target=run, args=(number,)) for number in range(clients)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(results), clients * steps)
        return set(results)

    def test_the_first_answer_decides_when_its_client_leaves(self):
        server = DigestServer()
        began = threading.Event()
        go = threading.Event()

        def handler(request, wire):
            if request.field('Authorization') and not began.is_set():
                began.set()
                go.wait(5)
            return server(request, wire)
        upstream = self.upstream(handler)
        gateway = self.gateway(self.CONFIG % upstream.url,
                               secrets={'secrets/user': server.user, 'secrets/password': server.password})
        with Client(gateway.address) as client:
            client.send(b'GET /first HTTP/1.1\r\nHost: gw.test\r\n\r\n')
            self.assertTrue(began.wait(5))
            results = []
            thread = threading.Thread(target=lambda: results.append(get(gateway.address, '/second').status))
            thread.start()
        thread.join(5)
        go.set()
        self.assertEqual(results, [200])

    def test_many_at_once(self):
        server = DigestServer(lifetime=20)
        upstream, gateway = self.make(server)
        self.assertEqual(self.at_once(gateway, 8, 5, lambda reply: reply.status), {200})
        self.assertEqual(server.failures, 0)

    def test_the_clients_own_credentials_never_pass(self):
        server = DigestServer()
        upstream, gateway = self.make(server)
        get(gateway.address, '/x', [('Authorization', 'Basic Zm9vOmJhcg==')])
        self.assertEqual([request.field('Authorization') is None for request in upstream.requests], [True, False])
        self.assertTrue(upstream.last.field('Authorization').startswith('Digest '))
