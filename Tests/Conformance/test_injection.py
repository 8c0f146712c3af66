"""Client data that a recipe puts into a request stays data: it brings no segment, no cookie, no field, no element."""
from urllib.parse import quote

from support import bearer, case, configs
from support.client import call, get

VALUE = '${request.query["v"]}'


class Rewrites(case.Case):
    def rewritten(self, target, rewrite, fields=()):
        server, gateway = self.pair(route=f"rewrite: '{rewrite}'")
        reply = call(gateway.address, 'GET', target, list(fields))
        return reply, server.requests[-1].target if server.requests else None

    def test_no_value_climbs_out_of_its_segment(self):
        rewrite = f'/t/{VALUE}/x'
        server, gateway = self.pair(route=f"rewrite: '{rewrite}'")
        for value in ['..', '.', '../../admin', '..%2f..%2fadmin', 'a/../..', '..;', '..;x=1', '..%5c..', 'a%5c..%5cb',
                      '%2e%2e', '..%2f..%2fadmin%3fx=1%23']:
            with self.subTest(value):
                reply = get(gateway.address, f'/rw?v={value}')
                self.assert_refused(reply, 400, 'bad_request')
                self.assertIn('rewrite of route /**', reply.json['error']['detail'])
        self.assertEqual(server.requests, [])

    def test_a_literal_dot_does_not_complete_a_dot_segment(self):
        reply, target = self.rewritten('/rw?v=.', f'/t/.{VALUE}/x')
        self.assertEqual((reply.status, target), (400, None))

    def test_a_value_is_encoded_once_more_where_it_looks_encoded(self):
        for value, sent in [('%252e%252e', '%252e%252e'), ('a%2fb', 'a%2Fb'), ('%2f%2fevil.example', '%2F%2Fevil.example'),
                            ('a%3fq=1%23', 'a%3Fq=1%23'), ('a;b=1', 'a%3Bb=1'), ('a%0d%0ab', 'a%0D%0Ab'), ('100%25', '100%25')]:
            with self.subTest(value):
                _, target = self.rewritten(f'/rw?v={value}', f'/t/{VALUE}/x')
                self.assertEqual(target.partition('?')[0], f'/t/{sent}/x')

    def test_a_segment_goes_out_as_it_came_in(self):
        server, gateway = self.pair(route="rewrite: '/t/${request.segments[1]}/end'")
        for segment in ['%252e%252e', '%252e%252e%252fadmin', 'a%252Fb', '%2525', '100%25', 'a%2Fb']:
            with self.subTest(segment):
                get(gateway.address, f'/p/{segment}')
                self.assertEqual(server.last.target, f'/t/{segment}/end')

    def test_a_header_is_data_too(self):
        reply, target = self.rewritten('/a', '/t/${request.headers["x-tenant"]}/x', [('X-Tenant', '..\\..')])
        self.assertEqual((reply.status, target), (400, None))
        _, target = self.rewritten('/a', '/t/${request.headers["x-tenant"]}/x', [('X-Tenant', '%2e%2e/admin')])
        self.assertEqual(target, '/t/%252e%252e%2Fadmin/x')

    def test_the_path_as_written_stays_a_path(self):
        _, target = self.rewritten('/v1/a%2Fb/c', '/v2${request.path.removePrefix("/v1")}')
        self.assertEqual(target, '/v2/a%2Fb/c')
        _, target = self.rewritten('/v1/a', '${request.method == "GET" ? "/read/all" : "/write"}')
        self.assertEqual(target, '/read/all')

    def test_a_decoded_path_is_data(self):
        _, target = self.rewritten('/%252e%252e%252fadmin', '/t/${url.decode(request.path)}')
        self.assertEqual(target, '/t/%2F%252e%252e%252fadmin')


