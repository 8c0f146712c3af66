"""Logins by proof: the manual's own recipes for SCRAM and for a challenge with PBKDF2, word for word."""
import base64
import hashlib
import hmac
import os
import re
import urllib.parse

from support import case, recipes
from support.client import get
from support.gateway import eventually
from support.upstream import answer, json_answer

MANUAL = os.path.join(os.path.dirname(__file__), '../../Sources/countersign/Countersign.docc/LoggingIn.md')
USER, PASSWORD = 'a,n=n', 'pencil & "ink"'
SECRETS = {'secrets/user': USER, 'secrets/password': PASSWORD}


def manual(number):
    """One of the two configs under the heading `Challenges and proofs`."""
    with open(MANUAL, encoding='utf8') as file:
        section = file.read().split('## Challenges and proofs', 1)[1].split('\n## ', 1)[0]
    blocks = re.findall(r'```yaml\n(.*?)```', section, re.S)
    assert len(blocks) == 2, blocks
    return blocks[number]


def mac(key, text):
    return hmac.new(key, text.encode(), 'sha256').digest()


class Scram:
    """RFC 7804 with SCRAM-SHA-256 (RFC 5802, RFC 7677), as a server that keeps no password has it."""

    def __init__(self, password=PASSWORD, *, honest=True, echoes=True):
        self.salt, self.rounds = b'\x00salt,=\xff', 4096
        self.salted = hashlib.pbkdf2_hmac('sha256', password.encode(), self.salt, self.rounds)
        self.stored = hashlib.sha256(mac(self.salted, 'Client Key')).digest()
        self.key = mac(self.salted if honest else b'guess', 'Server Key')
        self.echoes = echoes
        self.count = 0
        self.open = {}

    def page(self, request):
        fields = dict(re.findall(r'(\w+)=([^, ]+)', request.field('Authorization').removeprefix('SCRAM-SHA-256 ')))
        text = base64.b64decode(fields['data'], validate=True).decode()
        if 'sid' not in fields:
            return self.first(text)
        return self.last(text, *self.open.pop(fields['sid']))

    def first(self, text):
        assert text.startswith('n,,'), text
        name, nonce = re.fullmatch(r'n,,n=([^,]*),r=([^,]+)', text).groups()
        assert name.replace('=2C', ',').replace('=3D', '=') == USER, name
        self.count += 1
        nonce = (nonce if self.echoes else 'other') + 'server'
        said = f'r={nonce},s={base64.b64encode(self.salt).decode()},i={self.rounds}'
        self.open[f'sid{self.count}'] = (text[3:], said, nonce)
        data = base64.b64encode(said.encode()).decode()
        return answer(401, b'', [('WWW-Authenticate', f'SCRAM-SHA-256 sid=sid{self.count}, data={data}')])

    def last(self, text, bare, said, nonce):
        without, proof = text.rsplit(',p=', 1)
        assert without == f'c=biws,r={nonce}', without
        message = f'{bare},{said},{without}'
        client = bytes(one ^ other for one, other in zip(base64.b64decode(proof), mac(self.stored, message), strict=True))
        if hashlib.sha256(client).digest() != self.stored:
            return answer(401)
        data = base64.b64encode(b'v=' + base64.b64encode(mac(self.key, message))).decode()
        return json_answer({'token': f't{self.count}'}, 200, [('Authentication-Info', f'sid=x, data={data}')])


class ScramLogins(case.Case):
    def gate(self, server):
        self.site = self.start(recipes.Site({'/session': server.page}, lambda request: True))
        return self.gateway(recipes.config(self.site.url, manual(0), patience=''), secrets=SECRETS)

    def test_it_logs_in(self):
        gate = self.gate(Scram())
        self.assertEqual(get(gate.address, '/a').status, 200)
        self.assertEqual([request.field('Authorization') for request in self.site.calls], ['Bearer t1'])
        self.assertEqual(len(self.site.logins), 2)

    def test_a_wrong_password_is_refused(self):
        gate = self.gate(Scram('other'))
        self.assert_refused(get(gate.address, '/a'), 401, 'login_refused')

    def test_a_server_that_does_not_know_the_password_is_not_believed(self):
        gate = self.gate(Scram(honest=False))
        self.assert_refused(get(gate.address, '/a'), 503, 'login_unavailable')
        gate = self.gate(Scram(echoes=False))
        self.assert_refused(get(gate.address, '/a'), 503, 'login_unavailable')
        self.assertEqual(len(self.site.logins), 1)


class Router:
    """The session pages of a FRITZ!Box, login version 2, with few rounds."""

    def __init__(self, password=PASSWORD):
        self.password = password
        self.blocked = 0
        self.sid = '0' * 16

    def page(self, request):
        assert request.target == '/login_sid.lua?version=2', request.target
        salts = [b'\x01\x02\x03\x04', b'\xaa\xbb\xcc\xdd']
        challenge = f'2$600${salts[0].hex()}$60${salts[1].hex()}'
        sid = '0' * 16
        if request.method == 'POST':
            form = dict(urllib.parse.parse_qsl(request.body.decode(), strict_parsing=True))
            inner = hashlib.pbkdf2_hmac('sha256', self.password.encode(), salts[0], 600)
            outer = hashlib.pbkdf2_hmac('sha256', inner, salts[1], 60)
            if form == {'username': USER, 'response': f'{salts[1].hex()}${outer.hex()}'}:
                sid = self.sid = '9f3a77b1c2d4e5f6'
            else:
                self.blocked = 2
        body = (f'<?xml version="1.0" encoding="utf-8"?><SessionInfo><SID>{sid}</SID><Challenge>{challenge}</Challenge>'
                f'<BlockTime>{self.blocked}</BlockTime><Rights></Rights></SessionInfo>')
        self.blocked = max(self.blocked - 1, 0)
        return answer(200, body, [('Content-Type', 'text/xml')])

    def allows(self, request):
        query = urllib.parse.parse_qs(request.target.partition('?')[2])
        return query.get('sid') == [self.sid] and self.sid != '0' * 16


class RouterLogins(case.Case):
    def gate(self, router):
        self.site = self.start(recipes.Site({'/login_sid.lua': router.page}, router.allows, answer(403)))
        return self.gateway(recipes.config(self.site.url, manual(1), patience='backoff: {min: 50ms, max: 50ms}'), secrets=SECRETS)

    def test_it_logs_in_and_again_when_the_session_is_over(self):
        router = Router()
        gate = self.gate(router)
        self.assertEqual(get(gate.address, '/a').status, 200)
        router.sid = '0' * 16
        self.assertEqual(get(gate.address, '/b').status, 200)
        self.assertEqual(len(self.site.logins), 4)
        health = get(gate.admin, '/health').json['sessions']['api']
        self.assertTrue(1100 < health['expiresIn'] <= 1200, health)

    def test_a_wrong_password_is_refused_and_not_tried_again(self):
        gate = self.gate(Router('other'))
        for _ in range(3):
            self.assert_refused(get(gate.address, '/a'), 401, 'login_refused')
        self.assertEqual([request.method for request in self.site.logins], ['GET', 'POST'])

    def test_a_lock_is_waited_for_before_anything_is_tried(self):
        router = Router()
        router.blocked = 1
        gate = self.gate(router)
        self.assert_refused(get(gate.address, '/a'), 503, 'login_unavailable')
        eventually(lambda: get(gate.admin, '/readyz').status == 200, 5, 'the end of the lock')
        self.assertEqual([request.method for request in self.site.logins], ['GET', 'GET', 'POST'])


if __name__ == '__main__':
    case.main()
