"""Logins of several steps: values carried between them, every kind of body, keys, one-time passwords, times of expiry."""
import base64
import email.parser
import email.policy
import hashlib
import hmac
import json
import subprocess
import tempfile
import time
import xml.etree.ElementTree

from support import case, oauth, recipes
from support.client import call, get
from support.gateway import binary, eventually
from support.upstream import answer, json_answer

BEARER = 'attach: {header: {Authorization: "Bearer ${session.token}"}}'
PASSWORD = recipes.SECRETS['secrets/password']


def has_token(*tokens):
    return lambda request: (request.field('Authorization') or '').removeprefix('Bearer ') in tokens


class Recipe(case.Case):
    def site(self, pages, allows=has_token('t1'), **options):
        return self.start(recipes.Site(pages, allows, **options))

    def gate(self, site, session, secrets=None, **options):
        return self.gateway(recipes.config(site.url, session, **options), secrets={**recipes.SECRETS, **(secrets or {})})

    def assert_served(self, gate, target='/a'):
        reply = get(gate.address, target)
        self.assertEqual((reply.status, reply.body), (200, target.encode()), reply)
        return reply


class Steps(Recipe):
    def test_a_challenge_and_a_salt_go_into_the_next_step(self):
        def login(request):
            body = json.loads(request.body)
            inner = hashlib.md5((PASSWORD + 'salt').encode()).hexdigest()
            proof = hashlib.sha256(f'{inner}:ch-9'.encode()).hexdigest()
            return json_answer({'token': 't1'} if body == {'user': 'ann', 'proof': proof, 'id': 7} else {})
        site = self.site({'/challenge': lambda request: json_answer({'c': 'ch-9', 'salt': 'salt', 'id': 7}), '/login': login})
        gate = self.gate(site, '''login:
  - request: {method: GET, path: "/challenge?user=${secret.user}"}
    capture: {challenge: json.c, salt: json.salt, id: json.id}
  - variables:
      inner: hex.encode(hash.md5(secret.password + session.salt))
      proof: hex.encode(hash.sha256(vars.inner + ":" + session.challenge))
    request: {path: /login, json: {user: "${secret.user}", proof: "${vars.proof}", id: "${session.id}"}}
    success: has(json.token)
    capture: {token: json.token}
''' + BEARER)
        self.assert_served(gate)
        self.assertEqual([request.target for request in site.logins], ['/challenge?user=ann', '/login'])

    def test_the_answer_is_read_with_the_variables_of_its_step(self):
        """Also where the step is signed: a signature has variables of its own."""
        def login(request):
            nonce = json.loads(request.body)['nonce']
            proof = hashlib.sha256((nonce + PASSWORD).encode()).hexdigest()
            return json_answer({'proof': proof, 'token': f't1-{nonce}', 'mac': request.field('X-Mac')})
        site = self.site({'/login': login})
        text = recipes.config(site.url, '''login:
  - variables: {once: nonce, proof: hex.encode(hash.sha256(vars.once + secret.password))}
    request: {path: /login, json: {nonce: "${vars.once}"}}
    sign: mac
    success: json.proof == vars.proof && json.mac == "signed" && request.json.nonce == nonce
    capture: {token: 'json.token.replace("-" + vars.once, "")'}
''' + BEARER) + 'signatures: {mac: {variables: {m: "\'signed\'"}, attach: {header: {X-Mac: "${vars.m}"}}}}\n'
        self.assert_served(self.gateway(text, secrets=recipes.SECRETS))

    def test_a_password_encrypted_with_a_fetched_key(self):
        private, public = oauth.make_key()

        def login(request):
            data = base64.b64decode(json.loads(request.body)['password'])
            with tempfile.NamedTemporaryFile('w') as file:
                file.write(private)
                file.flush()
                done = subprocess.run(['openssl', 'pkeyutl', '-decrypt', '-inkey', file.name], input=data,
                                      capture_output=True)
            return json_answer({'token': 't1'} if done.stdout.decode() == PASSWORD else {}, 200)
        site = self.site({'/key': lambda request: json_answer({'key': public}), '/login': login})
        gate = self.gate(site, '''login:
  - request: {method: GET, path: /key}
    capture: {key: json.key}
  - request: {path: /login, json: {password: "${base64.encode(rsa.encrypt(session.key, secret.password))}"}}
    success: has(json.token)
    capture: {token: json.token}
''' + BEARER)
        self.assert_served(gate)

    def test_a_hidden_field_of_a_login_page_and_its_cookie(self):
        def page(request):
            html = '<form><input type="hidden" name="csrf" value="c&quot;1"></form>'
            return answer(200, html, [('Content-Type', 'text/html'), ('Set-Cookie', 'PRE=p1; Path=/; HttpOnly')])

        def login(request):
            good = request.body == b'csrf=c%26quot%3B1&user=ann' and recipes.cookies(request) == {'PRE': 'p1'}
            return answer(302, b'', [('Location', '/home'), ('Set-Cookie', 'SID=s1; Path=/')] if good else [('Location', '/')])
        site = self.site({'/page': page, '/login': login}, lambda request: recipes.cookies(request).get('SID') == 's1')
        gate = self.gate(site, '''cookies: true
login:
  - request: {method: GET, path: /page}
    capture: {csrf: 'text.split("name=\\"csrf\\" value=\\"")[1].split("\\"")[0]'}
  - request: {path: /login, form: {csrf: "${session.csrf}", user: "${secret.user}"}}
    success: status == 302 && headers.location == "/home"''')
        self.assert_served(gate)

    def test_a_step_that_fails_ends_the_login(self):
        site = self.site({'/one': lambda request: answer(500), '/two': lambda request: json_answer({'token': 't1'})})
        gate = self.gate(site, '''login:
  - request: {path: /one}
  - request: {path: /two}
    capture: {token: json.token}
''' + BEARER)
        reply = get(gate.address, '/a')
        self.assert_refused(reply, 503, 'login_unavailable')
        self.assertIn('step 1', reply.json['error']['detail'])
        self.assertEqual(len(site.logins), 1)


