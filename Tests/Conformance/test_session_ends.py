"""What an upstream tells of a session's end is not always true: clocks and zones differ."""
import json
import time

from support import case, recipes
from support.client import get
from support.gateway import eventually
from support.upstream import answer

SESSION = '''login: [{request: {path: /login}, capture: {token: json.token, %s}}]
attach: {header: {Token: "${session.token}"}}
attempts_window: {logins: 3, per: 1h}'''


def date(seconds):
    return time.strftime('%a, %d %b %Y %H:%M:%S GMT', time.gmtime(seconds))


class Ends(case.Case):
    def begin(self, capture, end, *, behind=0, upstream='', more=''):
        def handle(request, wire):
            fields = [('Content-Type', 'application/json'), ('Date', date(time.time() - behind))]
            if request.target == '/login':
                self.logins += 1
                return answer(200, json.dumps({'token': 't%d' % self.logins, 'end': end()}), fields)
            return answer(200, json.dumps({'next': 'n', 'end': end()}), fields)
        self.logins = 0
        up = self.upstream(handle)
        text = recipes.config(up.url, SESSION % capture + more, patience='')
        return self.gateway(text.replace(f'url: "{up.url}"', f'url: "{up.url}"{upstream}'), secrets=recipes.SECRETS)

    def health(self, gate):
        return get(gate.admin, '/health').json['sessions']['api']

    def assert_serves(self, gate, problem):
        for _ in range(10):
            self.assertEqual(get(gate.address, '/x').status, 200)
        self.assertEqual(self.logins, 1)
        health = self.health(gate)
        self.assertIn(problem, health['expiryProblem'])
        self.assertIsNone(health['expiresIn'])
        lines = [line for line in gate.log.records if line['message'] == 'the end of the session is not understood']
        self.assertEqual([line['problem'] for line in lines], [health['expiryProblem']])

    def test_an_end_in_the_past_is_no_end(self):
        self.assert_serves(self.begin('expires_at: json.end', lambda: int(time.time()) - 1800), 's ago')

    def test_a_negative_number_of_seconds_is_no_end(self):
        self.assert_serves(self.begin('expires_in: json.end', lambda: -5), 'negative')

    def test_the_clock_that_was_learnt_counts(self):
        gate = self.begin('expires_at: json.end', lambda: int(time.time()) - 3600 + 1800, behind=3600,
                          upstream='\n    clock: {learn_from: date}')
        self.assertEqual(get(gate.address, '/x').status, 200)
        health = self.health(gate)
        self.assertIsNone(health['expiryProblem'])
        self.assertLess(abs(health['expiresIn'] - 1800), 20)

    def test_an_update_in_the_past_is_reported(self):
        gate = self.begin('expires_in: "3600"', lambda: int(time.time()) - 1800,
                          more='\nupdate: {token: json.next, expires_at: json.end}')
        self.assertEqual(get(gate.address, '/x').status, 200)
        eventually(lambda: self.health(gate)['expiryProblem'])
        self.assertIn('s ago', self.health(gate)['expiryProblem'])


class Success(case.Case):
    """A login that is no success says whether its test was false, or could not be told."""

    def detail(self, success, body):
        up = self.upstream(lambda request, wire: answer(200, body, [('Content-Type', 'application/json')]))
        session = f"login: [{{request: {{path: /login}}, success: '{success}', capture: {{token: json.token}}}}]"
        gate = self.gateway(recipes.config(up.url, session + '\nattach: {header: {Token: "${session.token}"}}'),
                            secrets=recipes.SECRETS)
        return get(gate.address, '/x').json['error']['detail']

    def test_a_test_that_is_false(self):
        self.assertIn('is no success by the recipe: success is false', self.detail('json.code == 0', '{"code":1}'))

    def test_a_test_that_errs(self):
        self.assertIn('success cannot be told: no such key: code', self.detail('json.code == 0', '{"status":1}'))
        self.assertIn('success cannot be told: not available: the answer is not JSON', self.detail('json.code == 0', '<html>'))

    def test_a_test_that_is_no_bool(self):
        self.assertIn('success is a value of type int, no bool', self.detail('json.code', '{"code":1}'))


if __name__ == '__main__':
    case.main()
