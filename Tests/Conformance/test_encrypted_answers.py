"""Answers that are encrypted: with a key that the login gave, with one of the request, with one that never changes."""
import base64
import json
import subprocess
import threading

from support import case, configs, recipes
from support.client import Client, call, encode, get
from support.gateway import command, folder
from support.upstream import Upstream, answer, json_answer

IV = '000102030405060708090a0b0c0d0e0f'
LOGIN = 'login: {request: {path: /login}, capture: {token: json.token, key: json.key}}\n' \
        'expired: status == 401\nattach: {header: {Token: "${session.token}"}}'
READS = '''
    ok: json.code == 0
    code: json.code
    message: json.?text
    data: json.?data
    render: {code: "${code.orValue(-1)}", text: "${message}"}
'''
SEALED = 'envelopes:\n  sealed:\n    open: >-\n' \
         '      aes.decryptCbc(hex.decode(session.key), base64.decode(json.d), hex.decode(headers["x-iv"]))' + READS


def encrypt(key, iv, text):
    done = subprocess.run(['openssl', 'enc', '-aes-128-cbc', '-K', key, '-iv', iv], input=text.encode(), check=True,
                          capture_output=True)
    return base64.b64encode(done.stdout).decode()


def sealed(key, value, iv=IV, status=200):
    """`{"d": "..."}`, and the initial vector in a field."""
    return json_answer({'d': encrypt(key, iv, json.dumps(value))}, status, [('X-Iv', iv)])


class Vault:
    """Each login gives a token and the key that answers to it are encrypted with."""

    def __init__(self, reply):
        self.reply = reply                # request, key -> response bytes
        self.keys = {}                    # token -> key
        self.dead = set()
        self.lock = threading.Lock()
        self.gates = {}                   # target -> Event that its answer waits for
        self.upstream = Upstream(self.handle)
        self.url, self.close = self.upstream.url, self.upstream.close

    def handle(self, request, wire):
        if request.target == '/login':
            with self.lock:
                number = len(self.keys) + 1
                token, key = f'token-{number:04}', f'{number:02}' * 16
                self.keys[token] = key
            return json_answer({'token': token, 'key': key})
        gate = self.gates.get(request.target)
        if gate:
            gate.wait(10)
        token = request.field('Token')
        if token in self.dead and not gate:
            return answer(401, b'')
        return self.reply(request, self.keys[token])


