"""A login that asks somebody on its way: nothing of it is sent unless an operator is there."""
import json
import subprocess

from support import case, recipes
from support.client import call, get
from support.gateway import binary, command, eventually
from support.upstream import answer, json_answer

SESSION = '''login:
  - request: {path: /sms, json: {phone: "${secret.user}"}}
    capture: {ticket: json.ticket, hint: json.hint}
  - human: Enter the code sent to ${session.hint}.
    request: {path: /verify, json: {ticket: "${session.ticket}", code: "${session.human}"}}
    success: has(json.token)
    refused: json.rc == 3
    capture: {token: json.token, renew: json.renew}
%s
attach: {header: {Token: "${session.token}"}}
'''
REFRESH = '''refresh:
  - {request: {path: /renew, json: {renew: "${session.renew}"}}, refused: status == 403,
     capture: {token: json.token, renew: json.renew}}'''


class Phone:
    """Sends a code per request; each is good once, and only with its own ticket."""

    def __init__(self):
        self.sent, self.issued, self.alive, self.renewals = [], 0, set(), True
        self.site = recipes.Site({'/sms': self.sms, '/verify': self.verify, '/renew': self.renew},
                                 lambda request: request.field('Token') in self.alive)
        self.url = self.site.url

    def close(self):
        self.site.upstream.close()

    def sms(self, request):
        self.sent.append(f'{4000 + len(self.sent)}')
        return json_answer({'ticket': f'k{len(self.sent)}', 'hint': '***42'})

    def token(self):
        self.issued += 1
        self.alive = {f'token-{self.issued}'}
        return json_answer({'token': f'token-{self.issued}', 'renew': f'r{self.issued}'})

    def verify(self, request):
        told = json.loads(request.body)
        if told != {'ticket': f'k{len(self.sent)}', 'code': self.sent[-1]}:
            return json_answer({'rc': 3})
        return self.token()

    def renew(self, request):
        return self.token() if self.renewals else answer(403)


