"""Tokens that come with ordinary answers: one per call, renewed on use, in a header or in the body."""
import os
import signal
import threading
import time

from support import case, recipes
from support.client import Client, encode, get
from support.gateway import eventually, folder
from support.swarm import swarm
from support.upstream import answer, json_answer

LOGIN = 'login: {request: {path: /login}, capture: {turn: \'headers["x-next"]\'}}\n'
ATTACH = 'attach: {header: {X-Turn: "${session.turn}"}}\n'
HEADER = LOGIN + 'update: {turn: \'headers["x-next"]\'}\nexpired: status == 498\n' + ATTACH


class Teller:
    """Each answer brings the token of the next call; each token is good once."""

    def __init__(self, in_body=False):
        self.count, self.good, self.in_body = 0, None, in_body
        self.lock = threading.Lock()
        self.out = self.most = 0
        self.gates = {}                  # target -> Event that its answer waits for
        self.site = recipes.Site({'/login': self.login}, self.call)
        self.site._handle = self.handle
        self.site.upstream.handler = self.handle
        self.url = self.site.url
        self.logins, self.calls = 0, []

    def close(self):
        self.site.close()

    def next(self):
        self.count += 1
        self.good = f'turn-{self.count:06}'
        return self.good

    def handle(self, request, wire):
        if request.target == '/login':
            return self.login(request)
        return self.call(request)

    def login(self, request):
        with self.lock:
            self.logins += 1
            return answer(200, b'', [('X-Next', self.next())])

    def call(self, request):
        with self.lock:
            self.out += 1
            self.most = max(self.most, self.out)
            good = request.field('X-Turn') == self.good
            self.calls.append((request.target, request.field('X-Turn')))
            token = self.next() if good else None
        gate = self.gates.pop(request.target, None)
        if gate:
            gate.wait(10)
        with self.lock:
            self.out -= 1
        if not good:
            return answer(498, b'lost')
        if self.in_body:
            return json_answer({'next': token})
        return answer(200, request.target.encode(), [('X-Next', token), ('X-Other', 'kept')])


