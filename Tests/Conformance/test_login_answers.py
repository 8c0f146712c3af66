"""What answers to a login tell: an end, a refused clock, a lock, a reason, the same token again."""
import datetime
import email.utils
import hashlib
import threading
import time

from support import case, configs, recipes
from support.client import Client, encode, get
from support.gateway import command, eventually
from support.upstream import answer, json_answer

BEARER = 'attach: {header: {Token: "${session.token}"}}\n'
LOGIN = 'login: {request: {path: /login, json: {user: "${secret.user}"}}, %s capture: {token: json.token%s}}\n' + BEARER


class Answers(case.Case):
    def gate(self, pages, session, allows=lambda request: True, **options):
        self.site_ = self.start(recipes.Site(pages, allows))
        return self.gateway(recipes.config(self.site_.url, session, **options), secrets=recipes.SECRETS)

    def health(self, gate):
        return get(gate.admin, '/health').json['sessions']['api']


class Ends(Answers):
    def end(self, value, name='expires_at'):
        gate = self.gate({'/login': lambda request: json_answer({'token': 'token-1', 'end': value})},
                         LOGIN % ('', f', {name}: json.end'))
        self.assertEqual(get(gate.address, '/a').status, 200)
        return gate, self.health(gate)

    def test_points_in_time(self):
        now = time.time()
        then = datetime.datetime.fromtimestamp(now + 500, datetime.timezone.utc)
        shanghai = then.astimezone(datetime.timezone(datetime.timedelta(hours=8)))
        for value in (then.strftime('%Y-%m-%dT%H:%M:%SZ'), shanghai.isoformat(), shanghai.strftime('%Y-%m-%d %H:%M:%S%z'),
                      then.strftime('%Y-%m-%dT%H:%M:%S.1234567Z'), email.utils.formatdate(now + 500, usegmt=True),
                      int(now + 500), int(now * 1000) + 500_000, str(int(now + 500)), str(int(now * 1000) + 500_000),
                      now + 500.5):
            with self.subTest(value):
                _, health = self.end(value)
                self.assertTrue(480 < health['expiresIn'] <= 501, health)
                self.assertIsNone(health['expiryProblem'])

    def test_what_nobody_understands_is_told(self):
        for name, value in (('expires_at', 'tomorrow'), ('expires_at', '2026-12-01 10:00:00'), ('expires_at', True),
                            ('expires_at', '9999-12-31T23:59:59Z'), ('expires_in', 'never'), ('expires_in', [3600])):
            with self.subTest(value):
                gate, health = self.end(value, name)
                self.assertIsNone(health['expiresIn'])
                self.assertTrue(health['expiryProblem'].startswith(name + ':'), health)
                gate.log.wait(lambda record: record.get('problem') == health['expiryProblem'] and record['session'] == 'api')

    def test_no_end_is_no_problem(self):
        for name, value in (('expires_at', None), ('expires_at', 0), ('expires_in', 0), ('expires_in', '-1')):
            _, health = self.end(value, name)
            self.assertEqual((health['expiresIn'], health['expiryProblem']), (None, None))

    def test_seconds_as_protobuf_writes_them(self):
        _, health = self.end('600s', 'expires_in')
        self.assertTrue(590 < health['expiresIn'] <= 600)


