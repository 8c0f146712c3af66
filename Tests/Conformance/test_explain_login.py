"""`explain --login` shows each request of a login as it would be sent, without a network and without secrets."""
import json

from support import case, recipes
from support.client import get
from support.gateway import command, folder
from support.upstream import json_answer

SECRETS = {'secrets/user': 'ann@example.com', 'secrets/password': 'pass word/1'}
CHALLENGE = '''cookies: true
login:
  - request: {path: /salt, query: {u: "${secret.user}"}}
    capture: {salt: json.salt}
  - request:
      method: POST
      path: /login
      headers: {X-Step: two}
      json: {name: "${secret.user}", pass: "${hex.encode(hash.sha256(session.salt + secret.password))}", n: "${nonce}"}
    sign: mac
    success: int(json.status) > 0
    refused: int(json.status) in [-1, -2]
    capture: {token: json.token, renew: json.renew}
refresh:
  - request: {method: POST, path: /renew, form: {with: "${session.renew}"}}
    capture: {token: json.token}
taken: json.code == "KICKED"
attach: {header: {Token: "${session.token}"}}
'''
MAC = '''signatures:
  mac:
    variables:
      sign: hex.encode(hmac.sha256(secret.password, string(request.body) + string(int(now))))
    attach: {header: {X-Sign: "${vars.sign}", X-Time: "${string(int(now))}"}}
'''


def config(url, session, top='', upstreams=''):
    return recipes.config(url, session, upstreams=upstreams) + top


def explain(text, *args, secrets=None):
    with folder({**(secrets or SECRETS), 'g.yaml': text}) as path:
        return command('explain', 'g.yaml', '--login', *args, cwd=path)


class Steps(case.Case):
    def explain(self, *args, session=CHALLENGE, top=MAC, status=0, **options):
        code, output, error = explain(config('http://127.0.0.1:9/base', session, top, **options), *args)
        self.assertEqual(code, status, output + error)
        for secret in SECRETS.values():
            self.assertNotIn(secret, output + error)
        return output

    def test_it_says_what_the_gateway_sends(self):
        """Step by step the bytes of the dry run are the bytes on the wire, once the captures are given."""
        def page(request):
            return json_answer({'salt': 'S4LT', 'status': 1, 'token': 't1', 'renew': 'r1'})
        site = self.start(recipes.Site({'/salt': page, '/login': page}, lambda request: True))
        # Nothing in it is masked: the secrets go into a MAC only, and the fields have no secret in them.
        session = CHALLENGE.replace('query: {u: "${secret.user}"}', 'query: {u: me}').replace(
            'name: "${secret.user}", pass: "${hex.encode(hash.sha256(session.salt + secret.password))}"',
            'salt: "${session.salt}"')
        text = config(site.url, session, MAC)
        gateway = self.gateway(text, secrets=SECRETS, args=('--pin-now', '1700000000', '--pin-nonce', 'n1'))
        self.assertEqual(get(gateway.address, '/x').status, 200)
        code, output, error = explain(
            text, 'api', '--now', '1700000000', '--nonce', 'n1', '--session', 'salt=S4LT', '--json')
        self.assertEqual((code, error), (0, ''))
        steps = json.loads(output.replace('***', 'S4LT'))['steps']
        self.assertEqual([step['name'] for step in steps], ['login step 1', 'login step 2', 'refresh'])
        self.assertEqual(len(site.logins), 2)
        for step, request in zip(steps, site.logins, strict=False):
            shown = step['request']
            self.assertEqual(shown['line'], f'{request.method} {request.target} HTTP/1.1')
            self.assertEqual(shown['body'], request.body.decode())
            fields = {field['name'].lower(): field['value'] for field in shown['fields']}
            sent = {name.lower(): value for name, value in request.fields}
            # The upstream set no cookie, and the transport adds nothing of its own but these.
            for name in ('accept', 'connection', 'user-agent'):
                sent.pop(name, None)
            self.assertEqual(fields, sent)

    def test_placeholders_stand_for_what_a_step_before_captures(self):
        output = self.explain('api', '--now', '1700000000', '--nonce', 'n1')
        for line in ('gained by  a login of 2 steps', 'gained by  a refresh, tried first while there is session.renew',
                     'cookies    kept', 'attach     header Token = ${session.token}', 'expired    when status == 401',
                     'taken      when json.code == "KICKED", then taken back, at most 3 times in 600 s',
                     'step       login step 1, to up, http://127.0.0.1:9', 'capture    session.salt = json.salt',
                     'POST /base/salt?u=*** HTTP/1.1', 'refused    when int(json.status) in [-1, -2]: no other try on its own',
                     'success    when int(json.status) > 0', 'X-Time: 1700000000', 'with=%3Csession.renew%3E'):
            self.assertIn(line, output)

    def test_the_string_to_sign_is_shown_and_the_key_is_not(self):
        output = self.explain('api', '--now', '1700000000', '--nonce', 'n1')
        self.assertIn('hmac.sha256 of ', output)
        self.assertIn('"n":"n1"}1700000000', output)
        self.assertIn('attach     header X-Sign = ', output)

    def test_a_digest_of_a_password_is_a_credential_too(self):
        output = self.explain('api', '--nonce', 'n1', '--session', 'salt=S4LT9876')
        self.assertIn('field      json = "***"', output)
        self.assertIn('hash.sha256 of 19 bytes: ***', output)
        self.assertIn('{"name":"***","pass":"***","n":"n1"}', output)
        self.assertNotIn('S4LT9876', output)

    def test_a_template_without_a_value_says_where(self):
        session = 'login: {request: {path: /l, query: {n: "${string(int(session.token))}"}}, capture: {token: json.t}}\n' \
                  'attach: {header: {T: "${session.token}"}}'
        output = self.explain('api', session=session, top='', status=1)
        self.assertIn('refused    login of session api: ', output)
        self.assertNotIn('unknown', output)

    def test_placeholders_are_named_where_they_are_used(self):
        session = CHALLENGE.replace('session.salt +', 'string(base64.decode(session.salt)) +')
        output = self.explain('api', session=session, status=1)
        self.assertIn('unknown    session.salt stands as <session.salt>; give it with --session salt=VALUE\n'
                      'refused    login step 2 of session api: ', output)
        self.assertIn('unknown    session.renew stands as <session.renew>', output)
        self.assertNotIn('session.token stands', output)
        output = self.explain('api', '--session', 'salt=c2FsdA==', session=session)
        self.assertNotIn('session.salt stands', output)
        steps = json.loads(self.explain('api', '--json'))['steps']
        self.assertEqual([step['placeholders'] for step in steps], [[], ['salt'], ['renew']])

    def test_a_refresh_alone_and_values_for_it(self):
        steps = json.loads(self.explain('api', '--json', '--session', 'renew=abcdefgh', '--nonce', 'n'))['steps']
        self.assertEqual(steps[2]['request']['body'], 'with=***')
        self.assertEqual([row['text'] for row in steps[2]['about'] if row['label'] == 'capture'], ['session.token = json.token'])


