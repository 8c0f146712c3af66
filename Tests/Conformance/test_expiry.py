"""Expired, taken over, or only similar: each signal by a config expression, and no login without end."""
import json
import threading

from support import case, configs, recipes, signals
from support.client import Client, call, encode, get
from support.gateway import eventually
from support.upstream import Upstream, answer, json_answer

QUIET = 'backoff: {min: 100ms, max: 1s}\nattempts_window: {logins: 1000, per: 1s}'


class Services:
    """POST /NAME/login hands out tokens; /NAME/INDEX gives the row's answer to the token that was current before."""

    def __init__(self):
        self.logins, self.seen = {}, {}
        self.lock = threading.Lock()
        self.upstream = Upstream(self._handle)
        self.url = self.upstream.url

    def close(self):
        self.upstream.close()

    def _handle(self, request, wire):
        _, name, what = request.target.split('/')
        with self.lock:
            if what == 'login':
                self.logins[name] = self.logins.get(name, 0) + 1
                return json_answer({'token': f'{name}-{self.logins[name]}'})
            if what == 'warm':
                return answer(200, b'warm')
            # The token that asks first is the one that is over.
            over = self.seen.setdefault(request.target, request.field('Token'))
        if request.field('Token') != over:
            return answer(200, b'fresh')
        _, status, fields, text = signals.TABLE[name][1][int(what)]
        return answer(status, text, fields)


def table_config(url):
    sessions, routes = '', ''
    for name, (rules, _) in signals.TABLE.items():
        lines = ['upstream: up', 'login:', '  - request: {path: /%s/login}' % name, '    capture: {token: json.token}',
                 'attach: {header: {Token: "${session.token}"}}', 'on_taken: yield',
                 *(f"{key}: '{rule}'" for key, rule in rules.items()), *QUIET.split('\n')]
        sessions += f'  {name}:\n' + configs.indent('\n'.join(lines), 4)
        routes += f'  - {{path: /{name}/**, upstream: up, session: {name}}}\n'
    return (configs.LISTEN + f'upstreams:\n  up: {{url: "{url}"}}\nsessions:\n{sessions}routes:\n{routes}')


class Table(case.Case):
    @classmethod
    def setUpClass(cls):
        cls.services = Services()
        cls.addClassCleanup(cls.services.close)

    def test_every_signal(self):
        gate = self.gateway(table_config(self.services.url))
        for name, (_, answers) in signals.TABLE.items():
            self.assertEqual(get(gate.address, f'/{name}/warm').body, b'warm')
            for index, (verdict, status, _, text) in enumerate(answers):
                with self.subTest(name=name, verdict=verdict, status=status, text=text):
                    before = self.services.logins[name]
                    reply = get(gate.address, f'/{name}/{index}')
                    logins = self.services.logins[name] - before
                    if verdict == 'relogin':
                        self.assertEqual((reply.status, reply.body, reply.outcome, logins), (200, b'fresh', 'relogin', 1))
                    elif verdict == 'pass':
                        self.assertEqual((reply.status, reply.body.decode(), logins), (status, text, 0))
                    else:
                        self.assert_refused(reply, 401, 'session_taken')
                        self.assertEqual(logins, 0)
                        call(gate.admin, 'POST', f'/sessions/{name}/login')
                        eventually(lambda: get(gate.address, f'/{name}/warm').status == 200, 3, 'the operator')