class Places(case.Case):
    def place(self, place, name='x', value=VALUE):
        server = self.upstream()
        attach = '{%s: {%s: \'%s\'}}' % (place, name, value)
        return server, self.gateway(configs.plain(server.url, route=f'attach: {attach}'))

    def refused(self, gateway, server, target, words, method='GET', fields=(), body=''):
        reply = call(gateway.address, method, target, list(fields), body)
        self.assert_refused(reply, 400, 'bad_request')
        for word in words:
            self.assertIn(word, reply.json['error']['detail'])
        self.assertEqual(server.requests, [])

    def test_a_cookie_brings_no_other(self):
        for value in ['zh; sid=evil', 'a,b', 'a b', 'a"b', 'a\\b', 'a\x01b', 'a\r\nb', '中', '"']:
            with self.subTest(value):
                server, gateway = self.place('cookie', 'lang')
                self.refused(gateway, server, '/?v=' + quote(value), ['route /**', 'cookie lang'])

    def test_a_cookie_that_is_one_goes_out(self):
        for value in ['zh-CN', '', 'a=b', '"quoted"', "!#$%&'()*+-./:<=>?@[]^_`{|}~"]:
            with self.subTest(value):
                server, gateway = self.place('cookie', 'lang')
                get(gateway.address, '/?v=' + quote(value))
                self.assertEqual(server.last.field('Cookie'), f'lang={value}')

    def test_a_client_cannot_double_a_cookie_of_the_gateways(self):
        for spelt in ['lang=evil', 'lang =evil', ' lang=evil', 'LANG=evil', 'l%61ng=evil', 'b=1, lang=evil', 'b="x; lang=evil"']:
            with self.subTest(spelt):
                server, gateway = self.place('cookie', 'lang', 'zh')
                call(gateway.address, 'GET', '/', [('Cookie', f'a=1; {spelt}; c=3')])
                sent = server.last.field('Cookie')
                self.assertNotIn('evil', sent)
                self.assertTrue(sent.startswith('a=1; ') and sent.endswith('c=3; lang=zh'), sent)

    def test_a_session_cookie_is_owned_and_the_routes_own_is_checked(self):
        server = self.start(bearer.TokenServer())
        gateway = self.gateway(bearer.config(
            server.url, route=f"attach: {{cookie: {{lang: '{VALUE}'}}}}"), secrets=bearer.SECRETS)
        self.assertEqual(get(gateway.address, '/?v=zh%3b%20sid=evil').status, 400)
        self.assertEqual(get(gateway.address, '/?v=zh').status, 200)

    def test_a_header_brings_no_other(self):
        for value in ['a\r\nEvil: 1', 'a\nb', 'a\rb', 'a\x7fb']:
            with self.subTest(value):
                server, gateway = self.place('header', 'X-A')
                self.refused(gateway, server, '/?v=' + quote(value), ['route /**', 'field X-A', 'control character'])

    def test_json_takes_no_bytes_that_are_no_text(self):
        server, gateway = self.place('json')
        fields = [('Content-Type', 'application/json')]
        for value in ['%ff', 'a%c0%afb', '%ed%a0%80']:
            self.refused(gateway, server, '/?v=' + value, ['route /**', 'field x', 'UTF-8'], 'POST', fields, '{}')
        call(gateway.address, 'POST', '/?v=%e4%b8%ad%22%7d', fields, '{}')
        self.assertEqual(server.last.body.decode(), '{"x":"中\\"}"}')

    def test_json_made_by_a_function_takes_none_either(self):
        server, gateway = self.place('header', 'X-A', '${json.encode({"v": request.query["v"]})}')
        self.refused(gateway, server, '/?v=%ff', ['field X-A', 'UTF-8'])

    def test_a_shape_takes_none_either(self):
        server, gateway = self.pair(route='request: {to: json}')
        self.refused(gateway, server, '/', ['UTF-8'], 'POST', [('Content-Type', 'application/x-www-form-urlencoded')], 'v=%ff')

    def test_xml_takes_no_character_that_it_cannot_hold(self):
        server, gateway = self.place('xml')
        fields = [('Content-Type', 'text/xml')]
        for value in ['%01', '%ff', '%ef%bf%bf']:
            self.refused(gateway, server, '/?v=' + value, ['route /**', ' x: '], 'POST', fields, '<r></r>')
        call(gateway.address, 'POST', '/?v=%3c/x%3e%0d%0a%26', fields, '<r></r>')
        self.assertEqual(server.last.body, b'<r><x>&lt;/x&gt;&#13;\n&amp;</x></r>')

    def test_query_and_form_hold_any_byte(self):
        server, gateway = self.place('query')
        get(gateway.address, '/?v=a%26y=2%ff')
        self.assertEqual(server.last.target, '/?v=a%26y=2%ff&x=a%26y%3D2%FF')
        server, gateway = self.place('form')
        call(gateway.address, 'POST', '/?v=a%26y=2%ff', [], '')
        self.assertEqual(server.last.body, b'x=a%26y%3D2%FF')


