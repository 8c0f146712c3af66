"""Health, readiness and metrics tell the truth, on the admin listener and where the config allows it."""
import re

from support import bearer, case, configs
from support.client import Client, call, encode, get, post
from support.gateway import eventually
from support.upstream import answer

LINE = re.compile(r'^([a-zA-Z_:][a-zA-Z0-9_:]*)(\{.*\})? (-?[0-9.e+-]+|NaN|[+-]Inf)$')


def metrics(gateway):
    """{(name with labels): value} of the whole page."""
    page = get(gateway.admin, '/metrics').body.decode()
    values = {}
    for line in page.splitlines():
        if line and not line.startswith('#'):
            match = LINE.match(line)
            assert match, f'no metrics line: {line!r}'
            values[match.group(1) + (match.group(2) or '')] = float(match.group(3))
    return values


class Endpoints(case.Case):
    def test_liveness_is_plain(self):
        _, gateway = self.pair()
        reply = get(gateway.admin, '/livez')
        self.assertEqual((reply.status, reply.body.strip()), (200, b'ok'))

    def test_a_fresh_gateway_is_ready(self):
        _, gateway = self.pair()
        self.assertEqual(get(gateway.admin, '/readyz').status, 200)

    def test_health_has_the_agreed_shape(self):
        _, gateway = self.pair()
        get(gateway.address, '/x')
        health = get(gateway.admin, '/health')
        self.assertTrue(health.field('Content-Type').startswith('application/json'))
        self.assertEqual(health.json['status'], 'ok')
        self.assertIsInstance(health.json['version'], str)
        for name in ('uptime', 'connections', 'in_flight'):
            self.assertIsInstance(health.json[name], (int, float), name)
        up = health.json['upstreams']['up']
        self.assertEqual((up['state'], up['breaker'], up['lastFailure'], up['retryAfter']), ('up', 'closed', None, None))
        self.assertEqual(health.json['sessions'], {})

    def test_an_unused_upstream_is_unknown(self):
        _, gateway = self.pair()
        self.assertEqual(get(gateway.admin, '/health').json['upstreams']['up']['state'], 'unknown')

    def test_the_main_listener_has_health_and_liveness_only(self):
        upstream, gateway = self.pair()
        self.assertEqual(get(gateway.address, '/_countersign/livez').status, 200)
        self.assertEqual(get(gateway.address, '/_countersign/health').json['status'], 'ok')
        self.assertNotIn(b'countersign_requests_total', get(gateway.address, '/metrics').body)
        self.assertEqual([request.target for request in upstream.requests], ['/metrics'])

    def test_the_admin_listener_forwards_nothing(self):
        upstream, gateway = self.pair()
        self.assertEqual(get(gateway.admin, '/x').status, 404)
        self.assertEqual(upstream.requests, [])

    def test_the_admin_listener_refuses_other_hosts_and_sites(self):
        _, gateway = self.pair()
        self.assertIn(call(gateway.admin, 'GET', '/health', host='evil.example').status, (403, 421))
        self.assertEqual(get(gateway.admin, '/health', [('Origin', 'https://evil.example')]).status, 403)
        self.assertEqual(get(gateway.admin, '/health', [('Sec-Fetch-Site', 'cross-site')]).status, 403)

    def test_an_unknown_session_cannot_log_in(self):
        _, gateway = self.pair()
        self.assertEqual(call(gateway.admin, 'POST', '/sessions/none/login').status, 404)

    def test_a_get_cannot_start_a_login(self):
        store = self.shop()
        gateway = self.shop_gateway(store)
        self.assertIn(get(gateway.admin, '/sessions/shop/login').status, (404, 405))
        self.assertEqual(store.counters['login_attempts'], 0)

    def test_the_admin_listener_can_be_a_unix_socket(self):
        upstream = self.upstream()
        gateway = self.gateway(configs.plain(upstream.url).replace('admin: 127.0.0.1:0', 'admin: "unix:$FOLDER/admin"'))
        self.assertEqual(get(gateway.admin, '/livez').status, 200)

    def test_health_answers_while_every_place_is_taken(self):
        _, gateway = self.pair(lambda request, wire: wire.more(), top='limits: {in_flight: 2}')
        for _ in range(2):
            client = self.start(Client(gateway.address))
            client.send(encode('GET', '/x'))
        eventually(lambda: get(gateway.admin, '/health').json['in_flight'] == 2, 3, 'two in flight')
        self.assertEqual(get(gateway.admin, '/livez').status, 200)


