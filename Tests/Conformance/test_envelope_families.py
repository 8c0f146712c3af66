"""Every family of envelopes, as its recipe: the same four facts whatever the wrapping, in every rendering."""
import base64
import gzip
import json
import os
import zlib

from support import case, configs
from support.client import get
from support.gateway import ROOT
from support.upstream import answer, free_port

with open(os.path.join(ROOT, 'Tests', 'Corpora', 'envelopes.json'), encoding='utf8') as file:
    CORPUS = json.load(file)
FAMILIES, CASES = CORPUS['families'], CORPUS['cases']
TARGETS = {'standard': '{from: %s, to: standard}', 'problem': '{from: %s, to: problem}', 'same': '{from: %s, to: same}',
           'map': '{from: %s, to: standard, status: map}', 'other': '{from: %s, to: citydo}'}


def body_of(item):
    return base64.b64decode(item['base64']) if 'base64' in item else item['body'].encode()


def config(url):
    """One route for each family and target; JSON is YAML."""
    routes = [{'path': f'/{target}/{name}', 'upstream': 'up', 'envelope': rule % name}
              for name in FAMILIES for target, rule in TARGETS.items()]
    text = configs.LISTEN + 'upstreams: {up: {url: "%s"}}\n' % url
    text += 'envelopes: ' + json.dumps(FAMILIES, ensure_ascii=False) + '\nroutes:\n'
    for route in routes:
        text += '  - {path: "%(path)s", upstream: up, envelope: %(envelope)s}\n' % route
    return text


class Families(case.Case):

    def setUp(self):
        self.sent = {}
        up = self.upstream(lambda request, wire: self.sent[request.target.partition('?n=')[2]])
        self.live = self.gateway(config(up.url))

    def ask(self, target, item, number):
        fields = [('Content-Type', item['type']), *item.get('fields', {}).items()]
        self.sent[str(number)] = answer(item['status'], body_of(item), fields)
        return get(self.live.address, f'/{target}/{item["family"]}?n={number}')

    def each(self, target, check):
        for number, item in enumerate(CASES):
            with self.subTest(item['name']):
                check(self.ask(target, item, number), item, item['expect'])

    def test_there_are_cases(self):
        self.assertGreater(len(CASES), 48)

    def test_standard(self):
        def check(reply, item, expect):
            self.assertEqual(reply.status, item['status'], reply)
            self.assertEqual(reply.json, {'success': expect['ok'], 'code': expect['code'], 'message': expect['message'],
                                          'data': expect['data']})
        self.each('standard', check)

    def test_problem(self):
        def check(reply, item, expect):
            if expect['ok']:
                self.assertEqual(reply.json, expect['data'])
                return
            self.assertEqual(reply.field('Content-Type'), 'application/problem+json')
            self.assertEqual(reply.json['status'], reply.status)
            self.assertEqual(reply.json.get('code'), expect['code'])
            if expect['message'] is not None:
                self.assertEqual(reply.json['title'], expect['message'])
        self.each('problem', check)

    def test_same(self):
        def check(reply, item, expect):
            self.assertEqual((reply.status, reply.body), (item['status'], body_of(item)))
            self.assertEqual(reply.field('Content-Type'), item['type'])
        self.each('same', check)

    def test_mapped(self):
        def check(reply, item, expect):
            wanted = 422 if not expect['ok'] and item['status'] < 300 else item['status']
            self.assertEqual((reply.status, reply.json['success']), (wanted, expect['ok']))
        self.each('map', check)

    def test_another_dialect(self):
        def check(reply, item, expect):
            self.assertEqual(reply.json['data'], expect['data'])
            self.assertEqual(reply.json['msg'], expect['message'] or '')
            self.assertEqual(reply.json['code'], -1009 if expect['code'] is None else expect['code'])
        self.each('other', check)


class Offline(case.Case):
    def test_the_gateway_speaks_every_dialect(self):
        gateway = self.gateway(config(f'http://127.0.0.1:{free_port()}'))
        for language, pattern in (('zh-CN', '[一-鿿]'), ('en', '[A-Za-z]')):
            for name, family in FAMILIES.items():
                with self.subTest(name + ' ' + language):
                    reply = get(gateway.address, f'/same/{name}', [('Accept-Language', language)])
                    self.assertEqual(set(reply.json), set(family['render']))
                    self.assertRegex(json.dumps(reply.json, ensure_ascii=False), pattern)
                    self.assertEqual(reply.status, 502 if reply.field('Retry-After') is None else reply.status)
                    problem = get(gateway.address, f'/problem/{name}', [('Accept-Language', language)]).json
                    self.assertRegex(problem['title'], pattern)


