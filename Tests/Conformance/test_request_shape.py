"""What an app sends one way goes upstream another: form, JSON, multipart, query, XML; and what is in it stays."""
import email.parser
import gzip
import hashlib
import json
import urllib.parse

from support import case, configs
from support.client import FORM, call
from support.gateway import command, folder
from support.upstream import json_answer

BIG = '{"id":12345678901234567890,"price":10.10,"on":true,"off":false,"none":null,"name":"甲 &=+\\"\\u00e9"}'
JSON = ('Content-Type', 'application/json')


class Base(case.Case):
    def gate(self, route, *, upstream='', top='', session=''):
        self.up = self.upstream(lambda request, wire: json_answer('{}'))
        self.front = self.gateway(
            configs.plain(self.up.url, route=route, upstream=upstream, top=top, session=session),
            secrets=configs.SECRETS)

    def send(self, body=None, fields=(JSON,), method='POST', target='/x'):
        return call(self.front.address, method, target, fields, body)

    def sent(self, *args, **options):
        """What arrived upstream."""
        reply = self.send(*args, **options)
        self.assertEqual(reply.status, 200, reply)
        return self.up.last

    def pairs(self, *args, **options):
        request = self.sent(*args, **options)
        self.assertEqual(request.field('Content-Type'), 'application/x-www-form-urlencoded')
        self.assertEqual(int(request.field('Content-Length')), len(request.body))
        return urllib.parse.parse_qsl(request.body.decode(), keep_blank_values=True, strict_parsing=bool(request.body))

    def assert_coded_is_refused(self, body, type_, **options):
        before = len(self.up.requests)
        packed = gzip.compress(body.encode())
        for coding in ('gzip', 'br', 'identity, deflate'):
            reply = self.send(packed, [('Content-Type', type_), ('Content-Encoding', coding)], **options)
            self.assert_bad(reply, 415, 'Content-Encoding')
        self.assertEqual(len(self.up.requests), before)
        self.assertEqual(self.send(body, [('Content-Type', type_), ('Content-Encoding', 'identity')], **options).status, 200)

    def assert_bad(self, reply, status, word):
        self.assert_refused(reply, status)
        self.assertIn(word, reply.json['error']['detail'])


class ToForm(Base):
    def test_plain_values(self):
        self.gate('request: {to: form}')
        self.assertEqual(self.pairs(BIG), [
            ('id', '12345678901234567890'), ('price', '10.10'), ('on', 'true'), ('off', 'false'), ('none', ''),
            ('name', '甲 &=+"é')])

    def test_values_within_values(self):
        body = '{"a":{"b":[1,"x"],"c":{"d":1e3}},"l":[{"k":1},{"k":2}],"e":[],"o":{},"n":[null]}'
        for nested, expected in (
                ('brackets', [('a[b][]', '1'), ('a[b][]', 'x'), ('a[c][d]', '1e3'), ('l[0][k]', '1'), ('l[1][k]', '2'),
                              ('n[]', '')]),
                ('dots', [('a.b[0]', '1'), ('a.b[1]', 'x'), ('a.c.d', '1e3'), ('l[0].k', '1'), ('l[1].k', '2'),
                          ('n[0]', '')]),
                ('json', [('a', '{"b":[1,"x"],"c":{"d":1e3}}'), ('l', '[{"k":1},{"k":2}]'), ('o', '{}'), ('n', '')])):
            self.gate('request: {to: form, nested: %s}' % nested)
            self.assertEqual(self.pairs(body), expected, nested)

    def test_a_form_passes_untouched(self):
        self.gate('request: {to: form}')
        request = self.sent('a=%7e&&b=+', [FORM])
        self.assertEqual(request.body, b'a=%7e&&b=+')

    def test_a_request_without_a_body_is_left_alone(self):
        self.gate('request: {to: form}')
        request = self.sent(None, [], 'GET', '/x?a=1')
        self.assertEqual((request.method, request.target, request.body), ('GET', '/x?a=1', b''))

    def test_what_does_not_fit_is_refused(self):
        self.gate('request: {to: form}')
        for body in ('[1]', '{"a":', '"x"', b'{"a":"\xff"}'):
            self.assert_bad(self.send(body), 400, 'JSON object')
        for fields in ([('Content-Type', 'text/plain')], []):
            self.assert_bad(self.send('{}', fields), 415, 'Content-Type says which')
        self.assert_bad(self.send('{"a":%s1%s}' % ('[' * 40, ']' * 40)), 400, 'nested deeper')
        self.assert_bad(self.send('{"a":1}', method='GET'), 400, 'use POST')
        self.assertEqual(self.up.requests, [])

    def test_names_cannot_multiply_the_size(self):
        self.gate('request: {to: form}\nlimits: {body: 64KiB}')
        body = '{"%s":[%s]}' % ('k' * 1000, ','.join('1' * 5000))
        self.assert_bad(self.send(body), 413, 'limit')


