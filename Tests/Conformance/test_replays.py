"""A request goes out again only after a refusal, only with a newer credential, and three times at most."""
import threading

from support import bearer, case
from support.client import call, encode, get, post
from support.swarm import swarm
from support.upstream import answer

WIDE = 'wait: {requests: 1024, time: 20s}\nattempts_window: {logins: 20, per: 30s}'


class Generations(case.Case):
    def setUp(self):
        self.server = self.start(bearer.TokenServer())

    def gate(self, session=WIDE, **options):
        gateway = self.gateway(bearer.config(self.server.url, session=session, **options), secrets=bearer.SECRETS)
        self.assertEqual(get(gateway.address, '/first').status, 200)
        return gateway

    def tokens(self, target):
        return [token for called, token in self.server.calls if called == target]

    def test_usually_one_replay_is_enough(self):
        gateway = self.gate()
        self.server.expire()
        reply = post(gateway.address, '/order', 'a=1')
        self.assertEqual((reply.status, reply.outcome, reply.body), (200, 'relogin', b'/order a=1'))
        self.assertEqual(self.tokens('/order'), ['t1', 't2'])
        self.assertIsNone(reply.field('Countersign-Replay'))

    def test_two_generations_that_die_together(self):
        gateway = self.gate()
        self.server.expire()
        self.server.stillborn = 1
        reply = post(gateway.address, '/order', 'a=1')
        self.assertEqual((reply.status, reply.outcome, reply.body), (200, 'relogin', b'/order a=1'))
        self.assertEqual(self.tokens('/order'), ['t1', 't2', 't3'])
        self.assertEqual(self.server.done.count('/order'), 1)
        self.assertEqual(self.server.issued, 3)

    def test_after_three_refusals_the_client_hears_the_last_one(self):
        gateway = self.gate()
        self.server.expire()
        self.server.stillborn = 9
        reply = post(gateway.address, '/order', 'a=1')
        self.assertEqual((reply.status, reply.outcome, reply.json), (401, 'forwarded', {'error': 'expired'}))
        self.assertEqual(reply.field('Countersign-Replay'), 'attempts_spent')
        self.assertEqual(self.tokens('/order'), ['t1', 't2', 't3'])
        # The third credential is kept: it may be the call that is refused, and the next one finds out.
        self.assertEqual(self.server.issued, 3)

    def test_the_attempts_window_ends_it_earlier(self):
        gateway = self.gate('attempts_window: {logins: 2, per: 1h}')
        self.server.expire()
        self.server.stillborn = 1
        reply = get(gateway.address, '/order')
        self.assertEqual((reply.status, reply.field('Countersign-Replay')), (401, 'logins_spent'))
        self.assertEqual(self.tokens('/order'), ['t1', 't2'])

    def test_a_body_that_was_not_kept_ends_it_too(self):
        gateway = self.gate(route='limits: {replay: 1KiB}')
        self.server.expire()
        self.server.stillborn = 1
        reply = post(gateway.address, '/order', 'a=' + 'x' * 100_000)
        self.assertEqual((reply.status, reply.field('Countersign-Replay')), (401, 'body_too_large'))
        self.assertEqual(self.tokens('/order'), ['t1'])

    def expire(self, gateway):
        """The session ends, and no login is under way that would begin a new one: this request has waited for it."""
        self.assertEqual(get(gateway.address, '/alive').status, 200)
        self.server.expire()

    def limit_refusals(self, gateway):
        page = get(gateway.admin, '/metrics').body.decode()
        return int(page.split('countersign_limit_refusals_total{limit="replay"} ')[1].split('\n')[0])

    def test_a_body_above_the_limit_is_counted_and_logged_however_it_is_framed(self):
        gateway = self.gate(route='limits: {replay: 1KiB}')
        for count, body, fields in ((1, b'x' * 1025, ()), (2, b'800\r\n' + b'x' * 2048 + b'\r\n0\r\n\r\n',
                                                          [('Transfer-Encoding', 'chunked')])):
            self.expire(gateway)
            reply = call(gateway.address, 'POST', f'/order/{count}', fields, body)
            self.assertEqual((reply.status, reply.field('Countersign-Replay')), (401, 'body_too_large'))
            self.assertEqual(self.limit_refusals(gateway), count)
            line = gateway.access.wait(lambda line: line.get('path') == f'/order/{count}')
            self.assertEqual((line['not_replayed'], line['replayed']), ('body_too_large', False))

    def test_a_limit_of_0_keeps_no_body(self):
        gateway = self.gate(route='limits: {replay: 0}')
        for target, fields, body in (('/small', (), b'x' * 10), ('/empty', (), b''), ('/none', (), None)):
            self.expire(gateway)
            reply = call(gateway.address, 'POST', target, fields, body)
            self.assertEqual(reply.status, 401 if body else 200, target)
        self.assertEqual(self.limit_refusals(gateway), 1)

    def test_an_answer_that_is_no_expiry_ends_it_at_once(self):
        gateway = self.gate()
        self.server.expire()
        inner = self.server.upstream.handler
        self.server.upstream.handler = lambda request, wire: (
            answer(503, b'busy') if self.server.token_of(request) == 't2' else inner(request, wire))
        reply = post(gateway.address, '/order', 'a=1')
        self.assertEqual((reply.status, reply.body, reply.outcome), (503, b'busy', 'relogin'))
        self.assertEqual(self.server.issued, 2)

    def test_an_order_book_in_flight_when_two_generations_die(self):
        gateway = self.gate(top='limits: {connections: 2048, in_flight: 2048}',
                            upstream='limits: {in_flight: 1024, queued: 1024, queue_time: 20s, idle_connections: 512}')
        count = 300
        gate = threading.Event()
        self.server.gates = {f'/order/{number}': gate for number in range(count)}

        def die():
            self.server.upstream.wait_requests(count + 2, 20)
            self.server.stillborn = 1
            self.server.expire()
            gate.set()

        killer = threading.Thread(target=die)
        killer.start()
        replies = swarm(gateway.address, [encode('POST', f'/order/{number}', (), 'a=1') for number in range(count)])
        killer.join(30)
        self.assertEqual({reply.status for reply in replies}, {200})
        self.assertEqual(sorted(self.server.done), sorted(['/first'] + [f'/order/{number}' for number in range(count)]))
        self.assertEqual(self.server.issued, 3)
        for number in range(count):
            tokens = self.tokens(f'/order/{number}')
            self.assertEqual((len(set(tokens)), tokens), (len(tokens), sorted(tokens)))
            self.assertLessEqual(len(tokens), 3)


if __name__ == '__main__':
    case.main()