class Taken(case.Case):
    """A session that another device takes over, by the number of times."""

    def setUp(self):
        self.current = 'nobody'
        self.count = 0
        self.site_ = self.start(recipes.Site({'/login': self.login}, self.allows))

    def login(self, request):
        self.count += 1
        self.current = f't{self.count}'
        return json_answer({'token': self.current})

    def allows(self, request):
        return True if request.field('Token') == self.current else json_answer({'code': 'KICKED'})

    def gate(self, policy):
        return self.gateway(recipes.config(self.site_.url, '''login:
  - request: {path: /login}
    capture: {token: json.token}
taken: json.code == "KICKED"
attach: {header: {Token: "${session.token}"}}
''' + policy), secrets=recipes.SECRETS)

    def kick(self):
        self.current = 'other device'

    def test_takeover_logs_in_again_up_to_its_limit(self):
        gate = self.gate('takeover_limit: {times: 2, per: 1h}')
        self.assertEqual(get(gate.address, '/a').status, 200)
        for _ in range(2):
            self.kick()
            reply = get(gate.address, '/a')
            self.assertEqual((reply.status, reply.outcome), (200, 'relogin'))
        self.kick()
        for _ in range(5):
            self.assert_refused(get(gate.address, '/a'), 401, 'session_taken')
        self.assertEqual(self.count, 3)
        health = get(gate.admin, '/health').json['sessions']['api']
        self.assertEqual(health['state'], 'taken')
        self.assertGreater(health['retryAfter'], 3500)

    def test_the_window_of_takeovers_passes(self):
        gate = self.gate('takeover_limit: {times: 1, per: 1s}')
        get(gate.address, '/a')
        for _ in range(2):
            self.kick()
            get(gate.address, '/a')
        self.assertEqual(self.count, 2)
        eventually(lambda: get(gate.address, '/a').status == 200, 4, 'the end of the window')
        self.assertEqual(self.count, 3)

    def test_yield_leaves_it_to_the_other_until_an_operator_asks(self):
        gate = self.gate('on_taken: yield')
        get(gate.address, '/a')
        self.kick()
        for _ in range(5):
            self.assert_refused(get(gate.address, '/a'), 401, 'session_taken')
        self.assertEqual(self.count, 1)
        self.assertEqual(get(gate.admin, '/readyz').status, 503)
        call(gate.admin, 'POST', '/sessions/api/login')
        eventually(lambda: get(gate.address, '/a').status == 200, 3, 'the operator')
        self.assertEqual(self.count, 2)