class Bodies(Recipe):
    def run_login(self, body, check):
        site = self.site({'/login': lambda request: json_answer({'token': 't1'}) if check(request) else answer(500)})
        self.assert_served(self.gate(site, f'''login:
  - request: {{path: /login, {body}}}
    capture: {{token: json.token}}
''' + BEARER))

    def test_xml_with_escaped_values(self):
        def check(request):
            root = xml.etree.ElementTree.fromstring(request.body)
            return (root.findtext('user'), root.findtext('password')) == ('ann', PASSWORD) and (
                request.field('Content-Type') == 'application/xml')
        self.run_login('xml: "<login><user>${secret.user}</user><password>${secret.password}</password></login>"', check)

    def test_multipart(self):
        def check(request):
            head = f'Content-Type: {request.field("Content-Type")}\r\n\r\n'.encode()
            message = email.parser.BytesParser(policy=email.policy.HTTP).parsebytes(head + request.body)
            parts = [(part.get_param('name', header='content-disposition'), part.get_filename(), part.get_content_type(),
                      part.get_payload(decode=True)) for part in message.iter_parts()]
            return parts == [('user', None, 'text/plain', b'ann'), ('key', 'k.bin', 'application/x-key', PASSWORD.encode())]
        self.run_login('multipart: {user: "${secret.user}", key: {value: "${secret.password}", filename: k.bin, '
                       'type: application/x-key}}', check)

    def test_a_one_time_password(self):
        seed = base64.b32decode('JBSWY3DPEHPK3PXP')

        def code(counter):
            mac = hmac.new(seed, counter.to_bytes(8, 'big'), hashlib.sha1).digest()
            at = mac[-1] & 15
            return f'{(int.from_bytes(mac[at:at + 4], "big") & 0x7fffffff) % 1000000:06}'

        def check(request):
            counter = int(time.time()) // 30
            return json.loads(request.body)['code'] in (code(counter), code(counter - 1))
        self.run_login("json: {code: \"${totp('jbsw y3dp-ehpk 3pxp', now)}\"}", check)


class Expiry(Recipe):
    """When the session ends by the login's own word; the gateway says so in /health."""

    def seconds(self, reply, capture, session=''):
        site = self.site({'/login': lambda request: reply}, lambda request: True)
        gate = self.gate(site, f'''login:
  - request: {{path: /login}}
    capture: {capture}
{session}
''' + BEARER)
        self.assert_served(gate)
        return get(gate.admin, '/health').json['sessions']['api']['expiresIn']

    def test_an_absolute_time(self):
        end = int(time.time()) + 1000
        for value in (end, end * 1000, str(end)):
            seconds = self.seconds(json_answer({'token': 't', 'end': value}), '{token: json.token, expires_at: json.end}')
            self.assertTrue(990 < seconds <= 1000, (value, seconds))
        text = time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime(end))
        seconds = self.seconds(json_answer({'token': 't', 'end': text}),
                               '{token: json.token, expires_at: timestamp(json.end)}')
        self.assertTrue(990 < seconds <= 1000, seconds)

    def test_the_exp_of_a_jwt(self):
        claims = base64.urlsafe_b64encode(json.dumps({'exp': int(time.time()) + 500}).encode()).decode().rstrip('=')
        token = f'eyJhbGciOiJub25lIn0.{claims}.c2ln'
        seconds = self.seconds(json_answer({'token': token}),
                               '{token: json.token, expires_at: jwt.claims(json.token).exp}')
        self.assertTrue(490 < seconds <= 500, seconds)

    def test_the_max_age_of_a_cookie(self):
        reply = answer(200, b'', [('Set-Cookie', 'other=1; Max-Age=5'), ('Set-Cookie', 'SID=s1; Path=/; max-age=300')])
        seconds = self.seconds(reply, '{token: "cookie.value(headers, \'SID\')", expires_in: "cookie.maxAge(headers, \'SID\')"}')
        self.assertTrue(290 < seconds <= 300, seconds)


