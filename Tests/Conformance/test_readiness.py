"""A session that cannot be had shows before anybody needs it; one that was merely never needed does not."""
from support import bearer, case
from support.client import call, get
from support.gateway import eventually
from support.upstream import answer

CAPTURE = 'token: json.token, expires_in: json.expires_in'


class Readiness(case.Case):
    def gate(self, life, session=''):
        self.server = self.start(bearer.TokenServer())
        self.server.extra = {'expires_in': life}
        return self.gateway(bearer.config(self.server.url, capture=CAPTURE, session=session), secrets=bearer.SECRETS)

    def state(self, gate):
        health = get(gate.admin, '/health').json
        return health['sessions']['api']['state'], health['status'], get(gate.admin, '/readyz').status

    def shown(self, gate):
        page = get(gate.admin, '/metrics').body.decode()
        return [line for line in page.splitlines() if line.startswith('countersign_session_state') and line.endswith(' 1')]

    def test_a_session_that_was_never_needed_is_ready(self):
        gate = self.gate(60)
        self.assertEqual(self.state(gate), ('none', 'ok', 200))
        self.assertEqual(self.shown(gate), ['countersign_session_state{session="api",state="none"} 1'])

    def test_a_refusal_shows_when_the_credential_ends_though_nobody_comes(self):
        gate = self.gate(1)
        self.assertEqual(get(gate.address, '/a').status, 200)
        self.server.login_replies = [answer(403)] * 99
        self.assertEqual(self.state(gate), ('ready', 'ok', 200))
        eventually(lambda: self.state(gate) == ('refused', 'degraded', 503), 5, 'the refusal')
        self.assertEqual(self.shown(gate), ['countersign_session_state{session="api",state="refused"} 1'])
        self.assertEqual((self.server.attempts, len(self.server.calls)), (2, 1))

    def test_failures_show_for_as_long_as_they_last_though_nobody_comes(self):
        gate = self.gate(1, 'backoff: {min: 100ms, max: 200ms}\nattempts_window: {logins: 1000, per: 1s}')
        self.assertEqual(get(gate.address, '/a').status, 200)
        self.server.login_replies = [answer(503)] * 999
        eventually(lambda: self.state(gate)[2] == 503, 5, 'the failure')
        seen, count = set(), self.server.attempts
        eventually(lambda: seen.add(self.state(gate)) or self.server.attempts > count + 3, 5, 'more tries')
        # The two come from two requests, and a try may begin in between.
        self.assertEqual({(status, ready) for _, status, ready in seen}, {('degraded', 503)})
        self.assertLessEqual({state for state, _, _ in seen}, {'backoff', 'logging_in'})
        self.server.login_replies = []
        eventually(lambda: self.state(gate) == ('ready', 'ok', 200), 5, 'the recovery')

    def test_a_login_that_is_answered_with_401_is_not_tried_again(self):
        server = self.start(bearer.TokenServer())
        server.login_replies = [answer(401)] * 99
        text = bearer.config(server.url, session='backoff: {min: 10ms, max: 20ms}')
        text = text.replace('        refused: status == 403\n', '')
        gate = self.gateway(text, secrets=bearer.SECRETS)
        self.assertEqual({get(gate.address, '/a').kind for _ in range(5)}, {'login_refused'})
        self.assertEqual(server.attempts, 1)
        self.assertEqual(call(gate.admin, 'POST', '/sessions/api/login').status, 202)
        eventually(lambda: server.attempts == 2, 3, 'the try that was asked for')


if __name__ == '__main__':
    case.main()
