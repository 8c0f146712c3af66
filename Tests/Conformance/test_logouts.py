"""A logout ends the session that it belongs to, and never the one that took its place."""
import threading
import time

from support import bearer, case, recipes
from support.client import Client, call, encode, get
from support.gateway import eventually
from support.upstream import Upstream, answer, json_answer


class OneToken:
    """One token for a user, for ever the same; a logout ends whatever session the user has."""

    def __init__(self):
        self.log, self.inside = [], False
        self.gates = {}
        self.upstream = Upstream(self._handle)
        self.url = self.upstream.url

    def close(self):
        self.upstream.close()

    def _handle(self, request, wire):
        path = request.target.split('?')[0]
        if path in self.gates:
            self.gates[path].wait(20)
        if path in ('/login', '/logout'):
            self.log.append(path)
            self.inside = path == '/login'
            return json_answer({'token': 'the-token-of-ann'})
        return answer(200, b'in') if self.inside else answer(401)


class Logouts(case.Case):
    def setUp(self):
        self.server = self.start(OneToken())
        self.gate = self.gateway(self.plan('a'), secrets=bearer.SECRETS)
        self.assertEqual(get(self.gate.address, '/x').status, 200)

    def plan(self, way):
        return bearer.config(
            self.server.url, session='logout: {request: {path: /logout}}').replace('path: /login,', f'path: "/login?{way}",')

    def test_the_old_session_is_gone_before_the_new_one_comes(self):
        hold = self.server.gates['/logout'] = threading.Event()
        self.addCleanup(hold.set)
        self.gate.reload(self.plan('b'))
        client = self.start(Client(self.gate.address))
        client.send(encode('GET', '/x'))
        eventually(lambda: get(self.gate.admin, '/health').json['sessions']['api']['waiting'] == 1, 3, 'the new login')
        self.server.upstream.wait(lambda up: up.last.target == '/logout')
        hold.set()
        self.assertEqual(client.read().status, 200)
        self.assertEqual(self.server.log, ['/login', '/logout', '/login'])

    def test_a_new_login_waits_for_the_requests_of_the_old_session(self):
        hold = self.server.gates['/slow'] = threading.Event()
        self.addCleanup(hold.set)
        slow, new = self.start(Client(self.gate.address)), self.start(Client(self.gate.address))
        slow.send(encode('GET', '/slow'))
        self.server.upstream.wait(lambda up: up.last.target == '/slow')
        self.gate.reload(self.plan('b'))
        new.send(encode('GET', '/x'))
        eventually(lambda: get(self.gate.admin, '/health').json['sessions']['api']['waiting'] == 1, 3, 'the new login')
        hold.set()
        self.assertEqual([slow.read().status, new.read().status], [200, 200])
        self.assertEqual(self.server.log, ['/login', '/logout', '/login'])

    def test_a_logout_that_comes_too_late_is_left_out(self):
        hold = self.server.gates['/slow'] = threading.Event()
        self.addCleanup(hold.set)
        slow = self.start(Client(self.gate.address))
        slow.send(encode('GET', '/slow'))
        self.server.upstream.wait(lambda up: up.last.target == '/slow')
        # A third plan on top: it is the old session of the first that must not end the third's.
        self.gate.reload(self.plan('b'))
        self.gate.reload(self.plan('c'))
        start = time.monotonic()
        self.assertEqual(get(self.gate.address, '/x').status, 200)
        self.assertLess(time.monotonic() - start, 4)
        hold.set()
        self.assertEqual(slow.read().status, 200)
        self.gate.log.wait(lambda record: record.get('message', '').startswith('logout left out'))
        reply = get(self.gate.address, '/x')
        self.assertEqual((reply.status, reply.outcome), (200, 'forwarded'))
        self.assertEqual(self.server.log, ['/login', '/login'])
        self.gate.stop()
        self.assertEqual(self.server.log, ['/login', '/login', '/logout'])

    def test_a_session_that_a_reload_only_touches_is_not_ended(self):
        self.gate.reload(self.plan('a').replace('path: /logout', 'path: "/logout?all"'))
        self.assertEqual(get(self.gate.address, '/x').status, 200)
        self.gate.stop()
        self.assertEqual(self.server.upstream.last.target, '/logout?all')
        self.assertEqual(self.server.log, ['/login', '/logout'])

    def test_the_end_of_the_process_waits_for_a_logout_that_is_out(self):
        hold = self.server.gates['/logout'] = threading.Event()
        self.addCleanup(hold.set)
        self.gate.reload(self.plan('b'))
        self.server.upstream.wait(lambda up: up.last.target == '/logout')
        threading.Timer(0.5, hold.set).start()
        self.assertEqual(self.gate.stop(), 0)
        self.assertEqual(self.server.log, ['/login', '/logout'])
        self.assertIn(b'logged out', self.gate.output())


