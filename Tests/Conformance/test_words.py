"""What a config says wrong is told with its place and with what to do, and no client is blamed for it."""
import re
import urllib.parse

from support import case, configs
from support.client import call, get
from support.gateway import command, folder
from support.upstream import json_answer

SECRETS = {'secrets/short': 'abcdef', 'secrets/long': '0123456789abcdeg', 'secrets/hex': '00112233445566778899aabbccddeeff'}
TOP = 'secrets: {short: {file: secrets/short}, long: {file: secrets/long}, hex: {file: secrets/hex}}\n'


def recipe(*variables, attach='X: "${vars.v}"'):
    """A config whose one signature has these lines under `variables`."""
    lines = ''.join(f'      {line}\n' for line in variables)
    return configs.LISTEN + TOP + 'upstreams: {up: {url: "http://127.0.0.1:9"}}\nsignatures:\n  s:\n    variables:\n' \
        + lines + '    attach: {header: {%s}}\nroutes:\n  - {path: /**, upstream: up, sign: s}\n' % attach


class Check(case.Case):
    def check(self, text):
        with folder({**SECRETS, 'g.yaml': text}) as path:
            status, out, error = command('check', 'g.yaml', cwd=path)
            return status, out + error

    def assert_says(self, text, *words):
        status, output = self.check(text)
        self.assertEqual(status, 1, output)
        for word in words:
            self.assertIn(word, output)
        for secret in SECRETS.values():
            self.assertNotIn(secret, output)
        return output

    def test_an_argument_that_can_never_work_is_found_beside_one_that_only_a_request_knows(self):
        for expression, words in (
                ('aes.encryptCbc(secret.short, request.body, secret.long)', ['key of 6 bytes', '16, 24, 32']),
                ('aes.encryptCbc(secret.long, request.body, secret.short)', ['initial vector of 6 bytes']),
                ('aes.decryptEcb(hex.decode(secret.short), request.body)', ['key of 3 bytes']),
                ('aes.encryptEcb(secret.long, request.body, "pkcs6")', ['padding: pkcs7']),
                ('ec.private("P-255", secret.hex)', ['a curve: P-256']),
                ('pairs.flatten(request.json, "dotz")', ['dots or brackets']),
                ('json.decode("{")', ['`json.decode` can never work here: JSON']),
                ('int(secret.short)', ['string to int']),
                ('regex.extract(request.path, "(a)(b)").value()', ['several groups', '(?:...)']),
                ('pbkdf2.sha256(request.path, secret.short, 0, 32)', ['iterations: at least 1']),
                ('time.parse("2026-11-31", "%Y-%m-%d")', ['there is no such date'])):
            with self.subTest(expression):
                self.assert_says(recipe(f"v: '{expression}'"), 'g.yaml:9:', 'can never work here', *words)

    def test_a_variable_is_known_by_what_it_is_made_of(self):
        text = recipe("k: 'hex.decode(secret.short)'", "v: 'hex.encode(aes.encryptEcb(vars.k, request.body))'")
        output = self.assert_says(text, 'signatures.s.variables.v', 'key of 3 bytes')
        self.assertNotIn('variables.k:', output)
        self.assertEqual(self.check(text.replace('secret.short', 'secret.hex'))[0], 0)

    def test_a_variable_of_a_login_step_is_known_too(self):
        text = configs.LISTEN + TOP + """upstreams: {up: {url: "http://127.0.0.1:9"}}
sessions:
  s:
    upstream: up
    login:
      variables: {k: 'hex.decode(secret.short)'}
      request: {path: /l, form: {p: '${hex.encode(aes.encryptEcb(vars.k, nonce))}'}}
      capture: {t: json.t}
    attach: {header: {X: "${session.t}"}}
routes: [{path: /**, upstream: up, session: s}]
"""
        self.assert_says(text, 'key of 3 bytes')
        self.assertEqual(self.check(text.replace('secret.short', 'secret.hex'))[0], 0)

    def test_a_branch_that_a_secret_decides_against_is_not_tried(self):
        status, output = self.check(recipe(
            "k: 'secret.long.size() == 32 ? hex.decode(secret.long) : bytes(secret.long)'",
            "v: 'hex.encode(aes.encryptEcb(vars.k, request.body))'"))
        self.assertEqual(status, 0, output)

    def test_slips_of_yaml_are_told_as_what_they_are(self):
        for line in ('v: "x" + nonce', 'v: ["a"].join("")'):
            with self.subTest(line):
                self.assert_says(recipe(line), 'needs quotes around all of it')
        self.assert_says(recipe('v: !has(request.json.x)'), 'an expression that begins with `!` needs quotes')

    def test_words_of_other_languages(self):
        for expression, words in (
                ('md5(nonce)', 'did you mean `hash.md5`'), ('if(true, "a", "b")', 'write `condition ? one : other`'),
                ('string(request.body.length)', 'write `size(x)`'), ('nonce.toUpperCase()', 'write `x.upperAscii(...)`'),
                ('hex.decode("0g")', 'an even number of digits 0-9 and a-f'),
                ('base64.decode("a-_b")', 'with `-` and `_` it is base64url'),
                ('time.format(now, "%Q%v")', 'unknown date field `%v`; known: %Y'),
                ('"%5d".format([1])', 'unknown format clause; known: %s'),
                ('charset.encode(nonce, "klingon")', 'such as utf-8, gbk')):
            with self.subTest(expression):
                self.assert_says(recipe(f"v: '{expression}'"), words)

    def test_a_host_field_is_the_upstreams(self):
        self.assert_says(recipe('v: nonce', attach='Host: other.example'), "the host of the upstream's `url`")