class Locks(Answers):
    def waits(self, reply, rule='', session='backoff: {min: 1s, max: 2s}'):
        gate = self.gate({'/login': lambda request: reply}, LOGIN % (rule, '') + session, patience='')
        refused = get(gate.address, '/a')
        return refused, self.health(gate)

    def test_a_told_lock_ends_by_itself(self):
        reply, health = self.waits(json_answer({'rc': 7, 'left': 900}),
                                   "success: has(json.token), refused: json.rc == 7, retry_after: json.left,")
        self.assert_refused(reply, 503, 'login_unavailable')
        self.assertTrue(880 < int(reply.field('Retry-After')) <= 900)
        self.assertEqual(health['state'], 'backoff')
        self.assertTrue(880 < health['retryAfter'] <= 900)

    def test_a_refusal_without_one_lasts(self):
        reply, health = self.waits(json_answer({'rc': 7}),
                                   "success: has(json.token), refused: json.rc == 7, retry_after: json.left,")
        self.assert_refused(reply, 401, 'login_refused')
        self.assertEqual(health['state'], 'refused')

    def test_a_point_in_time(self):
        then = datetime.datetime.fromtimestamp(time.time() + 300, datetime.timezone.utc).isoformat()
        _, health = self.waits(json_answer({'until': then}, 423), "retry_after: json.until,")
        self.assertTrue(290 < health['retryAfter'] <= 300, health)

    def test_the_field_of_http(self):
        for status in (401, 403, 423, 429, 503):
            for rule in ('', f'refused: status == {status},'):
                with self.subTest(status=status, rule=rule):
                    reply, health = self.waits(answer(status, b'', [('Retry-After', '120')]), rule)
                    self.assert_refused(reply, 503, 'login_unavailable')
                    self.assertEqual(health['state'], 'backoff')
                    self.assertTrue(110 < health['retryAfter'] <= 120, health)

    def test_a_field_that_tells_no_time_to_come_makes_a_refusal_no_less_one(self):
        for value in ('0', 'soon', 'Mon, 30 Nov 2020 00:00:00 GMT'):
            reply, health = self.waits(answer(401, b'', [('Retry-After', value)]))
            self.assert_refused(reply, 401, 'login_refused')
            self.assertEqual(health['state'], 'refused')

    def test_a_lock_is_looked_at_once_a_day(self):
        _, health = self.waits(answer(429, b'', [('Retry-After', '99999999')]))
        self.assertEqual(health['retryAfter'], 86400)

    def test_less_than_the_usual_pause_counts_for_nothing(self):
        _, health = self.waits(answer(429, b'', [('Retry-After', '1')]), session='backoff: {min: 60s, max: 60s}')
        self.assertGreater(health['retryAfter'], 40)


class FixedToken(Answers):
    """A device that has one token; a login brings it to life again."""

    def setUp(self):
        self.alive, self.useless = False, False

        def login(request):
            self.alive = not self.useless
            return json_answer({'token': 'device-token'})
        self.pages = {'/login': login}

    def start_gate(self, session='backoff: {min: 30s, max: 60s}\nattempts_window: {logins: 100, per: 1s}'):
        return self.gate(self.pages, LOGIN % ('', '') + session, lambda request: self.alive, patience='')

    def test_it_is_revived_again_and_again(self):
        gate = self.start_gate()
        for number in range(5):
            self.assertEqual(get(gate.address, '/a').status, 200)
            self.alive = False
        self.assertEqual(len(self.site_.logins), 5)
        self.assertEqual(self.health(gate)['generation'], 5)

    def test_one_that_never_lives_is_given_up(self):
        gate = self.start_gate()
        self.assertEqual(get(gate.address, '/a').status, 200)
        self.useless = True
        self.alive = False
        for _ in range(10):
            self.assertNotEqual(get(gate.address, '/a').status, 200)
        self.assertLessEqual(len(self.site_.logins), 3)
        self.assertEqual(self.health(gate)['state'], 'backoff')

    def test_after_the_pause_it_is_tried_again(self):
        gate = self.start_gate('backoff: {min: 200ms, max: 400ms}\nattempts_window: {logins: 100, per: 1s}')
        self.assertEqual(get(gate.address, '/a').status, 200)
        self.useless = True
        self.alive = False
        eventually(lambda: get(gate.address, '/a').status == 503, 5, 'the pause')
        self.useless = False
        eventually(lambda: get(gate.address, '/a').status == 200, 5, 'the recovery')