class Metrics(case.Case):
    def test_every_line_is_prometheus_text_with_help_and_type(self):
        _, gateway = self.pair()
        get(gateway.address, '/x')
        reply = get(gateway.admin, '/metrics')
        self.assertTrue(reply.field('Content-Type').startswith('text/plain; version=0.0.4'))
        page = reply.body.decode()
        typed = set(re.findall(r'^# TYPE (\S+) (?:counter|gauge|histogram)$', page, re.M))
        helped = set(re.findall(r'^# HELP (\S+) .+$', page, re.M))
        self.assertEqual(typed, helped)
        for name in metrics(gateway):
            family = re.sub(r'_(bucket|sum|count)$', '', name.split('{')[0])
            self.assertTrue(family in typed or name.split('{')[0] in typed, name)

    def test_all_agreed_families_exist(self):
        _, gateway = self.pair()
        page = get(gateway.admin, '/metrics').body.decode()
        for family in (
                'requests_total', 'request_seconds', 'upstream_seconds', 'logins_total', 'session_state', 'session_generation',
                'replays_total', 'breaker_state', 'upstream_failures_total', 'limit_refusals_total', 'wire_refusals_total',
                'connections', 'in_flight', 'parked', 'upstream_in_flight', 'upstream_queued', 'upstream_connections_total',
                'accept_pauses_total', 'config_reloads_total', 'underscore_fields_dropped_total'):
            self.assertIn(f'# TYPE countersign_{family} ', page)

    def test_requests_are_counted_by_route_and_outcome(self):
        _, gateway = self.pair()
        for _ in range(3):
            get(gateway.address, '/x')
        counted = {name: value for name, value in metrics(gateway).items()
                   if name.startswith('countersign_requests_total') and 'outcome="forwarded"' in name}
        self.assertEqual(list(counted.values()), [3.0])
        self.assertIn('route="/**"', next(iter(counted)))

    def test_the_latency_histogram_is_cumulative_and_complete(self):
        _, gateway = self.pair()
        for _ in range(5):
            get(gateway.address, '/x')
        values = metrics(gateway)
        buckets = [value for name, value in values.items()
                   if name.startswith('countersign_request_seconds_bucket') and '/**' in name]
        self.assertEqual(buckets, sorted(buckets))
        self.assertEqual(buckets[-1], 5.0)
        self.assertEqual([value for name, value in values.items()
                          if name.startswith('countersign_request_seconds_count') and '/**' in name], [5.0])

    def test_logins_generations_and_replays_are_counted(self):
        store = self.shop()
        gateway = self.shop_gateway(store)
        post(gateway.address, '/api/User/userInfo', 'echo=1')
        store.expire()
        post(gateway.address, '/api/User/userInfo', 'echo=1')
        values = metrics(gateway)
        logins = {name: value for name, value in values.items() if name.startswith('countersign_logins_total') and value}
        self.assertEqual(sum(logins.values()), 2.0)
        self.assertEqual(sum(value for name, value in values.items() if name.startswith('countersign_replays_total')), 1.0)
        self.assertEqual(values['countersign_session_state{session="shop",state="ready"}'], 1.0)
        self.assertEqual(values['countersign_session_state{session="shop",state="refused"}'], 0.0)
        self.assertGreaterEqual(values['countersign_session_generation{session="shop"}'], 2.0)

    def test_refusals_of_the_wire_and_of_limits_are_counted(self):
        _, gateway = self.pair(route='limits: {body: 10}')
        call(gateway.address, 'POST', '/x', body='x' * 11)
        with Client(gateway.address) as client:
            client.send(b'GET / HTTP/1.1\r\nHost: gw.test\r\nContent-Length: +5\r\n\r\n')
            self.assertEqual(client.read().status, 400)
        get(gateway.address, '/x', [('Under_score', '1')])
        values = metrics(gateway)

        def total(family):
            return sum(value for name, value in values.items() if name.startswith(family))
        self.assertEqual(total('countersign_limit_refusals_total'), 1.0)
        self.assertEqual(total('countersign_wire_refusals_total'), 1.0)
        self.assertEqual(total('countersign_underscore_fields_dropped_total'), 1.0)

    def test_connections_and_exchanges_are_counted_while_they_last(self):
        upstream, gateway = self.pair(lambda request, wire: wire.more())
        client = self.start(Client(gateway.address))
        client.send(encode('GET', '/x'))
        upstream.wait_requests(1)
        values = metrics(gateway)
        self.assertEqual(values['countersign_in_flight'], 1.0)
        self.assertEqual(values['countersign_upstream_in_flight{upstream="up"}'], 1.0)
        self.assertGreaterEqual(values['countersign_connections'], 1.0)
        client.close()
        eventually(lambda: metrics(gateway)['countersign_in_flight'] == 0, 3, 'the end of the exchange')

    def test_a_hostile_path_makes_no_new_series(self):
        _, gateway = self.pair()
        get(gateway.address, '/x')
        before = len(metrics(gateway))
        for number in range(50):
            get(gateway.address, f'/{number}"}}%0a')
        self.assertEqual(len(metrics(gateway)), before)


