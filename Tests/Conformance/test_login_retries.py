"""A session that was wanted and could not be had is tried again by itself, so that readiness comes back without traffic."""
import signal
import threading

from support import bearer, case, configs, recipes
from support.client import get
from support.gateway import eventually
from support.upstream import Hangup, Upstream, answer, free_port, json_answer

FAST = 'backoff: {min: 50ms, max: 100ms}\nattempts_window: {logins: 1000, per: 1s}'
NO_RULE = ('        refused: status == 403\n', '')


class Retries(case.Case):
    def gate(self, replies, session=FAST, change=('', ''), **options):
        self.server = self.start(bearer.TokenServer())
        self.server.login_replies = replies
        text = bearer.config(self.server.url, session=session, **options).replace(*change)
        return self.gateway(text, secrets=bearer.SECRETS)

    def session(self, gate):
        return get(gate.admin, '/health').json['sessions']['api']

    def ready(self, gate):
        return get(gate.admin, '/readyz').status == 200

    def test_readiness_comes_back_without_a_request(self):
        for reply in (answer(503), answer(500), answer(429), answer(404)):
            gate = self.gate([reply] * 4)
            self.assertEqual(get(gate.address, '/a').status, 503)
            eventually(lambda gate=gate: self.ready(gate), 5, 'readiness')
            self.assertEqual((self.server.attempts, self.server.calls), (5, []))
            self.assertEqual(self.session(gate)['state'], 'ready')
            page = get(gate.admin, '/metrics').body.decode()
            self.assertIn('countersign_logins_total{session="api",result="failed"} 4', page)
            self.assertIn('countersign_logins_total{session="api",result="succeeded"} 1', page)

    def test_so_it_does_when_the_connection_breaks_and_when_nobody_answers(self):
        def hang_up(request):
            self.left -= 1
            if self.left >= 0:
                raise Hangup
            return json_answer({'token': 't1'})
        self.left = 3
        site = self.start(recipes.Site({'/login': hang_up}, lambda request: True))
        login = 'login: {request: {path: /login}, capture: {token: json.token}}\nattach: {header: {Token: "${session.token}"}}'
        gate = self.gateway(recipes.config(site.url, login), secrets=recipes.SECRETS)
        self.assertGreaterEqual(get(gate.address, '/a').status, 500)
        eventually(lambda: self.ready(gate), 5, 'readiness')
        self.assertEqual((len(site.logins), site.calls), (4, []))

    def test_a_refusal_that_tells_its_end_is_over_then(self):
        gate = self.gate([answer(401, b'', [('Retry-After', '1')])], change=NO_RULE)
        self.assert_refused(get(gate.address, '/a'), 503, 'login_unavailable')
        eventually(lambda: self.ready(gate), 5, 'the next try')
        self.assertEqual((self.server.attempts, self.server.calls), (2, []))

    def test_a_refusal_ends_it(self):
        gate = self.gate([answer(503), answer(503), answer(403)])
        self.assertEqual(get(gate.address, '/a').status, 503)
        eventually(lambda: self.session(gate)['state'] == 'refused', 5, 'the refusal')
        self.assertEqual(self.server.attempts, 3)
        self.assertFalse(self.ready(gate))

    def test_what_may_be_a_refusal_is_left_to_the_next_request(self):
        """No rule says what a refusal looks like: tried by itself for ever, a wrong password locks the account."""
        gate = self.gate([json_answer({'error': 'wrong password'}, 400)] * 99, change=NO_RULE)
        self.assertEqual(get(gate.address, '/a').status, 503)
        # A balancer sends the next request only to one that is ready.
        eventually(lambda: self.ready(gate), 5, 'the end of the pause')
        self.assertEqual((self.server.attempts, self.session(gate)['state']), (1, 'backoff'))
        self.assertEqual(get(gate.address, '/a').status, 503)
        self.assertEqual(self.server.attempts, 2)

    def test_one_login_at_a_time_and_requests_wait_for_it(self):
        gate = self.gate([answer(503)])
        self.assertEqual(get(gate.address, '/a').status, 503)
        self.server.login_gate = threading.Event()
        eventually(lambda: self.server.attempts == 2, 5, 'the try')
        replies = []
        threads = [threading.Thread(target=lambda: replies.append(get(gate.address, '/a').status)) for _ in range(5)]
        for thread in threads:
            thread.start()
        eventually(lambda: self.session(gate)['waiting'] == 5, 5, 'the requests')
        self.assertFalse(self.ready(gate))
        self.server.login_gate.set()
        for thread in threads:
            thread.join(5)
        self.assertEqual((replies, self.server.attempts), ([200] * 5, 2))

    def test_a_reload_without_the_session_ends_it(self):
        gate = self.gate([answer(503)] * 999)
        self.assertEqual(get(gate.address, '/a').status, 503)
        eventually(lambda: self.server.attempts > 2, 5, 'tries')
        gate.reload(configs.plain(self.server.url))
        count = self.server.attempts
        # As long as several pauses, and each of these requests is answered.
        eventually(lambda: len(self.server.calls) > 200 or get(gate.address, '/a') is None, 20, 'the requests')
        self.assertLessEqual(self.server.attempts, count + 1)
        self.assertTrue(self.ready(gate))


    def test_a_drain_ends_it(self):
        gate = self.gate([answer(503)] * 999, change=('routes:\n', 'routes:\n  - {path: /free, upstream: up}\n'))
        self.assertEqual(get(gate.address, '/a').status, 503)
        eventually(lambda: self.server.attempts > 2, 5, 'tries')
        last = self.server.gates['/free'] = threading.Event()
        thread = threading.Thread(target=get, args=(gate.address, '/free'))
        thread.start()
        eventually(lambda: self.server.calls, 5, 'the request that holds up the end')
        gate.signal(signal.SIGTERM)
        gate.log.wait(lambda record: record.get('message') == 'draining')
        count, replies = self.server.attempts, []
        # As long as several pauses.
        eventually(lambda: len(replies) > 200 or replies.append(get(gate.admin, '/readyz').status), 20, 'the requests')
        self.assertLessEqual(self.server.attempts, count + 1)
        last.set()
        thread.join(5)
        self.assertEqual(gate.wait_exit(), 0)


