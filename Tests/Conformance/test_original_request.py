"""What the client asked for, after the gateway has made another request of it: REST in front of one URL."""
import email.parser
import hashlib
import json

from support import case, configs
from support.client import FORM, call
from support.upstream import json_answer

JSON = ('Content-Type', 'application/json')


class Original(case.Case):
    def gate(self, routes, top=''):
        self.up = self.upstream(lambda request, wire: json_answer('{}'))
        self.front = self.gateway(
            configs.LISTEN + f'upstreams:\n  up: {{url: "{self.up.url}/base"}}\n' + configs.dedent(top)
            + 'routes:\n' + configs.indent(routes, 2), secrets=configs.SECRETS)

    def sent(self, method, target, fields=(), body=None):
        reply = call(self.front.address, method, target, fields, body)
        self.assertEqual(reply.status, 200, reply)
        return self.up.last

    def test_a_path_becomes_a_call(self):
        self.gate(
            '- path: /rpc/{object}/{method}\n  upstream: up\n  rewrite: /rpc\n'
            '  attach:\n    body: >-\n'
            '      ${json.encode({"jsonrpc": "2.0", "method": request.params.object + "." + request.params.method,\n'
            '      "verb": request.original.method, "dry": "dry" in request.original.query, "params": request.json})}')
        request = self.sent('PUT', '/rpc/net%20work/set?dry=1', [JSON], '{"a": 1.50}')
        self.assertEqual(request.target, '/base/rpc?dry=1')
        self.assertEqual(json.loads(request.body), {
            'jsonrpc': '2.0', 'method': 'net work.set', 'verb': 'PUT', 'dry': True, 'params': {'a': 1.5}})
        self.assertIn(b'"params":{"a": 1.50}', request.body)

    def test_a_query_that_became_a_body_is_still_known(self):
        self.gate(
            '- path: /{name}\n  upstream: up\n  rewrite: /svc\n'
            '  request: {from: query, to: form, method: POST, transform: {a: "${value + request.original.query.b}"}}\n'
            '  sign: s',
            'signatures:\n  s:\n    attach:\n      header:\n'
            '        X-Sign: ${request.params.name} ${request.original.target} ${request.target}')
        request = self.sent('GET', '/order?a=1&b=%32')
        self.assertEqual((request.method, request.target, request.body), ('POST', '/base/svc', b'a=12&b=2'))
        self.assertEqual(request.field('X-Sign'), 'order /order?a=1&b=%32 /base/svc')

    def test_the_clients_path_stays_a_path(self):
        self.gate('- {path: /**, upstream: up, rewrite: "/v2${request.original.path}?p=${request.original.path}"}')
        self.assertEqual(self.sent('GET', '/a/b%2Fc').target, '/base/v2/a/b%2Fc?p=%2Fa%2Fb%252Fc')

    def test_a_segment_stays_one_wherever_it_is_put(self):
        self.gate('- {path: "/u/{id}", upstream: up, rewrite: "/x/${request.params.id}?q=${request.params.id}"}')
        self.assertEqual(self.sent('GET', '/u/a%2Fb%3Fc%26d').target, '/base/x/a%2Fb%3Fc&d?q=a%2Fb%3Fc%26d')

    def test_a_recipe_that_several_routes_share_gets_each_ones_own(self):
        self.gate(
            '- {path: "/u/{id}/**", upstream: up, sign: s}\n- {path: /**, upstream: up, sign: s}',
            'signatures:\n  s: {attach: {header: {X-Id: "${request.params.?id.orValue(\'none\')}"}}}')
        self.assertEqual(self.sent('GET', '/u/7/x').field('X-Id'), '7')
        self.assertEqual(self.sent('GET', '/x').field('X-Id'), 'none')

    def test_what_the_client_claimed_is_in_the_original_only(self):
        self.gate('- {path: /**, upstream: up, attach: {query: {key: ours}, header: {X: "${request.original.query.key}"}}}')
        request = self.sent('GET', '/x?key=theirs')
        self.assertEqual((request.target, request.field('X')), ('/base/x?key=ours', 'theirs'))


    def test_the_clients_value_or_ours(self):
        self.gate(
            '- path: /**\n  upstream: up\n  attach:\n'
            '    header:\n'
            '      X-A: \'${request.original.headers[?"x-a"].orValue("ours")}\'\n'
            '      Content-Type: \'${request.original.headers[?"content-type"].orValue("application/json")}\'\n'
            '    query: {v: \'${request.original.query[?"v"].orValue("2")}\'}\n'
            '    json: {n: \'${request.original.json.?n.orValue(7)}\'}')
        request = self.sent('POST', '/x?v=1', [('X-A', 'theirs'), ('Content-Type', 'text/json')], '{"n":1.50}')
        self.assertEqual((request.all('X-A'), request.field('Content-Type'), request.target, request.body),
                         (['theirs'], 'text/json', '/base/x?v=1', b'{"n":1.50}'))
        request = self.sent('POST', '/x', [], '{"m":1}')
        self.assertEqual((request.all('X-A'), request.field('Content-Type'), request.target, request.body),
                         (['ours'], 'application/json', '/base/x?v=2', b'{"m":1,"n":7}'))

    def test_the_clients_credentials_stay_out_where_a_session_has_its_own(self):
        self.gate(
            '- path: /in\n  upstream: up\n  session: s\n'
            '  attach: {header: {X: "${request.original.headers.map(h, h.name).join(\' \')}"}}\n'
            '- path: /out\n  upstream: up\n'
            '  attach: {header: {X: "${request.original.headers[?\'authorization\'].orValue(\'-\')}"}}',
            'sessions: {s: {upstream: up, attach: {header: {Authorization: ours}}}}')
        fields = [('Authorization', 'mine'), ('Cookie', 'a=1'), ('X-Other', '1'), ('Connection', 'X-Hop'), ('X-Hop', '1')]
        request = self.sent('GET', '/in', fields)
        self.assertEqual((request.field('Authorization'), request.field('X')), ('ours', 'X-Other'))
        self.assertEqual(self.sent('GET', '/out', fields).field('X'), 'mine')