class AccessLog(case.Case):
    def lines(self, gateway, count):
        eventually(lambda: len(gateway.access.records) >= count, 3, f'{count} access lines')
        return gateway.access.records

    def test_each_exchange_is_one_json_line_with_the_agreed_facts(self):
        _, gateway = self.pair()
        reply = get(gateway.address, '/path?x=1')
        line = self.lines(gateway, 1)[0]
        text = str(line)
        for fact in ('GET', '/path', '200', 'forwarded', reply.field('X-Request-Id'), 'up'):
            self.assertIn(fact, text)
        self.assertTrue({'time', 'method', 'status', 'outcome'} <= set(line), line)

    def test_the_query_and_credentials_of_the_client_are_not_logged(self):
        _, gateway = self.pair()
        get(gateway.address, '/path?password=hunter2', [('Authorization', 'Bearer hunter3'), ('Cookie', 'sid=hunter4')])
        self.lines(gateway, 1)
        self.assertNotIn(b'hunter', gateway.access.text() + gateway.log.text())

    def test_a_hostile_path_cannot_forge_a_line(self):
        _, gateway = self.pair()
        for target in ('/%0a%7b%22status%22:200%7d', '/"}', '/%1b[31m'):
            with Client(gateway.address) as client:
                client.send(encode('GET', target))
                client.read()
        lines = self.lines(gateway, 3)
        self.assertEqual(len(gateway.access.text().splitlines()), len(lines))
        self.assertNotIn(b'\x1b', gateway.access.text())

    def test_refused_requests_are_logged_too(self):
        _, gateway = self.pair()
        with Client(gateway.address) as client:
            client.send(b'BAD\r\n\r\n')
            client.read()
        self.assertIn('400', str(self.lines(gateway, 1)[0]))

    def test_it_can_be_off_or_go_to_a_file(self):
        upstream = self.upstream()
        gateway = self.gateway(configs.plain(upstream.url, top='log: {access: off}'))
        get(gateway.address, '/x')
        self.assertEqual(gateway.stop(), 0)
        self.assertEqual(gateway.access.text(), b'')
        gateway = self.gateway(configs.plain(upstream.url, top='log: {access: "$FOLDER/access.log"}'))
        get(gateway.address, '/filed')
        eventually(lambda: b'/filed' in open(gateway.folder + '/access.log', 'rb').read(), 3, 'the line in the file')

    def test_an_upstream_that_is_down_does_not_flood_the_log(self):
        upstream, gateway = self.pair(lambda request, wire: answer(200))
        upstream.close()
        with Client(gateway.address) as client:
            for _ in range(300):
                client.request('GET', '/x')
        self.assertLess(len(gateway.log.text().splitlines()), 60)


class Asked(case.Case):
    def login(self, gate, *fields):
        return call(gate.admin, 'POST', '/sessions/api/login', fields)

    def test_an_answer_that_nobody_asked_for_is_a_conflict(self):
        server = self.start(bearer.TokenServer())
        gate = self.gateway(bearer.config(server.url), secrets=bearer.SECRETS)
        reply = self.login(gate, ('Countersign-Answer', '1234'))
        self.assert_refused(reply, 409)
        self.assertIn('nothing was asked', reply.json['error']['detail'])
        self.assertEqual(server.attempts, 0)
        self.assertEqual(self.login(gate).status, 202)
        eventually(lambda: server.attempts == 1, 3, 'the login')

    def test_a_session_without_a_login_cannot_log_in(self):
        peer = self.upstream()
        gate = self.gateway(configs.plain(
            peer.url, route='session: api', session='sessions:\n  api: {upstream: up, attach: {header: {X-Till: "7"}}}\n'))
        reply = self.login(gate)
        self.assert_refused(reply, 409)
        self.assertIn('no login', reply.json['error']['detail'])


if __name__ == '__main__':
    case.main()
