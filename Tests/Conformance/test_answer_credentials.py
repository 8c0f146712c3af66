"""What a session attached does not come back to the client in the header fields of an answer."""
import base64
import json
import re
from urllib.parse import quote

from support import bearer, case, configs
from support.client import get
from support.upstream import answer, json_answer

TOKEN = 'tok/canary+1='
QUERY = 'query: {token: "${session.token}"}, header: {X-Token: "${session.token}"}'


class Credentials(case.Case):
    def reply(self, fields, attach=QUERY, session='', status=302, target='/a?q=1'):
        """`fields` makes the answer's fields of the request that the upstream saw."""
        def handle(request, wire):
            if request.target == '/login':
                return json_answer({'token': TOKEN}, fields=[('Set-Cookie', 'sid=cookie-canary')])
            return answer(status, b'', fields(request))
        upstream = self.upstream(handle)
        gateway = self.gateway(bearer.config(upstream.url, attach=attach, session=session), secrets=bearer.SECRETS)
        reply = get(gateway.address, target)
        self.assertEqual(reply.status, status, reply)
        for name, value in reply.fields:
            for form in (TOKEN, quote(TOKEN, safe=''), 'canary'):
                self.assertNotIn(form, value, name)
        return reply

    def test_a_redirect_to_its_own_url_stays_usable(self):
        reply = self.reply(lambda request: [
            ('Location', 'http://up.test' + request.target), ('Content-Location', request.target),
            ('Link', f'<{request.target}&page=2>; rel="next"')])
        self.assertEqual(reply.field('Location'), 'http://up.test/a?q=1')
        self.assertEqual(reply.field('Content-Location'), '/a?q=1')
        self.assertEqual(reply.field('Link'), '</a?q=1&page=2>; rel="next"')

    def test_elsewhere_it_is_masked(self):
        reply = self.reply(lambda request: [
            ('WWW-Authenticate', f'Bearer realm="{TOKEN}"'), ('X-Echo', request.field('X-Token')), ('X-Other', 'kept'),
            ('X-Escaped', 'a=' + quote(TOKEN, safe='')), ('X-Lower', quote(TOKEN, safe='').lower())], status=403)
        self.assertEqual(reply.field('WWW-Authenticate'), 'Bearer realm="***"')
        self.assertEqual((reply.field('X-Echo'), reply.field('X-Other')), ('***', 'kept'))
        self.assertEqual((reply.field('X-Escaped'), reply.field('X-Lower')), ('a=***', '***'))

    def test_however_it_is_spelt(self):
        """Escaped once more, within JSON within a query, in base 64 and in hexadecimal digits."""
        raw, once = TOKEN.encode(), quote(TOKEN, safe='')
        spelt = {
            'twice': quote(once, safe=''), 'thrice': quote(quote(once, safe=''), safe=''),
            'json': json.dumps({'t': TOKEN}).replace('/', '\\/'), 'unicode': ''.join(f'\\u{ord(char):04x}' for char in TOKEN),
            'json-in-query': quote(json.dumps(TOKEN).replace('/', '\\u002f'), safe=''),
            'base64': base64.b64encode(b'user:' + raw).decode(), 'base64url': base64.urlsafe_b64encode(b'u' + raw).decode(),
            'escaped-base64': quote(base64.b64encode(raw), safe=''), 'hex': raw.hex(), 'upper': raw.hex().upper(),
            'xml': ''.join(f'&#{ord(char)};' for char in TOKEN)}
        reply = self.reply(lambda request: [
            *((f'X-{name}', text) for name, text in spelt.items()), ('Location', f'/cb?back={spelt["twice"]}&q=1')])
        self.assertEqual(reply.field('Location'), '/cb?q=1')
        for name, text in spelt.items():
            with self.subTest(name):
                self.assertIn('***', reply.field(f'X-{name}'))
                self.assertLess(len(reply.field(f'X-{name}').replace('***', '')), 12)

    def test_the_token_of_a_scheme_is_known_without_it(self):
        reply = self.reply(
            lambda request: [('Location', '/cb#access_token=' + request.field('Authorization')[7:] + '&state=9')],
            attach=bearer.HEADER)
        self.assertEqual(reply.field('Location'), '/cb#state=9')

    def test_cookies_of_the_jar_stay_too(self):
        reply = self.reply(lambda request: [('X-Sid', request.field('Cookie'))], session='cookies: true')
        self.assertEqual(reply.field('X-Sid'), 'sid=***')

    def test_the_token_of_the_newest_login_counts(self):
        # The answer after a replay repeats the second token.
        server = self.start(bearer.TokenServer())
        gateway = self.gateway(bearer.config(server.url), secrets=bearer.SECRETS)
        self.assertEqual(get(gateway.address, '/a').status, 200)
        server.expire()
        self.assertEqual(get(gateway.address, '/a').status, 200)

    def test_a_route_without_a_session_is_left_alone(self):
        upstream = self.upstream(lambda request, wire: answer(302, b'', [('Location', '/a?token=' + TOKEN)]))
        gateway = self.gateway(configs.plain(upstream.url))
        self.assertEqual(get(gateway.address, '/').field('Location'), '/a?token=' + TOKEN)


