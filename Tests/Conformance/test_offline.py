"""While the upstream cannot be reached the answer is immediate, clear, and over as soon as the upstream is back."""
import threading
import time

from support import case, configs
from support.client import FORM, Client, call, encode, get, post
from support.gateway import eventually
from support.swarm import steady, swarm
from support.upstream import Hangup, Reset, Upstream, answer, black_hole, free_port, refuse_hello

QUICK = 'timeouts: {connect: 700ms, first_byte: 700ms}\nbreaker: {after: 1000}'


class Kinds(case.Case):
    """Each kind of failure is told apart."""

    def ask(self, url, status, kind, proxy_error, *, upstream=QUICK, within=3.0, method='POST'):
        gateway = self.gateway(configs.plain(url, upstream=upstream))
        start = time.monotonic()
        reply = call(gateway.address, method, '/x', body='x')
        self.assertLess(time.monotonic() - start, within)
        self.assert_refused(reply, status, kind)
        self.assertEqual(reply.field('Proxy-Status').split(';')[1].strip(), f'error={proxy_error}')
        self.assertIn(reply.outcome, ('failed', 'offline'))
        metrics = get(gateway.admin, '/metrics').body.decode()
        self.assertRegex(metrics, r'countersign_upstream_failures_total\{[^}]*kind="%s"[^}]*\} 1' % kind)
        return reply

    def handler(self, handler):
        return self.upstream(handler).url

    def test_a_refused_connection(self):
        self.ask(f'http://127.0.0.1:{free_port()}', 502, 'refused', 'connection_refused')

    def test_an_unknown_name(self):
        self.ask('http://no-such-host.invalid', 502, 'dns', 'dns_error', within=8)

    def test_an_unreachable_network(self):
        # The documentation prefix has no route, so the kernel refuses at once; where a default route takes it, it times out.
        gateway = self.gateway(configs.plain('http://[2001:db8::1]', upstream=QUICK))
        reply = call(gateway.address, 'POST', '/x', body='x')
        self.assertIn((reply.status, reply.kind), ((503, 'offline'), (504, 'timeout')))

    def test_a_black_hole_is_a_timeout_before_the_request_was_sent(self):
        with black_hole() as port:
            reply = self.ask(f'http://127.0.0.1:{port}', 504, 'timeout', 'connection_timeout')
            self.assertIn('connect', reply.json['error']['detail'])

    def test_a_silent_upstream_is_a_timeout_after_the_request_was_sent(self):
        reply = self.ask(self.handler(lambda request, wire: wire.more()), 504, 'timeout', 'http_response_timeout')
        self.assertNotIn('connect', reply.json['error']['detail'])

    def test_a_hangup_before_the_answer(self):
        def handler(request, wire):
            raise Hangup
        self.ask(self.handler(handler), 502, 'connection_lost', 'connection_terminated')

    def test_a_reset_before_the_answer(self):
        def handler(request, wire):
            raise Reset
        self.ask(self.handler(handler), 502, 'connection_lost', 'connection_terminated')

    def test_a_malformed_answer(self):
        self.ask(self.handler(lambda request, wire: b'SSH-2.0-OpenSSH\r\n\r\n'), 502, 'bad_answer', 'http_protocol_error')

    def test_conflicting_lengths(self):
        raw = b'HTTP/1.1 200 X\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nokx'
        self.ask(self.handler(lambda request, wire: raw), 502, 'bad_answer', 'http_protocol_error')

    def test_a_plain_upstream_behind_an_https_url(self):
        upstream = self.upstream(raw=refuse_hello)
        self.ask(f'https://127.0.0.1:{upstream.port}', 502, 'tls', 'tls_protocol_error')

    def test_an_upstreams_own_5xx_passes(self):
        for status in (500, 502, 503):
            _, gateway = self.pair(lambda request, wire, status=status: answer(status, b'theirs', [('Retry-After', '7')]))
            reply = get(gateway.address, '/x')
            self.assertEqual((reply.status, reply.body, reply.outcome), (status, b'theirs', 'forwarded'))
            self.assertEqual(reply.field('Retry-After'), '7')
            self.assertIsNone(reply.field('Proxy-Status'))


class Texts(case.Case):
    def test_every_text_exists_in_both_languages(self):
        gateway = self.gateway(configs.plain(f'http://127.0.0.1:{free_port()}', upstream='breaker: {after: 2, wait: 30s}'))
        seen = set()
        for _ in range(4):
            english = get(gateway.address, '/x')
            chinese = get(gateway.address, '/x', [('Accept-Language', 'zh-CN')])
            seen.add(chinese.kind)
            self.assertRegex(english.json['message'], '^[ -~]+$')
            self.assertRegex(chinese.json['message'], '[一-鿿]')
        self.assertEqual(seen, {'refused', 'offline'})