class Attached(case.Case):
    """Fields inside a client's JSON, and a body that is labelled as something else."""

    def gate(self, route):
        self.up = self.upstream(lambda request, wire: json_answer('{}'))
        self.front = self.gateway(configs.plain(self.up.url, route=route))

    def send(self, body=None, fields=(JSON,), method='POST'):
        return call(self.front.address, method, '/x', fields, body)

    def sent(self, *args, **options):
        reply = self.send(*args, **options)
        self.assertEqual(reply.status, 200, reply)
        self.assertEqual(int(self.up.last.field('Content-Length')), len(self.up.last.body))
        return self.up.last

    def assert_bad(self, reply, word):
        self.assert_refused(reply, 400)
        self.assertIn(word, reply.json['error']['detail'])

    def test_the_clients_member_or_else_ours(self):
        """The manual's words."""
        self.gate('attach: {json: {page_size: "${request.original.?json.?page_size.orValue(50)}"}}')
        self.assertEqual(json.loads(self.sent('{"page_size": 7, "a": 1}').body), {'page_size': 7, 'a': 1})
        for body, fields in (('{}', [JSON]), (None, [])):
            self.assertEqual(json.loads(self.sent(body, fields).body), {'page_size': 50})

    def test_a_member_inside_an_object(self):
        self.gate('attach: {json: {/head/token: t, /head/sub/n: "${1}", top: x}}')
        self.assertEqual(
            self.sent('{ "head" : {"app": "a1", "token":"forged"},\n "data":[1.50, 12345678901234567890] }').body,
            b'{ "head" : {"app":"a1","token":"t","sub":{"n":1}},\n "data":[1.50, 12345678901234567890] ,"top":"x"}')
        self.assertEqual(self.sent('{}').body, b'{"head":{"token":"t","sub":{"n":1}},"top":"x"}')
        self.assertEqual(self.sent(None, []).body, b'{"head":{"token":"t","sub":{"n":1}},"top":"x"}')
        for body in ('{"head":1}', '{"head":{},"head":{"token":"x"}}', '[]'):
            self.assert_bad(self.send(body), 'must be one JSON object')

    def test_an_element_of_a_list(self):
        self.gate('attach: {json: {/params/0: ours, /params/1/token: t}}')
        self.assertEqual(self.sent('{"params":["forged", {"token":1,"a":1.50}, 3]}').body,
                         b'{"params":["ours", {"a":1.50,"token":"t"}, 3]}')
        self.assert_bad(self.send('{"params":["forged"]}'), 'a list that has the position')

    def test_every_name_of_json(self):
        self.gate('attach: {json: {k: v}}')
        for name in ('application/json-rpc', 'application/jsonrequest', 'text/json', 'application/x-json; charset=utf-8',
                     'application/vnd.api+json'):
            self.assertEqual(self.sent('{"k":1}', [('Content-Type', name)]).body, b'{"k":"v"}', name)
        self.assert_bad(self.send('{"k":1}', [('Content-Type', 'text/plain')]), 'request: {from: json}')

    def test_the_route_knows_better_than_the_label(self):
        self.gate('request: {from: json}\nattach: {json: {k: v}}')
        for name in ('text/plain', 'application/x-www-form-urlencoded; charset=UTF-8'):
            request = self.sent('{"a":"&k=1","k":1}', [('Content-Type', name)])
            self.assertEqual((request.body, request.field('Content-Type')), (b'{"a":"&k=1","k":"v"}', name))
            self.assert_bad(self.send('k=1', [('Content-Type', name)]), 'no JSON')
        self.assertEqual(self.send('{}', [('Content-Type', 'text/plain; charset=utf-16')]).status, 415)

    def test_a_get_gets_no_body(self):
        for place in ('json: {a: "1"}', 'form: {a: "1"}'):
            self.gate('attach: {%s}' % place)
            for method in ('GET', 'HEAD'):
                self.assertEqual(self.send(None, [], method).status, 400)
            self.assert_bad(self.send(None, [], 'GET'), 'as POST')
            self.assertEqual(self.up.requests, [])

    def test_an_attached_label_does_not_change_what_the_body_is(self):
        self.gate('request: {to: xml, root: request}\nattach: {header: {Content-Type: text/xml}}')
        request = self.sent('{"a":1}')
        self.assertEqual((request.body, request.field('Content-Type')), (b'<request><a>1</a></request>', 'text/xml'))
        self.gate('attach: {header: {Content-Type: text/plain}, json: {k: v}}')
        request = self.sent('{"a":1,"k":"forged"}')
        self.assertEqual((request.body, request.field('Content-Type')), (b'{"a":1,"k":"v"}', 'text/plain'))
        self.gate('attach: {header: {Content-Type: text/plain}, form: {k: v}}')
        self.assertEqual(self.sent('a=1&k=forged', [FORM]).body, b'a=1&k=v')
        self.assert_bad(self.send('{}'), 'send a form body')

    def test_a_label_for_a_body_that_has_none(self):
        self.gate('attach: {header: {Content-Type: application/x-www-form-urlencoded}, form: {k: v}}')
        self.assertEqual(self.sent('a=1', [('Content-Type', 'text/plain')]).body, b'a=1&k=v')


