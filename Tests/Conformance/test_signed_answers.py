"""Answers that are signed: nothing of one whose signature is wrong comes to the client, nor is anything read of it."""
import base64
import gzip
import hashlib
import hmac
import json
import os
import subprocess
import tempfile
import time

import test_profiles as profiles
from support import case, configs, recipes
from support.client import call, get
from support.gateway import command, folder
from support.upstream import answer, json_answer

KEY = 'k' * 32
TOP = '''secrets: {key: {file: secrets/key}}
envelopes:
  signed:
    verify: '%s'
    ok: json.code == 0
    code: json.code
    message: json.?text
    data: json.?data
    render: {c: "${code}", m: "${message}", d: "${data}"}
  other: {render: {ok: "${ok}", why: "${?}"}}
'''.replace(', why: "${?}"', ', detail: "${detail}"')
ALL = 'headers("x-sign") == hex.encode(hmac.sha256(secret.key, text))'
SUCCESSES = f'status >= 300 || {ALL}'
BODY = '{"code":0,"text":"paid","data":{"amount": 10.10}}'
SECRETS = {'secrets/key': KEY}
WRONG = 'the signature of the answer is wrong (envelope signed)'


def sign(body, key=KEY):
    body = body if isinstance(body, bytes) else body.encode()
    return ('X-Sign', hmac.new(key.encode(), body, hashlib.sha256).hexdigest())


def signed(body, status=200, fields=(), key=KEY, type='application/json'):
    return answer(status, body, [('Content-Type', type), *fields, sign(body, key)])


class Base(case.Case):
    def gate(self, handler, to='same', verify=ALL, route=''):
        self.up = self.upstream(handler)
        return self.gateway(
            configs.plain(self.up.url, top=TOP % verify, route=f'envelope: {{from: signed, to: {to}}}\n{route}'),
            secrets=SECRETS)

    def assert_untold(self, reply):
        self.assertEqual(reply.status, 502)
        for byte in (b'paid', b'10.10', b'X-Mine', b'mine'):
            self.assertNotIn(byte, reply.body)
        self.assertIsNone(reply.field('X-Mine'))
        self.assertIsNone(reply.field('X-Sign'))
        self.assertIsNone(reply.field('ETag'))


class EveryTarget(Base):
    FORGED = [('X-Mine', 'mine'), ('ETag', '"mine"')]

    def test_a_right_answer_passes_byte_for_byte(self):
        gate = self.gate(lambda request, wire: signed(BODY, fields=self.FORGED))
        reply = get(gate.address, '/a')
        self.assertEqual((reply.status, reply.body.decode(), reply.field('X-Mine')), (200, BODY, 'mine'))

    def test_the_words_behind_the_status_may_be_asked_for(self):
        self.words = 'Fine'

        def handler(request, wire):
            wire.send(b'HTTP/1.1 200 %s\r\nContent-Length: 2\r\n\r\nok' % self.words.encode())

        gate = self.gate(handler, verify='response.reason == "Fine"')
        self.assertEqual(get(gate.address, '/a').body, b'ok')
        self.words = 'Poor'
        self.assertEqual(get(gate.address, '/a').status, 502)

    def test_nothing_of_a_forged_one_is_told(self):
        for to in ('same', 'standard', 'problem', 'other'):
            with self.subTest(to=to):
                gate = self.gate(lambda request, wire: signed(BODY, fields=self.FORGED, key='another'), to)
                reply = get(gate.address, '/a')
                self.assert_untold(reply)
                self.assertEqual(reply.field('Proxy-Status'), 'countersign; error=http_protocol_error')
                if to == 'standard':
                    self.assert_refused(reply, 502, 'bad_answer')
                    self.assertEqual(reply.json['error']['detail'], WRONG)
                if to == 'other':
                    self.assertEqual(reply.json, {'ok': False, 'detail': WRONG})

    def test_a_right_one_is_told_in_every_target(self):
        told = {'standard': {'success': True, 'code': 0, 'message': 'paid', 'data': {'amount': 10.1}},
                'problem': {'amount': 10.1}, 'other': {'ok': True, 'detail': None}}
        for to, expected in told.items():
            with self.subTest(to=to):
                self.assertEqual(get(self.gate(lambda request, wire: signed(BODY), to).address, '/a').json, expected)

    def test_one_without_a_signature_is_not_the_upstreams(self):
        gate = self.gate(lambda request, wire: json_answer({'code': 0, 'text': 'paid'}))
        self.assert_untold(get(gate.address, '/a'))
        gate.stop()
        gate.output()
        told = [record for record in gate.log.records if 'verifies' in record['message']]
        self.assertEqual([(line['expression'], line['envelope']) for line in told], [('verify', 'signed')])

    def test_whatever_it_looks_like(self):
        """Files, streams, parts and pages pass unread elsewhere."""
        kinds = [('application/octet-stream', 200), ('text/event-stream', 200), ('image/png', 200), ('text/html', 200),
                 ('text/html', 500), ('application/json', 206), ('application/json', 302)]
        for type, status in kinds:
            with self.subTest(type=type, status=status):
                reply = [signed(BODY, status, key=key, type=type) for key in (KEY, 'another')]
                gate = self.gate(lambda request, wire: reply[request.target == '/forged'])
                self.assertEqual(get(gate.address, '/right').body.decode(), BODY)
                self.assert_untold(get(gate.address, '/forged'))

    def test_an_answer_without_a_body_is_asked_about_too(self):
        gate = self.gate(lambda request, wire: answer(
            204, b'', [sign('', KEY if request.target == '/right' else 'another')]))
        self.assertEqual(get(gate.address, '/right').status, 204)
        self.assert_untold(get(gate.address, '/forged'))

    def test_a_head_is_one(self):
        gate = self.gate(lambda request, wire: answer(200, b'', [sign('' if request.target == '/right' else BODY)]))
        self.assertEqual(call(gate.address, 'HEAD', '/right').status, 200)
        self.assertEqual(call(gate.address, 'HEAD', '/forged').status, 502)

    def test_above_the_limit_is_an_error_and_no_pass(self):
        body = json.dumps({'code': 0, 'data': 'x' * 5000})
        gate = self.gate(lambda request, wire: signed(body), route='limits: {inspect: 4KiB}')
        reply = get(gate.address, '/a')
        self.assertEqual(reply.status, 502)
        self.assertNotIn(b'xxx', reply.body)

    def test_a_content_coding_is_undone_first(self):
        packed = gzip.compress(BODY.encode())
        gate = self.gate(lambda request, wire: answer(
            200, packed, [('Content-Encoding', 'gzip'), sign(BODY if request.target == '/right' else packed)]))
        self.assertEqual(get(gate.address, '/right').body, packed)
        self.assertEqual(get(gate.address, '/forged').status, 502)

    def test_a_part_is_not_asked_for(self):
        gate = self.gate(lambda request, wire: signed(BODY))
        call(gate.address, 'GET', '/a', [('Range', 'bytes=0-1')])
        self.assertIsNone(self.up.last.field('Range'))