class Breaker(case.Case):
    def down(self, upstream='breaker: {after: 5, wait: 30s, wait_max: 30s}'):
        return self.gateway(configs.plain(f'http://127.0.0.1:{free_port()}', upstream=upstream))

    def test_it_opens_after_five_failures_and_answers_at_once(self):
        gateway = self.down()
        kinds = [get(gateway.address, '/x').kind for _ in range(8)]
        self.assertEqual(kinds, ['refused'] * 5 + ['offline'] * 3)
        reply = get(gateway.address, '/x')
        self.assert_refused(reply, 503, 'offline')
        self.assertEqual(reply.outcome, 'offline')
        self.assertEqual(reply.field('Proxy-Status').split(';')[1].strip(), 'error=destination_unavailable')

    def test_open_answers_carry_a_retry_hint_and_take_no_time(self):
        gateway = self.down()
        for _ in range(5):
            get(gateway.address, '/x')
        with Client(gateway.address) as client:
            start = time.monotonic()
            for _ in range(200):
                reply = client.request('GET', '/x')
            took = time.monotonic() - start
        self.assertLess(took / 200, 0.005)
        self.assertGreaterEqual(int(reply.field('Retry-After')), 1)
        self.assertGreaterEqual(reply.json['error']['retryAfter'], 1)

    def test_health_readiness_and_metrics_tell_and_liveness_does_not(self):
        gateway = self.down()
        for _ in range(5):
            get(gateway.address, '/x')
        up = get(gateway.admin, '/health').json['upstreams']['up']
        self.assertEqual((up['state'], up['breaker'], up['lastFailure']), ('down', 'open', 'refused'))
        self.assertIn(get(gateway.admin, '/health').json['status'], ('degraded', 'down'))
        self.assertEqual(get(gateway.admin, '/readyz').status, 503)
        self.assertEqual(get(gateway.admin, '/livez').status, 200)
        self.assertIn(b'countersign_breaker_state{upstream="up"} 2', get(gateway.admin, '/metrics').body)

    def test_one_that_is_off_never_opens(self):
        for word in ('off', 'false'):
            gateway = self.down(f'breaker: {word}')
            self.assertEqual({get(gateway.address, '/x').kind for _ in range(12)}, {'refused'})
            up = get(gateway.admin, '/health').json['upstreams']['up']
            self.assertEqual((up['state'], up['breaker'], up['lastFailure']), ('unknown', 'closed', 'refused'))

    def test_switching_it_off_closes_it(self):
        port = free_port()
        text = configs.plain(f'http://127.0.0.1:{port}', upstream='breaker: {after: 1, wait: 30s, wait_max: 30s}')
        gateway = self.gateway(text)
        self.assertEqual([get(gateway.address, '/x').kind for _ in range(2)], ['refused', 'offline'])
        gateway.reload(configs.plain(f'http://127.0.0.1:{port}', upstream='breaker: off'))
        self.assertEqual(get(gateway.address, '/x').kind, 'refused')

    def test_while_open_the_upstream_sees_no_client_request(self):
        upstream = Upstream()
        port = upstream.port
        upstream.close()
        gateway = self.gateway(configs.plain(
            f'http://127.0.0.1:{port}', upstream='breaker: {after: 2, wait: 30s, wait_max: 30s}'))
        for _ in range(3):
            get(gateway.address, '/x')
        upstream = self.start(Upstream(port=port))
        for _ in range(20):
            self.assertEqual(get(gateway.address, '/x').kind, 'offline')
        self.assertEqual([request for request in upstream.requests if request.target == '/x'], [])

    def test_a_5xx_does_not_open_it(self):
        _, gateway = self.pair(lambda request, wire: answer(500, b'x'))
        self.assertEqual({get(gateway.address, '/x').status for _ in range(20)}, {500})

    def test_a_success_between_failures_keeps_it_closed(self):
        bad = [False]

        def handler(request, wire):
            if bad[0]:
                raise Hangup
            return answer()
        _, gateway = self.pair(handler)
        for _ in range(4):
            bad[0] = True
            for _ in range(4):
                self.assertEqual(call(gateway.address, 'POST', '/x', body='1').kind, 'connection_lost')
            bad[0] = False
            self.assertEqual(get(gateway.address, '/x').status, 200)

    def test_one_broken_upstream_does_not_affect_another(self):
        good = self.upstream()
        gateway = self.gateway(configs.LISTEN + f'''upstreams:
  bad: {{url: "http://127.0.0.1:{free_port()}", breaker: {{after: 2, wait: 30s, wait_max: 30s}}}}
  good: {{url: "{good.url}"}}
routes:
  - {{path: /bad/**, upstream: bad}}
  - {{path: /**, upstream: good}}
''')
        for _ in range(4):
            get(gateway.address, '/bad/x')
        self.assertEqual(get(gateway.address, '/x').status, 200)
        self.assertEqual(get(gateway.admin, '/health').json['status'], 'degraded')

    def test_it_closes_by_itself_when_the_upstream_returns(self):
        port = free_port()
        gateway = self.gateway(configs.plain(
            f'http://127.0.0.1:{port}', upstream='breaker: {after: 2, wait: 500ms, wait_max: 1s}'))
        for _ in range(4):
            get(gateway.address, '/x')
        self.start(Upstream(port=port))
        start = time.monotonic()
        eventually(lambda: get(gateway.address, '/x').status == 200, 5, 'recovery')
        self.assertLess(time.monotonic() - start, 2)

    def test_half_open_lets_one_trial_through(self):
        gate = threading.Event()
        self.addCleanup(gate.set)
        down = [True]

        def handler(request, wire):
            if down[0]:
                raise Hangup
            gate.wait(10)
            return answer()
        upstream, gateway = self.pair(handler, upstream='breaker: {after: 2, wait: 300ms, wait_max: 300ms}')
        for _ in range(2):
            call(gateway.address, 'POST', '/x', body='1')
        down[0] = False
        count = len(upstream.requests)
        upstream.wait(lambda up: len(up.requests) > count, 3, 'the trial')
        for _ in range(20):
            self.assertEqual(get(gateway.address, '/x').kind, 'offline')
        self.assertEqual(len(upstream.requests), count + 1)
        gate.set()
        eventually(lambda: get(gateway.address, '/x').status == 200, 3, 'recovery')