class OwnedFields(case.Case):
    """No body shows an owned field to the upstream that the gateway does not see."""

    KIND = 'multipart/form-data; boundary=B'
    A, FORGED = (f'--B\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
                 for name, value in (('a', 'v'), ('token', 'evil')))
    OTHER = '--C' + FORGED[3:] + '--C--\r\n'
    LF = FORGED.replace('\r\n', '\n')
    ANOTHER = ('multipart/form-data; boundary=B; boundary=C', "multipart/form-data; boundary=B; boundary*=utf-8''C",
               'multipart/form-data; boundary=B; boundary*0=C', 'multipart/form-data; xboundary=C; boundary=B',
               'multipart/form-data; x="; boundary=C; y="; boundary=B', 'multipart/form-data; boundary=B,C')

    def gate(self, place):
        server = self.upstream()
        return server, self.gateway(configs.plain(server.url, route='attach: {%s: {token: ours}}' % place))

    def check(self, place, kinds, body, status):
        server, gateway = self.gate(place)
        for kind in kinds:
            with self.subTest(kind, body=body):
                fields = [('Content-Type', kind)] if isinstance(kind, str) else [('Content-Type', each) for each in kind]
                reply = call(gateway.address, 'POST', '/', fields, body)
                if status == 200:
                    self.assertEqual(reply.status, 200, reply)
                    self.assertIn(b'ours', server.last.body)
                    self.assertNotIn(b'evil', server.last.body)
                else:
                    self.assert_refused(reply, status, 'bad_request')
                    self.assertEqual(server.requests, [])

    def test_a_multipart_body_has_one_boundary(self):
        self.check('form', self.ANOTHER + ((self.KIND, 'multipart/form-data; boundary=C'),),
                   self.OTHER + self.A + '--B--\r\n', 400)
        self.check('form', self.ANOTHER, self.A + '--B--\r\n', 400)
        self.check('form', [self.KIND, 'multipart/form-data; charset=UTF-8; boundary="B"'], self.FORGED + self.A + '--B--', 200)

    def test_its_delimiters_are_everybodys(self):
        end = '--B--\r\n'
        for body in (self.A + end + self.FORGED + end, 'x\n' + self.LF + self.A + end, 'x\r\n' + self.A + end,
                     self.A[:-2] + '\n' + self.LF + 'x\r\n' + end, self.A[:-2] + '\n' + self.LF + '--B--\nz\r\n' + end,
                     self.A[:-2] + '\r' + self.FORGED.replace('\r\n', '\r') + 'x\r\n' + end, self.A[:-2] + self.FORGED + end,
                     self.A + '--B \r\n' + self.FORGED[5:] + end, self.A[:-3] + self.FORGED + end, self.LF + end):
            self.check('form', [self.KIND], body, 400)

    def test_no_charset_hides_one(self):
        form, xml, json = 'application/x-www-form-urlencoded', 'application/xml', 'application/json'
        for label in ('utf-7', 'utf-16', 'ibm037', 'iso-2022-jp', 'klingon', 'utf-8; charset=utf-7', '"utf-8'):
            self.check('form', [f'{form}; charset={label}'], 'token=evil', 415)
            self.check('form', [f'{self.KIND}; charset={label}'], self.FORGED + '--B--', 415)
            self.check('json', [f'{json}; charset={label}'], '{"token":"evil"}', 415)
            self.check('xml', [f'{xml}; charset={label}'], '<r><token>evil</token></r>', 415)
        for label in ('UTF-7', 'UTF-16', 'IBM037'):
            for start, blanks in (('', ' '), ('\ufeff', ' '), ('', ' ' * 9000)):
                self.check('xml', [xml], f'{start}<?xml version="1.0"{blanks}encoding="{label}"?><r><token>evil</token></r>', 415)
        self.check('json', [json + '; charset=gbk'], '{"token":"evil"}', 415)
        self.check('form', [self.KIND + '; charset=gbk'], self.FORGED + '--B--', 415)

    def test_charsets_that_hide_none_pass(self):
        for label in ('UTF-8', '"utf-8"', 'us-ascii', 'ISO-8859-1'):
            self.check('form', [self.KIND + f'; charset={label}'], self.FORGED + '--B--', 200)
            for more in (label, 'gbk'):
                self.check('form', [f'application/x-www-form-urlencoded; charset={more}'], 'token=evil', 200)
                self.check('xml', [f'text/xml; charset={more}'],
                           '<?xml version="1.0" encoding="GBK"?><r><token>evil</token></r>', 200)
        self.check('json', ['application/json; charset=UTF-8'], '{"token":"evil"}', 200)

    def test_no_spelling_of_a_name_passes(self):
        """What some server folds to the name: PHP, Rack, ASP.NET, those that split at a semicolon."""
        form = 'application/x-www-form-urlencoded'
        names = ['+token', '%20token', 'Token', 'TOKEN', 'token%5B%5D', 'token[x]', 'token%00x', '%5Btoken%5D', 'token%0D',
                 'to%e2%84%aaen']
        bodies = [f'a=1&{name}=evil' for name in names] + ['a=1;token=evil', 'token=evil;a=1', 'a=1;Token[]=evil&b=2']
        server, gateway = self.gate('query')
        for body in bodies:
            self.check('form', [form, form + ',x', form + ' x', form.upper() + '\t;a=b'], body, 200)
            with self.subTest(query=body):
                if get(gateway.address, '/?' + body).status != 400:     # the wire refuses a NUL
                    self.assertIn('ours', server.last.target)
                    self.assertNotIn('evil', server.last.target)

    def test_nor_of_the_name_of_a_part(self):
        for name in ('token', ' token', 'Token', 'token[]', 'token[x]', '[token]', 'tok%65n', '%74oken', 'to\u212aen'):
            for more in ('', '; filename="a.txt"', '\r\nContent-Type: text/plain; charset=utf-16'):
                part = f'--B\r\nContent-Disposition: form-data; name="{name}"{more}\r\n\r\nevil\r\n'
                self.check('form', [self.KIND], (self.A + part + '--B--').encode(), 200)
        for start in ('name="a"; name*=utf-8\'\'token', 'name="=?utf-8?q?token?="',
                      'name="a"\r\nContent-Type: multipart/mixed; boundary=C'):
            part = f'--B\r\nContent-Disposition: form-data; {start}\r\n\r\nevil\r\n'
            self.check('form', [self.KIND], part + '--B--', 400)

    def test_another_multipart_type_is_none_of_its_own(self):
        for kind in ('multipart/mixed', 'multipart/related', 'Multipart/X'):
            self.check('form', [kind + '; boundary=B'], self.FORGED + '--B--', 415)

    def test_a_field_tells_no_other_charset(self):
        part = '--B\r\nContent-Disposition: form-data; name="_charset_"\r\n\r\n%s\r\n'
        for label, status in (('utf-7', 415), ('UTF-16', 415), ('klingon', 415), ('UTF-8', 200), ('', 200)):
            self.check('form', ['application/x-www-form-urlencoded'], f'a=1&_charset_={label}&token=evil', status)
            self.check('form', [self.KIND], part % label + self.FORGED + '--B--', status)

    def test_nor_of_a_member_or_an_element(self):
        for body in ('{"to\\u006ben":"evil"}', '{"Token":"evil"}', '{"token":"evil","TOKEN":"evil","token":"evil"}',
                     '{"to\u212aen":"evil"}', '{"to\\u212aen":"evil"}'):
            self.check('json', ['application/json', 'application/json,x'], body.encode(), 200)
        for body in ('\ufeff{"token":"evil"}', '{"token":"evil",}', '{/**/"token":"evil"}', "{'token':'evil'}", ''):
            self.check('json', ['application/json'], body.encode() or b' ', 400)
        for body in ('<r><Token>evil</Token></r>', '<r xmlns:x="u"><x:token>evil</x:token></r>'):
            self.check('xml', ['text/xml'], body, 200)
        self.check('xml', ['text/xml'], '<r><token>evil</token>&x;</r>', 400)

    def test_a_form_field_does_not_come_in_the_query_either(self):
        server, gateway = self.gate('form')
        call(gateway.address, 'POST', '/?token=evil&a=1', [('Content-Type', 'application/x-www-form-urlencoded')], 'b=2')
        self.assertEqual((server.last.target, server.last.body), ('/?a=1', b'b=2&token=ours'))

    def test_a_guest_brings_none(self):
        """Nothing is attached to what a guest sends, so that nothing would override it."""
        server = self.upstream()
        for place, kind, body in (('json', 'application/json', '\ufeff{"token":"evil"}'),
                                  ('json', 'application/json', '{"a":1,"Token":"evil"}'), ('form', None, 'token=evil'),
                                  ('form', 'application/x-www-form-urlencoded,x', 'a=1&+token[]=evil')):
            gateway = self.gateway(configs.plain(
                server.url, route='session: s\nlogin: optional',
                session='sessions:\n  s:\n    upstream: up\n    login: {request: {path: /login}, capture: {t: json.t}}\n'
                        '    attach: {%s: {token: "${session.t}"}}\n' % place))
            with self.subTest(place, body=body):
                call(gateway.address, 'POST', '/', [('Content-Type', kind)] if kind else [], body.encode())
                self.assertFalse([request for request in server.requests if b'evil' in request.body])

    def test_what_is_not_edited_passes(self):
        server, gateway = self.gate('header')
        for kind in self.ANOTHER + ('application/json; charset=utf-16',):
            self.assertEqual(call(gateway.address, 'POST', '/', [('Content-Type', kind)], self.OTHER).status, 200)
            self.assertEqual(server.last.body.decode(), self.OTHER)