class ToJSON(Base):
    def test_pairs_become_members(self):
        self.gate('request: {to: json}')
        request = self.sent('a=1&b=%E7%94%B2+%22&c=&d', [FORM])
        self.assertEqual(request.field('Content-Type'), 'application/json')
        self.assertEqual(request.body.decode(), '{"a":"1","b":"甲 \\"","c":"","d":""}')

    def test_names_build_values(self):
        for nested, body, expected in (
                ('brackets', 'a[b][]=1&a[b][]=2&a[c]=3&l[0][k]=x&l[1][k]=y&t=1&t=2&t=3&w[=5',
                 {'a': {'b': ['1', '2'], 'c': '3'}, 'l': [{'k': 'x'}, {'k': 'y'}], 't': ['1', '2', '3'], 'w[': '5'}),
                ('dots', 'a.b.c=1&a.d=2&l[0].k=x&l[1].k=y&e.=1', {'a': {'b': {'c': '1'}, 'd': '2'},
                                                               'l': [{'k': 'x'}, {'k': 'y'}], 'e.': '1'}),
                ('json', 'a[b]=1&a[b]=2&c.d=3', {'a[b]': ['1', '2'], 'c.d': '3'})):
            self.gate('request: {to: json, nested: %s}' % nested)
            self.assertEqual(json.loads(self.sent(body, [FORM]).body), expected, nested)

    def test_contradicting_names_are_refused(self):
        self.gate('request: {to: json}')
        for body in ('a=1&a[b]=2', 'a[b]=2&a=1', 'a[]=1&a[b]=2'):
            self.assert_bad(self.send(body, [FORM]), 400, 'contradict')

    def test_a_transform_gives_types(self):
        self.gate('request: {to: json, transform: {n: "${json.decode(value)}", f: "${value == \'1\'}"}}')
        request = self.sent('n=12345678901234567890&f=1&s=5', [FORM])
        self.assertEqual(request.body, b'{"n":12345678901234567890,"f":true,"s":"5"}')

    def test_a_name_of_a_million_levels_costs_no_more_than_a_plain_one(self):
        self.gate('request: {to: json}')

        def cost(name):
            before = self.front.cpu()
            reply = self.send(name + '=1', [FORM])
            return reply, self.front.cpu() - before
        plain, deep = cost('aaa' * 3000000), cost('a' + '[b]' * 3000000)
        self.assertEqual(plain[0].status, 200)
        self.assert_refused(deep[0], 400, 'bad_request')
        self.assertLess(deep[1], plain[1] * 1.5)

    def test_thousands_of_fields_take_no_time(self):
        self.gate('request: {to: json}', top='limits: {form_fields: 80000}')
        body = '&'.join(f'k{n}=v&l[]={n}' for n in range(40000))
        self.assertEqual(len(json.loads(self.sent(body, [FORM]).body)['l']), 40000)