class Guards(case.Case):
    def gate(self, site, session):
        return self.gateway(recipes.config(site.url, session), secrets=recipes.SECRETS)

    def test_status_401_means_expired_unless_told_otherwise(self):
        tokens = iter('abcdefgh')
        current = []

        def login(request):
            current[:] = [next(tokens)]
            return json_answer({'token': current[0]})
        site = self.start(recipes.Site({'/login': login}, lambda request: [request.field('Token')] == current))
        gate = self.gate(site, 'login: [{request: {path: /login}, capture: {token: json.token}}]\n'
                         'attach: {header: {Token: "${session.token}"}}')
        self.assertEqual(get(gate.address, '/a').status, 200)
        current[:] = ['gone']
        self.assertEqual(get(gate.address, '/a').outcome, 'relogin')

    def test_a_missing_scope_that_looks_like_expiry_costs_two_logins_and_then_passes(self):
        count = [0]

        def login(request):
            count[0] += 1
            return json_answer({'token': f't{count[0]}'})
        denied = json_answer([{'errorCode': 'INVALID_SESSION_ID'}], 401)
        site = self.start(recipes.Site({'/login': login}, lambda request: request.target != '/admin', denied=denied))
        gate = self.gate(site, 'login: [{request: {path: /login}, capture: {token: json.token}}]\n'
                         'attach: {header: {Token: "${session.token}"}}')
        self.assertEqual(get(gate.address, '/a').status, 200)
        reply = get(gate.address, '/admin')
        self.assertEqual((reply.status, count[0], reply.field('Countersign-Replay')), (401, 3, 'attempts_spent'))
        self.assertIn(b'INVALID_SESSION_ID', reply.body)
        self.assertEqual(get(gate.address, '/a').status, 200)
        self.assertEqual(count[0], 3)

    def test_a_login_that_sets_the_rejected_cookie_again_hands_on_the_refusal(self):
        site = self.start(recipes.Site({'/login': lambda request: answer(200, b'', [('Set-Cookie', 'SID=same; Path=/')])},
                                       lambda request: request.target != '/forbidden'))
        gate = self.gateway(recipes.config(site.url, 'cookies: true\nlogin: {request: {path: /login}}',
                                           patience='backoff: {min: 10m, max: 10m}'), secrets=recipes.SECRETS)
        for number in range(3):
            reply = get(gate.address, '/forbidden')
            self.assertEqual((reply.status, reply.body, reply.field('Countersign-Replay')), (401, b'no', 'same_credential'))
        self.assertEqual((len(site.logins), len(site.calls)), (2, 4))
        health = get(gate.admin, '/health').json['sessions']['api']
        self.assertEqual((health['state'], health['lastError']), ('ready', 'login_unavailable'))
        gate.log.wait(lambda record: record.get('message', '').startswith('the renewal brought the credential'))
        # Who may goes on with it, and shows that it lives.
        self.assertEqual(get(gate.address, '/a').outcome, 'forwarded')
        self.assertEqual(get(gate.admin, '/health').json['sessions']['api']['lastError'], None)

    def test_a_forbidden_call_that_looks_like_expiry_takes_nothing_from_the_others(self):
        site = self.start(recipes.Site(
            {'/login': lambda request: json_answer({'token': 't'}), '/renew': lambda request: json_answer({'token': 't'})},
            lambda request: request.target != '/forbidden', denied=answer(403, b'denied')))
        gate = self.gate(site, '''login: {request: {path: /login}, capture: {token: json.token}}
refresh: {request: {path: /renew, headers: {Token: "${session.token}"}}, refused: status == 403, capture: {token: json.token}}
expired: status == 403
attach: {header: {Token: "${session.token}"}}''')
        for number in range(5):
            self.assertEqual(get(gate.address, '/a').status, 200)
            reply = get(gate.address, '/forbidden')
            self.assertEqual((reply.status, reply.body), (403, b'denied'))
            self.assertEqual(reply.field('Countersign-Replay'), 'same_credential')
        self.assertEqual(get(gate.address, '/a').status, 200)
        self.assertEqual([request.target for request in site.logins], ['/login'] + ['/renew'] * 5)

    def test_a_refreshed_token_that_nobody_takes_leads_to_the_login(self):
        count, good = iter(range(1, 99)), []

        def login(request):
            good[:] = [f'login-{next(count)}']
            return json_answer({'token': good[0], 'renew': 'r'})
        site = self.start(recipes.Site(
            {'/login': login, '/renew': lambda request: json_answer({'token': f'dead-{next(count)}', 'renew': 'r'})},
            lambda request: [request.field('Token')] == good))
        gate = self.gate(site, '''login: {request: {path: /login}, capture: {token: json.token, renew: json.renew}}
refresh: {request: {path: /renew, form: {r: "${session.renew}"}}, capture: {token: json.token, renew: json.renew}}
attach: {header: {Token: "${session.token}"}}''')
        self.assertEqual(get(gate.address, '/a').status, 200)
        for number in range(2):
            good[:] = ['gone']
            reply = get(gate.address, '/a')
            self.assertEqual((reply.status, reply.outcome), (200, 'relogin'))
        self.assertEqual([request.target for request in site.logins], ['/login'] + ['/renew', '/login'] * 2)

    def test_a_refresh_whose_success_brings_nothing_leads_to_the_login(self):
        for brought in ('{"token":null,"renew":"r"}', '{"token":"","renew":"r"}', '{"code":4001}', '<html>'):
            with self.subTest(brought=brought):
                count, good = iter(range(1, 99)), []

                def login(request):
                    good[:] = [f'login-{next(count)}']
                    return json_answer({'token': good[0], 'renew': 'r'})
                site = self.start(recipes.Site(
                    {'/login': login, '/renew': lambda request: json_answer(brought)},
                    lambda request: [request.field('Token')] == good))
                gate = self.gate(site, '''login: {request: {path: /login}, capture: {token: json.token, renew: json.renew}}
refresh: {request: {path: /renew, form: {r: "${session.renew}"}}, capture: {token: json.token, renew: json.?renew}}
attach: {header: {Token: "${session.token}"}}''')
                self.assertEqual(get(gate.address, '/a').status, 200)
                good[:] = ['gone']
                reply = get(gate.address, '/a')
                self.assertEqual((reply.status, reply.outcome), (200, 'relogin'))
                self.assertEqual([request.target for request in site.logins], ['/login', '/renew', '/login'])

    def test_a_dead_credential_is_not_refreshed_where_that_counts_against_the_user(self):
        count, good = iter(range(1, 99)), []

        def login(request):
            good[:] = [f'ticket-{next(count)}']
            return json_answer({'token': good[0], 'ends': 4})
        site = self.start(recipes.Site({'/login': login, '/renew': login}, lambda request: [request.field('Token')] == good))
        gate = self.gate(site, '''login: {request: {path: /login}, capture: {token: json.token, expires_in: json.ends}}
refresh: {request: {path: /renew, form: {r: "${session.token}"}}, capture: {token: json.token, expires_in: json.ends}}
refresh_expired: false
attach: {header: {Token: "${session.token}"}}''')
        self.assertEqual(get(gate.address, '/a').status, 200)
        good[:] = ['gone']
        self.assertEqual(get(gate.address, '/a').outcome, 'relogin')
        self.assertEqual([request.target for request in site.logins], ['/login', '/login'])
        # Ahead of the end the refresh is what comes.
        site.upstream.wait(lambda up: up.last.target == '/renew')

    def test_who_takes_a_session_back_logs_in(self):
        count, good = iter(range(1, 99)), []

        def login(request):
            good[:] = [f'token-{next(count)}']
            return json_answer({'token': good[0]})
        site = self.start(recipes.Site({'/login': login, '/renew': lambda request: json_answer({'token': f'n-{next(count)}'})},
                                       lambda request: [request.field('Token')] == good))
        gate = self.gate(site, '''login: {request: {path: /login}, capture: {token: json.token}}
refresh: {request: {path: /renew, form: {r: "${session.token}"}}, capture: {token: json.token}}
taken: status == 401
on_taken: takeover
attach: {header: {Token: "${session.token}"}}''')
        self.assertEqual(get(gate.address, '/a').status, 200)
        good[:] = ['taken']
        self.assertEqual(get(gate.address, '/a').outcome, 'relogin')
        self.assertEqual([request.target for request in site.logins], ['/login', '/login'])

    def test_an_expiry_that_a_head_request_does_not_tell(self):
        """Its answer has no body to look into, so the next request finds out."""
        current = ['t1']
        site = self.start(recipes.Site({'/login': lambda request: json_answer({'token': current[0]})},
                                       lambda request: request.field('Token') == current[0], denied=answer(401)))
        gate = self.gate(site, 'login: {request: {path: /login}, capture: {token: json.token}}\n'
                         'expired: status == 401 && !text.contains("scope")\n'
                         'attach: {header: {Token: "${session.token}"}}')
        self.assertEqual(get(gate.address, '/a').status, 200)
        current[0] = 't2'
        with Client(gate.address) as client:
            client.send(encode('HEAD', '/a'))
            self.assertEqual(client.read('HEAD').status, 401)
        self.assertEqual(get(gate.address, '/a').outcome, 'relogin')