class Answers(case.Case):
    """`--answer` takes a sample through one step of the login, as the gateway would take the answer itself."""

    def explain(self, body, *args, session=CHALLENGE, status=0):
        with folder({**SECRETS, 'g.yaml': config('http://127.0.0.1:9/base', session, MAC), 'a': body}) as path:
            code, output, error = command('explain', 'g.yaml', '--login', 'api', '--answer', 'a', *args, cwd=path)
        self.assertEqual(code, status, output + error)
        for secret in (*SECRETS.values(), 'canary-token', '77001122'):
            self.assertNotIn(secret, output + error)
        return output + error

    def then(self, output):
        return [line[11:] for line in output.splitlines() if line.startswith('then ')]

    def test_a_success_is_told_without_what_it_brought(self):
        session = CHALLENGE.replace('renew: json.renew}', 'renew: json.renew, expires_in: json.ttl}')
        body = '{"status": 1, "token": "canary-token", "renew": 77001122, "ttl": "600"}'
        output = self.explain(body, '--step', 'login step 2', session=session)
        for line in ('sample     refused: false  (int(json.status) in [-1, -2])',
                     'sample     success: true  (int(json.status) > 0)', 'sample     session.expires_in: "600"',
                     'sample     session.token: *** (14 bytes of JSON)  (json.token)'):
            self.assertIn(line, output)
        self.assertEqual(self.then(output), ['the session is ready, ends in 600 s'])
        step = json.loads(self.explain(body, '--step', 'login step 2', '--json', session=session))['steps'][1]
        self.assertEqual(step['sample']['then'], 'the session is ready, ends in 600 s')
        self.assertEqual([item['value'] for item in step['sample']['steps']][:3], ['false', 'true', '*** (14 bytes of JSON)'])

    def test_what_becomes_of_other_answers(self):
        last, first = ('--step', 'login step 2'), ('--step', 'login step 1')
        for body, args, words in (
                ('{"status": -1}', last, 'no other try on its own (login_refused): login step 2: the upstream refused the '),
                ('{"status": 0}', last, 'another try after the usual pause (login_unavailable): login step 2: the answer '),
                ('{"status": 1}', last, 'another try after the usual pause (bad_answer): login step 2, capture token: '),
                ('{"salt": "S"}', first, 'the next step'),
                ('{}', (*first, '--answer-status', '404'),
                 'another try after the usual pause, when a request comes (login_unavailable): '),
                ('{}', (*first, '--answer-status', '401'), 'no other try on its own (login_refused): '),
                ('{}', (*first, '--answer-status', '401', '--answer-header', 'Retry-After: 30'),
                 'another try in 30 s or more (login_unavailable): '),
                ('{"token": "canary-token"}', ('--step', 'refresh'), 'the session is ready, no known end')):
            with self.subTest(words):
                said, = self.then(self.explain(body, *args))
                self.assertTrue(said.startswith(words), said)

    def test_it_has_to_be_for_a_step(self):
        for args in ((), ('--step', 'login step 3')):
            self.assertIn('say for which: login step 1, login step 2, refresh', self.explain('{}', *args, status=1))
        code, _, error = explain(config('http://127.0.0.1:9', CHALLENGE, MAC), 'api', '--step', 'refresh')
        self.assertEqual(code, 2)
        self.assertIn('--step goes with --login and --answer', error)


