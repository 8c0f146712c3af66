"""A session that names an envelope reads every answer as that envelope leaves it: packed APIs need one decoder."""
import base64
import json
import threading

from support import case, recipes
from support.client import get
from support.gateway import command, eventually, folder
from support.upstream import answer, json_answer

ENVELOPE = '''envelopes:
  packed:
    open: '%s'
    ok: json.code == 0
    code: json.code
    message: json.?text
    data: json.?data
'''
ALWAYS = 'base64.decode(json.d)'
SESSION = '''envelope: packed
login:
  - {request: {path: /login}, success: json.code == 0, refused: json.code == 7, capture: {token: json.token}}
refresh: {request: {path: /refresh}, success: json.code == 0, capture: {token: json.token}}
expired: json.code == 9
attach: {header: {Token: "${session.token}"}}
'''


def packed(value, status=200, fields=()):
    text = value if isinstance(value, str) else json.dumps(value)
    return json_answer({'d': base64.b64encode(text.encode()).decode()}, status, fields)


class Base(case.Case):
    def setUp(self):
        self.logins, self.dead, self.replies, self.lock = [], set(), {}, threading.Lock()

    def handle(self, request, wire):
        with self.lock:
            if request.target in self.replies:
                return self.replies[request.target]
            if request.target in ('/login', '/refresh'):
                self.logins.append(request.target)
                return packed({'code': 0, 'token': f't{len(self.logins)}'})
            if request.field('Token') in self.dead:
                return packed({'code': 9, 'text': 'expired'})
            return packed({'code': 0, 'data': request.field('Token')})

    def gate(self, session=SESSION, open=ALWAYS, route='envelope: {from: packed}', top=''):
        self.up = self.upstream(self.handle)
        text = recipes.config(self.up.url, session, route=route).replace(
            'upstreams:\n', ENVELOPE % open + top + 'upstreams:\n', 1)
        return self.gateway(text, secrets=recipes.SECRETS)


class Packed(Base):
    def test_login_expiry_refresh_and_answer_are_read_by_one_open(self):
        gate = self.gate()
        self.assertEqual(get(gate.address, '/a').json['data'], 't1')
        self.dead.add('t1')
        reply = get(gate.address, '/b')
        self.assertEqual((reply.json['data'], reply.outcome), ('t2', 'relogin'))
        self.assertEqual(self.logins, ['/login', '/refresh'])

    def test_also_where_the_client_gets_the_answer_as_it_is(self):
        for route in ('', 'envelope: {from: packed, to: same}'):
            with self.subTest(route=route):
                self.setUp()
                gate = self.gate(route=route)
                get(gate.address, '/a')
                self.dead.add('t1')
                reply = get(gate.address, '/b')
                self.assertEqual((json.loads(base64.b64decode(reply.json['d'])), reply.outcome), (
                    {'code': 0, 'data': 't2'}, 'relogin'))

    def test_the_routes_own_envelope_tells_and_the_sessions_one_tests(self):
        top = '  raw: {ok: has(json.d), data: json.d}\n'
        gate = self.gate(route='envelope: {from: raw}', top=top)
        self.dead.add('t1')
        reply = get(gate.address, '/a')
        self.assertEqual((base64.b64decode(reply.json['data']), reply.outcome), (b'{"code": 0, "data": "t2"}', 'relogin'))

    def test_a_refusal_of_the_login_is_seen(self):
        self.replies['/login'] = packed({'code': 7})
        gate = self.gate()
        self.assert_refused(get(gate.address, '/a'), 401, 'login_refused')

    def test_a_login_that_cannot_be_opened_says_why(self):
        self.replies['/login'] = json_answer({'code': 0, 'token': 'clear'})
        reply = get(self.gate().address, '/a')
        self.assert_refused(reply, 503, 'login_unavailable')
        self.assertIn('the answer cannot be opened: no such key: d', reply.json['error']['detail'])

    def test_an_answer_that_cannot_be_opened_still_has_its_status(self):
        gate = self.gate(SESSION.replace('expired: json.code == 9', 'expired: status == 401 || json.code == 9'))
        self.replies['/b'] = answer(401, b'<html>')
        get(gate.address, '/a')
        self.assertEqual(get(gate.address, '/b').status, 401)
        self.assertEqual(len(self.logins), 3)

    def test_updates_are_read_from_it(self):
        gate = self.gate(SESSION + 'update: {token: json.token}\n')
        self.replies['/new'] = packed({'code': 0, 'token': 'rolled'})
        get(gate.address, '/new')
        self.assertEqual(get(gate.address, '/a').json['data'], 'rolled')

    def test_so_is_the_answer_to_a_keepalive(self):
        gate = self.gate(SESSION + 'keepalive: {every: 100ms, for: 1h, request: {method: GET, path: /ping}}\n')
        get(gate.address, '/a')
        self.dead.add('t1')
        eventually(lambda: len(self.logins) > 1)
        self.assertEqual(get(gate.address, '/a').json['data'], 't2')

    def test_a_clock_refusal_is_read_from_it(self):
        top = 'signatures:\n  s:\n    attach: {header: {T: "${string(int(now))}"}}\n' \
              '    clock_refused: "json.code == 5 ? int(json.now) : false"\n'
        sent = []

        def handle(request, wire):
            if request.target == '/login':
                return packed({'code': 0, 'token': 't1'})
            sent.append(int(request.field('T')))
            return packed({'code': 5, 'now': sent[0] + 5000} if len(sent) == 1 else {'code': 0, 'data': 1})
        self.handle = handle
        gate = self.gate(route='sign: s\nenvelope: {from: packed}', top=top)
        self.assertEqual(get(gate.address, '/a').json['data'], 1)
        self.assertGreaterEqual(sent[1] - sent[0], 5000)

    def test_the_variables_of_a_login_step_are_its_own(self):
        """What the route's signature computes, the step computes for itself."""
        top = 'signatures: {s: {variables: {mark: "\'d\'"}, attach: {header: {X: "${vars.mark}"}}}}\n'
        session = SESSION.replace('  - {', '  - {variables: {mark: "\'d\'", other: "1"}, ').replace(
            'refresh: {', 'refresh: {variables: {mark: "\'d\'"}, ')
        gate = self.gate(session, 'base64.decode(json[vars.mark])', 'sign: s\nenvelope: {from: packed}', top)
        self.dead.add('t1')
        self.assertEqual(get(gate.address, '/a').json['data'], 't2')