MULTIPART = ('Content-Type', 'multipart/form-data; boundary="b o"')


def multipart(*parts, end='--\r\n'):
    """Parts as texts of header and content."""
    text = ''.join(f'--b o\r\nContent-Disposition: form-data; {head}\r\n\r\n{content}\r\n' for head, content in parts)
    return (text + '--b o' + end).encode('latin1')


class Multipart(case.Case):
    """A client's upload is read, signed, and gets parts of ours; its own stay as they are."""

    FILE = ('name="file"; filename="f.bin"\r\nContent-Type: image/png', '\r\n--b\x00\xff\r\n')

    def gate(self, route, top=''):
        self.up = self.upstream(lambda request, wire: json_answer('{}'))
        self.front = self.gateway(configs.plain(self.up.url, route=route, top=top), secrets=configs.SECRETS)

    def sent(self, body, fields=(MULTIPART,)):
        reply = call(self.front.address, 'POST', '/x', fields, body)
        self.assertEqual(reply.status, 200, reply)
        return self.up.last

    def test_fields_become_parts(self):
        self.gate('attach: {form: {token: "${\'t&=\' + request.parts[0].value}", n: "1"}}')
        request = self.sent(multipart(('name="title"', 'a b'), self.FILE))
        self.assertEqual(request.body, multipart(
            ('name="title"', 'a b'), self.FILE, ('name="token"', 't&=a b'), ('name="n"', '1')))
        self.assertEqual(request.field('Content-Type'), MULTIPART[1])

    def test_owned_parts_go(self):
        self.gate('attach: {form: {token: t}}')
        forged = ('name="token"', 'forged')
        for parts in ((forged, self.FILE), (self.FILE, forged), (forged, self.FILE, forged)):
            body = self.sent(multipart(*parts)).body
            self.assertEqual(body.removeprefix(b'\r\n'), multipart(self.FILE, ('name="token"', 't')))
        for body in (multipart(forged), multipart(forged, forged), multipart()):
            self.assertEqual(self.sent(body).body.removeprefix(b'\r\n'), multipart(('name="token"', 't')))

    def test_a_signature_over_the_parts(self):
        self.gate('sign: s', """signatures:
  s:
    variables:
      file: request.parts.filter(p, p.name == "file")[0]
      fields: >-
        pairs.sort(request.parts.filter(p, !has(p.filename)) + pairs.of({"md5": hex.encode(hash.md5(vars.file.value))}))
    attach:
      header: {X-File: "${vars.file.filename} ${vars.file.type} ${size(vars.file.value)}"}
      form: {sign: "${pairs.join(vars.fields, '=', '&')}"}
""")
        request = self.sent(multipart(('name="title"', 'a b'), self.FILE))
        self.assertEqual(request.field('X-File'), 'f.bin image/png 9')
        digest = hashlib.md5(self.FILE[1].encode('latin1')).hexdigest()
        self.assertIn(f'name="sign"\r\n\r\nmd5={digest}&title=a b\r\n--b o--'.encode(), request.body)

    def test_a_body_that_became_multipart(self):
        self.gate('request: {to: multipart, transform: {file: "${base64.decode(value)}"}}\nattach: {form: {token: t}}\nsign: s',
                  'signatures: {s: {attach: {header: {X-Parts: "${request.parts.map(p, p.name).join(\',\')}"}}}}')
        request = self.sent('{"title":"a","file":"AAH/"}', [JSON])
        self.assertEqual(request.field('X-Parts'), 'title,file,token')
        message = email.parser.BytesParser().parsebytes(
            b'Content-Type: ' + request.field('Content-Type').encode() + b'\r\n\r\n' + request.body)
        self.assertEqual([part.get_payload(decode=True) for part in message.get_payload()], [b'a', b'\0\1\xff', b't'])

    def test_what_cannot_be_edited_is_refused(self):
        self.gate('attach: {form: {token: "${request.headers[\'x\']}"}}')
        for body, value in ((multipart(self.FILE)[:-6], 't'), (b'x', 't'), (multipart(self.FILE), 'a--b o--')):
            reply = call(self.front.address, 'POST', '/x', [MULTIPART, ('X', value)], body)
            self.assert_refused(reply, 400)
            self.assertIn('multipart body is broken', reply.json['error']['detail'])
        self.assertEqual(self.up.requests, [])

    def test_other_bodies_have_no_parts(self):
        self.gate('attach: {header: {X: "${request.parts[0].name}"}}')
        reply = call(self.front.address, 'POST', '/x', [JSON], '{}')
        self.assert_refused(reply, 400)
        self.assertIn('no multipart/form-data', reply.json['error']['detail'])


