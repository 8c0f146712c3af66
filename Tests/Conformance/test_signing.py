"""The bytes that are signed are the bytes that are sent: every published example, through sockets."""
import base64
import email.utils
import hashlib
import hmac
import time
import urllib.parse

from support import case, configs, corpus, shop
from support.client import FORM, call, get, post
from support.demo import Demo as DemoProcess
from support.gateway import command
from support.upstream import json_answer

VECTORS = corpus.load('tpshop-md5.json')

# The recipe of the shop as PHP runs it: names mangled, the last of equal names wins, numeric names in numeric order,
# and no form at all for a body that is none.
PHP = configs.LISTEN + """secrets: {sign_key: {file: secrets/key}}
upstreams: {up: {url: "%s"}}
signatures:
  php:
    variables:
      time: 'size(request.form) == 0 ? "" : string(int(now))'
      sign: >-
        hex.encode(hash.md5(php.sort(request.form).filter(f, !(f.name in ["time", "sign"])).map(f, f.value).join("")
        + vars.time + secret.sign_key))
    attach: {%s: {%ssign: "${vars.sign}"}}
routes:
  - {path: /**, upstream: up, sign: php}
"""


def wire_body(vector):
    if 'wire_body' in vector:
        return vector['wire_body']
    return urllib.parse.urlencode(vector.get('body_params', {}))


class Vectors(case.Case):
    """One test for each published example is added below."""

    def arrive(self, vector, config):
        """Sends the example through a gateway whose clock is pinned; returns what arrives."""
        upstream = self.upstream()
        gateway = self.gateway(config.replace('%s', upstream.url, 1), secrets=configs.SECRETS,
                               args=['--pin-now', vector.get('time', '1')])
        reply = post(gateway.address, '/x', wire_body(vector))
        self.assertEqual(reply.status, 200, reply)
        return upstream.last

    def check(self, vector):
        config = PHP.replace('{%s: {%ssign', '{form: {time: "${vars.time}", sign')
        body = self.arrive(vector, config).body.decode()
        form = shop.php_form(body)
        self.assertEqual(form['sign'], vector['expected'], body)
        self.assertEqual(form['time'], vector.get('time', '1'))
        arrived, _ = shop.php_sign(form, vector.get('api_secret_key', 'tpshop2'))
        self.assertEqual(arrived, vector['expected'], 'what arrived is not what was signed')
        kept = [part for part in wire_body(vector).split('&') if not part.startswith('time=')]
        self.assertEqual(body.split('&')[:len(kept)], kept, 'the fields of the client were rewritten')

    def test_a_json_body_signs_only_the_key(self):
        vector = next(vector for vector in VECTORS if 'JSON body' in vector['name'])
        upstream = self.upstream()
        gateway = self.gateway(PHP % (upstream.url, 'query', ''), secrets=configs.SECRETS)
        call(gateway.address, 'POST', '/x', [('Content-Type', 'application/json')], '{"a":1}')
        self.assertEqual(upstream.last.target, '/x?sign=' + vector['expected'])
        self.assertEqual(upstream.last.body, b'{"a":1}')

    def test_the_simple_recipe_of_the_manual_signs_the_plain_examples(self):
        plain = [vector for vector in VECTORS if vector.get('body_params') and '.' not in ''.join(vector['body_params'])]
        self.assertGreaterEqual(len(plain), 6)
        for vector in plain:
            upstream = self.upstream()
            gateway = self.gateway(
                configs.tpshop(upstream.url, routes='  - {path: /**, upstream: shop, sign: tpshop}\n'),
                secrets=configs.SECRETS, args=['--pin-now', vector['time']])
            post(gateway.address, '/x', wire_body(vector))
            form = shop.php_form(upstream.last.body.decode())
            self.assertEqual(form['sign'], vector['expected'], vector['name'])


def _add(number, vector):
    def test(self):
        self.check(vector)
    test.__doc__ = f'{vector["name"]}: signed as published, through a socket'
    setattr(Vectors, f'test_vector_{number:02}', test)


for _number, _vector in enumerate(VECTORS):
    if 'JSON body' not in _vector['name']:
        _add(_number, _vector)


