"""The cookie jar of a session: what the upstream sets goes with each request, and nobody else sees it."""
import time

from support import case, recipes
from support.client import encode, get
from support.swarm import swarm
from support.upstream import answer


class Jar(case.Case):
    def site(self, cookies, allows=lambda request: True, **options):
        """A site whose login sets these Set-Cookie values."""
        lines = [('Set-Cookie', line) for line in cookies]
        return self.start(recipes.Site({'/login': lambda request: answer(204, b'', lines)}, allows, **options))

    def gate(self, site, session='', **options):
        return self.gateway(recipes.config(site.url, 'cookies: true\nlogin: {request: {path: /login}}\n' + session, **options),
                            secrets=recipes.SECRETS)

    def sent(self, cookies, target='/a/b'):
        """What goes to `target` after a login that set these."""
        site = self.site(cookies)
        self.assertEqual(get(self.gate(site).address, target).status, 200)
        return recipes.cookies(site.calls[-1])

    def test_a_session_cookie_goes_with_each_request_instead_of_the_clients(self):
        site = self.site(['SID=s1; Path=/; HttpOnly; SameSite=Lax'])
        gate = self.gate(site)
        for _ in range(2):
            reply = get(gate.address, '/a', [('Cookie', 'SID=evil; mine=1')])
            self.assertIsNone(reply.field('Set-Cookie'))
        self.assertEqual([recipes.cookies(request) for request in site.calls], [{'SID': 's1'}] * 2)

    def test_paths(self):
        cookies = ['root=1; Path=/', 'a=1; Path=/a', 'ab=1; Path=/a/b/', 'x=1; Path=/x', 'default=1', 'odd=1; Path=b']
        self.assertEqual(self.sent(cookies, '/a/b'), {'root': '1', 'a': '1', 'default': '1', 'odd': '1'})
        self.assertEqual(self.sent(cookies, '/ab'), {'root': '1', 'default': '1', 'odd': '1'})
        self.assertEqual(self.sent(cookies, '/a/b/c?d=/x'), {'root': '1', 'a': '1', 'ab': '1', 'default': '1', 'odd': '1'})

    def test_longer_paths_come_first(self):
        site = self.site(['n=short; Path=/', 'n=long; Path=/a', 'm=1; Path=/'])
        get(self.gate(site).address, '/a/b')
        self.assertEqual(site.calls[-1].field('Cookie'), 'n=long; n=short; m=1')

    def test_domains_of_others_are_ignored(self):
        self.assertEqual(self.sent(['own=1; Domain=127.0.0.1', 'other=1; Domain=example.com', 'tld=1; Domain=1',
                                    'plain=1; Domain=']), {'own': '1', 'plain': '1'})

    def test_times(self):
        past, future = 'Wed, 21-Oct-2015 07:28:00 GMT', 'Wed, 21 Oct 2099 07:28:00 GMT'
        self.assertEqual(self.sent([
            'gone=1; Max-Age=0', 'minus=1; Max-Age=-5', f'past=1; Expires={past}', f'future=1; Expires={future}',
            f'wins=1; Expires={past}; Max-Age=60', 'bad=1; Max-Age=abc', 'huge=1; Max-Age=99999999999999999999999',
            'nodate=1; Expires=never']), {'future': '1', 'wins': '1', 'bad': '1', 'huge': '1', 'nodate': '1'})

    def test_a_cookie_that_ends_is_no_longer_sent(self):
        site = self.site(['short=1; Max-Age=1', 'long=1; Max-Age=60'])
        gate = self.gate(site)
        get(gate.address, '/a')
        time.sleep(2.1)
        get(gate.address, '/a')
        self.assertEqual([recipes.cookies(request) for request in site.calls],
                         [{'short': '1', 'long': '1'}, {'long': '1'}])

    def test_prefixes_and_secure_ones(self):
        self.assertEqual(self.sent(['__Secure-a=1; Secure', '__Secure-b=1', '__Host-c=1; Secure; Path=/',
                                    '__Host-d=1; Secure; Path=/a', 'e=1; Secure']),
                         {'__Secure-a': '1', '__Host-c': '1', 'e': '1'})

    def test_nonsense_is_ignored(self):
        self.assertEqual(self.sent(['', '=1', 'noequals', 'ok=1', 'big=' + 'x' * 5000, '; Path=/']), {'ok': '1'})

    def test_later_answers_change_the_jar(self):
        def allows(request):
            sid = recipes.cookies(request).get('SID')
            return answer(200, sid or '', [('Set-Cookie', f'SID={sid}x; Path=/'), ('Set-Cookie', 'gone=1; Max-Age=0; Path=/')])
        site = self.site(['SID=s; Path=/', 'gone=1; Path=/'], allows)
        gate = self.gate(site)
        self.assertEqual([get(gate.address, '/a').body for _ in range(3)], [b's', b'sx', b'sxx'])
        self.assertEqual(recipes.cookies(site.calls[-1]), {'SID': 'sxx'})

    def test_a_csrf_cookie_goes_into_a_header(self):
        site = self.site(['XSRF-TOKEN=abc%3D; Path=/', 'SID=1; Path=/'])
        gate = self.gate(site, 'attach: {header: {X-XSRF-TOKEN: "${url.decode(cookies[\'XSRF-TOKEN\'])}"}}')
        get(gate.address, '/a')
        self.assertEqual(site.calls[-1].field('X-XSRF-TOKEN'), 'abc=')

    def test_attached_cookies_stand_beside_the_jars(self):
        site = self.site(['SID=1; Path=/'])
        gate = self.gate(site, 'attach: {cookie: {app: x}}')
        get(gate.address, '/a')
        self.assertEqual(recipes.cookies(site.calls[-1]), {'SID': '1', 'app': 'x'})

    def test_a_login_begins_with_an_empty_jar_and_expiry_renews_it_once(self):
        count, valid = [0], set()

        def login(request):
            count[0] += 1
            valid.clear()
            valid.add(f's{count[0]}')
            return answer(204, b'', [('Set-Cookie', f'SID=s{count[0]}; Path=/')])
        site = self.start(recipes.Site({'/login': login}, lambda request: recipes.cookies(request).get('SID') in valid,
                                       denied=answer(302, b'', [('Location', '/login.html'), ('Set-Cookie', 'SID=; Max-Age=0')])))
        gate = self.gate(site, 'expired: status == 302 && headers.location.contains("login")')
        for round in range(3):
            replies = swarm(gate.address, [encode('GET', f'/{round}/{number}') for number in range(40)])
            self.assertEqual({reply.status for reply in replies}, {200})
            valid.clear()
        self.assertEqual(count[0], 3)
        self.assertTrue(all(request.field('Cookie') is None for request in site.logins))