class Seats(case.Case):
    """A login ahead of the end leaves a session behind that still takes a seat."""

    def setUp(self):
        self.count, self.log, self.hold, self.always = 0, [], threading.Event(), ''
        self.addCleanup(self.hold.set)
        self.up = self.upstream(self.handle)

    def handle(self, request, wire):
        path = request.target
        if path == '/slow':
            self.log.append(f'slow {request.field("Sid")}')
            self.hold.wait(20)
        if path.startswith('/out'):
            self.log.append(f'out {request.field("Sid")}')
        if path in ('/login', '/renew'):
            self.count += 1
            self.log.append(f'{path[1:]} {self.count}')
            return json_answer({'sid': self.always or f'session-{self.count}', 'count': self.count})
        return answer(200, b'in')

    def gate(self, more=''):
        login = 'login: {request: {path: /login}, capture: {sid: json.sid, count: json.count}}\n'
        return self.gateway(recipes.config(self.up.url, login + '''
logout: {request: {path: /out, headers: {Sid: "${session.sid}"}}}
attach: {header: {Sid: "${session.sid}"}}
''' + more), secrets=recipes.SECRETS)

    def login(self, gate):
        """An operator's login replaces a session that serves, as one ahead of the end does."""
        generation = get(gate.admin, '/health').json['sessions']['api']['generation']
        call(gate.admin, 'POST', '/sessions/api/login')
        eventually(lambda: get(gate.admin, '/health').json['sessions']['api']['generation'] > generation, 3, 'the login')

    def test_the_replaced_session_ends_when_nobody_is_out_with_it(self):
        gate = self.gate()
        slow = self.start(Client(gate.address))
        slow.send(encode('GET', '/slow'))
        eventually(lambda: 'slow session-1' in self.log, 3, 'the slow one')
        self.login(gate)
        self.assertEqual(get(gate.address, '/x').status, 200)
        self.assertEqual(self.log, ['login 1', 'slow session-1', 'login 2'])
        self.hold.set()
        self.assertEqual(slow.read().status, 200)
        eventually(lambda: self.log[-1] == 'out session-1', 3, 'the logout')
        self.login(gate)
        eventually(lambda: self.log[-1] == 'out session-2', 3, 'the second logout')
        gate.stop()
        self.assertEqual(self.log[3:], ['out session-1', 'login 3', 'out session-2', 'out session-3'])

    def test_each_session_but_the_last_is_ended_ahead_of_its_end(self):
        gate = self.gate('update: {expires_in: "2"}')
        for number in range(1, 4):
            self.assertEqual(get(gate.address, '/x').status, 200)
            eventually(lambda: f'out session-{number}' in self.log, 5, 'the logout')
        gate.stop()
        self.assertEqual(self.log.count(f'out session-{self.count}'), 1)
        self.assertEqual(len([line for line in self.log if line.startswith('out')]), self.count)

    def test_a_token_that_comes_again_is_not_ended(self):
        self.always = 'ann'
        gate = self.gate()
        self.assertEqual(get(gate.address, '/x').status, 200)
        self.login(gate)
        gate.stop()
        self.assertEqual(self.log, ['login 1', 'login 2', 'out ann'])

    def test_a_session_that_was_refused_is_not_logged_out(self):
        gate = self.gate('expired: status == 200 && request.path == "/x" && session.sid == "session-1"')
        self.assertEqual(get(gate.address, '/x').status, 200)
        self.assertEqual(self.log, ['login 1', 'login 2'])

    def test_a_refresh_keeps_the_session(self):
        gate = self.gate('refresh: {request: {path: /renew}, capture: {sid: json.sid}}\nupdate: {expires_in: "2"}')
        self.assertEqual(get(gate.address, '/x').status, 200)
        eventually(lambda: 'renew 2' in self.log, 5, 'the refresh')
        gate.stop()
        self.assertEqual([line for line in self.log if line.startswith('out')], [f'out session-{self.count}'])

    def test_the_stop_waits_for_it(self):
        gate = self.gate()
        slow = self.start(Client(gate.address))
        slow.send(encode('GET', '/slow'))
        eventually(lambda: 'slow session-1' in self.log, 3, 'the slow one')
        self.login(gate)
        threading.Timer(0.5, self.hold.set).start()
        self.assertEqual(gate.stop(), 0)
        self.assertEqual(sorted(line for line in self.log if line.startswith('out')), ['out session-1', 'out session-2'])


if __name__ == '__main__':
    case.main()
