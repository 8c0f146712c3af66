"""A logout ends the session that it belongs to, and never the one that took its place."""
import threading
import time

from support import bearer, case
from support.client import Client, encode, get
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


if __name__ == '__main__':
    case.main()