class ToOthers(Base):
    def test_multipart(self):
        self.gate('request: {to: multipart, transform: {face: "${base64.decode(value)}"}}')
        request = self.sent('{"id":12345678901234567890,"a\\"b\\r\\n":"--x","l":[1,2],"face":"AP8N"}')
        kind = request.field('Content-Type')
        message = email.parser.BytesParser().parsebytes(b'Content-Type: ' + kind.encode() + b'\r\n\r\n' + request.body)
        parts = [(p.get_param('name', header='Content-Disposition'), p.get_filename(), p.get_payload(decode=True))
                 for p in message.get_payload()]
        self.assertEqual(parts, [('id', None, b'12345678901234567890'), ('a%22b%0D%0A', None, b'--x'), ('l[]', None, b'1'),
                                 ('l[]', None, b'2'), ('face', 'face', b'\x00\xff\r')])
        again = self.sent('{"id":12345678901234567890,"a\\"b\\r\\n":"--x","l":[1,2],"face":"AP8N"}')
        self.assertEqual(again.body, request.body)

    def test_multipart_passes_through_a_multipart_route(self):
        self.gate('request: {to: multipart}')
        kind = ('Content-Type', 'multipart/form-data; boundary=x')
        request = self.sent('--x--\r\n', [kind])
        self.assertEqual((request.body, request.field('Content-Type')), (b'--x--\r\n', kind[1]))

    def test_query(self):
        self.gate('request: {to: query}\nrewrite: /api?m=1')
        request = self.sent('{"a":"x y&","id":12345678901234567890}', target='/x?own=1')
        self.assertEqual(request.target, '/api?m=1&own=1&a=x%20y%26&id=12345678901234567890')
        self.assertEqual((request.method, request.body, request.field('Content-Length')), ('POST', b'', '0'))
        self.assertIsNone(request.field('Content-Type'))

    def test_xml(self):
        self.gate('request: {to: xml, root: order}')
        request = self.sent('{"id":12345678901234567890,"t":"a<b&\\"]]>","l":[1,2],"o":{"p":null,"q":true}}')
        self.assertEqual(request.body.decode(), '<order><id>12345678901234567890</id><t>a&lt;b&amp;&quot;]]&gt;</t><l>1</l>'
                         '<l>2</l><o><p></p><q>true</q></o></order>')
        self.assertEqual(request.field('Content-Type'), 'application/xml; charset=utf-8')
        self.assert_bad(self.send('{"1a":1}'), 400, 'element')
        self.assert_bad(self.send('{"a>b":1}'), 400, 'element')
        self.assert_bad(self.send('{"a":"\\u0001"}'), 400, 'XML')

    def test_a_query_becomes_a_form_post(self):
        self.gate('request: {from: query, to: form, method: POST}\nrewrite: /i?m=Api')
        request = self.sent(None, [], 'GET', '/x?a=1&b=%E7%94%B2')
        self.assertEqual((request.method, request.target, request.body), ('POST', '/i?m=Api', b'a=1&b=%E7%94%B2'))
        self.assertEqual(self.send(None, [], 'HEAD', '/x?a=1').status, 400)

    def test_the_method_alone(self):
        self.gate('request: {method: POST}\n'
                  'attach: {header: {Content-Type: text/x-call}, body: "call ${request.original.method}"}')
        for method in ('GET', 'DELETE', 'PUT'):
            request = self.sent(None, [], method)
            self.assertEqual((request.method, request.body, request.field('Content-Type')),
                             ('POST', f'call {method}'.encode(), 'text/x-call'))
        self.gate('request: {method: PUT}')
        request = self.sent('any text', [('Content-Type', 'text/plain')])
        self.assertEqual((request.method, request.body, request.field('Content-Type')), ('PUT', b'any text', 'text/plain'))
        self.gate('request: {method: POST}\nattach: {form: {a: b}}')
        request = self.sent(None, [], 'GET')
        self.assertEqual((request.method, request.body), ('POST', b'a=b'))

    def test_a_get_that_is_made_takes_no_body_along(self):
        self.gate('request: {method: GET}')
        self.assertEqual(self.sent(None, [], 'DELETE').method, 'GET')
        self.assert_bad(self.send('{"a":1}'), 400, 'without a body')

    def test_the_table_of_the_second_seed(self):
        for method, shape, target, body, kind in (
                ('POST', 'query', '/x?k=v%201', b'', None),
                ('POST', 'form', '/x', b'k=v+1', 'application/x-www-form-urlencoded'),
                ('PUT', 'form', '/x', b'k=v+1', 'application/x-www-form-urlencoded'),
                ('DELETE', 'query', '/x?k=v%201', b'', None),
                ('POST', 'json', '/x', b'{"k":"v 1"}', 'application/json'),
                ('PUT', 'keep', '/x', b'{"k":"v 1"}', 'application/json')):
            self.gate('request: {from: json, to: %s}' % shape)
            request = self.sent('{"k":"v 1"}', method=method)
            self.assertEqual((request.method, request.target, request.body, request.field('Content-Type')),
                             (method, target, body, kind), (method, shape))