class SessionKey(case.Case):
    def gate(self, reply, envelope=SEALED, route='envelope: {from: sealed, to: standard}', session=LOGIN):
        self.vault = self.start(Vault(reply))
        text = recipes.config(self.vault.url, session, route=route).replace('upstreams:\n', envelope + 'upstreams:\n', 1)
        return self.gateway(text, secrets=recipes.SECRETS)

    def test_the_payload_is_spliced_out_of_the_plain_text(self):
        gate = self.gate(lambda request, key: answer(200, json.dumps({'d': encrypt(
            key, IV, '{"code":0,"text":"好","data":{"price": 10.10,"id":12345678901234567890}}')}), [('X-Iv', IV)]))
        self.assertEqual(
            get(gate.address, '/a').body.decode(),
            '{"success":true,"code":0,"message":"好","data":{"price": 10.10,"id":12345678901234567890}}')

    def test_after_a_new_login_the_new_key_is_used(self):
        gate = self.gate(lambda request, key: sealed(key, {'code': 0, 'data': request.target}))
        self.assertEqual(get(gate.address, '/a').json['data'], '/a')
        self.vault.dead.add('token-0001')
        reply = get(gate.address, '/b')
        self.assertEqual((reply.json['data'], reply.outcome), ('/b', 'relogin'))
        self.assertEqual(len(self.vault.keys), 2)

    def test_a_late_answer_is_opened_with_the_key_that_its_request_went_out_with(self):
        gate = self.gate(lambda request, key: sealed(key, {'code': 0, 'data': key}))
        self.assertEqual(get(gate.address, '/a').json['data'], '01' * 16)
        held = self.vault.gates['/held'] = threading.Event()
        self.addCleanup(held.set)
        client = self.start(Client(gate.address))
        client.send(encode('GET', '/held'))
        self.vault.upstream.wait(lambda up: up.last.target == '/held')
        self.vault.dead.add('token-0001')
        self.assertEqual(get(gate.address, '/b').json['data'], '02' * 16)
        held.set()
        self.assertEqual(client.read().json['data'], '01' * 16)

    def test_what_cannot_be_opened_is_told_by_its_status(self):
        def reply(request, key):
            if request.target == '/wrong':
                return sealed('ff' * 16, {'code': 0})
            return json_answer({'plain': 1}, int(request.target[1:]))
        gate = self.gate(reply)
        self.assert_refused(get(gate.address, '/wrong'), 502, 'bad_answer')
        refused = get(gate.address, '/200')
        self.assert_refused(refused, 502, 'bad_answer')
        self.assertIn('cannot be opened', refused.json['error']['detail'])
        self.assert_refused(get(gate.address, '/500'), 502, 'upstream_error')
        self.assertEqual(get(gate.address, '/404').json, {
            'success': False, 'code': None, 'message': 'Not Found', 'data': None})

    def test_nothing_is_read_of_what_cannot_be_opened(self):
        """The members in the clear are not those of the dialect that `open` leads to."""
        gate = self.gate(lambda request, key: json_answer(
            {'code': 7, 'text': 'clear', 'data': [1]}, int(request.target[1:]), [('X-Code', '9')]),
            SEALED.replace('json.?text', 'headers["x-code"] + text'))
        self.assertEqual(get(gate.address, '/404').json, {
            'success': False, 'code': None, 'message': 'Not Found', 'data': None})
        self.assertEqual(get(gate.address, '/409').json['message'], 'Conflict')
        self.assert_refused(get(gate.address, '/200'), 502, 'bad_answer')
        gate.stop()
        gate.output()
        lines = [line for line in gate.log.records if line['message'].endswith('told by its status')]
        self.assertEqual([(line['expression'], line['reason']) for line in lines], [('open', 'no such key: d')])

    def test_an_empty_optional_leaves_a_plain_answer_as_it_is(self):
        opened = SEALED.replace('      aes.', '      !has(json.d) ? optional.none() : aes.')
        gate = self.gate(lambda request, key: sealed(key, {'code': 0, 'data': 1}) if request.target == '/a'
                         else json_answer({'code': 7, 'text': 'no such thing'}), opened)
        self.assertEqual(get(gate.address, '/a').json['data'], 1)
        self.assertEqual(get(gate.address, '/b').json, {
            'success': False, 'code': 7, 'message': 'no such thing', 'data': None})

    def test_without_open_each_part_may_decrypt_for_itself(self):
        parts = 'envelopes:\n  sealed:\n    ok: json.code == 0\n    data: >-\n      json.decode(string(aes.decryptCbc(' \
                'hex.decode(session.?key.value()), base64.decode(json.d), hex.decode(headers["x-iv"]))))\n'
        gate = self.gate(lambda request, key: json_answer(
            {'code': 0, 'd': encrypt(key, IV, '[1, 2.50]')}, fields=[('X-Iv', IV)]), parts)
        self.assertEqual(get(gate.address, '/a').body, b'{"success":true,"code":null,"message":null,"data":[1, 2.50]}')

    def test_sessions_that_capture_it_in_another_order_share_the_envelope(self):
        vaults = [self.start(Vault(lambda request, key: sealed(key, {'code': 0, 'data': key}))) for _ in range(2)]
        vaults[1].keys = {f'earlier-{number}': '' for number in range(8)}
        other = LOGIN.replace('token: json.token, key: json.key', 'key: json.key, other: json.token, token: json.token')
        text = recipes.config(
            vaults[0].url, LOGIN, route='envelope: {from: sealed}', upstreams=f'two: {{url: "{vaults[1].url}"}}')
        text = text.replace('upstreams:\n', SEALED + 'upstreams:\n', 1).replace(
            'sessions:\n', 'sessions:\n  two:\n    upstream: two\n' + configs.indent(other, 4), 1).replace(
            'routes:\n', 'routes:\n  - {path: /two, upstream: two, session: two, envelope: {from: sealed}}\n', 1)
        gate = self.gateway(text, secrets=recipes.SECRETS)
        self.assertEqual(get(gate.address, '/two').json['data'], '09' * 16)
        self.assertEqual(get(gate.address, '/one').json['data'], '01' * 16)

    def test_a_guest_has_no_key(self):
        self.vault = self.start(Vault(None))
        self.vault.handle = None
        upstream = self.upstream(lambda request, wire: json_answer({'d': encrypt('11' * 16, IV, '{}')}, 403))
        text = recipes.config(upstream.url, LOGIN, route='login: optional\nenvelope: {from: sealed}').replace(
            'upstreams:\n', SEALED + 'upstreams:\n', 1)
        reply = get(self.gateway(text, secrets=recipes.SECRETS).address, '/a')
        self.assertEqual((reply.status, reply.json['message']), (403, 'Forbidden'))


