"""Logins are few, bounded, remembered when refused, and backed off when they fail."""
import hashlib
import threading
import time

from support import bearer, case, configs
from support.client import Client, call, encode, get, post
from support.gateway import eventually
from support.swarm import swarm
from support.upstream import answer, json_answer


class Refused(case.Case):
    def setUp(self):
        self.store = self.shop()
        self.gate = self.shop_gateway(self.store, secrets={'secrets/password': 'wrong'})

    def call(self):
        return post(self.gate.address, '/api/User/userInfo', 'echo=1')

    def test_wrong_credentials_are_told_in_the_clients_envelope(self):
        self.assert_refused(self.call(), 401, 'login_refused')

    def test_refused_credentials_stay_refused_whatever_the_load(self):
        self.call()
        request = encode('POST', '/api/User/userInfo', [('Content-Type', 'application/x-www-form-urlencoded')], 'echo=1')
        replies = swarm(self.gate.address, [request] * 100)
        self.assertEqual({reply.status for reply in replies}, {401})
        self.assertEqual(self.store.counters['login_attempts'], 1)
        self.assertEqual(get(self.gate.admin, '/health').json['sessions']['shop']['state'], 'refused')

    def test_an_operator_clears_the_refusal(self):
        self.call()
        self.store.password_hash = hashlib.md5(b'TPSHOPwrong').hexdigest()
        self.assertLess(call(self.gate.admin, 'POST', '/sessions/shop/login').status, 300)
        eventually(lambda: self.store.counters['logins'] == 1, 3, 'the login of the operator')
        self.assertIs(self.call().json['success'], True)

    def test_a_changed_secret_and_a_reload_clear_the_refusal(self):
        self.call()
        self.gate.write('secrets/password', 'demo-password')
        self.gate.reload()
        self.assertIs(self.call().json['success'], True)
        self.assertEqual(self.store.counters['login_attempts'], 2)


class Failing(case.Case):
    def setUp(self):
        self.server = self.start(bearer.TokenServer())

    def start_gateway(self, session=''):
        return self.gateway(bearer.config(self.server.url, session=session), secrets=bearer.SECRETS)

    def test_a_failed_login_is_unavailable_and_backed_off(self):
        self.server.login_replies = [answer(500, b'oops')] * 50
        gateway = self.start_gateway('backoff: {min: 2s, max: 60s}')
        reply = get(gateway.address, '/a')
        self.assert_refused(reply, 503, 'login_unavailable')
        self.assertTrue(reply.field('Retry-After'))
        for _ in range(20):
            self.assertEqual(get(gateway.address, '/a').status, 503)
        self.assertEqual(self.server.attempts, 1)
        self.assertEqual(self.server.calls, [])
        self.assertEqual(get(gateway.admin, '/health').json['sessions']['api']['state'], 'backoff')

    def test_the_backoff_ends_and_the_session_recovers_by_itself(self):
        self.server.login_replies = [answer(500, b'oops')] * 2
        gateway = self.start_gateway('backoff: {min: 200ms, max: 1s}')
        start = time.monotonic()
        eventually(lambda: get(gateway.address, '/a').status == 200, 5, 'recovery')
        self.assertEqual(self.server.attempts, 3)
        self.assertGreater(time.monotonic() - start, 0.4)

    def test_a_login_answer_that_is_no_json_is_a_failure_and_no_token(self):
        self.server.login_replies = [answer(200, b'<html>captive portal</html>', [('Content-Type', 'text/html')])]
        gateway = self.start_gateway('backoff: {min: 100ms, max: 1s}')
        self.assert_refused(get(gateway.address, '/a'), 503, 'login_unavailable')
        eventually(lambda: get(gateway.address, '/a').status == 200, 5, 'recovery')

    def test_the_window_bounds_logins_that_succeed_but_do_not_help(self):
        gateway = self.start_gateway('attempts_window: {logins: 3, per: 30s}')
        self.server.always_expired = True
        for number in range(20):
            get(gateway.address, f'/{number}')
        self.assertLessEqual(self.server.attempts, 4)