class Bytes(case.Case):
    """A signature over method, target, a header and the body, as API gateways use it."""

    CONFIG = configs.LISTEN + r"""secrets: {key: {file: secrets/key}}
upstreams: {up: {url: "%s/base"}}
signatures:
  lines:
    variables:
      ts: string(int(now))
      nonce: random.hex(16)
      text: >-
        request.method + "\n" + request.target + "\n" + request.host + "\n" + request.headers("content-type") + "\n"
        + vars.ts + "\n" + vars.nonce + "\n" + hex.encode(hash.sha256(request.body)) + "\n"
    attach:
      header: {X-Ts: "${vars.ts}", X-Nonce: "${vars.nonce}", X-Sign: "${base64.encode(hmac.sha256(secret.key, vars.text))}"}
    skip: request.path.startsWith("/base/open/")
routes:
  - {path: /**, upstream: up, sign: lines, attach: {query: {v: "2"}}}
"""

    def setUp(self):
        self.up = self.upstream(lambda request, wire: json_answer({}))
        self.gate = self.gateway(self.CONFIG % self.up.url, secrets=configs.SECRETS)

    def assert_signed(self, request):
        lines = [request.method, request.target, request.field('Host'), request.field('Content-Type') or '',
                 request.field('X-Ts'), request.field('X-Nonce'), hashlib.sha256(request.body).hexdigest(), '']
        mac = hmac.new(shop.KEY.encode(), '\n'.join(lines).encode(), hashlib.sha256).digest()
        self.assertEqual(request.field('X-Sign'), base64.b64encode(mac).decode())

    def test_target_host_header_and_body_are_signed_as_they_arrive(self):
        call(self.gate.address, 'POST', '/a//b%2Fc?x=%e4&&y', [('Content-Type', 'text/x; charset=utf-8')], bytes(range(256)))
        self.assertTrue(self.up.last.target.startswith('/base/a//b%2Fc?x=%e4&&y'), self.up.last)
        self.assert_signed(self.up.last)

    def test_each_request_has_its_own_nonce(self):
        for _ in range(3):
            post(self.gate.address, '/n', 'a=1')
        nonces = [request.field('X-Nonce') for request in self.up.requests]
        self.assertEqual(len(set(nonces)), 3)
        self.assertEqual({len(nonce) for nonce in nonces}, {32})

    def test_a_chunked_body_is_signed_as_a_whole(self):
        call(self.gate.address, 'POST', '/c', [('Transfer-Encoding', 'chunked'), ('Content-Type', 'a/b')],
             b'3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n')
        self.assertEqual(self.up.last.body, b'abcde')
        self.assert_signed(self.up.last)

    def test_what_the_recipe_skips_is_left_unsigned(self):
        call(self.gate.address, 'POST', '/open/x', [('Content-Type', 'a/b')], 'x')
        self.assertIsNone(self.up.last.field('X-Sign'))

    def test_a_recipe_that_errs_refuses_the_request_and_says_why(self):
        reply = call(self.gate.address, 'POST', '/no-content-type', (), 'x')
        self.assertGreaterEqual(reply.status, 400)
        self.assertIs(reply.json['success'], False)
        self.assertEqual(self.up.requests, [])
        self.assertNotIn(shop.KEY.encode(), reply.body)

    def test_signature_fields_of_the_client_are_dropped(self):
        call(self.gate.address, 'POST', '/s', [('Content-Type', 'a/b'), ('x-sign', 'forged'), ('X-Nonce', 'f')], 'x')
        self.assertEqual(len(self.up.last.all('X-Sign')), 1)
        self.assert_signed(self.up.last)


class Clock(case.Case):
    def test_the_signature_time_follows_the_upstreams_clock(self):
        ahead = 7200

        def handler(request, wire):
            return json_answer({}, 200, [('Date', email.utils.formatdate(time.time() + ahead, usegmt=True))])
        upstream = self.upstream(handler)
        gateway = self.gateway(configs.LISTEN + f'''upstreams: {{up: {{url: "{upstream.url}", clock: {{learn_from: date}}}}}}
signatures: {{s: {{variables: {{t: string(int(now))}}, attach: {{header: {{X-Time: "${{vars.t}}"}}}}}}}}
routes: [{{path: /**, upstream: up, sign: s}}]
''')
        get(gateway.address, '/one')
        get(gateway.address, '/two')
        self.assertAlmostEqual(int(upstream.last.field('X-Time')), time.time() + ahead, delta=3)
        offset = get(gateway.admin, '/health').json['upstreams']['up']['clockOffset']
        self.assertAlmostEqual(offset, ahead, delta=3)

    def test_the_clock_is_our_own_where_nothing_is_learned(self):
        upstream = self.upstream(lambda request, wire: json_answer({}, 200, [('Date', 'Thu, 01 Jan 1998 00:00:00 GMT')]))
        gateway = self.gateway(configs.LISTEN + f'''upstreams: {{up: {{url: "{upstream.url}"}}}}
signatures: {{s: {{variables: {{t: string(int(now))}}, attach: {{header: {{X-Time: "${{vars.t}}"}}}}}}}}
routes: [{{path: /**, upstream: up, sign: s}}]
''')
        get(gateway.address, '/one')
        get(gateway.address, '/two')
        self.assertAlmostEqual(int(upstream.last.field('X-Time')), time.time(), delta=3)


class Demo(case.Case):
    def test_the_demo_upstream_and_the_independent_shop_agree_on_every_example(self):
        demo = self.start(DemoProcess())
        for vector in VECTORS:
            if 'JSON body' in vector['name']:
                continue
            body = '&'.join(p for p in wire_body(vector).split('&') if not p.startswith('time='))
            moment = str(int(time.time()))
            sign, _ = shop.php_sign({**shop.php_form(body), 'time': moment})
            reply = call(demo.address, 'POST', '/index.php?m=Api&c=Goods&a=goodsInfo', [FORM],
                         f'{body}&time={moment}&sign={sign}', host=demo.address)
            self.assertNotEqual(reply.json['msg'], '签名失败!!!', vector['name'])

    def test_pinning_is_refused_without_a_value(self):
        status, _, error = command('run', '/nonexistent.yaml', '--pin-now')
        self.assertEqual(status, 2)
        self.assertIn('sage', error)


if __name__ == '__main__':
    case.main()