class Breaker(case.Case):
    def test_it_waits_for_the_breaker(self):
        """While the login's upstream is away no login is tried; its return sets off the next one."""
        api = self.upstream(lambda request, wire: answer(200, b'ok'))
        port = free_port()
        text = bearer.config(api.url, session=FAST)
        text = text.replace('upstreams:\n', f'''upstreams:
  auth:
    url: http://127.0.0.1:{port}
    breaker: {{after: 2, wait: 100ms, wait_max: 200ms}}
''').replace('- request: {method: POST', '- upstream: auth\n        request: {method: POST')
        gate = self.gateway(text, secrets=bearer.SECRETS)
        self.assertGreaterEqual(get(gate.address, '/a').status, 500)

        def failed():
            page = get(gate.admin, '/metrics').body.decode()
            return next((int(line.split()[-1]) for line in page.splitlines()
                         if line.startswith('countersign_logins_total') and 'failed' in line), 0)

        def trials():
            page = get(gate.admin, '/metrics').body.decode()
            return sum(int(line.split()[-1]) for line in page.splitlines()
                       if line.startswith('countersign_upstream_failures_total') and 'auth' in line)
        eventually(lambda: get(gate.admin, '/health').json['upstreams']['auth']['state'] == 'down', 5, 'the breaker')
        count, before = failed(), trials()
        eventually(lambda: trials() > before + 4, 10, 'trials of the probe')
        self.assertEqual(failed(), count)
        reasons = get(gate.admin, '/readyz').json['reasons']
        self.assertEqual(reasons, ['upstream auth is away', 'session api cannot log in'])
        pages = {'/login': json_answer({'token': 't1'})}
        auth = self.start(Upstream(lambda request, wire: pages.get(request.target, answer(404)), port=port))
        eventually(lambda: get(gate.admin, '/readyz').status == 200, 5, 'readiness')
        self.assertEqual(len([request for request in auth.requests if request.target == '/login']), 1)


if __name__ == '__main__':
    case.main()