class Transforms(Base):
    def test_a_password_is_hashed_and_the_rest_stays(self):
        self.gate('request: {transform: {password: "${hex.encode(hash.md5(value))}"}}')
        digest = hashlib.md5(b'pw').hexdigest()
        request = self.sent('{ "id" : 12345678901234567890,"password":"pw", "x":[1.0 , 2]}')
        self.assertEqual(request.body.decode(),
                         '{"id":12345678901234567890,"password":"%s","x":[1.0 , 2]}' % digest)
        self.assertEqual(self.pairs('a=1&password=pw', [FORM]), [('a', '1'), ('password', digest)])
        self.assertEqual(self.sent('{"other":1}').body, b'{"other":1}')

    def test_a_field_can_be_taken_away(self):
        self.gate('request: {to: form, transform: {a: "${optional.none()}", b: "${value + 1}"}}')
        self.assertEqual(self.pairs('{"a":1,"b":2,"c":3}'), [('b', '3'), ('c', '3')])

    def test_one_that_errs_refuses_and_tells_no_value(self):
        self.gate('request: {to: form, transform: {password: "${hash.md5(value.secret)}"}}')
        reply = self.send('{"password":"s3cret-word"}')
        self.assert_bad(reply, 400, 'password')
        self.assertNotIn(b's3cret-word', reply.body)
        self.assertEqual(self.up.requests, [])


SIGNED = '''signatures:
  s:
    variables: {sign: "hex.encode(hash.md5(request.form.sortBy(f, f.name).map(f, f.value).join('')))"}
    attach: {form: {sign: "${vars.sign}"}}
'''


class WithTheRest(Base):
    def test_the_signature_sees_the_final_body(self):
        self.gate('request: {to: form, transform: {p: "${value + \'!\'}"}}\nsign: s\nattach: {form: {v: "7"}}', session=SIGNED)
        self.assertEqual(self.pairs('{"p":"a","b":12345678901234567890}'), [
            ('p', 'a!'), ('b', '12345678901234567890'), ('v', '7'),
            ('sign', hashlib.md5(b'12345678901234567890a!7').hexdigest())])

    def test_a_clients_field_cannot_take_the_place_of_the_gateways(self):
        self.gate('request: {to: form}\nsign: s\nattach: {form: {v: "7"}}', session=SIGNED)
        pairs = self.pairs('{"v":"evil","sign":"evil","a":1}')
        self.assertEqual([name for name, _ in pairs], ['a', 'v', 'sign'])
        self.assertNotIn('evil', dict(pairs).values())

        self.gate('request: {to: query}\nrewrite: /i?v=9\nattach: {query: {w: "7"}}')
        self.assertEqual(self.sent('{"w":"evil","v":8}').target, '/i?v=9&v=8&w=7')

    def test_common_fields_of_an_upstream(self):
        common = 'attach: {header: {X-Version: "2"}, query: {v: "3"}, form: {d: "4"}, json: {d: "${5}"}}'
        self.gate('attach: {header: {x-version: "9"}}', upstream=common)
        request = self.sent('a=1', [FORM, ('X-Version', 'mine')], target='/x?v=mine')
        self.assertEqual((request.field('X-Version'), request.target, request.body), ('9', '/x?v=3', b'a=1&d=4'))
        request = self.sent(None, [], 'GET')
        self.assertEqual((request.target, request.body), ('/x?v=3', b''))
        self.assertEqual(self.sent('{"a":1,"d":"mine"}').body, b'{"a":1,"d":5}')

    def test_a_login_carries_them_too(self):
        shop = self.shop()
        gateway = self.shop_gateway(shop, upstream='attach: {header: {X-Device: "${device}"}, form: {unique_id: "u1"}}')
        reply = call(gateway.address, 'POST', '/api/User/userInfo', [FORM], 'a=1')
        self.assertEqual((reply.status, reply.json['success']), (200, True), reply)


