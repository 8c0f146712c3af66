"""A session that nobody uses is kept alive for a while, by requests that are judged like any other."""
import threading
import time

from support import case, recipes
from support.client import FORM, Client, call, encode, get
from support.gateway import command, eventually, folder
from support.upstream import answer, json_answer

LOGIN = 'login: {request: {path: /login}, capture: {token: json.token}}\nexpired: status == 401\n' \
        'attach: {header: {Token: "${session.token}"}}\n'
PING = 'keepalive: {every: %s, for: %s, request: {method: GET, path: /ping, headers: {X-Why: alive}}}\n'


class Idle(case.Case):
    """Tokens by number; `dead` are refused."""

    def setUp(self):
        self.count, self.dead, self.lock = 0, set(), threading.Lock()
        self.pinged = answer(200, b'pong')

    def handle(self, request, wire):
        if request.target == '/login':
            with self.lock:
                self.count += 1
                return json_answer({'token': f't{self.count}'})
        if request.field('Token') in self.dead:
            return answer(401, b'')
        return self.pinged if request.target == '/ping' else answer(200, request.field('Token').encode())

    def gate(self, every='200ms', longest='30s', session=LOGIN, top=''):
        self.up = self.upstream(self.handle)
        return self.gateway(recipes.config(self.up.url, session + PING % (every, longest)) + top, secrets=recipes.SECRETS)

    @property
    def pings(self):
        return [request for request in self.up.requests if request.target == '/ping']

    def metric(self, gate, result):
        line = f'countersign_keepalives_total{{session="api",result="{result}"}} '
        text = get(gate.admin, '/metrics').body.decode()
        return next((int(row.removeprefix(line)) for row in text.splitlines() if row.startswith(line)), 0)

    def test_a_reload_changes_it_and_keeps_the_session(self):
        gate = self.gate(every='1h', longest='3h')
        get(gate.address, '/a')
        with open(gate.config_path, encoding='utf8') as file:
            text = file.read()
        changed = text.replace('every: 1h', 'every: 100ms').replace('path: /ping', 'path: /pong')
        self.assertNotEqual(changed, text)
        gate.reload(changed)
        self.up.wait(lambda up: up.last.target == '/pong')
        self.assertEqual((self.up.last.field('Token'), self.count), ('t1', 1))
        gate.reload(text.replace('every: 1h', 'every: 2h'))
        get(gate.address, '/b')
        self.assertEqual((self.up.last.field('Token'), self.count), ('t1', 1))

    def test_nothing_is_sent_before_a_client_came(self):
        gate = self.gate(every='50ms')
        self.assertEqual(get(gate.admin, '/livez').status, 200)
        get(gate.address, '/a')
        self.up.wait(lambda up: self.pings)
        self.assertEqual([request.target for request in self.up.requests][:2], ['/login', '/a'])

    def test_it_goes_out_with_the_credential_again_and_again(self):
        gate = self.gate()
        get(gate.address, '/a')
        start = time.monotonic()
        self.up.wait(lambda up: len(self.pings) == 3)
        self.assertGreater(time.monotonic() - start, 0.55)
        self.assertEqual({(request.method, request.field('Token'), request.field('X-Why')) for request in self.pings},
                         {('GET', 't1', 'alive')})
        eventually(lambda: self.metric(gate, 'alive') >= 3, 3, 'the count')
        self.assertEqual((self.metric(gate, 'expired'), self.count), (0, 1))

    def test_a_server_that_fails_has_not_kept_it_alive(self):
        self.pinged = answer(503, b'')
        gate = self.gate(every='50ms')
        get(gate.address, '/a')
        eventually(lambda: self.metric(gate, 'failed') >= 2, 3, 'the count')
        self.assertEqual((self.metric(gate, 'alive'), self.count), (0, 1))

    def test_its_answer_is_asked_for_in_a_form_that_can_be_read(self):
        self.up = self.upstream(self.handle)
        gate = self.gateway(recipes.config(self.up.url, LOGIN + 'update: {token: json.token}\n'), secrets=recipes.SECRETS)
        call(gate.address, 'GET', '/a', [('Accept-Encoding', 'br')])
        self.assertEqual(self.up.last.field('Accept-Encoding'), 'identity')

    def test_what_a_client_would_have_said_is_absent_from_it(self):
        """The manual's words for an `attach` that reads `request.original`."""
        own = '${request.?original.?headers[?"x-a"].orValue("d")}'
        gate = self.gate(every='50ms', session=LOGIN.replace('"}}\n', f"\", X-A: '{own}'}}}}\n"))
        call(gate.address, 'GET', '/a', [('X-A', 'mine')])
        self.assertEqual(self.up.last.field('X-A'), 'mine')
        self.up.wait(lambda up: self.pings)
        self.assertEqual(self.pings[0].field('X-A'), 'd')

    def test_what_the_session_attaches_is_there_once(self):
        for request, sent in (
                ('path: "/ping?q=mine&a=1", form: {id: mine, ID: mine, b: "2"}', ('/ping?a=1&q=s', b'b=2&id=s')),
                ('path: "/ping?q=mine", form: {}', ('/ping?q=s', b'id=s'))):
            gate = self.gate(session=LOGIN.replace('attach: {', 'attach: {query: {q: s}, form: {id: s}, ')
                             + 'keepalive: {every: 50ms, for: 30s, request: {method: POST, %s}}\n#' % request)
            call(gate.address, 'POST', '/a', [FORM], b'')
            self.up.wait(lambda up: any(request.target.startswith('/ping') for request in up.requests))
            ping = next(request for request in self.up.requests if request.target.startswith('/ping'))
            self.assertEqual((ping.target, ping.body), sent)

    def test_what_a_signature_attaches_is_there_once(self):
        gate = self.gate(session=LOGIN + 'keepalive: {every: 50ms, for: 30s, request: {method: POST, path: /ping, '
                         'json: {id: 1, b: {t: 1, u: 2}}}, sign: s}\n#',
                         top='signatures: {s: {attach: {json: {id: s0, /b/t: "${request.json.b.u}"}}}}\n')
        get(gate.address, '/a')
        self.up.wait(lambda up: self.pings)
        self.assertEqual(self.pings[0].body, b'{"b":{"u":2,"t":2},"id":"s0"}')

    def test_it_stops_when_no_client_comes(self):
        gate = self.gate(every='100ms', longest='350ms')
        get(gate.address, '/a')
        first = self.pings_until_quiet()
        self.assertIn(first, (1, 2, 3))
        self.assertEqual(get(gate.address, '/b').status, 200)
        self.assertIn(self.pings_until_quiet() - first, (1, 2, 3))
        self.assertEqual(self.count, 1)

    def pings_until_quiet(self):
        """How many there are when six times the time between two has brought none."""
        while True:
            count = len(self.pings)
            try:
                self.up.wait(lambda up, count=count: len(self.pings) > count, timeout=0.6)
            except AssertionError:
                return count

    def test_an_ended_session_is_renewed_before_the_next_client(self):
        gate = self.gate()
        self.assertEqual(get(gate.address, '/a').body, b't1')
        self.dead.add('t1')
        self.up.wait(lambda up: self.count == 2)
        eventually(lambda: get(gate.admin, '/health').json['sessions']['api']['state'] == 'ready', 3, 'the login')
        reply = get(gate.address, '/b')
        self.assertEqual((reply.body, reply.outcome), (b't2', 'forwarded'))
        self.assertEqual(self.metric(gate, 'expired'), 1)

    def test_a_busy_session_needs_none(self):
        gate = self.gate(every='400ms')
        client = self.start(Client(gate.address))
        end = time.monotonic() + 1.2
        while time.monotonic() < end:
            client.send(encode('GET', '/a'))
            self.assertEqual(client.read().status, 200)
        self.assertEqual(self.pings, [])

    def test_its_answer_brings_what_any_answer_brings(self):
        self.pinged = answer(200, b'', [('X-Next', 'rolled')])
        gate = self.gate(session=LOGIN + 'in_flight: 1\nupdate: {token: \'headers["x-next"]\'}\n')
        self.assertEqual(get(gate.address, '/a').body, b't1')
        self.up.wait(lambda up: len(self.pings) == 2)
        self.assertEqual(self.pings[1].field('Token'), 'rolled')
        self.assertEqual(get(gate.address, '/b').body, b'rolled')

    def test_it_is_signed(self):
        mac = 'signatures: {mac: {attach: {header: {X-Mac: "${hex.encode(hmac.sha256(session.token, request.path))}"}}}}\n'
        self.up = self.upstream(self.handle)
        session = LOGIN + PING.replace('request:', 'sign: mac, request:') % ('100ms', '30s')
        gate = self.gateway(recipes.config(self.up.url, session) + mac, secrets=recipes.SECRETS)
        get(gate.address, '/a')
        self.up.wait(lambda up: self.pings)
        self.assertRegex(self.pings[0].field('X-Mac'), '^[0-9a-f]{64}$')

    def test_one_that_fails_says_so_and_is_tried_again(self):
        gate = self.gate(every='100ms')
        get(gate.address, '/a')
        self.up.wait(lambda up: self.pings)
        self.up.close()
        eventually(lambda: self.metric(gate, 'failed') >= 1, 3, 'the failure')
        eventually(lambda: b'keepalive failed' in gate.log.text(), 3, 'the log')

    def hold(self, target):
        """The answer to `target` waits for the event that this returns."""
        release, plain = threading.Event(), self.handle
        self.addCleanup(release.set)

        def handle(request, wire):
            if request.target == target:
                release.wait(10)
            return plain(request, wire)
        self.up.handler = handle
        return release

    def test_a_reload_that_changes_the_session_stops_the_old_one(self):
        gate = self.gate(every='100ms')
        release = self.hold('/held')
        client = self.start(Client(gate.address))
        client.send(encode('GET', '/held'))
        self.up.wait(lambda up: self.pings)
        again = PING.replace('Why: alive', 'Why: again') % ('100ms', '30s')
        login = LOGIN.replace('{path: /login}', '{path: /login, headers: {X-Way: other}}')
        self.assertNotEqual(login, LOGIN)
        gate.reload(recipes.config(self.up.url, login + again))
        before = len(self.up.requests)
        # The old session is refused, and asked once more, by the request that began before.
        self.dead.add('t1')
        release.set()
        self.assertEqual((client.read().body, self.count), (b't2', 2))
        self.assertEqual(get(gate.address, '/b').body, b't3')
        self.up.wait(lambda up: len(self.pings) >= 3 and self.pings[-3].field('X-Why') == 'again')
        late = [request.field('X-Why') for request in self.up.requests[before:] if request.target == '/ping']
        self.assertEqual(set(late), {'again'})

    def test_the_process_ends_while_one_is_out(self):
        logout = 'logout: {request: {method: DELETE, path: /seat, headers: {Token: "${session.token}"}}}\n'
        gate = self.gate(every='100ms', session=LOGIN + logout)
        self.hold('/ping')
        get(gate.address, '/a')
        self.up.wait(lambda up: self.pings)
        start = time.monotonic()
        gate.stop()
        self.assertLess(time.monotonic() - start, 4)
        self.assertEqual([(request.method, request.target) for request in self.up.requests][-1], ('DELETE', '/seat'))
        self.assertEqual(len(self.pings), 1)

    def test_explain_tells_of_it(self):
        text = recipes.config('http://127.0.0.1:9', LOGIN + PING % ('5m', '1h'))
        with folder({**recipes.SECRETS, 'g.yaml': text}) as path:
            code, output, error = command('explain', 'g.yaml', '--login', 'api', cwd=path)
        self.assertEqual(code, 0, error)
        self.assertIn('keepalive  GET /ping after 300 s without a request, until 3600 s after the last one of a client', output)


class Check(case.Case):
    def check(self, session):
        text = recipes.config('http://127.0.0.1:9', session)
        with folder({**recipes.SECRETS, 'g.yaml': text}) as path:
            code, output, error = command('check', 'g.yaml', cwd=path)
        return code, output + error

    def test_a_request_that_cannot_take_what_the_session_attaches_is_an_error(self):
        for place in ('form', 'json'):
            session = LOGIN.replace('header:', place + ':')
            ping = PING % ('5m', '1h')
            code, said = self.check(session + ping)
            self.assertEqual(code, 1, said)
            self.assertIn('keepalive.request.method: session or signature adds', said)
            self.assertIn('a GET or HEAD request carries no body (method: POST)', said)
            self.assertEqual(self.check(session + ping.replace('GET', 'POST'))[0], 0)

    def test_it_is_not_sent_all_the_time(self):
        code, said = self.check(LOGIN + PING % ('1ms', '1h'))
        self.assertEqual(code, 1, said)
        self.assertIn('keepalive.every: must be at least 50ms', said)


if __name__ == '__main__':
    case.main()