class Coded(case.Case):
    """A server that compresses though it was asked not to."""

    PAYLOAD = b'{"status":1,"msg":"ok","result":[10.10,12345678901234567890]}'
    EXPECTED = b'{"success":true,"code":1,"message":"ok","data":[10.10,12345678901234567890]}'

    def ask(self, body, coding, target='standard', route=''):
        up = self.upstream(lambda request, wire: answer(
            200, body, [('Content-Type', 'text/html'), ('Content-Encoding', coding)]))
        top = 'envelopes: ' + json.dumps({'tpshop': FAMILIES['tpshop']}) + '\n'
        gateway = self.gateway(configs.plain(up.url, top=top, route=f'envelope: {{from: tpshop, to: {target}}}\n' + route))
        return get(gateway.address, '/x')

    def bare(self, data):
        engine = zlib.compressobj(wbits=-15)
        return engine.compress(data) + engine.flush()

    def test_each_coding_is_undone(self):
        packed = gzip.compress(self.PAYLOAD)
        for coding, body in (('gzip', packed), ('x-gzip', packed), ('deflate', zlib.compress(self.PAYLOAD)),
                             ('deflate', self.bare(self.PAYLOAD)), ('identity', self.PAYLOAD),
                             ('gzip, identity', packed), ('deflate, gzip', gzip.compress(zlib.compress(self.PAYLOAD))),
                             ('gzip', gzip.compress(self.PAYLOAD[:20]) + gzip.compress(self.PAYLOAD[20:]))):
            reply = self.ask(body, coding)
            self.assertEqual(reply.body, self.EXPECTED, coding)
            self.assertIsNone(reply.field('Content-Encoding'))

    def test_what_does_not_decode_is_a_bad_answer(self):
        packed = gzip.compress(self.PAYLOAD)
        flipped = packed[:-6] + bytes([packed[-6] ^ 1]) + packed[-5:]
        for coding, body in (('gzip', packed[:-1]), ('gzip', packed + b'x'), ('gzip', flipped), ('gzip', self.PAYLOAD),
                             ('br', packed), ('gzip, gzip, gzip', packed), ('deflate', zlib.compress(self.PAYLOAD)[:-2]),
                             ('gzip', gzip.compress(b' ' * (2 << 20))), ('gzip', gzip.compress(self.PAYLOAD + b' ' * 900_000))):
            self.assert_refused(self.ask(body, coding), 502, 'bad_answer')

    def test_the_limit_is_on_what_comes_out(self):
        body = gzip.compress(self.PAYLOAD[:-1] + b' ' * 20000 + b'}')
        self.assertEqual(self.ask(body, 'gzip').status, 200)
        self.assert_refused(self.ask(body, 'gzip', route='limits: {inspect: 4KiB}'), 502, 'bad_answer')

    def test_same_passes_the_bytes(self):
        packed = gzip.compress(self.PAYLOAD)
        reply = self.ask(packed, 'gzip', 'same')
        self.assertEqual((reply.body, reply.field('Content-Encoding')), (packed, 'gzip'))
        self.assertEqual(self.ask(b'broken', 'gzip', 'same').body, b'broken')


class Hostile(case.Case):
    def ask(self, body, family, content_type='text/xml'):
        up = self.upstream(lambda request, wire: answer(200, body, [('Content-Type', content_type)]))
        top = 'envelopes: ' + json.dumps({family: FAMILIES[family]}) + '\n'
        gateway = self.gateway(configs.plain(up.url, top=top, route=f'envelope: {{from: {family}}}'))
        return get(gateway.address, '/x')

    def test_xml_that_is_not_read(self):
        entity = '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><Error><Code>&b;</Code></Error>'
        for body in (entity, '<Error><Code>&lol;</Code></Error>', '<Error>' * 5000, '<Error><Code></Error></Code>',
                     '<Error a="1" a="2"/>', '<Error/><Error/>', '<Error>]]></Error>', b'<Error>\xff</Error>'):
            self.assert_refused(self.ask(body, 's3'), 502, 'bad_answer')

    def test_a_charset_that_does_not_fit(self):
        for kind in ('text/html; charset=gbk', 'text/html; charset=klingon'):
            self.assert_refused(self.ask(b'{"status":1,"msg":"\xff\xff"}', 'tpshop', kind), 502, 'bad_answer')


if __name__ == '__main__':
    case.main()
