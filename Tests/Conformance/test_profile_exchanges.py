"""Profiles of exchanges: signatures that the vendors print, and others computed a second time, in Python."""
import base64
import concurrent.futures
import email.utils
import hashlib
import hmac
import json
import time
import urllib.parse

import test_profile_clouds as clouds
from support import case, oauth, servers, signed
from support.client import call
from support.servers import form, path, query
from support.upstream import json_answer

BODY = b'{"a":"\xff\xfe"}'
JSON = [('Content-Type', 'application/json')]


def base64_mac(key, text, algorithm):
    return base64.b64encode(hmac.digest(key, text, algorithm)).decode()


class Growing(servers.Servers):
    """Nonces that only grow: every call is accepted, however many come at once."""

    SECRETS = {'key_id': 'id', 'key': base64.b64encode(b'a secret key').decode()}

    def burst(self, profile, server, target, body):
        sessions = servers.Sessions()
        upstream, gateway = self.gate(server, sessions, profile, {}, self.SECRETS)
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            statuses = list(pool.map(lambda _: call(gateway.address, 'POST', target, [], body).status, range(40)))
        self.assertEqual((set(statuses), sessions.faults), ({200}, []))

    @staticmethod
    def grow(sessions, nonce):
        assert sessions.alive is None or int(nonce) > sessions.alive, (nonce, sessions.alive)
        sessions.alive = int(nonce)

    def test_kraken(self):
        def server(request, sessions):
            assert request.field('Content-Type') == 'application/x-www-form-urlencoded'
            nonce = form(request)['nonce']
            digest = hashlib.sha256(nonce.encode() + request.body).digest()
            assert request.field('API-Sign') == base64_mac(b'a secret key', path(request).encode() + digest, 'sha512')
            self.grow(sessions, nonce)
            return json_answer({'error': []})
        # Without parameters, as Balance is called, and with some.
        self.burst('kraken', server, '/0/private/Balance', '')
        self.burst('kraken', server, '/0/private/QueryOrders', 'txid=A&trades=true')

    def test_bitfinex(self):
        def server(request, sessions):
            nonce = request.field('bfx-nonce')
            text = f'/api/v2/auth/r/wallets{nonce}{{}}'
            assert request.field('bfx-signature') == hmac.digest(self.SECRETS['key'].encode(), text.encode(), 'sha384').hex()
            assert request.field('bfx-apikey') == 'id' and int(nonce) < 2 ** 53
            self.grow(sessions, nonce)
            return json_answer([])
        self.burst('bitfinex', server, '/v2/auth/r/wallets', '{}')

    def test_gemini(self):
        def server(request, sessions):
            payload = request.field('X-GEMINI-PAYLOAD')
            sign = hmac.digest(self.SECRETS['key'].encode(), payload.encode(), 'sha384').hex()
            assert request.field('X-GEMINI-SIGNATURE') == sign
            assert (request.body, request.field('Content-Length'), request.field('Content-Type')) == (b'', '0', 'text/plain')
            values = json.loads(base64.b64decode(payload))
            assert values.pop('request') == '/v1/order/status'
            self.grow(sessions, values.pop('nonce'))
            assert values in ({}, {'order_id': 18834, 'request_': 'ü'}), values
            return json_answer({})
        self.burst('gemini', server, '/v1/order/status', '')
        self.burst('gemini', server, '/v1/order/status', '{"order_id": 18834, "request_": "ü", "nonce": 1}')


class Published(servers.Published):
    def test_bitmex(self):
        for now, method, target, body, sign in (
                (1518064236, 'GET', '/api/v1/instrument', '', 'c7682d435d0cfe87c16098df34ef2eb5a549d4c5a3c2b1f0f77b8af73423bf00'),
                (1518064237, 'GET', '/api/v1/instrument?filter=%7B%22symbol%22%3A+%22XBTM15%22%7D', '',
                 'e2f422547eecb5b3cb29ade2127e21b858b235b386bfa45e1c1756eb3383919f'),
                (1518064238, 'POST', '/api/v1/order',
                 '{"symbol":"XBTM15","price":219.0,"clOrdID":"mm_bitmex_1a/oemUeQ4CAJZgP3fjHsA","orderQty":98}',
                 '1749cd2ccae4aa49048ae09f0b95110cee706e0944e6a14ad0b3a8cb45bd336b')):
            self.check('bitmex', {
                'profile': 'bitmex', 'url': 'http://www.bitmex.com', 'now': str(now - 30), 'nonce': 'n',
                'secrets': {'key_id': 'LAqUlngMIQkIUjXMUreyu3qn', 'key': 'chNOOS4KvNXR_Xq4k4c9qsfoKWvnDecLATCRlcBwyKDYnWgO'},
                'send': [method, target, JSON if body else [], body],
                'expect': {'header api-signature': sign, 'header api-expires': str(now), 'target': target}})


