"""A refresh token that somebody gained in a browser is all there is (`seed`): no login, and no token is ever sent empty."""
import os

from support import case, configs
from support.client import call, get
from support.gateway import command, eventually, folder
from support.upstream import Upstream, answer, json_answer

KEY = 'b7s0mX3vQ2e9Jk1Lw8Rz4Tn6Yc5Ud0Pa'
SECRETS = {'secrets/rt': 'seed-1-of-ann', 'secrets/key': KEY, 'secrets/client': 'client-secret-1'}
DEAD = json_answer({'error': 'invalid_grant', 'error_description': 'expired'}, 400)


class Rotating:
    """Each refresh token works once and brings the next one, with an access token that serves until it is revoked."""

    def __init__(self, refresh='seed-1-of-ann'):
        self.refresh, self.access, self.count = refresh, None, 0
        self.spent, self.calls = [], []
        self.empty = False
        self.upstream = Upstream(self._handle)
        self.url = self.upstream.url

    def close(self):
        self.upstream.close()

    def _handle(self, request, wire):
        if request.target != '/token':
            self.calls.append(request.field('Authorization'))
            return answer(200, b'in') if request.field('Authorization') == f'Bearer {self.access}' else answer(401)
        told = dict(pair.split('=') for pair in request.body.decode().split('&'))
        self.spent.append(told['refresh_token'])
        if told['refresh_token'] != self.refresh:
            return DEAD
        self.count += 1
        self.refresh, self.access = f'refresh-token-{self.count}', '' if self.empty else f'access-token-{self.count}'
        return json_answer({'access_token': self.access, 'refresh_token': self.refresh})