class OtherKeys(case.Case):
    def front(self, top, route, handler):
        self.up = self.upstream(handler)
        return self.gateway(configs.plain(self.up.url, top=top, route=route), secrets={'secrets/key': '5c' * 16})

    def test_a_key_and_a_vector_that_the_signature_made_for_this_request(self):
        top = 'signatures:\n  once:\n    variables: {key: "hex.encode(hash.md5(nonce + string(int(now))))"}\n' \
              '    attach: {header: {X-Key: "${vars.key}", X-Nonce: "${nonce}"}}\n' \
              'envelopes:\n  sealed:\n    open: aes.decryptCbc(hex.decode(vars.key), base64.decode(text), hex.decode(nonce))\n' \
              '    ok: json.code == 0\n    data: json.data\n'
        gate = self.front(top, 'sign: once\nenvelope: {from: sealed}', lambda request, wire: answer(
            200, encrypt(request.field('X-Key'), request.field('X-Nonce'), '{"code":0,"data":%d}' % len(self.up.requests))))
        self.assertEqual([get(gate.address, '/a').json['data'] for _ in range(3)], [1, 2, 3])
        self.assertEqual(len({request.field('X-Key') for request in self.up.requests}), 3)

    def test_the_variables_of_the_last_signature_are_there_and_none_of_one_that_was_skipped(self):
        top = 'signatures:\n  first: {variables: {a: "\'first\'"}, attach: {header: {X-A: "${vars.a}"}}}\n' \
              '  last:\n    skip: request.method == "POST"\n    variables: {b: "\'last\'"}\n' \
              '    attach: {header: {X-B: "${vars.b}"}}\n' \
              'envelopes:\n  e: {data: vars.b}\n'
        gate = self.front(top, 'sign: [first, last]\nenvelope: {from: e}', lambda request, wire: json_answer({}))
        self.assertEqual(get(gate.address, '/a').json['data'], 'last')
        self.assertIsNone(call(gate.address, 'POST', '/a', body='').json['data'])

    def test_a_key_that_never_changes(self):
        top = 'secrets: {key: {file: secrets/key}}\nenvelopes:\n  sealed:\n' \
              '    open: aes.decryptCbc(hex.decode(secret.key), base64.decode(json.d), hex.decode(headers["x-iv"]))\n' \
              '    data: json.data\n'
        gate = self.front(top, 'envelope: {from: sealed}', lambda request, wire: sealed('5c' * 16, {'data': 'x'}))
        self.assertEqual(get(gate.address, '/a').json['data'], 'x')

    def test_a_large_request_body_is_there_when_the_answer_is_compared_with_it(self):
        top = 'envelopes: {e: {ok: json.id == request.json.id, data: size(request.json.pad)}}\n'
        gate = self.front(top, 'envelope: {from: e}', lambda request, wire: json_answer({'id': 7}))
        body = json.dumps({'id': 7, 'pad': 'x' * 300_000})
        reply = call(gate.address, 'POST', '/a', [('Content-Type', 'application/json')], body)
        self.assertEqual((reply.json['success'], reply.json['data']), (True, 300_000))