class Keys(case.Case):
    def test_what_cannot_work_is_an_issue(self):
        for route, words in (
                ('request: {to: text}', 'expected'), ('request: {to: form, method: GET}', 'no body'),
                ('request: {to: json}\nattach: {form: {a: "1"}}', 'form fields'), ('request: {to: xml, root: "1"}', 'element'),
                ('request: {transform: {a: "${valu}"}}', 'valu'), ('request: {from: yaml}', 'expected'),
                ('request: {transform: {/a~2: x}}', 'JSON pointer'),
                ('request: {transform: {/%s: x}}' % '/'.join('a' * 40), 'JSON pointer')):
            from_file = configs.plain('http://127.0.0.1:9', route=route)
            with folder({'c.yaml': from_file}) as path:
                status, out, err = command('check', path + '/c.yaml')
            self.assertEqual(status, 1, route)
            self.assertIn(words, out + err, route)


class Coded(Base):
    """A compressed body is no form and no JSON: fields are never put behind compressed bytes."""

    FORM = 'application/x-www-form-urlencoded'

    def test_attached_form_fields(self):
        self.gate('attach: {form: {device: till}}')
        self.assert_coded_is_refused('a=1', self.FORM)
        self.assertEqual(self.up.last.body, b'a=1&device=till')

    def test_attached_json_members(self):
        self.gate('attach: {json: {device: till}}')
        self.assert_coded_is_refused('{"a":1}', 'application/json')

    def test_transforms(self):
        self.gate('request: {from: json, to: form}')
        self.assert_coded_is_refused('{"a":1}', 'application/json')

    def test_common_fields_of_an_upstream_concern_their_own_kind_of_body(self):
        self.gate('', upstream='attach: {form: {device: till}}')
        self.assert_coded_is_refused('a=1', self.FORM)
        packed = gzip.compress(b'{"a":1}')
        sent = self.sent(packed, [JSON, ('Content-Encoding', 'gzip')])
        self.assertEqual((sent.body, sent.field('Content-Encoding')), (packed, 'gzip'))

    def test_a_signature_over_the_forms_fields_is_never_made_of_nothing(self):
        self.gate('sign: mac', session='signatures:\n  mac: {attach: {header: {X-Sign: '
                  '"${hex.encode(hash.md5(request.form.map(f, f.value).join(\'\')))}"}}}\n')
        packed = gzip.compress(b'a=1')
        self.assert_bad(self.send(packed, [FORM, ('Content-Encoding', 'gzip')]), 400, 'Content-Encoding')
        self.assertEqual(self.sent('a=1', [FORM]).field('X-Sign'), hashlib.md5(b'1').hexdigest())

    def test_where_nothing_within_it_changes_it_passes_as_it_is(self):
        self.gate('attach: {header: {X-Device: till}}')
        packed = gzip.compress(b'a=1')
        sent = self.sent(packed, [FORM, ('Content-Encoding', 'gzip')])
        self.assertEqual((sent.body, sent.field('Content-Encoding')), (packed, 'gzip'))


if __name__ == '__main__':
    case.main()