class Seeds(case.Case):
    def setUp(self):
        self.server = self.start(Rotating())
        place = folder({})
        self.folder = place.__enter__()
        self.addCleanup(place.__exit__, None, None, None)

    def config(self, *, stored=True, extra='', session=''):
        store = f'store: {{file: "{self.folder}/api.session", key: "${{secret.key}}"}}\n' if stored else ''
        return configs.plain(self.server.url, route='session: api', session='''secrets:
  rt: {file: secrets/rt}
  key: {file: secrets/key}
  client: {file: secrets/client}
sessions:
  api:
    upstream: up
    seed: {refresh: "${secret.rt}"}
    refresh:
      request:
        path: /token
        form: {client_secret: "${secret.client}", refresh_token: "${session.refresh}"%s}
      capture: {token: json.access_token, refresh: json.refresh_token}
    attach: {header: {Authorization: "Bearer ${session.token}"}}
    backoff: {min: 100ms, max: 1s}
''' % extra + configs.indent(store + session, 4))

    def gate(self, secrets=SECRETS, **options):
        return self.gateway(self.config(**options), secrets=secrets)

    def works(self, gate, outcome='forwarded'):
        reply = get(gate.address, '/x')
        self.assertEqual((reply.status, reply.body, reply.outcome), (200, b'in', outcome), reply)

    def health(self, gate):
        return get(gate.admin, '/health').json['sessions']['api']

    def test_the_first_need_refreshes_and_nothing_goes_out_empty(self):
        gate = self.gate()
        self.assertEqual((self.server.spent, self.health(gate)['state']), ([], 'none'))
        self.works(gate)
        self.server.access = 'revoked'
        self.works(gate, 'relogin')
        self.assertEqual(self.server.spent, ['seed-1-of-ann', 'refresh-token-1'])
        self.assertNotIn('Bearer ', self.server.calls)

    def test_the_stored_token_wins_over_the_seed_that_it_grew_from(self):
        self.works(first := self.gate())
        self.assertEqual(first.stop(), 0)
        self.server.access = 'revoked'
        self.works(second := self.gate(), 'relogin')
        self.assertEqual(second.stop(), 0)
        self.assertEqual(self.server.spent, ['seed-1-of-ann', 'refresh-token-1'])

    def test_another_recipe_or_client_secret_keeps_the_stored_token(self):
        self.works(first := self.gate())
        first.stop()
        self.server.access = 'revoked'
        self.works(self.gate({**SECRETS, 'secrets/client': 'client-secret-2'}, extra=', scope: all'), 'relogin')
        self.assertEqual(self.server.spent, ['seed-1-of-ann', 'refresh-token-1'])

    def test_another_capture_keeps_the_stored_refresh_token_and_refreshes_first(self):
        self.works(first := self.gate())
        first.stop()
        text = self.config().replace('refresh: json.refresh_token}', 'refresh: json.refresh_token, more: json.?more}')
        self.works(self.gateway(text, secrets=SECRETS))
        self.assertEqual(self.server.spent, ['seed-1-of-ann', 'refresh-token-1'])

    def test_a_new_seed_wins_over_what_is_stored(self):
        self.works(first := self.gate())
        first.stop()
        self.server.refresh = 'seed-2-of-ann'
        self.works(self.gate({**SECRETS, 'secrets/rt': 'seed-2-of-ann'}))
        self.assertEqual(self.server.spent, ['seed-1-of-ann', 'seed-2-of-ann'])

    def test_a_dead_token_says_what_to_do_and_a_reload_with_another_goes_on(self):
        gate = self.gate()
        self.works(gate)
        self.server.access, self.server.refresh = 'revoked', 'somebody-elses'
        reply = get(gate.address, '/x')
        self.assert_refused(reply, 401, 'login_required')
        self.assertIn('replace secret rt and reload', reply.json['error']['detail'])
        self.assertNotIn('invalid_grant', reply.body.decode())
        health = self.health(gate)
        self.assertEqual((health['state'], health['lastAnswer']), ('login_required', 'status 400, error invalid_grant'))
        self.assertIn('replace secret rt', health['action'])
        line = gate.log.wait(lambda record: record.get('message') == 'login needs a person')
        self.assertEqual(line['answer'], 'status 400, error invalid_grant')
        spent = len(self.server.spent)
        self.assert_refused(get(gate.address, '/x'), 401, 'login_required')
        self.assertEqual(len(self.server.spent), spent)
        self.server.refresh = 'seed-2-of-ann'
        gate.write('secrets/rt', 'seed-2-of-ann')
        gate.reload(self.config())
        self.works(gate)
        self.assertEqual(self.server.spent[spent:], ['seed-2-of-ann'])

    def test_an_empty_access_token_is_none(self):
        self.server.empty = True
        gate = self.gate()
        reply = get(gate.address, '/x')
        self.assert_refused(reply, 503, 'login_unavailable')
        self.assertIn('capture token: nothing there', reply.json['error']['detail'])
        self.assertEqual(self.server.calls, [])

    def test_an_operator_tries_the_seed_again(self):
        self.server.refresh = 'not-yet'
        gate = self.gate(stored=False)
        self.assert_refused(get(gate.address, '/x'), 401, 'login_required')
        self.server.refresh = 'seed-1-of-ann'
        call(gate.admin, 'POST', '/sessions/api/login')
        eventually(lambda: self.health(gate)['state'] == 'ready', 3, 'the refresh')
        self.works(gate)

    def test_no_command_spends_it(self):
        with folder({**SECRETS, 'gateway.yaml': self.config()}) as place:
            path = os.path.join(place, 'gateway.yaml')
            status, out, _ = command('login', path, 'api')
            self.assertEqual(status, 1)
            self.assertIn('only a seed', out)
            status, out, error = command('check', '--live', path)
            self.assertEqual(status, 0, out + error)
        self.assertEqual(self.server.spent, [])

    def test_what_check_says(self):
        for change, word in (
                (('refresh:\n      request', 'nothing:\n      request'), 'there is no refresh that it could begin with'),
                (('seed: {refresh:', 'seed: {other:'), 'uses session.refresh, which is not in it'),
                (('seed: {refresh: "${secret.rt}"}', 'seed: {refresh: "${secret.rt}${now}"}'), 'is made of secrets'),
                (('seed: {refresh: "${secret.rt}"}', 'token: {file: t, capture: {refresh: text}}'), 'nothing is refreshed'),
                (('seed: {refresh: "${secret.rt}"}', 'login: {request: {path: /l}, capture: {refresh: json.r}}'),
                 'session.token is there after a refresh only')):
            with self.subTest(word=word), folder({**SECRETS, 'gateway.yaml': self.config().replace(*change)}) as place:
                status, out, error = command('check', os.path.join(place, 'gateway.yaml'))
                self.assertEqual(status, 1, out)
                self.assertIn(word, out + error)


if __name__ == '__main__':
    case.main()