class Questions(case.Case):
    def setUp(self):
        self.phone = self.start(Phone())
        self.gate = self.gateway(recipes.config(self.phone.url, SESSION % ''), secrets=recipes.SECRETS)

    def health(self):
        return get(self.gate.admin, '/health').json['sessions']['api']

    def operator(self, code=None):
        fields = [('Countersign-Answer', code)] if code else []
        self.assertEqual(call(self.gate.admin, 'POST', '/sessions/api/login', fields).status, 202)

    def ask(self):
        self.operator()
        eventually(lambda: self.health()['attempt'] == 'asking', 3, 'the question')

    def paths(self):
        return [request.target for request in self.phone.site.logins]

    def test_no_request_makes_the_gateway_send_a_message(self):
        for _ in range(3):
            reply = get(self.gate.address, '/a')
            self.assert_refused(reply, 401, 'login_required')
            self.assertIn('countersign login CONFIG api', reply.json['error']['detail'])
        self.assertEqual(self.paths(), [])

    def test_the_question_comes_after_the_steps_before_it(self):
        self.ask()
        self.assertEqual(self.paths(), ['/sms'])
        self.assertEqual(self.health()['action'], 'Enter the code sent to ***42.')
        self.assertEqual(self.health()['state'], 'login_required')
        reply = get(self.gate.address, '/a')
        self.assert_refused(reply, 401, 'login_required')
        self.assertIn('***42', reply.json['error']['detail'])
        self.operator(self.phone.sent[-1])
        eventually(lambda: self.health()['state'] == 'ready', 3, 'the login')
        self.assertEqual(self.health()['attempt'], 'none')
        self.assertEqual(get(self.gate.address, '/a').status, 200)
        self.assertEqual(self.paths(), ['/sms', '/verify'])

    def test_a_wrong_answer_ends_it_and_the_next_login_sends_a_new_message(self):
        self.ask()
        self.operator('0000')
        eventually(lambda: self.health()['attempt'] == 'none', 3, 'the refusal')
        self.assertEqual(self.health()['state'], 'login_required')
        self.assert_refused(get(self.gate.address, '/a'), 401, 'login_required')
        self.ask()
        self.operator(self.phone.sent[-1])
        eventually(lambda: self.health()['state'] == 'ready', 3, 'the login')
        self.assertEqual(len(self.phone.sent), 2)

    def test_asking_again_without_an_answer_starts_anew(self):
        self.ask()
        self.operator()
        eventually(lambda: len(self.phone.sent) == 2 and self.health()['attempt'] == 'asking', 3, 'the second message')
        self.operator(self.phone.sent[-1])
        eventually(lambda: self.health()['state'] == 'ready', 3, 'the login')

    def test_asking_too_often_sends_no_more_messages(self):
        text = recipes.config(self.phone.url, SESSION % '', patience='attempts_window: {logins: 3, per: 1h}')
        self.gate = self.gateway(text, secrets=recipes.SECRETS)
        for count in range(1, 4):
            self.operator()
            eventually(lambda count=count: len(self.phone.sent) == count and self.health()['attempt'] == 'asking', 3,
                       'the question')
        for _ in range(3):
            reply = call(self.gate.admin, 'POST', '/sessions/api/login')
            self.assertEqual(reply.status, 429)
            self.assertIn('3 logins within the attempts window', reply.json['error']['detail'])
            self.assertGreater(int(reply.field('Retry-After')), 3000)
        status, _, error = command('login', self.gate.config_path, 'api', '--admin', self.gate.admin, '--answer', '1')
        self.assertEqual(status, 3, error)
        self.assertIn('too many logins of api within its attempts_window', error)
        self.assertEqual(len(self.phone.sent), 3)
        # The answer to the question that stands is no attempt.
        self.operator(self.phone.sent[-1])
        eventually(lambda: self.health()['state'] == 'ready', 3, 'the login')

    def test_an_expired_session_needs_a_person_again_and_sends_nothing(self):
        self.ask()
        self.operator(self.phone.sent[-1])
        eventually(lambda: self.health()['state'] == 'ready', 3, 'the login')
        self.phone.alive = set()
        self.assert_refused(get(self.gate.address, '/a'), 401, 'login_required')
        self.assertEqual(len(self.phone.sent), 1)

    def test_a_renewal_by_hand_asks_while_the_old_session_serves(self):
        self.ask()
        self.operator(self.phone.sent[-1])
        eventually(lambda: self.health()['state'] == 'ready', 3, 'the login')
        self.ask()
        self.assertEqual(self.health()['state'], 'ready')
        self.assertEqual(get(self.gate.address, '/a').status, 200)
        self.operator(self.phone.sent[-1])
        eventually(lambda: self.health()['generation'] == 2, 3, 'the second login')

    def test_the_command_asks_after_the_message_was_sent(self):
        process = subprocess.Popen(
            [binary(), 'login', self.gate.config_path, 'api', '--admin', self.gate.admin], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(process.kill)
        self.phone.site.upstream.wait(lambda up: len(up.requests) == 1)
        out, error = process.communicate(self.phone.sent[-1].encode() + b'\n', timeout=10)
        self.assertEqual(process.returncode, 0, (out, error))
        self.assertIn(b'Enter the code sent to ***42.', error)
        self.assertEqual(get(self.gate.address, '/a').status, 200)

    def test_the_command_tells_a_refused_answer(self):
        status, out, error = command('login', self.gate.config_path, 'api', '--admin', self.gate.admin, '--answer', '1')
        self.assertEqual(status, 1, (out, error))
        self.assertIn('what was answered', error)

    def test_the_command_needs_no_gateway(self):
        self.gate.write('gateway.yaml', recipes.config(self.phone.url, SESSION % '').replace('admin: 127.0.0.1:0\n', ''))
        process = subprocess.Popen([binary(), 'login', self.gate.config_path, 'api'], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(process.kill)
        self.phone.site.upstream.wait(lambda up: len(up.requests) == 1)
        out, error = process.communicate(self.phone.sent[-1].encode() + b'\n', timeout=10)
        self.assertEqual(process.returncode, 0, (out, error))
        self.assertIn(b'logged in', out)
        self.assertNotIn(b'token-1', out + error)


class Refreshed(case.Case):
    def test_a_refresh_needs_nobody_until_it_is_refused(self):
        phone = self.start(Phone())
        gate = self.gateway(recipes.config(phone.url, SESSION % REFRESH), secrets=recipes.SECRETS)

        def health():
            return get(gate.admin, '/health').json['sessions']['api']
        call(gate.admin, 'POST', '/sessions/api/login')
        eventually(lambda: health()['attempt'] == 'asking', 3, 'the question')
        call(gate.admin, 'POST', '/sessions/api/login', [('Countersign-Answer', phone.sent[-1])])
        eventually(lambda: health()['state'] == 'ready', 3, 'the login')
        phone.alive = set()
        self.assertEqual(get(gate.address, '/a').status, 200)
        phone.alive, phone.renewals = set(), False
        self.assert_refused(get(gate.address, '/a'), 401, 'login_required')
        self.assertEqual(len(phone.sent), 1)


class Config(case.Case):
    def test_a_refresh_cannot_ask(self):
        text = recipes.config('http://127.0.0.1:1', SESSION % REFRESH.replace('{request', '{human: Who?, request'))
        gate = self.gateway(text, secrets=recipes.SECRETS, program='check', wait=False)
        self.assertEqual(gate.process.wait(10), 1)
        eventually(lambda: b'nobody is there to answer' in gate.access.text(), 3, 'the issue')