SIGNED = configs.LISTEN + '''secrets: {key: {file: secrets/key}}
upstreams: {up: {url: "%s"}}
signatures:
  s:
    variables: {ts: string(int(now)), text: '"ts=" + vars.ts + "&key=" + secret.key'}
    attach: {header: {X-Ts: "${vars.ts}", X-Sig: "${hex.encode(hash.sha256(vars.text))}"}}
    %s
sessions:
  api: {upstream: up, login: {request: {path: /login}, sign: s, capture: {token: json.token}},
        attach: {header: {Token: "${session.token}"}}, backoff: {min: 30s, max: 60s}}
routes: [{path: /**, upstream: up, session: api, sign: s}]
'''


class Signatures(case.Case):
    """Logins are signed as other requests are; what the upstream says of the signature counts there too."""

    def setUp(self):
        self.ahead = 5000
        self.up = self.upstream(self.handle)
        self.key = configs.SECRETS['secrets/key']

    def handle(self, request, wire):
        theirs = int(time.time()) + self.ahead
        text = f'ts={request.field("X-Ts")}&key={self.key}'
        if request.field('X-Sig') != hashlib.sha256(text.encode()).hexdigest():
            return json_answer({'error': 'signature', 'signed': f'TS={request.field("X-Ts")}&key={self.key}'}, 403)
        if abs(int(request.field('X-Ts')) - theirs) > 30:
            return json_answer({'error': 'clock', 'now': theirs}, 403)
        return json_answer({'token': 'token-1'})

    def gate(self, rule):
        return self.gateway(SIGNED % (self.up.url, rule), secrets=configs.SECRETS)

    CLOCK = 'clock_refused: \'json.error == "clock" ? int(json.now) : false\''

    def test_a_login_is_signed_again_with_the_upstreams_time(self):
        gate = self.gate(self.CLOCK)
        self.assertEqual(get(gate.address, '/a').status, 200)
        self.assertEqual([request.target for request in self.up.requests], ['/login', '/login', '/a'])
        self.assertAlmostEqual(get(gate.admin, '/health').json['upstreams']['up']['clockOffset'], 5000, delta=3)

    def test_once(self):
        gate = self.gate('clock_refused: status == 403')
        self.ahead = 0
        self.key = 'another'
        date = email.utils.formatdate(time.time() + 500, usegmt=True)
        self.up.handler = lambda request, wire: answer(403, b'', [('Date', date)])
        self.assert_refused(get(gate.address, '/a'), 503, 'login_unavailable')
        self.assertEqual(len(self.up.requests), 2)

    def test_the_first_difference_of_the_echo_is_logged(self):
        gate = self.gate('echo: json.signed')
        self.key = 'another-key-of-theirs'
        self.assert_refused(get(gate.address, '/a'), 503, 'login_unavailable')
        line = gate.log.wait(lambda record: record.get('message') == 'upstream signed another string')
        self.assertEqual((line['signature'], line['byte']), ('s', 0))
        self.assertTrue(line['theirs'].startswith('TS='))
        self.assertNotIn(configs.SECRETS['secrets/key'].encode(), gate.log.text())

    def test_the_command_does_and_tells_both(self):
        gate = self.gate(self.CLOCK)
        status, out, _ = command('login', gate.config_path, 'api')
        self.assertEqual(status, 0, out)
        self.assertIn('signed again', out)
        gate = self.gate('echo: json.signed')
        self.key = 'another-key-of-theirs'
        status, out, _ = command('login', gate.config_path, 'api')
        self.assertEqual(status, 1, out)
        self.assertIn('another string, from line 1', out)
        self.assertNotIn(configs.SECRETS['secrets/key'], out)