class Refresh(Recipe):
    SESSION = '''login:
  - request: {path: /login}
    capture: {token: json.token, renew: json.renew}
refresh:
  - request: {path: /renew, json: {renew: "${session.renew}"}}
    refused: status == 403
    capture: {token: json.token, renew: "json.?renew"}
''' + BEARER

    def setUp(self):
        self.count = 0
        self.valid = set()
        self.dead = False
        self.site_ = self.site({'/login': self.issue, '/renew': self.renew},
                               lambda request: has_token(*self.valid)(request))

    def issue(self, request):
        self.count += 1
        self.valid = {f't{self.count}'}
        return json_answer({'token': f't{self.count}', 'renew': f'r{self.count}'})

    def renew(self, request):
        if self.dead or json.loads(request.body)['renew'] != f'r{self.count}':
            return answer(403)
        return self.issue(request)

    def paths(self):
        return [request.target for request in self.site_.logins]

    def test_it_comes_before_a_login_and_its_values_rotate(self):
        gate = self.gate(self.site_, self.SESSION)
        for _ in range(3):
            self.assert_served(gate)
            self.valid = set()
        self.assertEqual(self.paths(), ['/login', '/renew', '/renew'])

    def test_when_it_is_refused_the_login_follows(self):
        gate = self.gate(self.site_, self.SESSION)
        self.assert_served(gate)
        self.valid, self.dead = set(), True
        self.assert_served(gate)
        self.assertEqual(self.paths(), ['/login', '/renew', '/login'])

    def test_any_answer_that_is_no_success_is_followed_by_the_login(self):
        """A recipe cannot know every way in which a server says that a refresh token is dead."""
        for reply in (answer(400), answer(404), answer(401), answer(302, b'', [('Location', '/')])):
            with self.subTest(reply=reply):
                self.site_.logins.clear()
                gate = self.gate(self.site_, self.SESSION)
                self.assert_served(gate)
                self.valid = set()
                self.site_.pages['/renew'] = lambda request, reply=reply: reply
                self.assert_served(gate)
                self.assertEqual(self.paths(), ['/login', '/renew', '/login'])

    def test_an_answer_that_asks_to_come_later_is_not(self):
        for status in (429, 503, 408, 500):
            with self.subTest(status=status):
                self.site_.logins.clear()
                self.site_.pages['/renew'] = self.renew
                gate = self.gate(self.site_, self.SESSION)
                self.assert_served(gate)
                self.valid = set()
                self.site_.pages['/renew'] = lambda request, status=status: answer(status)
                self.assert_refused(get(gate.address, '/x'), 503, 'login_unavailable')
                self.assertEqual(self.paths(), ['/login', '/renew'])
                self.site_.pages['/renew'] = self.renew
                eventually(lambda gate=gate: get(gate.address, '/x').status == 200, 5, 'the refresh')
                self.assertNotIn('/login', self.paths()[1:])

    def broken(self, patience):
        """A session whose token is dead and whose refresh answers 500, now and for ever."""
        gate = self.gateway(recipes.config(self.site_.url, self.SESSION, patience=patience), secrets=recipes.SECRETS)
        self.assert_served(gate)
        self.valid = set()
        self.site_.pages['/renew'] = lambda request: answer(500)
        self.assert_refused(get(gate.address, '/x'), 503, 'login_unavailable')
        return gate

    def test_an_operators_login_is_the_full_one(self):
        gate = self.broken('backoff: {min: 1h, max: 1h}')
        self.assertEqual(call(gate.admin, 'POST', '/sessions/api/login').status, 202)
        self.assert_served(gate)
        self.assertEqual(self.paths(), ['/login', '/renew', '/login'])

    def test_after_three_failed_refreshes_the_login_follows(self):
        gate = self.broken('backoff: {min: 10ms, max: 20ms}\nattempts_window: {logins: 100, per: 1s}')
        eventually(lambda: get(gate.address, '/x').status == 200, 5, 'the full login')
        self.assertEqual(self.paths(), ['/login'] + ['/renew'] * 3 + ['/login'])

    def test_a_login_that_fails_too_gives_the_refresh_three_tries_again(self):
        gate = self.broken('backoff: {min: 10ms, max: 20ms}\nattempts_window: {logins: 100, per: 1s}')
        login, self.site_.pages['/login'] = self.site_.pages['/login'], lambda request: answer(500)
        eventually(lambda: get(gate.address, '/x') and len(self.paths()) >= 9, 5, 'five more tries')
        self.site_.pages['/login'] = login
        self.assertEqual(self.paths()[:9], ['/login'] + (['/renew'] * 3 + ['/login']) * 2)

    def test_a_login_that_brings_no_refresh_value_means_a_login(self):
        self.site_.pages['/login'] = lambda request: json_answer(
            {**json.loads(self.issue(request).split(b'\r\n\r\n')[1]), 'renew': None})
        gate = self.gate(self.site_, self.SESSION)
        self.assert_served(gate)
        self.valid = set()
        self.assert_served(gate)
        self.assertEqual(self.paths(), ['/login', '/login'])