class Variants(case.Case):
    def explain(self, session, *args, upstreams='', secrets=None):
        code, output, error = explain(
            config('https://api.example.com', session, upstreams=upstreams), 'api', *args, secrets=secrets)
        self.assertEqual(code, 0, output + error)
        for secret in SECRETS.values():
            self.assertNotIn(secret, output + error)
        return output

    def test_oauth2(self):
        output = self.explain(
            'oauth2: {grant: client_credentials, upstream: auth, token_path: /token, client_id: "${secret.user}", '
            'client_secret: "${secret.password}", scope: read}', upstreams='auth: {url: "https://login.example.com"}')
        for line in ('step       login, to auth, https://login.example.com', 'grant_type=client_credentials&scope=read',
                     'attach     header Authorization = Bearer ${session.access_token}',
                     'capture    session.access_token = json.access_token', 'grant_type=refresh_token',
                     'gained by  a refresh, tried first while there is session.refresh_token'):
            self.assertIn(line, output)
        # Form-encoded and then in base 64, it is a secret all the same (RFC 6749 2.3.1).
        self.assertRegex(output, r'Authorization: Basic [^\n]*\*\*\*')
        self.assertNotIn('cGFzcyt3b3JkJTJGMQ', output)

    def test_device_code(self):
        output = self.explain('oauth2: {grant: device_code, token_path: /token, device_path: /device, client_id: till}')
        self.assertIn('step       login step 2', output)
        self.assertRegex(output, r'pending    when .*authorization_pending')
        self.assertIn('human      ', output)

    def test_tokens_of_others(self):
        self.assertIn('gained by  the token in the file /run/t, read again when it changes or is refused',
                      self.explain('token: {file: /run/t}\nattach: {header: {T: "${session.token}"}}'))
        self.assertIn('gained by  what the command prints: get-token --json, at most 1500 ms',
                      self.explain('token: {command: [get-token, --json], timeout: 1500ms}\n'
                                   'attach: {header: {T: "${session.token}"}}'))

    def test_digest_and_fixed_credentials(self):
        output = self.explain('digest_auth: {username: "${secret.user}", password: "${secret.password}"}')
        self.assertIn('digest     HTTP Digest (RFC 7616)', output)
        self.assertIn('gained by  nothing: it has no login and is always ready', output)
        self.assertIn('attach     header K = ${secret.password}', self.explain('attach: {header: {K: "${secret.password}"}}'))

    def test_a_person_and_a_store(self):
        output = self.explain('human: Paste the token.\nattach: {header: {T: "${session.human}"}}\n'
                              'on_taken: yield\ntaken: status == 409\nstore: {file: /tmp/s, key: "${secret.long}"}'
                              .replace('secret.long', 'secret.user'), secrets={**SECRETS, 'secrets/user': 'a' * 16})
        self.assertIn('gained by  a person, whose answer is session.human: Paste the token.', output)
        self.assertIn('store      kept across restarts in /tmp/s, sealed', output)
        self.assertIn('then left to the other until an operator asks for a login', output)


class Usage(case.Case):
    def refused(self, *args, code):
        status, output, error = explain(config('http://127.0.0.1:9', CHALLENGE, MAC), *args)
        self.assertEqual((status, output), (code, ''), error)
        return error

    def test_what_does_not_exist_is_named(self):
        self.assertIn('there is no session nope (sessions: api)', self.refused('nope', code=1))
        self.assertIn('no such capture (it has: salt, token, renew)', self.refused('api', '--session', 'x=1', code=1))

    def test_a_request_and_a_login_are_two_things(self):
        for words in (('api', 'GET', '/x'), ('api', '--data', 'a=1'), ('api', '--header', 'A: b')):
            self.refused(*words, code=2)


if __name__ == '__main__':
    case.main()