class Sessions(case.Case):
    LOGIN = 'login: {request: {path: /login}, capture: {token: json.token}}\ncookies: true\n' \
            'attach: {header: {Token: "${session.token}"}}'

    def gate(self, verify=ALL, session=LOGIN, route='envelope: {from: signed, to: same}'):
        self.logins, self.calls, self.replies = 0, [], {}
        up = self.upstream(self.handle)
        text = recipes.config(up.url, session, route=route)
        envelopes = (TOP % verify).split('\n', 1)[1]
        text = text.replace('secrets:\n', 'secrets:\n  key: {file: secrets/key}\n', 1).replace(
            'upstreams:\n', envelopes + 'upstreams:\n', 1)
        return self.gateway(text, secrets={**recipes.SECRETS, **SECRETS})

    def handle(self, request, wire):
        if request.target == '/login':
            self.logins += 1
            return self.replies.get('/login') or json_answer({'token': f't{self.logins}'})
        self.calls.append((request.field('Token'), request.field('Cookie')))
        reply = self.replies.get(request.target)
        if reply and request.field('Token') == 't1':
            return reply
        return signed(BODY)

    def test_a_forged_refusal_logs_nobody_in(self):
        gate = self.gate()
        self.replies['/a'] = signed('no', 401, key='another')
        self.assertEqual(get(gate.address, '/a').status, 502)
        self.assertEqual(get(gate.address, '/b').status, 200)
        self.assertEqual((self.logins, [token for token, _ in self.calls]), (1, ['t1', 't1']))

    def test_a_right_one_does(self):
        gate = self.gate()
        self.replies['/a'] = signed('no', 401)
        self.assertEqual(get(gate.address, '/a').outcome, 'relogin')

    def test_where_only_successes_are_signed_it_needs_no_signature(self):
        gate = self.gate(SUCCESSES)
        self.replies['/a'] = answer(401, 'no')
        self.assertEqual(get(gate.address, '/a').outcome, 'relogin')
        self.replies['/b'] = answer(200, 'no')
        self.assertEqual(get(gate.address, '/b').status, 200)

    def test_a_forged_cookie_is_not_kept(self):
        gate = self.gate()
        self.replies['/a'] = signed(BODY, fields=[('Set-Cookie', 'sid=mine')], key='another')
        self.replies['/b'] = signed(BODY, fields=[('Set-Cookie', 'sid=theirs')])
        for target in ('/a', '/x', '/b', '/x'):
            get(gate.address, target)
        self.assertEqual([cookie for _, cookie in self.calls], [None, None, None, 'sid=theirs'])

    def test_a_session_that_names_the_envelope_takes_no_forged_token(self):
        gate = self.gate(session='envelope: signed\n' + self.LOGIN, route='')
        self.replies['/login'] = signed('{"token":"mine"}', key='another')
        reply = get(gate.address, '/a')
        self.assert_refused(reply, 503, 'login_unavailable')
        self.assertIn(WRONG, reply.json['error']['detail'])
        self.assertEqual(self.calls, [])

    def test_nor_an_answer_on_any_of_its_routes(self):
        gate = self.gate(session='envelope: signed\n' + self.LOGIN, route='')
        self.replies['/login'] = signed('{"token":"t1"}')
        self.replies['/a'] = signed(BODY, key='another')
        self.assertEqual(get(gate.address, '/b').body.decode(), BODY)
        self.assert_refused(get(gate.address, '/a'), 502, 'bad_answer')