class Probe(case.Case):
    def test_an_active_probe_notices_before_any_client_does(self):
        port = free_port()
        gateway = self.gateway(configs.plain(
            f'http://127.0.0.1:{port}', upstream='probe: {path: /ping, every: 200ms, timeout: 200ms}\nbreaker: {after: 2}'))
        eventually(lambda: get(gateway.admin, '/health').json['upstreams']['up']['state'] == 'down', 5, 'down')
        upstream = self.start(Upstream(port=port))
        eventually(lambda: get(gateway.admin, '/health').json['upstreams']['up']['state'] == 'up', 5, 'up')
        self.assertIn('/ping', [request.target for request in upstream.requests])

    def test_any_http_answer_of_a_probe_proves_reachability(self):
        _, gateway = self.pair(lambda request, wire: answer(404), upstream='probe: {path: /ping, every: 100ms}')
        eventually(lambda: get(gateway.admin, '/health').json['upstreams']['up']['state'] == 'up', 3, 'up')


class UnderLoad(case.Case):
    def test_the_shop_goes_away_and_comes_back_under_load(self):
        store = self.shop()
        gateway = self.shop_gateway(
            store, upstream='probe: {path: /ping, every: 500ms, timeout: 500ms}\nbreaker: {after: 5, wait: 500ms, wait_max: 1s}')
        self.assertIs(post(gateway.address, '/api/User/userInfo', 'echo=1').json['success'], True)
        back = []

        def trouble():
            time.sleep(1)    # the plan of the outage
            store.go_away()
            time.sleep(2)
            store.come_back()
            back.append(time.monotonic())
        thread = threading.Thread(target=trouble)
        thread.start()
        results = steady(gateway.address, lambda number: encode(
            'POST', '/api/User/userInfo', [FORM], f'echo={number}'), 6)
        thread.join()
        self.assertEqual([result.error for _, result in results if not result.status], [], 'an answer is missing')
        self.assertLess(max(result.seconds for _, result in results), 3.5, 'a request hung')
        for _, result in results:
            if result.status == 200:
                self.assertIn(b'"success":true', result.body)
            else:
                self.assertIn(result.status, (502, 503, 504))
                self.assertIn(b'"error":{"kind":"', result.body)
                self.assertNotIn(b'"kind":"internal"', result.body)
        after = [start for start, result in results if result.status == 200 and start > back[0]]
        self.assertTrue(after, 'no success after the return')
        self.assertLess(min(after) - back[0], 1.5, 'recovery took more than a probe interval')
        late = [result for start, result in results if start > back[0] + 2]
        self.assertEqual({result.status for result in late}, {200})

    def test_a_black_hole_under_load_answers_everyone(self):
        with black_hole() as port:
            gateway = self.gateway(configs.plain(
                f'http://127.0.0.1:{port}', upstream='timeouts: {connect: 500ms}\nbreaker: {after: 5, wait: 30s, wait_max: 30s}'))
            replies = swarm(gateway.address, [encode('GET', f'/{n}') for n in range(200)], 10)
            self.assertEqual({reply.status for reply in replies} - {503, 504}, set())
            self.assertLess(max(reply.seconds for reply in replies), 4)


if __name__ == '__main__':
    case.main()