class Rolling(case.Case):
    def gate(self, session, in_body=False, **options):
        self.teller = self.start(Teller(in_body))
        return self.gateway(recipes.config(self.teller.url, session, **options), secrets=recipes.SECRETS)

    def test_each_call_goes_out_with_the_token_of_the_last_answer(self):
        gate = self.gate(HEADER)
        for number in range(20):
            reply = get(gate.address, f'/{number}')
            self.assertEqual((reply.status, reply.outcome), (200, 'forwarded'))
        self.assertEqual(self.teller.logins, 1)
        self.assertEqual(len({token for _, token in self.teller.calls}), 20)
        self.assertEqual(get(gate.admin, '/health').json['sessions']['api']['generation'], 21)

    def test_the_client_and_the_log_do_not_get_the_token(self):
        gate = self.gate(HEADER, patience=recipes.PATIENT)
        for _ in range(100):
            reply = get(gate.address, '/a')
            self.assertIsNone(reply.field('X-Next'))
            self.assertEqual(reply.field('X-Other'), 'kept')
        get(gate.address, f'/see/{self.teller.good}')
        eventually(lambda: b'/see/' in gate.access.text(), 3, 'the access log')
        self.assertNotIn(self.teller.calls[-1][1].encode(), gate.access.text() + gate.log.text())

    def test_a_token_in_the_body(self):
        gate = self.gate(LOGIN + 'update: {turn: json.next}\nexpired: status == 498\n' + ATTACH, in_body=True)
        for number in range(5):
            self.assertEqual(get(gate.address, f'/{number}').status, 200)
        self.assertEqual(self.teller.logins, 1)

    def test_one_at_a_time(self):
        gate = self.gate(HEADER + 'in_flight: 1\nwait: {requests: 200, time: 20s}')
        replies = swarm(gate.address, [encode('GET', f'/{number}') for number in range(100)])
        self.assertEqual({reply.status for reply in replies}, {200})
        self.assertEqual(sorted(reply.body for reply in replies), sorted(f'/{number}'.encode() for number in range(100)))
        self.assertEqual((self.teller.logins, self.teller.most), (1, 1))

    def test_those_who_wait_are_bounded_in_number_and_time(self):
        gate = self.gate(HEADER + 'in_flight: 1\nwait: {requests: 1, time: 300ms}')
        held = self.teller.gates['/held'] = threading.Event()
        self.addCleanup(held.set)
        first, second = self.start(Client(gate.address)), self.start(Client(gate.address))
        first.send(encode('GET', '/held'))
        self.teller.site.upstream.wait(lambda up: len(up.requests) == 2)
        second.send(encode('GET', '/second'))
        eventually(lambda: get(gate.admin, '/health').json['sessions']['api']['waiting'] == 1, 3, 'the second')
        self.assert_refused(get(gate.address, '/third'), 503, 'session_pending')
        self.assert_refused(second.read(), 503, 'session_pending')
        held.set()
        self.assertEqual(first.read().status, 200)
        self.assertEqual(get(gate.address, '/fourth').status, 200)
        self.assertEqual(self.teller.logins, 1)

    def test_a_client_that_leaves_gives_its_turn_to_the_next(self):
        gate = self.gate(HEADER + 'in_flight: 1')
        held = self.teller.gates['/held'] = threading.Event()
        self.addCleanup(held.set)
        first, second, third = [self.start(Client(gate.address)) for _ in range(3)]
        first.send(encode('GET', '/held'))
        self.teller.site.upstream.wait(lambda up: len(up.requests) == 2)
        for number, client in enumerate((second, third)):
            client.send(encode('GET', f'/{number}'))
            eventually(lambda: get(gate.admin, '/health').json['sessions']['api']['waiting'] == number + 1, 3, 'the wait')
        second.close()
        first.close()
        # The token of the cut answer is lost: one login, and the third goes on.
        self.assertEqual(third.read().status, 200)
        self.assertEqual(self.teller.logins, 2)
        self.assertNotIn('/0', [target for target, _ in self.teller.calls])

    def test_a_stored_session_goes_on_with_the_last_token(self):
        with folder({}) as place:
            store = f'store: {{file: "{place}/api.session", key: "${{secret.key}}"}}'
            self.teller = self.start(Teller())
            text = recipes.config(self.teller.url, HEADER + store).replace(
                'secrets:\n', 'secrets:\n  key: {file: secrets/key}\n', 1)
            secrets = {**recipes.SECRETS, 'secrets/key': 'b7s0mX3vQ2e9Jk1Lw8Rz4Tn6Yc5Ud0Pa'}
            for number in range(3):
                gate = self.gateway(text, secrets=secrets)
                self.assertEqual(get(gate.address, f'/{number}').status, 200)
                self.assertEqual(get(gate.address, f'/{number}').status, 200)
                gate.stop()
            self.assertEqual(self.teller.logins, 1)

    def test_a_crash_loses_no_token_that_is_a_moment_old(self):
        with folder({}) as place:
            file = os.path.join(place, 'api.session')
            self.teller = self.start(Teller())
            text = recipes.config(self.teller.url, HEADER + f'store: {{file: "{file}", key: "${{secret.key}}"}}').replace(
                'secrets:\n', 'secrets:\n  key: {file: secrets/key}\n', 1)
            secrets = {**recipes.SECRETS, 'secrets/key': 'b7s0mX3vQ2e9Jk1Lw8Rz4Tn6Yc5Ud0Pa'}
            for number in range(3):
                gate = self.gateway(text, secrets=secrets)
                before = os.stat(file).st_ino if number else None
                for call in range(30):
                    self.assertEqual(get(gate.address, f'/{call}').status, 200)
                eventually(lambda: os.stat(file).st_ino != before and self.settled(file), 3, 'the new file')
                gate.signal(signal.SIGKILL)
                gate.wait_exit()
            self.assertEqual(self.teller.logins, 1)

    def settled(self, file):
        """No further write for longer than the gateway waits."""
        return time.time() - os.stat(file).st_mtime > 0.6

    def test_a_lost_token_costs_one_login(self):
        gate = self.gate(HEADER)
        get(gate.address, '/a')
        self.teller.next()
        reply = get(gate.address, '/b')
        self.assertEqual((reply.status, reply.outcome), (200, 'relogin'))
        self.assertEqual(self.teller.logins, 2)


