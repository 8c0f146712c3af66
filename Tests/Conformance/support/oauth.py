"""An OAuth 2.0 authorization server with an API behind it, strict about what the RFCs ask of a client."""
import base64
import binascii
import hashlib
import hmac
import json
import os
import subprocess
import tempfile
import threading
import time
import urllib.parse

from support.upstream import Upstream, answer, json_answer

CLIENT, SECRET = 'till 7', 'k:e/y+%'
DEVICE = 'urn:ietf:params:oauth:grant-type:device_code'
EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
ASSERTION = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'


class Refused(Exception):
    def __init__(self, code, status=400):
        super().__init__(code)
        self.code, self.status = code, status


def decode(text):
    return base64.urlsafe_b64decode(text + '=' * (-len(text) % 4))


def make_key(kind=('RSA', 'rsa_keygen_bits:2048')):
    """A private and a public key as PEM texts."""
    private = subprocess.run(['openssl', 'genpkey', '-algorithm', kind[0], '-pkeyopt', kind[1]], check=True,
                             capture_output=True).stdout
    public = subprocess.run(['openssl', 'pkey', '-pubout'], input=private, check=True, capture_output=True).stdout
    return private.decode(), public.decode()


def der_signature(raw):
    """r and s as an ASN.1 sequence, for openssl."""
    def integer(part):
        part = part.lstrip(b'\0') or b'\0'
        part = b'\0' + part if part[0] & 0x80 else part
        return b'\x02' + bytes([len(part)]) + part
    body = integer(raw[:len(raw) // 2]) + integer(raw[len(raw) // 2:])
    return b'\x30' + bytes([len(body)]) + body


def verify(public, message, signature):
    with tempfile.TemporaryDirectory() as folder:
        for name, data in (('key', public.encode()), ('signature', signature)):
            with open(os.path.join(folder, name), 'wb') as file:
                file.write(data)
        done = subprocess.run(['openssl', 'dgst', '-sha256', '-verify', f'{folder}/key', '-signature',
                               f'{folder}/signature'], input=message, capture_output=True)
        return done.returncode == 0


class AuthorizationServer:
    """POST /token and /device; everything else wants a valid bearer token."""

    def __init__(self, *, tls=None, **options):
        self.auth = 'basic'               # basic, post, none, client_secret_jwt, private_key_jwt
        self.public_key = None
        self.lifetime = 3600
        self.rotates = True               # each refresh kills the refresh token that it used
        self.hands_out_refresh = True
        self.lock = threading.Lock()
        self.valid, self.refresh_tokens, self.spent = set(), set(), set()
        self.grants = []                  # grant types in the order of the token requests
        self.forms = []
        self.issued = 0
        self.next_replies = []            # bytes of the next answers of the token endpoint
        self.reused = 0                   # spent refresh tokens that came again
        self.seen_jti = set()
        self.device = {'polls': 0, 'at': [], 'approved': False, 'answers': [], 'interval': 1, 'expires_in': 300}
        self.calls = []
        self.__dict__.update(options)
        self.upstream = Upstream(self._handle, tls=tls)
        self.url = self.upstream.url.replace('http:', 'https:') if tls else self.upstream.url

    def close(self):
        self.upstream.close()

    def expire(self):
        with self.lock:
            self.valid.clear()

    def _handle(self, request, wire):
        path = request.target.split('?')[0]
        if path not in ('/token', '/device'):
            token = (request.field('Authorization') or '').removeprefix('Bearer ')
            with self.lock:
                self.calls.append((request.target, token))
                if token in self.valid:
                    return answer(200, request.target)
            return json_answer({}, 401, [('WWW-Authenticate', 'Bearer error="invalid_token"')])
        assert request.method == 'POST'
        assert request.field('Content-Type') == 'application/x-www-form-urlencoded'
        with self.lock:
            if self.next_replies:
                return self.next_replies.pop(0)
            try:
                form = self._form(request)
                return json_answer(self._device(form) if path == '/device' else self._token(request, form), 200,
                                   [('Cache-Control', 'no-store')])
            except Refused as refused:
                return json_answer({'error': refused.code}, refused.status)

    def _form(self, request):
        pairs = urllib.parse.parse_qsl(request.body.decode(), keep_blank_values=True, strict_parsing=True)
        if len({name for name, _ in pairs}) != len(pairs):
            raise Refused('invalid_request')       # RFC 6749 3.2: no parameter twice
        form = dict(pairs)
        self.forms.append(form)
        return form

    # Client authentication

    def _authenticate(self, request, form):
        header = request.field('Authorization')
        if (header is not None) != (self.auth == 'basic'):
            raise Refused('invalid_client', 401)
        if self.auth == 'basic':
            try:
                user, _, password = base64.b64decode(header.removeprefix('Basic '), validate=True).decode().partition(':')
            except (binascii.Error, ValueError):
                raise Refused('invalid_client', 401) from None
            good = (urllib.parse.unquote_plus(user), urllib.parse.unquote_plus(password)) == (CLIENT, SECRET)
        elif self.auth == 'post':
            good = (form.get('client_id'), form.get('client_secret')) == (CLIENT, SECRET)
        elif self.auth == 'none':
            good = form.get('client_id') == CLIENT and 'client_secret' not in form
        else:
            good = form.get('client_assertion_type') == ASSERTION and 'client_secret' not in form
            claims = self._claims(form.get('client_assertion', ''))
            good = good and claims['iss'] == claims['sub'] == CLIENT
        if not good:
            raise Refused('invalid_client', 401)

    def _claims(self, token):
        """The claims of an assertion, its signature, audience, time and single use checked (RFC 7523 3)."""
        try:
            head, body, signature = token.split('.')
            header, claims = json.loads(decode(head)), json.loads(decode(body))
        except ValueError:
            raise Refused('invalid_client', 401) from None
        message, raw = f'{head}.{body}'.encode(), decode(signature)
        if header['alg'] == 'HS256':
            good = hmac.compare_digest(hmac.new(SECRET.encode(), message, hashlib.sha256).digest(), raw)
        elif header['alg'] == 'ES256':
            good = len(raw) == 64 and verify(self.public_key, message, der_signature(raw))
        else:
            good = header['alg'] == 'RS256' and verify(self.public_key, message, raw)
        now = time.time()
        good = good and claims['aud'] == self.url + '/token' and claims['iat'] - 5 <= now <= claims['exp'] <= now + 300
        if not good or claims['jti'] in self.seen_jti:
            raise Refused('invalid_client', 401)
        self.seen_jti.add(claims['jti'])
        self.last_header, self.last_claims = header, claims
        return claims

    # Grants

    def _token(self, request, form):
        self._authenticate(request, form)
        grant = form.get('grant_type')
        self.grants.append(grant)
        refreshable = self.hands_out_refresh
        if grant == 'client_credentials':
            refreshable = False
        elif grant == 'password':
            if (form.get('username'), form.get('password')) != ('ann', 'pass word'):
                raise Refused('invalid_grant')
        elif grant == 'refresh_token':
            self._spend(form.get('refresh_token'))
            refreshable = self.rotates
        elif grant == EXCHANGE:
            if form.get('subject_token') != 'subject' or not form.get('subject_token_type', '').startswith('urn:'):
                raise Refused('invalid_request')
            if 'actor_token_type' in form and 'actor_token' not in form:
                raise Refused('invalid_request')
        elif grant == BEARER:
            self._claims(form.get('assertion', ''))
        elif grant == DEVICE:
            self._poll(form)
        else:
            raise Refused('unsupported_grant_type')
        return self._issue(form, refreshable)

    def _spend(self, token):
        if token in self.spent:
            # RFC 9700 4.14.2: reuse revokes the family.
            self.reused += 1
            self.refresh_tokens.clear()
        if token not in self.refresh_tokens:
            raise Refused('invalid_grant')
        if self.rotates:
            self.refresh_tokens.discard(token)
            self.spent.add(token)

    def _issue(self, form, refreshable):
        self.issued += 1
        token = f'access-{self.issued}'
        self.valid = {token}
        reply = {'access_token': token, 'token_type': 'Bearer', 'expires_in': self.lifetime}
        if form.get('grant_type') == EXCHANGE:
            reply['issued_token_type'] = 'urn:ietf:params:oauth:token-type:access_token'
        if refreshable:
            reply['refresh_token'] = f'refresh-{self.issued}'
            self.refresh_tokens.add(reply['refresh_token'])
        return reply

    # Device flow (RFC 8628)

    def _device(self, form):
        if form.get('client_id') != CLIENT or 'client_secret' in form:
            raise Refused('invalid_client', 401)
        self.device['code'] = f'device-{self.issued}-{len(self.forms)}'
        return {'device_code': self.device['code'], 'user_code': 'WDJB-MJHT', 'interval': self.device['interval'],
                'verification_uri': 'https://as.test/device', 'expires_in': self.device['expires_in']}

    def _poll(self, form):
        if form.get('device_code') != self.device.get('code'):
            raise Refused('invalid_grant')
        self.device['polls'] += 1
        self.device['at'].append(time.monotonic())
        if self.device['answers']:
            raise Refused(self.device['answers'].pop(0))
        if not self.device['approved']:
            raise Refused('authorization_pending')
