"""What an upstream says about a signature: its time was refused, or its own string to sign."""
import base64
import email.utils
import hashlib
import hmac
import time

from support import case, configs, shop
from support.client import call, post
from support.upstream import answer, json_answer

CONFIG = configs.LISTEN + '''secrets: {key: {file: secrets/key}}
upstreams: {up: {url: "%s"}}
signatures:
  stamp: {attach: {header: {X-Time: "${int(now)}", X-Nonce: "${nonce}"}}}
  mac:
    variables:
      text: request.method + "\\n" + request.target + "\\n" + request.headers("x-time") + "\\n" + string(request.body)
      framed: secret.key + vars.text + secret.key
    attach: {header: {X-Sign: "${hex.encode(hmac.sha256(secret.key, vars.framed))}"}}
%s
routes: [{path: /**, upstream: up, sign: [stamp, mac]}]
'''
AHEAD = 5000


class Clock(case.Case):
    """An upstream whose clock is far ahead, and which refuses other times."""

    def handle(self, request, wire):
        theirs = time.time() + AHEAD
        date = ('Date', email.utils.formatdate(theirs, usegmt=True))
        if abs(int(request.field('X-Time')) - theirs) > 300:
            return self.refusal(theirs, date)
        return json_answer({'ok': True}, 200, [date])

    def refusal(self, theirs, date):
        return json_answer({'error': 'clock', 'now': int(theirs * 1000)}, 403, [date])

    def gate(self, rule):
        self.up = self.upstream(self.handle)
        return self.gateway(CONFIG % (self.up.url, '    clock_refused: ' + rule), secrets=configs.SECRETS)

    def assert_signed_again(self, gateway):
        reply = post(gateway.address, '/x', 'a=1')
        self.assertEqual((reply.status, reply.json), (200, {'ok': True}))
        first, second = self.up.requests
        self.assertEqual(first.body, second.body)
        self.assertNotEqual(first.field('X-Nonce'), second.field('X-Nonce'))
        text = f'POST\n/x\n{second.field("X-Time")}\na=1'
        want = hmac.new(shop.KEY.encode(), (shop.KEY + text + shop.KEY).encode(), hashlib.sha256).hexdigest()
        self.assertEqual(second.field('X-Sign'), want)
        post(gateway.address, '/x', 'a=1')
        self.assertEqual(len(self.up.requests), 3, 'the offset was not kept')

    def test_the_time_is_learnt_from_date(self):
        self.assert_signed_again(self.gate('status == 403'))

    def test_the_time_is_learnt_from_the_body(self):
        self.assert_signed_again(self.gate('\'json.error == "clock" ? json.now : 0\''))

    def test_a_request_is_signed_again_once(self):
        self.refusal = lambda theirs, date: json_answer({'error': 'clock'}, 403, [date])
        self.up = self.upstream(lambda request, wire: self.refusal(time.time() + AHEAD, (
            'Date', email.utils.formatdate(time.time() + AHEAD, usegmt=True))))
        gateway = self.gateway(CONFIG % (self.up.url, '    clock_refused: status == 403'), secrets=configs.SECRETS)
        self.assertEqual(post(gateway.address, '/x', 'a=1').status, 403)
        self.assertEqual(len(self.up.requests), 2)

    def test_a_time_out_of_bounds_is_not_believed(self):
        self.up = self.upstream(lambda request, wire: json_answer({}, 403, [('Date', 'Thu, 01 Jan 1998 00:00:00 GMT')]))
        gateway = self.gateway(CONFIG % (self.up.url, '    clock_refused: status == 403'), secrets=configs.SECRETS)
        self.assertEqual(post(gateway.address, '/x', 'a=1').status, 403)
        self.assertEqual(len(self.up.requests), 1)
        gateway.log.wait(lambda record: 'out of bounds' in record.get('message', ''))

    def test_a_date_from_a_cache_is_not_believed(self):
        date = email.utils.formatdate(time.time() + AHEAD, usegmt=True)
        self.up = self.upstream(lambda request, wire: json_answer({}, 403, [('Date', date), ('Age', '5')]))
        gateway = self.gateway(CONFIG % (self.up.url, '    clock_refused: status == 403'), secrets=configs.SECRETS)
        post(gateway.address, '/x', 'a=1')
        self.assertEqual(len(self.up.requests), 1)

    def test_other_refusals_go_to_the_client(self):
        gateway = self.gate('status == 419')
        self.assertEqual(post(gateway.address, '/x', 'a=1').status, 403)
        self.assertEqual(len(self.up.requests), 1)


class Echo(case.Case):
    def log_of(self, echoed, rule='headers("x-string").replace("#", "\\n")'):
        upstream = self.upstream(lambda request, wire: answer(400, b'{}', [('X-String', echoed(request))]))
        gateway = self.gateway(CONFIG % (upstream.url, f"    echo: '{rule}'"), secrets=configs.SECRETS)
        post(gateway.address, '/x?q=1', 'a=1')
        record = gateway.log.wait(lambda record: record.get('message', '').startswith('upstream signed'))
        gateway.stop()
        self.assertNotIn(shop.KEY.encode(), gateway.output())
        return record

    def test_the_first_difference_is_logged_without_secrets(self):
        record = self.log_of(lambda request: f'{shop.KEY}POST#/X?q=1#{request.field("X-Time")}#a=1{shop.KEY}')
        self.assertEqual(record['line'], 2)
        self.assertIn('/x?q=1', record['ours'])
        self.assertIn('/X?q=1', record['theirs'])
        self.assertEqual(record['signature'], 'mac')

    def test_what_the_recipe_makes_of_a_secret_is_one(self):
        upper, back = shop.KEY.upper(), shop.KEY[::-1]
        config = CONFIG.replace('framed: secret.key + vars.text + secret.key',
                                'framed: secret.key.upperAscii() + vars.text + base64.encode("x" + secret.key.reverse())')
        self.assertNotEqual(config, CONFIG)
        for theirs in (f'{upper}POST#/X?q=1#', f'{upper}POST#', 'POST#'):
            with self.subTest(theirs):
                upstream = self.upstream(lambda request, wire: answer(400, b'{}', [('X-String', theirs)]))
                gateway = self.gateway(
                    config % (upstream.url, '    echo: headers("x-string").replace("#", "\\n")'), secrets=configs.SECRETS)
                post(gateway.address, '/x?q=1', 'a=1')
                record = gateway.log.wait(lambda record: record.get('message', '') == 'upstream signed another string')
                self.assertIn('POST', record['ours'])
                gateway.stop()
                for made in (upper, base64.b64encode(b'x' + back.encode()).decode(), back):
                    for part in (made, made[:8], made[-8:]):
                        self.assertNotIn(part.encode(), gateway.output())

    def test_the_same_string_points_to_the_key(self):
        record = self.log_of(lambda request: f'{shop.KEY}POST#/x?q=1#{request.field("X-Time")}#a=1{shop.KEY}')
        self.assertIn('same string', record['message'])

    def test_an_end_that_is_missing_is_a_difference(self):
        record = self.log_of(lambda request: f'POST#/x?q=1#{request.field("X-Time")}')
        self.assertEqual(record['line'], 3)

    def test_an_answer_without_an_echo_logs_nothing(self):
        upstream = self.upstream()
        gateway = self.gateway(CONFIG % (upstream.url, '    echo: headers("x-string")'), secrets=configs.SECRETS)
        self.assertEqual(call(gateway.address, 'POST', '/x', (), 'x').status, 200)
        gateway.stop()
        self.assertNotIn(b'upstream signed', gateway.output())


if __name__ == '__main__':
    case.main()