class Requests(case.Case):
    def gate(self, route, *, top=TOP, session=''):
        self.up = self.upstream(lambda request, wire: json_answer('{}'))
        self.front = self.gateway(configs.plain(self.up.url, route=route, top=top, session=session), secrets=SECRETS)

    def detail(self, reply, status, kind):
        self.assert_refused(reply, status, kind)
        return reply.json['error']['detail']

    def test_what_is_given_constants_and_secrets_only_is_the_configs_fault(self):
        self.gate('attach: {header: {X: \'${string(int([secret.short].map(k, k)[0]) + size(request.path))}\'}}')
        detail = self.detail(get(self.front.address, '/a'), 500, 'internal')
        self.assertIn('route /**, field X', detail)
        self.assertIn('string to int', detail)
        self.assertNotIn('abcdef', detail)

    def test_what_the_request_brings_is_the_clients_fault(self):
        self.gate('attach: {header: {X: \'${string(int(request.query["n"]) + size(secret.short))}\'}}')
        self.assertIn('string to int', self.detail(get(self.front.address, '/a?n=x'), 400, 'bad_request'))
        self.assertEqual(get(self.front.address, '/a?n=5').status, 200)
        self.assertEqual(self.up.last.field('X'), '11')

    def test_types_that_do_not_fit_are_told_with_the_function(self):
        self.gate('attach: {header: {X: \'${hex.encode(hash.md5(request.json.a))}\'}}')
        reply = call(self.front.address, 'POST', '/a', [('Content-Type', 'application/json')], '{"a":[1]}')
        detail = self.detail(reply, 400, 'bad_request')
        self.assertIn('no such overload: list for `md5`; there is `hash.md5(string|bytes) -> bytes`', detail)

    def test_a_rewrite_says_why_it_gives_no_path(self):
        for rewrite, target, words in (
                ('${request.path.removePrefix("/a/")}', '/a/b', 'it does not begin with `/`'),
                ('${request.path.removePrefix("/a")}', '/a', 'it is empty')):
            with self.subTest(target):
                self.gate(f"rewrite: '{rewrite}'")
                self.assertIn(words, self.detail(get(self.front.address, target), 400, 'bad_request'))

    def test_a_name_that_no_element_can_have_is_named(self):
        self.gate('request: {to: xml}')
        reply = call(self.front.address, 'POST', '/a', [('Content-Type', 'application/json')], '{"1st place":1}')
        self.assertIn('field `1st place`', self.detail(reply, 400, 'bad_request'))

    def test_a_query_ends_here(self):
        self.gate('request: {query: drop}')
        self.assertEqual(get(self.front.address, '/a?b=1&c=2').status, 200)
        self.assertEqual(self.up.last.target, '/a')

    def test_a_query_goes_out_as_one_parameter(self):
        self.gate("rewrite: '/api?p=${base64.encode(pairs.join(request.query, \"=\", \"&\"))}'\n"
                  'request: {query: drop}\nattach: {query: {n: "${request.original.query.a}"}}')
        self.assertEqual(get(self.front.address, '/x?a=1&b=2').status, 200)
        path, _, query = self.up.last.target.partition('?')
        self.assertEqual((path, urllib.parse.parse_qs(query)), ('/api', {'p': ['YT0xJmI9Mg=='], 'n': ['1']}))

    def test_a_query_is_kept_unless_it_is_dropped(self):
        self.gate("rewrite: '/api?p=1'\nrequest: {query: keep}")
        get(self.front.address, '/x?a=1&p=2')
        self.assertEqual(self.up.last.target, '/api?p=1&a=1')

    def test_a_path_that_a_field_told_keeps_its_segments(self):
        self.gate("rewrite: '${url.encodePath(request.headers[\"x-base\"])}/orders'")
        for base, sent in (('/api/v1', '/api/v1/orders'), ('/a b/c?d#e', '/a%20b/c%3Fd%23e/orders'),
                           ('/a%2fb', '/a%252fb/orders')):
            with self.subTest(base):
                reply = call(self.front.address, 'GET', '/x', [('X-Base', base)])
                self.assertEqual((reply.status, self.up.last.target), (200, sent))
        for base in ('/a/../b', '/..', '/a/.', 'a'):
            with self.subTest(base):
                self.assertEqual(call(self.front.address, 'GET', '/x', [('X-Base', base)]).status, 400)

    def test_a_path_is_none_with_something_around_it(self):
        self.gate("rewrite: '/t/${url.encodePath(request.headers[\"x-base\"]) + \"x\"}'")
        call(self.front.address, 'GET', '/x', [('X-Base', '/a/b')])
        self.assertEqual(self.up.last.target, '/t/%2Fa%2Fbx')

    def test_fields_get_other_names_as_the_manual_says(self):
        self.gate('attach: {header: {Content-Type: application/json}, body: \'${json.encode(json.merge('
                  'json.omit(request.json, ["amount"]), {"total_fee": request.json.amount}))}\'}')
        call(self.front.address, 'POST', '/a', [('Content-Type', 'application/json')], '{"amount":10.10,"b":"x"}')
        self.assertEqual(self.up.last.body, b'{"b":"x","total_fee":10.10}')
        self.gate('attach: {header: {Content-Type: application/x-www-form-urlencoded}, body: \'${pairs.join(pairs.encodeForm('
                  'pairs.drop(request.form, ["amount"])), "=", "&")}&total_fee=${url.encodeForm(request.form.amount)}\'}')
        call(self.front.address, 'POST', '/a', [('Content-Type', 'application/x-www-form-urlencoded')], 'amount=1%2B&b=x+y')
        self.assertEqual(self.up.last.body, b'b=x+y&total_fee=1%2B')

    def test_a_get_becomes_a_post_as_the_manual_says(self):
        self.gate('request: {method: POST, query: drop}\nattach: {header: {Content-Type: application/json}, '
                  'body: \'${json.encode({"id": request.original.query.id})}\'}')
        get(self.front.address, '/a?id=7')
        self.assertEqual((self.up.last.method, self.up.last.target, self.up.last.body), ('POST', '/a', b'{"id":"7"}'))

    def test_a_header_for_some_methods_only(self):
        self.gate('attach: {header: {X-Token: \'${request.method == "GET" ? optional.none() : optional.of("t")}\'}}')
        get(self.front.address, '/a')
        self.assertIsNone(self.up.last.field('X-Token'))
        call(self.front.address, 'POST', '/a', [], '')
        self.assertEqual(self.up.last.field('X-Token'), 't')


class Names(case.Case):
    def test_the_reference_says_which_names_there_are(self):
        status, out, _ = command('reference', 'functions')
        self.assertEqual(status, 0)
        rows = {row.split('|')[1].strip(' `'): [cell.strip() for cell in row.split('|')[3:-1]]
                for row in re.findall(r'^\| `.*\|$', out.split('## Functions')[0], re.M)}
        self.assertEqual(rows['request'], ['yes', 'yes', 'yes', 'yes'])
        self.assertEqual(rows['value'], ['', 'yes', '', ''])
        self.assertEqual(rows['vars'], ['yes', 'yes', 'some', ''])
        self.assertEqual(rows['detail'], ['', '', '', 'yes'])


if __name__ == '__main__':
    case.main()