class Signed(servers.Servers):
    """Computed a second time; bodies are no text where the recipe does not read them."""

    NOW = str(servers.NOW * 1000)
    SECRETS = {'key_id': 'id', 'key': 's3cret', 'passphrase': 'p&s'}

    def some(self, *names):
        return {name: self.SECRETS[name] for name in names}

    def test_kucoin_and_bitget(self):
        signed_pass = base64_mac(b's3cret', b'p&s', 'sha256')
        for profile, prefix, passphrase in (('kucoin', 'KC-API-', signed_pass), ('bitget', 'ACCESS-', 'p&s')):
            for method, target, body in (('GET', '/api/v1/x?a=%20b&c=1', b''), ('POST', '/api/v1/orders', BODY)):
                request = self.send(profile, {}, self.SECRETS, method, target, body, JSON)
                sign = base64_mac(b's3cret', f'{self.NOW}{method}{target}'.encode() + body, 'sha256')
                self.assertEqual([request.field(prefix + name) for name in ('KEY', 'PASSPHRASE', 'TIMESTAMP', 'SIGN')],
                                 ['id', passphrase, self.NOW, sign])
                self.assertEqual(request.body, body)
        self.assertEqual(self.send('kucoin', {'version': '3'}, self.SECRETS, 'GET', '/x').field('KC-API-KEY-VERSION'), '3')

    def test_huobi(self):
        for method, target, body in (('GET', '/v1/order/orders?symbol=eth usdt&order-id=1&Case=a'.replace(' ', '%20'), b''),
                                     ('POST', '/v1/order/orders/place', BODY)):
            request = self.send('huobi', {}, self.some('key_id', 'key'), method, target, body, JSON)
            pairs = query(request)
            sign = pairs.pop('Signature')
            self.assertEqual((pairs['AccessKeyId'], pairs['Timestamp']), ('id', '2023-11-14T22:13:20'))
            text = '\n'.join([method, request.field('Host'), path(request), '&'.join(
                f'{name}={urllib.parse.quote(pairs[name], safe="")}' for name in sorted(pairs))])
            self.assertEqual(sign, base64_mac(b's3cret', text.encode(), 'sha256'))
            self.assertEqual(request.body, body)

    def test_bitstamp(self):
        nonces = set()
        for method, target, fields, body in (
                ('POST', '/api/v2/user_transactions/', [('Content-Type', 'application/x-www-form-urlencoded')], b'offset=1'),
                ('POST', '/api/v2/account_balances/', [('Content-Type', 'application/x-www-form-urlencoded')], b''),
                ('GET', '/api/v2/travel_rule/vasps/', [], b'')):
            request = self.send('bitstamp', {}, self.some('key_id', 'key'), method, target, body, fields)
            kind = 'application/x-www-form-urlencoded' if body else None
            self.assertEqual((request.field('Content-Type'), request.field('X-Auth-Version')), (kind, 'v2'))
            nonce = request.field('X-Auth-Nonce')
            nonces.add(nonce)
            text = f'BITSTAMP id{method}{request.field("Host")}{target}{kind or ""}{nonce}{self.NOW}v2'.encode() + body
            self.assertEqual([request.field('X-Auth' + name) for name in ('', '-Timestamp', '-Signature')],
                             ['BITSTAMP id', self.NOW, hmac.digest(b's3cret', text, 'sha256').hex()])
            self.assertEqual(len(nonce), 36)
        self.assertEqual(len(nonces), 3)

    def test_coinbase_advanced(self):
        key = signed.new_key('-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256')
        name = 'organizations/o/apiKeys/k'
        target = '/api/v3/brokerage/accounts?limit=5'
        request = self.send('coinbase-advanced', {'key_name': name}, {'private_key': key}, 'GET', target)
        header, claims = clouds.jwt(clouds.bearer(request), signed.public(key), 'ES256')
        self.assertEqual(len(header.pop('nonce')), 32)
        self.assertEqual(header, {'alg': 'ES256', 'typ': 'JWT', 'kid': name})
        self.assertEqual(claims, {'sub': name, 'iss': 'cdp', 'nbf': servers.NOW, 'exp': servers.NOW + 120,
                                  'uri': f'GET {request.field("Host")}/api/v3/brokerage/accounts'})

    def test_upbit(self):
        for method, target, body, text in (
                ('GET', '/v1/accounts', b'', None),
                ('GET', '/v1/orders/uuids?uuids%5B%5D=a&uuids%5B%5D=b&note=x%20y', b'', 'uuids[]=a&uuids[]=b&note=x y'),
                ('POST', '/v1/orders', b'{"market": "KRW-BTC", "side": "bid", "volume": "0.01"}',
                 'market=KRW-BTC&side=bid&volume=0.01')):
            request = self.send('upbit', {}, self.some('key_id', 'key'), method, target, body, JSON if body else [])
            head, payload, sign = clouds.bearer(request).split('.')
            self.assertEqual(oauth.decode(sign), hmac.digest(b's3cret', f'{head}.{payload}'.encode(), 'sha512'))
            self.assertEqual(json.loads(oauth.decode(head))['alg'], 'HS512')
            claims = json.loads(oauth.decode(payload))
            self.assertEqual((claims.pop('access_key'), len(claims.pop('nonce'))), ('id', 36))
            digest = {'query_hash': hashlib.sha512((text or '').encode()).hexdigest(), 'query_hash_alg': 'SHA512'}
            self.assertEqual(claims, digest if text else {})

    def test_a_clock_that_is_refused(self):
        """Says so once; the request is signed and sent again, once."""
        for profile, refusal, status in (('kucoin', {'code': '400002', 'msg': 'x'}, 400),
                                         ('bitget', {'code': '40008', 'msg': 'Request timestamp expired'}, 400),
                                         ('bitmex', {'error': {'message': 'This request has expired'}}, 401)):
            seen = []

            def server(request, sessions, refusal=refusal, status=status, seen=seen):
                seen.append(request)
                date = email.utils.formatdate(time.time() + 3600, usegmt=True)
                return json_answer(refusal, status, [('Date', date)]) if len(seen) == 1 else json_answer({})
            names = ('key_id', 'key') if profile == 'bitmex' else ('key_id', 'key', 'passphrase')
            _, gateway = self.gate(server, servers.Sessions(), profile, {}, self.some(*names))
            self.assertEqual((call(gateway.address, 'GET', '/api/v1/x').status, len(seen)), (200, 2), profile)


if __name__ == '__main__':
    case.main()