class XML(case.Case):
    def test_a_root_without_content_is_opened(self):
        up, gate = self.pair(lambda request, wire: json_answer('{}'), route='attach: {xml: {id: "a&b"}}')
        head = '<?xml version="1.0"?>\n'
        for body, expected in ((f'{head}<request/>\n', f'{head}<request><id>a&amp;b</id></request>\n'),
                               ('<x:r xmlns:x="u" a="/" />', '<x:r xmlns:x="u" a="/" ><id>a&amp;b</id></x:r>'),
                               ('<r></r>', '<r><id>a&amp;b</id></r>')):
            reply = call(gate.address, 'POST', '/x', [('Content-Type', 'text/xml')], body)
            self.assertEqual((reply.status, up.last.body.decode()), (200, expected))


class Climbing(case.Case):
    def test_no_value_climbs_out_of_the_path(self):
        up, gate = self.pair(lambda request, wire: json_answer('{}'), route='rewrite: /x/${request.json.id}')
        self.assertEqual(call(gate.address, 'POST', '/a', [JSON], '{"id":"a/b"}').status, 200)
        self.assertEqual(up.last.target, '/x/a%2Fb')
        for value in ('../admin', 'a/../..', '.', '..;x/y', 'a\\\\..'):
            self.assert_refused(call(gate.address, 'POST', '/a', [JSON], '{"id":"%s"}' % value), 400)
        self.assertEqual(len(up.requests), 1)