class Reasons(Answers):
    """Why a login does not work is told by the command and at `debug`, without secrets."""

    SESSION = '''login:
  - request: {method: GET, path: /challenge}
    capture: {challenge: json.challenge}
  - request:
      path: /login
      query: {user: "${secret.user}", proof: "${hex.encode(hash.md5(secret.password + session.challenge))}"}
      json: {sign: "${hex.encode(hash.sha256(secret.password))}"}
    success: has(json.token)
    capture: {token: json.token}
''' + BEARER

    def setUp(self):
        def login(request):
            return json_answer({'msg': 'application is not enabled', 'you sent': request.target, 'and': request.body.decode(),
                                'after': 'challenge-canary', 'pad': 'x' * 2000})
        self.pages = {'/challenge': lambda request: json_answer({'challenge': 'challenge-canary'}), '/login': login}

    def secrets_in(self, text):
        password = recipes.SECRETS['secrets/password']
        values = ['challenge-canary', password, hashlib.md5((password + 'challenge-canary').encode()).hexdigest(),
                  hashlib.sha256(password.encode()).hexdigest()]
        return [value for value in values if value in text]

    def test_the_command_shows_the_answer_and_masks_values(self):
        gate = self.gate(self.pages, self.SESSION)
        status, out, error = command('login', gate.config_path, 'api')
        self.assertEqual(status, 1)
        self.assertIn('application is not enabled', out)
        self.assertIn('application/json', out)
        self.assertIn('POST /login?user=***&proof=***: status 200', out)
        self.assertEqual(self.secrets_in(out + error), [])
        self.assertLess(len(out), 2000)

    def test_a_token_that_no_capture_took_is_told_nowhere(self):
        """The recipe's `success` fails, or its capture finds nothing: the token of the answer is one all the same."""
        token = 'f00-canary-Token-0815'
        answers = [
            json_answer({'msg': 'granted ' + token, 'code': 7, 'data': {'accessToken': token, 'l': [token]}, token: 1}),
            answer(200, b'<r><m>ok</m><tok>%s</tok></r>' % token.encode(), [('Content-Type', 'text/xml; x=' + token)]),
            answer(200, b'jwt=%s' % token.encode(), [('Content-Type', 'text/plain')]),
            answer(403, b'<html>' + token.encode(), [('X-Token', token)])]
        session = 'login: {request: {path: /login}, success: "%s", capture: {token: json.token}}\n' + BEARER
        for reply in answers:
            for success in ('false', 'true'):
                site = self.start(recipes.Site({'/login': lambda request: reply}, lambda request: True))
                text = 'log: {level: debug}\n' + recipes.config(site.url, session % success)
                gate = self.gateway(text, secrets=recipes.SECRETS)
                shown = [str(get(gate.address, '/a').body), str(get(gate.admin, '/health').body)]
                line = gate.log.wait(lambda record: record.get('message') == 'answer to a login that did not work')
                self.assertIn(line['status'], (200, 403))
                for arguments in (('login', gate.config_path, 'api'), ('check', gate.config_path, '--live'),
                                  ('check', gate.config_path, '--live', '--json')):
                    _, out, error = command(*arguments)
                    shown += [out, error]
                shown.append(gate.log.text().decode())
                with self.subTest(reply, success=success):
                    self.assertNotIn('canary', ''.join(shown))
        self.assertIn('{m: text, tok: text}', self.outline(answers[1], session % 'true'))

    def outline(self, reply, session):
        _, out, _ = command('login', self.gate({'/login': lambda request: reply}, session).config_path, 'api')
        return out

    def test_debug_logs_it(self):
        site = self.start(recipes.Site(self.pages, lambda request: True))
        text = 'log: {level: debug}\n' + recipes.config(site.url, self.SESSION)
        gate = self.gateway(text, secrets=recipes.SECRETS)
        self.assertEqual(get(gate.address, '/a').status, 503)
        line = gate.log.wait(lambda record: record.get('message') == 'answer to a login that did not work')
        self.assertEqual((line['session'], line['status'], line['type']), ('api', 200, 'application/json'))
        self.assertIn('application is not enabled', line['body'])
        self.assertEqual(self.secrets_in(gate.log.text().decode()), [])

    def test_info_does_not(self):
        gate = self.gate(self.pages, self.SESSION)
        self.assertEqual(get(gate.address, '/a').status, 503)
        gate.log.wait(lambda record: record.get('message') == 'login failed')
        self.assertNotIn(b'not enabled', gate.log.text())


