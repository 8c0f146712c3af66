"""What the client asked for, after the gateway has made another request of it: REST in front of one URL."""
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

    def test_a_segment_stays_one_wherever_it_is_put(self):
        self.gate('- {path: "/u/{id}", upstream: up, rewrite: "/x/${request.params.id}?q=${request.params.id}"}')
        self.assertEqual(self.sent('GET', '/u/a%2Fb%3Fc%26d').target, '/base/x/a%2Fb%3Fc%26d?q=a%2Fb%3Fc%26d')

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

    def test_a_member_inside_an_object(self):
        self.gate('attach: {json: {/head/token: t, /head/sub/n: "${1}", top: x}}')
        self.assertEqual(
            self.sent('{ "head" : {"app": "a1", "token":"forged"},\n "data":[1.50, 12345678901234567890] }').body,
            b'{ "head" : {"app":"a1","token":"t","sub":{"n":1}},\n "data":[1.50, 12345678901234567890] ,"top":"x"}')
        self.assertEqual(self.sent('{}').body, b'{"head":{"token":"t","sub":{"n":1}},"top":"x"}')
        self.assertEqual(self.sent(None, []).body, b'{"head":{"token":"t","sub":{"n":1}},"top":"x"}')
        for body in ('{"head":1}', '{"head":{},"head":{"token":"x"}}', '[]'):
            self.assert_bad(self.send(body), 'must be one JSON object')

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