class Sliding(case.Case):
    """A server that takes every token it ever gave, and renews it on some answers."""

    def setUp(self):
        self.gates, self.news = {}, {}

        def call_(request):
            gate = self.gates.get(request.target)
            fields = [('X-New-Token', self.news[request.target])] if request.target in self.news else []
            if gate:
                gate.wait(10)
            status = 401 if request.target == '/dead' and request.field('Token') == 'login-token-1' else 200
            return answer(status, b'ok', fields)
        self.seen, self.logins = [], 0

        def handle(request, wire):
            if request.target == '/login':
                self.logins += 1
                return json_answer({'token': f'login-token-{self.logins}', 'ttl': 1000})
            self.seen.append((request.target, request.field('Token')))
            return call_(request)
        self.up = self.upstream(handle)

    def gate(self, update='update: {token: \'headers["x-new-token"]\'}', session=''):
        return self.gateway(recipes.config(self.up.url, '''login:
  request: {path: /login}
  capture: {token: json.token, expires_in: json.ttl}
%s
attach: {header: {Token: "${session.token}"}}
%s''' % (update, session)), secrets=recipes.SECRETS)

    def token(self, gate):
        get(gate.address, '/look')
        return self.seen[-1][1]

    def test_answers_without_one_change_nothing(self):
        gate = self.gate()
        self.assertEqual([self.token(gate) for _ in range(3)], ['login-token-1'] * 3)
        self.news['/a'] = 'newer-token'
        get(gate.address, '/a')
        self.assertEqual(self.token(gate), 'newer-token')
        self.assertEqual(get(gate.admin, '/health').json['sessions']['api']['generation'], 2)

    def test_a_late_answer_to_an_older_request_does_not_bring_an_old_token_back(self):
        gate = self.gate()
        self.token(gate)
        self.news = {'/slow': 'older-token', '/fast': 'newer-token'}
        self.gates['/slow'] = threading.Event()
        slow = self.start(Client(gate.address))
        slow.send(encode('GET', '/slow'))
        self.up.wait(lambda up: any(request.target == '/slow' for request in up.requests))
        get(gate.address, '/fast')
        self.gates['/slow'].set()
        self.assertEqual(slow.read().status, 200)
        self.assertEqual(self.token(gate), 'newer-token')

    def test_an_answer_from_before_a_login_says_nothing_about_what_it_brought(self):
        gate = self.gate()
        self.token(gate)
        self.news = {'/slow': 'older-token'}
        self.gates['/slow'] = threading.Event()
        slow = self.start(Client(gate.address))
        slow.send(encode('GET', '/slow'))
        self.up.wait(lambda up: any(request.target == '/slow' for request in up.requests))
        self.assertEqual(get(gate.address, '/dead').outcome, 'relogin')
        self.gates['/slow'].set()
        self.assertEqual(slow.read().status, 200)
        self.assertEqual(self.token(gate), 'login-token-2')

    def test_the_end_comes_with_the_token(self):
        gate = self.gate('update: {token: \'headers["x-new-token"]\', expires_in: "5000"}')
        self.token(gate)

        def left():
            return get(gate.admin, '/health').json['sessions']['api']['expiresIn']
        self.assertLessEqual(left(), 1000)
        self.news['/a'] = 'newer-token'
        get(gate.address, '/a')
        self.assertGreater(left(), 4000)

    def test_an_end_alone_is_moved_by_use(self):
        gate = self.gate('update: {expires_in: "5000"}')
        self.token(gate)
        health = get(gate.admin, '/health').json['sessions']['api']
        self.assertGreater(health['expiresIn'], 4000)
        self.assertEqual(health['generation'], 1)

    def test_a_body_streams_where_only_fields_are_looked_at(self):
        gate = self.gate()
        self.news['/a'] = 'newer-token'
        begun, go = threading.Event(), threading.Event()
        self.addCleanup(go.set)

        def stream(request, wire):
            if request.target == '/login':
                return json_answer({'token': 'login-token', 'ttl': 1000})
            wire.send(b'HTTP/1.1 200 X\r\nX-New-Token: newer-token\r\nContent-Length: 10\r\n\r\n12345')
            begun.set()
            go.wait(10)
            wire.send(b'67890')
        self.up.handler = stream
        client = self.start(Client(gate.address))
        client.send(encode('GET', '/a'))
        self.assertTrue(begun.wait(5))
        eventually(lambda: get(gate.admin, '/health').json['sessions']['api']['generation'] == 2, 3, 'the update')
        self.assertEqual(client.head()[0], 200)
        go.set()


class WithoutLogin(case.Case):
    def test_a_form_token_without_a_login(self):
        seen = []

        def handle(request, wire):
            seen.append(request.field('X-CSRF'))
            return answer(200, b'ok', [('X-CSRF-Token', 'form-token-1')])
        up = self.upstream(handle)
        gate = self.gateway(recipes.config(up.url, '''update: {csrf: 'headers["x-csrf-token"]'}
attach: {header: {X-CSRF: "${session.csrf}"}}''', patience=''), secrets=recipes.SECRETS)
        for _ in range(2):
            self.assertEqual(get(gate.address, '/a').status, 200)
        self.assertEqual(seen[1], 'form-token-1')
        self.assertIn(seen[0], (None, ''))