LOGOUT = '''login: {request: {path: /login}, capture: {seat: json.seat}}
logout: {request: {method: DELETE, path: "/seats/${session.seat}", headers: {Seat: "${session.seat}"}}}
attach: {header: {Seat: "${session.seat}"}}
'''


class Logout(Answers):
    def setUp(self):
        self.seats, self.left = 0, []

        def login(request):
            self.seats += 1
            return json_answer({'seat': f'seat-number-{self.seats}'})

        def allows(request):
            if request.method == 'DELETE':
                self.left.append((request.target, request.field('Seat')))
            return True
        self.allows, self.pages = allows, {'/login': login}

    def start_gate(self, session=LOGOUT):
        return self.gate(self.pages, session, self.allows)

    def test_the_end_of_the_process_ends_the_session(self):
        gate = self.start_gate()
        get(gate.address, '/a')
        gate.stop()
        self.assertEqual(self.left, [('/seats/seat-number-1', 'seat-number-1')])
        self.assertIn(b'logged out', gate.output())

    def test_without_a_session_nothing_is_sent(self):
        gate = self.start_gate()
        gate.stop()
        self.assertEqual(self.site_.calls, [])

    def test_a_reload_that_drops_the_session_ends_it(self):
        gate = self.start_gate()
        get(gate.address, '/a')
        with open(gate.config_path, encoding='utf8') as file:
            text = file.read()
        gate.write('gateway.yaml', text.replace('path: /login', 'path: /login?again'))
        gate.reload()
        eventually(lambda: self.left == [('/seats/seat-number-1', 'seat-number-1')], 5, 'the logout')
        self.assertEqual(get(gate.address, '/a').status, 200)
        self.assertEqual(self.site_.calls[-1].field('Seat'), 'seat-number-2')

    def test_a_reload_that_keeps_it_does_not(self):
        gate = self.start_gate()
        get(gate.address, '/a')
        gate.reload()
        self.assertEqual(get(gate.address, '/a').status, 200)
        self.assertEqual((self.left, self.seats), ([], 1))

    def test_a_server_that_does_not_answer_holds_nothing_up_for_long(self):
        gate = self.start_gate()
        get(gate.address, '/a')
        self.site_.upstream.handler = lambda request, wire: time.sleep(20)
        start = time.monotonic()
        gate.stop(timeout=10)
        self.assertLess(time.monotonic() - start, 8)

    def test_a_drop_waits_for_the_requests_that_are_out(self):
        gate = self.start_gate()
        get(gate.address, '/a')
        held = self.held = threading.Event()
        self.addCleanup(held.set)
        handler = self.site_.upstream.handler
        self.site_.upstream.handler = lambda request, wire: (
            held.wait(10) if request.target == '/slow' else None, handler(request, wire))[1]
        slow = self.start(Client(gate.address))
        slow.send(encode('GET', '/slow'))
        self.site_.upstream.wait(lambda up: up.last.target == '/slow')
        with open(gate.config_path, encoding='utf8') as file:
            text = file.read()
        gate.write('gateway.yaml', text.replace('path: /login', 'path: /login?again'))
        gate.reload()
        self.assertEqual(self.left, [])
        held.set()
        self.assertEqual(slow.read().status, 200)
        eventually(lambda: self.left == [('/seats/seat-number-1', 'seat-number-1')], 5, 'the logout')

    def test_a_failed_logout_is_told(self):
        gate = self.start_gate()
        get(gate.address, '/a')
        self.site_.upstream.handler = lambda request, wire: answer(500)
        gate.stop()
        self.assertIn(b'logout failed', gate.output())