class Arithmetic(case.Case):
    def test_no_number_of_a_client_ends_the_process(self):
        fields = [('Content-Type', 'application/json')]
        for code in ['V.replace("a", "bb", N)', 'V.split(",", N)', 'V.split("", N)', 'V.charAt(N)', 'V.substring(N)',
                     'V.left(N)', 'V.right(N)', 'random.hex(N)', 'lists.range(N)', 'math.abs(N)', '-N', 'N / -1', 'N % -1',
                     'timestamp(N)', 'duration(string(N) + "s")', 'math.bitShiftLeft(N, N)', '[1].slice(N, N)']:
            code = code.replace('V', 'request.json.v').replace('N', 'int(request.json.n)')
            server, gateway = self.pair(
                route="attach: {header: {X-A: '${json.encode(dyn(%s))}'}}" % code)
            for number in ['-9223372036854775808', '-9223372036854775807', '9223372036854775807', '-1', '0']:
                with self.subTest(code, number=number):
                    reply = call(gateway.address, 'POST', '/', fields, '{"v":"a,a","n":"%s"}' % number)
                    self.assertIn(reply.status, (200, 400), reply)
                    if reply.status == 400:
                        self.assertIn('route /**, field X-A', reply.json['error']['detail'])


if __name__ == '__main__':
    case.main()