class WeChatPay(case.Case):
    """The bundled profile, whose usual target is `same`."""

    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.key = os.path.join(place.name, 'key')
        self.openssl('genpkey', '-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048', '-out', self.key)
        with open(self.key, encoding='ascii') as file:
            private = file.read()
        public = self.openssl('pkey', '-in', self.key, '-pubout').decode()
        self.reply = None
        up = self.upstream(lambda request, wire: self.reply)
        self.gate = self.gateway(profiles.use(
            up.url, 'wechatpay-v3', {'mchid': '1', 'serial': '2'}, ('private_key', 'platform_key')),
            secrets={'secrets/private_key': private, 'secrets/platform_key': public})

    @staticmethod
    def openssl(*words, text=b''):
        return subprocess.run(['openssl', *words], input=text, check=True, capture_output=True).stdout

    def sign(self, body, age=0):
        stamp = str(int(time.time()) - age)
        signature = self.openssl('dgst', '-sha256', '-sign', self.key, text=f'{stamp}\nn\n{body}\n'.encode())
        return [('Wechatpay-Timestamp', stamp), ('Wechatpay-Nonce', 'n'),
                ('Wechatpay-Signature', base64.b64encode(signature).decode())]

    def ask(self, fields, status=200, body='{"trade_state":"SUCCESS"}', target='/v3/pay/transactions/id/1'):
        self.reply = answer(status, body, [('Content-Type', 'application/json'), *fields])
        return get(self.gate.address, target)

    def test_only_what_the_platform_signed_is_a_success(self):
        body = '{"trade_state":"SUCCESS"}'
        reply = self.ask(self.sign(body))
        self.assertEqual((reply.status, reply.body.decode()), (200, body))
        forged = [self.sign('{"trade_state":"CLOSED"}'), self.sign(body, age=400), [],
                  [*self.sign(body)[:2], ('Wechatpay-Signature', 'AAAA')]]
        for fields in forged:
            reply = self.ask(fields)
            self.assert_refused(reply, 502, 'bad_answer')
            self.assertNotIn(b'SUCCESS', reply.body)

    def test_refusals_and_bills_come_without(self):
        reply = self.ask([], 404, '{"code":"ORDER_NOT_EXIST"}')
        self.assertEqual((reply.status, reply.json), (404, {'code': 'ORDER_NOT_EXIST'}))
        self.assertEqual(self.ask([], 200, 'bill', '/v3/billdownload/file?token=x').body, b'bill')


class Check(case.Case):
    def test_a_test_that_stops_nothing_is_told(self):
        top = TOP.replace('    verify: \'%s\'\n    ok: json.code == 0',
                          '    ok: rsa.verifySha256(secret.key, text, bytes(headers("x-sign")))')
        for to, count in (('same', 1), ('standard', 0)):
            text = configs.plain('http://127.0.0.1:9', top=top, route=f'envelope: {{from: signed, to: {to}}}')
            with folder({'secrets/key': KEY, 'g.yaml': text}) as path:
                _, output, error = command('check', 'g.yaml', cwd=path)
            self.assertEqual((output + error).count(
                'answers pass as they are, also where rsa.verifySha256 in `ok` of envelope "signed" fails '
                '(verify: EXPR in the envelope)'), count, output + error)

    def test_explain_asks_it_first(self):
        text = configs.plain('http://127.0.0.1:9', top=TOP % ALL, route='envelope: {from: signed}')
        with folder({**SECRETS, 'g.yaml': text, 'a': BODY}) as path:
            _, forged, _ = command('explain', 'g.yaml', 'GET', '/a', '--answer', 'a', '--answer-header', 'X-Sign: 00', cwd=path)
            _, right, error = command(
                'explain', 'g.yaml', 'GET', '/a', '--answer', 'a', '--answer-header', ': '.join(sign(BODY)), cwd=path)
        self.assertIn('verify: errs: it is false', forged)
        self.assertIn(WRONG, forged)
        self.assertNotIn('sample     ok', forged)
        self.assertIn('verify: true', right + error)
        self.assertIn('"message":"paid"', right)


if __name__ == '__main__':
    case.main()