class People(Recipe):
    SESSION = '''human: Enter the code of the text message.
login:
  - request: {path: /login, json: {code: "${session.human}"}}
    refused: status == 403
    capture: {token: json.token}
''' + BEARER

    def setUp(self):
        self.site_ = self.site({'/login': lambda request: json_answer({'token': 't1'}) if json.loads(request.body) == {
            'code': '4711'} else answer(403)})

    def state(self, gate):
        return get(gate.admin, '/health').json['sessions']['api']['state']

    def login(self, gate, *args, stdin=b''):
        return subprocess.run([binary(), 'login', gate.config_path, 'api', '--admin', gate.admin, *args], input=stdin,
                              capture_output=True, timeout=20)

    def test_nothing_is_sent_before_somebody_answers(self):
        gate = self.gate(self.site_, self.SESSION)
        for _ in range(3):
            reply = get(gate.address, '/a')
            self.assert_refused(reply, 401, 'login_required')
            self.assertIn('text message', reply.json['error']['detail'])
        self.assertEqual(self.site_.logins, [])
        self.assertEqual(self.state(gate), 'login_required')

    def test_the_login_command_asks_and_hands_the_answer_over(self):
        gate = self.gate(self.site_, self.SESSION)
        get(gate.address, '/a')
        done = self.login(gate, stdin=b'4711\n')
        self.assertEqual(done.returncode, 0, done)
        self.assertIn(b'text message', done.stderr)
        self.assert_served(gate)

    def test_a_wrong_answer_is_refused(self):
        gate = self.gate(self.site_, self.SESSION)
        done = self.login(gate, '--answer', '1')
        self.assertEqual(done.returncode, 1, done)
        eventually(lambda: self.state(gate) == 'refused', 3, 'the refusal')

    def test_a_pasted_token_needs_no_step(self):
        gate = self.gate(self.site_, 'human: Paste the token of the web page.\n'
                         'attach: {header: {Authorization: "Bearer ${session.human}"}}')
        self.assert_refused(get(gate.address, '/a'), 401, 'login_required')
        self.assertEqual(self.login(gate, '--answer', 't1').returncode, 0)
        self.assert_served(gate)
        self.assertNotIn(b'Bearer t1', gate.log.text())

    def test_a_refresh_needs_nobody_until_it_is_refused(self):
        count, dead = [0], []

        def issue(request):
            count[0] += 1
            return json_answer({'token': f't{count[0]}', 'renew': 'r'})
        site = self.site({'/login': issue, '/renew': lambda request: answer(dead[-1]) if dead else issue(request)},
                         lambda request: has_token(f't{count[0]}')(request))
        gate = self.gate(site, '''human: Enter the code.
login: {request: {path: /login}, capture: {token: json.token, renew: json.renew}}
refresh: {request: {path: /renew, form: {r: "${session.renew}"}}, refused: status == 403, capture: {token: json.token}}
''' + BEARER)
        self.assertEqual(self.login(gate, '--answer', '1').returncode, 0)
        self.assert_served(gate)
        count[0] += 1
        self.assert_served(gate)
        count[0] += 1
        # Nobody is called for an answer that may mean anything.
        dead.append(404)
        self.assert_refused(get(gate.address, '/a'), 503, 'login_unavailable')
        dead.clear()
        eventually(lambda: get(gate.address, '/a').status == 200, 5, 'the refresh')
        count[0] += 1
        dead.append(403)
        self.assert_refused(get(gate.address, '/a'), 401, 'login_required')
        self.assertEqual([request.target for request in site.logins], ['/login'] + ['/renew'] * 4)