class Views(case.Case):
    """One session on routes with and without an envelope: its tests see the answer that the upstream sent."""

    ENVELOPES = '''envelopes:
  top: {unwrap: [charset, {unwrap_key: "*_response"}], ok: "!has(json.code)", data: json}
  gbk: {unwrap: [{charset: gbk}], ok: "!has(json.error_response)", data: json}
  d: {unwrap: [{pointer: /d}, json_string], ok: "true", data: json}
'''
    EXPIRED = 'json.error_response.code == 27 || json.decode(json.d).state == "超时"'

    def handle(self, request, wire):
        if request.target == '/login':
            self.logins += 1
            return json_answer({'token': f't{self.logins}'})
        # The token that asks first is the one that is over.
        if request.field('Token') != self.seen.setdefault(request.target, request.field('Token')):
            return json_answer('{"user_get_response":{"id":7}}')
        over = '{"error_response":{"code":27,"msg":"会话"}}'
        if request.target == '/d':
            over = json.dumps({'d': '{"state":"超时"}'}, ensure_ascii=False)
        return answer(200, over.encode('gbk' if request.target == '/gbk' else 'utf-8'), [('Content-Type', 'text/html')])

    def test_a_test_sees_the_same_on_every_route(self):
        self.logins, self.seen = 0, {}
        up = self.upstream(self.handle)
        names = ('plain', 'top', 'gbk', 'd')
        routes = ''.join('  - {path: /%s, upstream: up, session: s%s}\n' % (
            name, ', envelope: {from: %s}' % name if name != 'plain' else '') for name in names)
        gate = self.gateway(
            configs.LISTEN + f'upstreams:\n  up: {{url: "{up.url}"}}\n{self.ENVELOPES}sessions:\n  s:\n'
            + configs.indent('upstream: up\nlogin: [{request: {path: /login}, capture: {token: json.token}}]\n'
                             f"expired: '{self.EXPIRED}'\n"
                             'attach: {header: {Token: "${session.token}"}}\n' + QUIET, 4) + 'routes:\n' + routes)
        for number, name in enumerate(names):
            with self.subTest(name=name):
                reply = get(gate.address, f'/{name}')
                self.assertEqual((reply.status, reply.outcome, self.logins), (200, 'relogin', number + 2), reply)
                data = reply.json if name == 'plain' else reply.json['data']
                self.assertEqual(data, {'id': 7} if name == 'top' else {'user_get_response': {'id': 7}})
