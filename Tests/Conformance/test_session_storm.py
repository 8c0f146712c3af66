"""A thousand requests meet a dead session: one login, a thousand good answers, nothing done twice."""
import threading
import time

from support import bearer, case, configs
from support.client import FORM, encode, get, post
from support.swarm import swarm


class Storm(case.Case):
    def wide(self, store, **options):
        return self.shop_gateway(store, top=configs.WIDE, upstream=configs.WIDE_UPSTREAM, session=configs.WIDE_SESSION, **options)

    def orders(self, count):
        return [encode('POST', '/api/Cart/cart3', [FORM], f'order_id={number}&echo={number}') for number in range(count)]

    def test_a_thousand_requests_in_flight_when_the_session_dies(self):
        store = self.shop()
        gateway = self.wide(store)
        self.assertIs(post(gateway.address, '/api/User/userInfo', 'echo=1').json['success'], True)
        store.hold(1000, store.expire)
        replies = swarm(gateway.address, self.orders(1000))
        self.assertEqual([reply.error for reply in replies if not reply.status], [])
        self.assertEqual({reply.status for reply in replies}, {200})
        for number, reply in enumerate(replies):
            self.assertIn(b'"success":true', reply.body)
            self.assertIn(b'"order": "%d"' % number, reply.body)
            self.assertEqual(reply.fields.get('countersign-outcome'), 'relogin')
        self.assertEqual(store.counters['logins'], 2)
        self.assertEqual(store.counters['most_logins_in_flight'], 1)
        self.assertEqual(len(store.orders), 1000)
        self.assertEqual(store.duplicates, {})
        self.assertEqual(store.counters['refused_tokens'], 1000)

    def test_a_thousand_requests_before_the_first_login(self):
        store = self.shop()
        gateway = self.wide(store)
        replies = swarm(gateway.address, self.orders(1000))
        self.assertEqual({reply.status for reply in replies}, {200})
        self.assertEqual(store.counters['logins'], 1)
        self.assertEqual(store.duplicates, {})
        self.assertEqual(len(store.orders), 1000)

    def test_a_storm_that_meets_refused_credentials_is_answered_with_one_cause(self):
        store = self.shop()
        gateway = self.wide(store)
        post(gateway.address, '/api/User/userInfo', 'echo=1')
        store.login_answers = [(-2, '密码错误!')]
        store.hold(300, store.expire)
        replies = swarm(gateway.address, self.orders(300))
        self.assertEqual({reply.status for reply in replies}, {401})
        self.assertTrue(all(b'login_refused' in reply.body for reply in replies))
        self.assertEqual(store.counters['login_attempts'], 2)
        self.assertEqual(len(store.orders), 0)

    def test_sessions_that_die_again_and_again_cost_one_login_each(self):
        store = self.shop()
        gateway = self.wide(store, session_extra='attempts_window: {logins: 100, per: 1s}')
        for round_number in range(5):
            post(gateway.address, '/api/User/userInfo', 'echo=1')
            store.hold(100, store.expire)
            replies = swarm(gateway.address, self.orders(100))
            self.assertEqual({reply.status for reply in replies}, {200}, round_number)
        self.assertEqual(store.counters['logins'], 6)

    def shop_gateway(self, shop, *, session='', session_extra='', **options):
        return super().shop_gateway(shop, session=session + '\n' + session_extra, **options)

    def test_memory_comes_back_after_a_storm(self):
        store = self.shop()
        gateway = self.wide(store)
        # How many transfers ran at once sets a high-water mark (some 22 KiB each), which settles in the first storms.
        for _ in range(3):
            swarm(gateway.address, self.orders(1000))
        before = gateway.memory()
        for _ in range(6):
            swarm(gateway.address, self.orders(1000))
        self.assertLess(gateway.memory() - before, 8 << 20, 'more than 1.4 KiB stay for each request')


class Stragglers(case.Case):
    def setUp(self):
        self.server = self.start(bearer.TokenServer())
        self.gate = self.gateway(bearer.config(self.server.url), secrets=bearer.SECRETS)

    def get(self, target):
        return get(self.gate.address, target)

    def test_a_late_failure_of_an_old_token_neither_logs_in_again_nor_destroys_the_new_one(self):
        self.get('/first')
        late = self.server.gates['/late'] = threading.Event()
        replies = []
        thread = threading.Thread(target=lambda: replies.append(self.get('/late')))
        thread.start()
        self.server.upstream.wait(lambda up: ('/late', 't1') in self.server.calls)
        self.server.expire()
        self.assertEqual(self.get('/quick').outcome, 'relogin')
        late.set()
        thread.join(5)
        self.assertEqual((replies[0].status, replies[0].body), (200, b'/late '))
        self.assertEqual(self.server.issued, 2)
        self.assertIn(('/late', 't2'), self.server.calls)
        self.assertEqual(self.get('/after').outcome, 'forwarded')
        self.assertEqual(self.server.issued, 2)

    def test_a_session_that_is_always_refused_costs_three_upstream_requests_a_call_at_most(self):
        self.server.always_expired = True
        replies = [self.get(f'/{number}') for number in range(20)]
        for number in range(20):
            self.assertLessEqual(len([1 for target, _ in self.server.calls if target == f'/{number}']), 3)
        self.assertLessEqual(self.server.attempts, 6)
        self.assertFalse([reply for reply in replies if reply.status == 200])

    def test_a_login_that_returns_the_rejected_token_does_not_loop(self):
        self.server.same_token = 'fixed'
        self.get('/first')
        self.server.always_expired = True
        start = time.monotonic()
        for number in range(10):
            self.assertGreaterEqual(self.get(f'/{number}').status, 400)
        self.assertLess(time.monotonic() - start, 10)
        self.assertLessEqual(self.server.attempts, 6)


if __name__ == '__main__':
    case.main()