class Charset(Base):
    def test_a_login_that_writes_without_a_label_is_understood(self):
        text = '{"code":7,"text":"パスワード"}'.encode('shift_jis')
        self.replies['/login'] = answer(200, text, [('Content-Type', 'application/json')])
        for open, kind in (('optional.none()\'\n    unwrap: [{charset_fallback: shift_jis}] #', 'login_refused'),
                           ('optional.none()', 'login_unavailable')):
            session = SESSION.replace('json.code == 7', 'json.text.startsWith("パス")')
            with self.subTest(kind=kind):
                self.assertEqual(get(self.gate(session, open).address, '/a').json['error']['kind'], kind)


class Check(case.Case):
    def told(self, session, open=ALWAYS, route='envelope: {from: packed}', more=''):
        text = recipes.config('http://127.0.0.1:9', session, route=route).replace(
            'upstreams:\n', ENVELOPE % open + more + 'upstreams:\n', 1)
        with folder({**recipes.SECRETS, 'g.yaml': text}) as path:
            code, output, error = command('check', 'g.yaml', cwd=path)
        return code, output + error

    def test_a_test_that_looks_before_open_is_told(self):
        bare = SESSION.replace('envelope: packed\n', '')
        warning = 'looks at the answer before `open` of envelope packed (envelope: packed in the session'
        code, output = self.told(bare)
        self.assertEqual((code, output.count(warning)), (0, 1), output)
        for session in (SESSION, bare.replace('json.code == 9', 'json.decode(base64.decode(json.d)).code == 9')):
            self.assertNotIn(warning, self.told(session)[1])

    def test_a_login_in_a_charset_of_the_envelopes_is_told(self):
        bare = SESSION.replace('envelope: packed\n', '').replace('expired: json.code == 9\n', '')
        open = 'optional.none()\'\n    unwrap: [{charset_fallback: shift_jis}] #'
        warning = 'the answers of its login are read without {charset_fallback: CP932} of envelope packed (envelope: packed)'
        self.assertEqual(self.told(bare, open)[1].count(warning), 1)
        self.assertNotIn(warning, self.told('envelope: packed\n' + bare, open)[1])

    def test_what_it_reads_and_a_step_lacks_is_an_issue_at_the_session(self):
        code, output = self.told(SESSION, 'base64.decode(json[vars.mark])', 'sign: s\nenvelope: {from: packed}',
                                 'signatures: {s: {variables: {mark: "\'d\'"}, attach: {header: {X: "${vars.mark}"}}}}\n')
        self.assertEqual(code, 1)
        self.assertIn('sessions.api.envelope: envelope "packed" reads vars.mark, which a step of the login does not compute',
                      output)

    def test_an_unknown_one_is_an_issue(self):
        code, output = self.told(SESSION.replace('envelope: packed', 'envelope: paked'))
        self.assertEqual(code, 1)
        self.assertIn('no envelope named "paked" (did you mean packed?', output)


if __name__ == '__main__':
    case.main()
