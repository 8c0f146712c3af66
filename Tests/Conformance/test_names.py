"""Name servers that fail, fall silent or tell of a move. Needs the right to a network namespace; skipped without."""
import signal
import sys
import threading
import time
import unittest

from support import case, configs
from support.client import Client, encode, get, post
from support.gateway import eventually
from support.namespace import NameServer, enter
from support.upstream import Upstream, answer


NAMES = None


def setUpModule():
    global NAMES
    try:
        enter()
        NAMES = NameServer()
    except OSError as error:
        print(f'test_names: SKIPPED, no namespace here ({error})', file=sys.stderr)
        raise unittest.SkipTest(str(error)) from None


# Where libcurl waits for its resolver, everything stands still for 9 s and more: the bounds leave room for a busy machine.
TWO = configs.LISTEN + """upstreams:
  far: {url: "http://far.example.test", timeouts: {connect: 1s}, breaker: {after: 1000}}
  near: {url: "%s"}
routes:
  - {path: /far, upstream: far}
  - {path: /**, upstream: near}
"""


class Names(case.Case):
    def setUp(self):
        self.names = NAMES
        NAMES.reset()

    def asked(self, count=1):
        eventually(lambda: self.names.questions >= count, what='the question to the name server')

    def test_a_silent_name_server_holds_up_nobody_else(self):
        for mode in ('silent', 'half'):
            self.names.mode, self.names.questions = mode, 0
            gateway = self.gateway(TWO % self.upstream().url)
            replies = []
            far = threading.Thread(target=lambda: replies.append(get(gateway.address, '/far', timeout=30)))
            start = time.monotonic()
            far.start()
            self.asked()
            while far.is_alive():
                before = time.monotonic()
                self.assertEqual(get(gateway.address, '/near').status, 200)
                self.assertEqual(get(gateway.admin, '/livez').status, 200)
                self.assertLess(time.monotonic() - before, 3)
            self.assertLess(time.monotonic() - start, 5)
            self.assert_refused(replies[0], 504, 'timeout')

    def test_a_client_that_leaves_and_a_stop_do_not_wait_for_it(self):
        self.names.mode = 'silent'
        gateway = self.gateway(TWO % self.upstream().url)
        for count in (1, 2):
            client = Client(gateway.address)
            client.send(encode('GET', '/far'))
            self.asked(count)
            client.close()
            start = time.monotonic()
            self.assertEqual(get(gateway.address, '/near').status, 200)
            self.assertLess(time.monotonic() - start, 3)
        client = Client(gateway.address)
        client.send(encode('GET', '/far'))
        self.asked(3)
        start = time.monotonic()
        gateway.signal(signal.SIGTERM)
        self.assert_refused(client.read(), 504, 'timeout')
        client.close()
        self.assertEqual(gateway.wait_exit(), 0)
        self.assertLess(time.monotonic() - start, 5)

    def test_the_last_good_address_serves_while_the_name_service_fails(self):
        for mode in ('servfail', 'nxdomain', 'silent', 'half'):
            self.names.mode, self.names.questions = 'ok', 0
            upstream = self.upstream()
            gateway = self.gateway(configs.plain(
                f'http://far.example.test:{upstream.port}',
                upstream='limits: {idle_age: 1s}\ntimeouts: {connect: 1s}\nbreaker: {after: 1000}'))
            self.assertEqual(get(gateway.address, '/warm').status, 200)
            # With its last connection libcurl forgets the name too.
            eventually(lambda: not upstream.open, what='the end of the idle connection')
            self.names.mode, asked = mode, self.names.questions
            self.assertEqual(post(gateway.address, '/x', b'a=1').status, 200, mode)
            self.assertGreater(self.names.questions, asked)
            self.assertEqual(get(gateway.address, '/y').status, 200, mode)

    def test_a_name_that_moved_is_noticed_by_the_first_request(self):
        old = self.upstream(lambda request, wire: answer(200, b'old', [('Connection', 'close')]))
        new = self.start(Upstream(lambda request, wire: answer(200, b'new'), host='127.0.0.2', port=old.port))
        gateway = self.gateway(configs.plain(f'http://moving.example.test:{old.port}'))
        self.assertEqual(get(gateway.address, '/1').body, b'old')
        self.names.address = '127.0.0.2'
        old.close()
        # Nobody listens there any more, so that nothing was sent: even a POST may go where the name leads now.
        self.assertEqual(post(gateway.address, '/2', b'a=1').body, b'new')
        self.assertEqual([request.target for request in new.requests], ['/2'])

    def test_an_upstream_that_is_down_costs_one_question_a_second(self):
        upstream = self.upstream()
        upstream.close()
        gateway = self.gateway(configs.plain(
            f'http://down.example.test:{upstream.port}', upstream='breaker: {after: 100000}'))
        get(gateway.address, '/x')
        self.names.questions = 0
        start = time.monotonic()
        for _ in range(100):
            self.assertEqual(get(gateway.address, '/x').kind, 'refused')
        # A question for each family.
        self.assertLessEqual(self.names.questions, 2 * (time.monotonic() - start + 1))


if __name__ == '__main__':
    case.main()