class EveryWayIn(case.Case):
    """What a route, an upstream, a rewrite or a signature puts into the request is kept back as what the session attaches is."""

    def reply(self, fields, *, route='', upstream='', signatures='', target='/a'):
        def handle(request, wire):
            if request.target == '/login':
                return json_answer({'token': TOKEN})
            return answer(200, b'', fields(request))
        server = self.upstream(handle)
        config = bearer.config(server.url, attach='query: {plain: "1"}', route=route, upstream=upstream).replace(
            'sessions:\n', signatures + 'sessions:\n')
        return get(self.gateway(config, secrets=bearer.SECRETS).address, target)

    def assert_kept_back(self, **config):
        def fields(request):
            seen = [request.target] + [value for name, value in request.fields if name != 'Host']
            return [('Link', f'<http://up{request.target}>; rel="self"')] + [
                (f'X-Echo-{index}', value) for index, value in enumerate(seen)]
        reply = self.reply(fields, **config)
        self.assertEqual(reply.status, 200, reply)
        for name, value in reply.fields:
            for form in (TOKEN, quote(TOKEN, safe=''), base64.b64encode(TOKEN.encode()).decode(), 'canary'):
                self.assertNotIn(form, value, name)
        self.assertTrue(any('***' in value for name, value in reply.fields if name.startswith('X-Echo')), reply)

    def test_what_a_route_attaches(self):
        self.assert_kept_back(route='attach: {header: {X-R: "${session.token}"}}')
        self.assert_kept_back(route='attach: {query: {r: "${session.token}"}}')
        self.assert_kept_back(route='attach: {header: {X-R: "Basic ${base64.encode(session.token)}"}}')

    def test_what_a_rewrite_says(self):
        self.assert_kept_back(route='rewrite: "/s/${session.token}/x${request.path}"')
        self.assert_kept_back(route='rewrite: "/s${request.path}?t=${session.token}"')

    def test_what_a_signature_attaches(self):
        for attach in ('{header: {X-Sg: "${session.token}"}}', '{query: {sg: "${session.token}"}}',
                       '{header: {X-Sg: "${vars.pair}"}}'):
            self.assert_kept_back(
                route='sign: s', signatures=f'signatures: {{s: {{variables: {{pair: "session.token + request.path"}}, '
                                            f'attach: {attach}}}}}\n')

    def test_a_jwt_that_is_made_for_each_request(self):
        def fields(request):
            jwt = re.search('jwt=([^&]+)', request.target).group(1)
            head = request.field('X-Jwt').split()[1]
            self.assertEqual(len(jwt.split('.')), 3)
            return [('Location', f'http://up.test/x?jwt={jwt}&q=1'), ('X-Echo', jwt), ('X-Echo-2', 'again ' + head),
                    ('X-Time', '1700000000'), ('X-Other', 'kept' * 60)]
        sign = 'jwt.sign(\'HS256\', secret.name, {\'p\': request.path, \'n\': nonce})'
        signatures = f'signatures: {{s: {{variables: {{jwt: "{sign}", time: "\'1700000000\'"}}, ' \
            'attach: {query: {jwt: "${vars.jwt}", time: "${vars.time}"}, header: {X-Jwt: "JWT ${vars.jwt}"}}}}\n'
        reply = self.reply(fields, route='sign: s', signatures=signatures)
        self.assertEqual((reply.field('Location'), reply.field('X-Echo'), reply.field('X-Echo-2')),
                         ('http://up.test/x?q=1', '***', 'again ***'))
        self.assertEqual((reply.field('X-Time'), reply.field('X-Other')), ('1700000000', 'kept' * 60))

    def test_a_key_without_a_session(self):
        upstream = self.upstream(lambda request, wire: answer(200, b'', [('X-Echo', request.field('X-Key'))]))
        config = configs.plain(upstream.url, top='secrets: {key: {file: secrets/key}}',
                               route='attach: {header: {X-Key: "${secret.key}"}}')
        gateway = self.gateway(config, secrets={'secrets/key': 'key-canary'})
        self.assertEqual(get(gateway.address, '/').field('X-Echo'), '***')
        self.assertEqual(upstream.last.field('X-Key'), 'key-canary')


