"""JSON Web Tokens and Keys made by expressions: the examples of their documents, and what openssl verifies."""
import hashlib
import hmac
import json

from support import case, configs, corpus, signed
from support.client import get
from support.signed import b64url, jwk, unpad

CORPUS = corpus.load('built-in.json')
KEYS = CORPUS['keys']
EC = ('-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256')


class Tokens(case.Case):
    CONFIG = configs.LISTEN + """secrets: {key: {file: secrets/key}}
upstreams: {up: {url: "%s"}}
routes:
  - {path: /**, upstream: up, attach: {header: {X-Token: '${%s}'}}}
"""

    def token(self, expression, key, now='1700000000'):
        upstream = self.upstream()
        gateway = self.gateway(self.CONFIG % (upstream.url, expression.replace("'", '"')), secrets={'secrets/key': key},
                               args=['--pin-now', now, '--pin-nonce', 'b4c0e1f2'])
        self.assertEqual(get(gateway.address, '/').status, 200)
        return upstream.last.field('X-Token')

    CLAIMS = ("{'iss': 'gateway-client', 'sub': 'user@example.com', 'aud': 'https://as.example.com/token', "
              "'iat': int(now), 'exp': int(now) + 300, 'jti': nonce}")

    def vector(self, name):
        return next(vector for vector in CORPUS['jose'] if name in vector['name'])

    def test_a_jwt_bearer_assertion(self):
        vector = self.vector('JWT bearer')
        self.assertEqual(self.token(f"jwt.sign('RS256', secret.key, {self.CLAIMS})", KEYS[vector['private_key']]),
                         vector['expected'])

    def test_a_client_secret_jwt(self):
        vector = self.vector('client_secret_jwt')
        self.assertEqual(self.token(f"jwt.sign('HS256', secret.key, {self.CLAIMS})", vector['secret']), vector['expected'])

    def test_ed25519_with_a_jwk(self):
        vector = self.vector('RFC 8037')
        key = json.dumps({'kty': 'OKP', 'crv': 'Ed25519', 'd': vector['d_base64url'], 'x': 'unused'})
        token = self.token("jwt.sign('EdDSA', secret.key, 'Example of Ed25519 signing', {})", key)
        self.assertEqual(token, vector['signing_input'] + '.' + vector['expected'])

    def test_a_shared_secret_as_jwk(self):
        vector = self.vector('RFC 7515')
        key = json.dumps({'kty': 'oct', 'k': vector['key_base64url']})
        payload = vector['signing_input'].split('.')[1]
        token = self.token(f"jwt.sign('HS256', secret.key, base64url.decode('{payload}'))", key)
        head, body, signature = token.split('.')
        mac = hmac.new(b64url(vector['key_base64url']), f'{head}.{body}'.encode(), hashlib.sha256).digest()
        self.assertEqual((body, b64url(signature)), (payload, mac))

    def test_what_is_signed_verifies(self):
        for algorithm, options in (('ES256', EC), ('PS256', ('-algorithm', 'RSA')),
                                   ('ES384', (*EC[:3], 'ec_paramgen_curve:P-384'))):
            key = signed.new_key(*options)
            token = self.token(f"jwt.sign('{algorithm}', secret.key, {{'a': 1}}, {{'kid': 'k1'}})", key)
            head, body, signature = token.split('.')
            self.assertEqual(json.loads(b64url(head)), {'alg': algorithm, 'kid': 'k1'})
            self.assertTrue(signed.verifies(signed.public(key), algorithm, f'{head}.{body}'.encode(), b64url(signature)))

    def test_a_thumbprint(self):
        vector = self.vector('thumbprint')
        self.assertEqual(self.token('jwk.thumbprint(secret.key)', vector['canonical']), vector['expected'])
        key = signed.new_key(*EC)
        canonical = json.dumps(jwk(signed.public(key)), sort_keys=True, separators=(',', ':'))
        self.assertEqual(self.token('jwk.public(secret.key)', key), canonical)
        self.assertEqual(self.token('jwk.thumbprint(secret.key)', key), unpad(hashlib.sha256(canonical.encode()).digest()))