class Waiting(case.Case):
    def setUp(self):
        self.server = self.start(bearer.TokenServer())
        self.server.login_gate = threading.Event()
        self.addCleanup(self.server.login_gate.set)

    def start_gateway(self, wait):
        return self.gateway(bearer.config(self.server.url, session=wait), secrets=bearer.SECRETS)

    def parked(self, gateway, target='/p'):
        client = self.start(Client(gateway.address))
        client.send(encode('GET', target))
        return client

    def test_requests_above_the_waiting_room_are_pending_at_once(self):
        gateway = self.start_gateway('wait: {requests: 2, time: 10s}')
        clients = [self.parked(gateway) for _ in range(2)]
        eventually(lambda: b'countersign_parked{session="api"} 2' in get(gateway.admin, '/metrics').body, 3, 'two parked')
        start = time.monotonic()
        reply = get(gateway.address, '/more')
        self.assert_refused(reply, 503, 'session_pending')
        self.assertLess(time.monotonic() - start, 1)
        self.server.login_gate.set()
        self.assertEqual([client.read().status for client in clients], [200, 200])

    def test_a_request_waits_no_longer_than_told(self):
        gateway = self.start_gateway('wait: {requests: 10, time: 300ms}')
        start = time.monotonic()
        self.assert_refused(get(gateway.address, '/p'), 503, 'session_pending')
        self.assertLess(time.monotonic() - start, 2)

    def test_a_client_that_leaves_does_not_cancel_the_login_of_the_others(self):
        gateway = self.start_gateway('wait: {requests: 10, time: 10s}')
        first, second = self.parked(gateway, '/one'), self.parked(gateway, '/two')
        self.server.upstream.wait(lambda up: self.server.attempts == 1)
        eventually(lambda: b'countersign_parked{session="api"} 2' in get(gateway.admin, '/metrics').body, 3, 'two parked')
        first.close()
        eventually(lambda: b'countersign_parked{session="api"} 1' in get(gateway.admin, '/metrics').body, 3, 'one parked')
        self.server.login_gate.set()
        self.assertEqual(second.read().body, b'/two ')
        self.assertEqual(self.server.attempts, 1)
        self.assertNotIn('/one', [target for target, _ in self.server.calls])


class Replay(case.Case):
    def setUp(self):
        self.server = self.start(bearer.TokenServer())

    def start_gateway(self, route='', **options):
        gateway = self.gateway(bearer.config(self.server.url, route=route, **options), secrets=bearer.SECRETS)
        self.assertEqual(get(gateway.address, '/first').status, 200)
        return gateway

    def test_a_body_within_the_limit_is_replayed_byte_for_byte(self):
        gateway = self.start_gateway('limits: {body: 10MiB, replay: 64KiB}')
        self.server.expire()
        body = bytes(range(256)) * 256
        reply = call(gateway.address, 'POST', '/up', body=body)
        self.assertEqual((reply.status, reply.outcome), (200, 'relogin'))
        self.assertEqual(reply.body, b'/up ' + body)

    def test_a_body_beyond_the_limit_gets_the_original_answer_and_the_reason(self):
        gateway = self.start_gateway('limits: {body: 10MiB, replay: 1KiB}')
        self.server.expire()
        reply = call(gateway.address, 'POST', '/up', body=b'x' * 200000)
        self.assertEqual((reply.status, reply.json), (401, {'error': 'expired'}))
        self.assertEqual(reply.outcome, 'forwarded')
        self.assertEqual(reply.field('Countersign-Replay'), 'body_too_large')
        self.assertEqual(len([1 for target, _ in self.server.calls if target == '/up']), 1)
        self.assertEqual(get(gateway.address, '/next').status, 200)

    def test_a_chunked_body_is_replayed_too(self):
        gateway = self.start_gateway()
        self.server.expire()
        reply = call(gateway.address, 'PUT', '/up', [('Transfer-Encoding', 'chunked')], b'3\r\nabc\r\n0\r\n\r\n')
        self.assertEqual((reply.status, reply.body), (200, b'/up abc'))


class Flows(case.Case):
    def test_a_login_of_two_steps_uses_what_the_first_captured(self):
        def handler(request, wire):
            if request.target == '/salt':
                return json_answer({'salt': 'NaCl'})
            if request.target == '/login':
                return json_answer({'token': 'good'}) if request.body == b'proof=NaCl-till-7' else answer(403)
            return answer(200 if request.field('X-Token') == 'good' else 401, b'in')
        upstream = self.upstream(handler)
        gateway = self.gateway(configs.plain(upstream.url, route='session: api', session='''secrets: {name: {file: n}}
sessions:
  api:
    upstream: up
    login:
      - request: {method: GET, path: /salt}
        capture: {salt: json.salt}
      - request: {method: POST, path: /login, form: {proof: "${session.salt}-${secret.name}"}}
        refused: status == 403
        capture: {token: json.token}
    attach: {header: {X-Token: "${session.token}"}}
'''), secrets={'n': 'till-7'})
        self.assertEqual(get(gateway.address, '/x').body, b'in')
        self.assertEqual([request.target for request in upstream.requests], ['/salt', '/login', '/x'])

    def test_a_known_expiry_is_met_ahead_and_no_client_sees_it(self):
        server = self.start(bearer.TokenServer())
        server.extra = {'expires_in': 2}
        born = {}
        gateway = self.gateway(bearer.config(
            server.url, capture='token: json.token, expires_in: json.expires_in',
            top='limits: {requests_per_connection: 10000000}',
            session='attempts_window: {logins: 50, per: 1s}'), secrets=bearer.SECRETS)
        end = time.monotonic() + 5
        with Client(gateway.address) as client:
            while time.monotonic() < end:
                reply = client.request('GET', '/x')
                now = time.monotonic()
                # This server forgets the old token when it issues the next: a request between the two is replayed.
                self.assertEqual(reply.status, 200)
                self.assertIn(reply.outcome, ('forwarded', 'relogin'))
                token = server.calls[-1][1]
                self.assertLess(now - born.setdefault(token, now), 2.2, 'an expired token was used')
        self.assertGreaterEqual(server.issued, 3)
        self.assertLessEqual(server.issued, 8)


if __name__ == '__main__':
    case.main()