class LoginAnswers(case.Case):
    def test_a_member_that_comes_twice_is_no_token(self):
        server = self.start(bearer.TokenServer())
        twice = b'{"token":"first-one","a":{"b":[{"c":1,"c":2}]}}'
        for body, name in [(b'{"token":"first-one","token":"second-one"}', 'token'),
                           (b'{"token":"first-one","\\u0074oken":"x"}', 'token'), (twice, 'c'),
                           (b'{"token":"first-one","a\xc3\xa4\\n":1,"a\xc3\xa4\\n":2}', 'a???')]:
            with self.subTest(body):
                server.login_replies = [b'HTTP/1.1 200 X\r\nContent-Length: %d\r\n\r\n%s' % (len(body), body)]
                gateway = self.gateway(
                    bearer.config(server.url, session='backoff: {min: 10s, max: 10s}'), secrets=bearer.SECRETS)
                reply = get(gateway.address, '/x')
                self.assertEqual(reply.status, 503, reply)
                self.assertIn(f'names a member twice: "{name}"', reply.json['error']['detail'])
        self.assertEqual(server.calls, [])

    def oauth2(self, token_type, more=''):
        body = {'access_token': 'token-1', **({} if token_type is None else {'token_type': token_type})}
        upstream = self.upstream(
            lambda request, wire: json_answer(body) if request.target == '/token' else answer(200, b'ok'))
        session = 'sessions:\n  api:\n    upstream: up\n' \
            '    oauth2: {grant: client_credentials, token_path: /token, client_id: me}\n' \
            '    backoff: {min: 10s, max: 10s}\n' + configs.indent(more, 4)
        return upstream, get(self.gateway(
            configs.plain(upstream.url, route='session: api', session=session)).address, '/a')

    def test_a_type_that_nobody_knows_is_not_used(self):
        for token_type in ['mac', 'DPoP', 'N_A', '', 5]:
            with self.subTest(token_type):
                upstream, reply = self.oauth2(token_type)
                self.assertEqual(reply.status, 503, reply)
                self.assertIn('token_type is none that can be used (bearer)', reply.json['error']['detail'])
                self.assertEqual([request.target for request in upstream.requests], ['/token'])

    def test_bearer_in_any_case_and_a_type_left_out_are_used(self):
        for token_type in ['bearer', 'Bearer', 'BEARER', None]:
            with self.subTest(token_type):
                upstream, reply = self.oauth2(token_type)
                self.assertEqual(reply.status, 200, reply)
                self.assertEqual(upstream.last.field('Authorization'), 'Bearer token-1')


if __name__ == '__main__':
    case.main()
