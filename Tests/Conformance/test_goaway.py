"""A GOAWAY of an HTTP/2 upstream: what it did not process goes out again, signed anew; what it may have processed does not."""
import shutil
import tempfile
import threading

from support import case, configs
from support.certificates import Authority
from support.client import call, get
from support.frames import FrameServer


class GoAway(case.Case):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix='countersign-goaway-')
        cls.authority = Authority(cls.folder)
        cls.context = cls.authority.server('frames')

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def serve(self, handler, warm=True):
        self.server = self.start(FrameServer(self.context, handler))
        self.gate = self.gateway(configs.plain(
            f'https://127.0.0.1:{self.server.port}', route='attach: {form: {nonce: "${random.uuid()}"}}',
            upstream='http: 2\ntls: {ca_file: "%s"}\nbreaker: {after: 1000}' % self.authority.file))
        if warm:
            self.assertEqual(self.post().status, 200)

    def post(self, body='a=1'):
        return call(self.gate.address, 'POST', '/x', [('Content-Type', 'application/x-www-form-urlencoded')], body)

    def bodies(self):
        return [(connection, stream, body.split(b'&')[0]) for connection, stream, body in self.server.requests]

    def test_a_request_that_was_not_processed_goes_out_again(self):
        """POST too: the upstream says that it did nothing with it."""
        self.serve(lambda wire, stream: wire.go_away(1) if (wire.number, stream) == (1, 3) else wire.answer(stream))
        reply = self.post('a=2')
        self.assertEqual((reply.status, reply.body), (200, b'ok'), reply)
        self.assertEqual(self.bodies(), [(1, 1, b'a=1'), (1, 3, b'a=2'), (2, 1, b'a=2')])
        nonces = [body for _, _, body in self.server.requests]
        self.assertEqual(len(set(nonces)), 3, 'sent as it was')
        self.assertIn(b'countersign_retries_total{upstream="up"} 1\n', get(self.gate.admin, '/metrics').body)

    def test_the_first_request_of_a_connection(self):
        self.serve(lambda wire, stream: wire.go_away(0) if wire.number == 1 else wire.answer(stream), warm=False)
        self.assertEqual(self.post().status, 200)
        self.assertEqual(self.bodies(), [(1, 1, b'a=1'), (2, 1, b'a=1')])

    def test_many_at_once(self):
        """More than the retry budget would allow: it is for upstreams that fail."""
        count = 12

        def handler(wire, stream):
            if wire.number > 1 or stream == 1:
                wire.answer(stream)
            elif stream == 1 + 2 * count:
                wire.go_away(3)
                wire.answer(3)
        self.serve(handler)
        replies = []
        threads = [threading.Thread(target=lambda: replies.append(self.post('b=1').status)) for _ in range(count)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(replies, [200] * count)
        again = [stream for connection, stream, _ in self.bodies() if connection > 1]
        self.assertEqual(len(again), count - 1)

    def test_what_may_have_been_processed_is_not_sent_again(self):
        def handler(wire, stream):
            if stream == 1:
                return wire.answer(stream)
            wire.go_away(3)
            wire.close()
        self.serve(handler)
        self.assertEqual(self.post('c=1').status, 502)
        self.assertEqual(self.bodies(), [(1, 1, b'a=1'), (1, 3, b'c=1')])

    def test_an_upstream_that_takes_nothing_gets_two_attempts(self):
        self.serve(lambda wire, stream: wire.go_away(0), warm=False)
        reply = self.post()
        self.assertEqual(reply.status, 502)
        self.assertIn('GOAWAY', reply.json['error']['detail'])
        self.assertEqual(len(self.server.requests), 2)


if __name__ == '__main__':
    case.main()