class Shared(case.Case):
    """One envelope for routes with and without what it tests for."""
    ENVELOPE = ('envelopes:\n  shared:\n    open: \'%s\'\n    ok: json.code == 0\n    data: json.?data\n'
                '    message: vars.?mark.orValue("unsigned")\n')
    OPEN = ('has(session.key) && has(json.d) ? aes.decryptCbc(hex.decode(session.key), base64.decode(json.d), '
            'hex.decode(headers["x-iv"])) : optional.none()')

    def text(self, url, open=OPEN, more=''):
        text = recipes.config(url, LOGIN, route='envelope: {from: shared}').replace(
            'upstreams:\n', self.ENVELOPE % open + 'upstreams:\n', 1)
        return text.replace('routes:\n', (
            'signatures: {mark: {variables: {mark: "\'signed\'", token: session.?token}, '
            'attach: {header: {X-Mark: "${has(session.token)}"}}}}\n'
            'routes:\n  - {path: /plain/**, upstream: up, envelope: {from: shared}}\n'
            '  - {path: /signed, upstream: up, sign: mark, envelope: {from: shared}}\n'
            '  - {path: /both, upstream: up, session: api, sign: mark, envelope: {from: shared}}\n' + more), 1)

    def test_a_test_for_what_a_route_does_not_have_is_false(self):
        def reply(request, key):
            if not key:
                return json_answer({'code': 0, 'data': request.field('X-Mark')})
            return sealed(key, {'code': 0, 'data': request.field('X-Mark') or 'sealed'})
        vault = self.start(Vault(reply))
        vault.keys[None] = ''
        gate = self.gateway(self.text(vault.url), secrets=recipes.SECRETS)
        told = {target: get(gate.address, target).json for target in ('/plain/a', '/signed', '/x', '/both')}
        self.assertEqual({target: (json['data'], json['message']) for target, json in told.items()}, {
            '/plain/a': (None, 'unsigned'), '/signed': ('false', 'signed'), '/x': ('sealed', 'unsigned'),
            '/both': ('true', 'signed')})

    def test_reading_it_all_the_same_is_a_config_error_that_names_the_optional_form(self):
        text = self.text('http://127.0.0.1:9', self.OPEN.replace('has(session.key) && ', ''))
        with folder({**recipes.SECRETS, 'g.yaml': text}) as path:
            code, output, error = command('check', 'g.yaml', cwd=path)
        self.assertEqual(code, 1, output)
        self.assertIn('envelope "shared" reads session.key, and requests of this route go out without a session '
                      '(session: NAME; or session.?key in the envelope, where it may be missing)', output + error)

    def test_a_test_that_can_hold_on_no_route_is_told(self):
        text = self.text('http://127.0.0.1:9', self.OPEN.replace('has(session.key)', '(has(session.kee) || has(session.key))'))
        with folder({**recipes.SECRETS, 'g.yaml': text}) as path:
            code, output, error = command('check', 'g.yaml', cwd=path)
        self.assertEqual(code, 0, error)
        self.assertIn('envelopes.shared: warning: asks for session.kee, and no session that it is used with has it '
                      '(did you mean key?', output + error)


class Check(case.Case):
    def test_explain_tells_why_it_cannot_be_opened(self):
        text = recipes.config('http://127.0.0.1:9', LOGIN, route='envelope: {from: sealed}').replace(
            'upstreams:\n', SEALED + 'upstreams:\n', 1)
        with folder({**recipes.SECRETS, 'g.yaml': text, 'a': '{"code":7}'}) as path:
            code, output, error = command(
                'explain', 'g.yaml', 'GET', '/a', '--session', 'key=' + '00' * 16, '--answer', 'a', '--answer-status', '404',
                cwd=path)
        self.assertEqual(code, 0, error)
        self.assertIn('sample     open: errs: no such key: d  (aes.decryptCbc(', output)
        self.assertIn('sample     code: errs: not available: the answer cannot be opened: no such key: d  (json.code)', output)
        self.assertIn('told       404 {"success":false,"code":null,"message":"Not Found","data":null}', output)

    def test_explain_tells_how_it_is_opened(self):
        text = recipes.config('http://127.0.0.1:9', LOGIN, route='envelope: {from: sealed}').replace(
            'upstreams:\n', SEALED + 'upstreams:\n', 1)
        with folder({**recipes.SECRETS, 'g.yaml': text}) as path:
            code, output, error = command('explain', 'g.yaml', 'GET', '/a', cwd=path)
        self.assertEqual(code, 0, error)
        self.assertIn('opened: aes.decryptCbc(hex.decode(session.key)', output)

    def test_a_route_whose_session_never_captures_the_key(self):
        text = recipes.config('http://127.0.0.1:9', LOGIN.replace(', key: json.key', ''), route='envelope: {from: sealed}')
        text = text.replace('upstreams:\n', SEALED + 'upstreams:\n', 1)
        with folder({**recipes.SECRETS, 'g.yaml': text}) as path:
            code, output, error = command('check', 'g.yaml', cwd=path)
        self.assertEqual(code, 1, output)
        self.assertIn('envelopes.sealed.open: session has no member `key`', output + error)


if __name__ == '__main__':
    case.main()
