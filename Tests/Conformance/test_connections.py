"""One connection carries many requests, each of them whole and in order."""
import os
import stat

from support import case, configs
from support.client import Client, call, encode, get
from support.upstream import answer


class KeepAlive(case.Case):
    def test_a_connection_serves_many_requests(self):
        upstream, gateway = self.pair(lambda request, wire: answer(200, request.target))
        with Client(gateway.address) as client:
            for number in range(200):
                self.assertEqual(client.request('GET', f'/{number}').body, b'/%d' % number)
        self.assertEqual(len(upstream.requests), 200)

    def test_upstream_connections_are_kept_and_reused(self):
        upstream, gateway = self.pair()
        with Client(gateway.address) as client:
            for number in range(50):
                client.request('GET', f'/{number}')
        self.assertLessEqual(upstream.connections, 2)

    def test_connection_close_of_the_client_is_honoured(self):
        _, gateway = self.pair()
        with Client(gateway.address) as client:
            reply = client.request('GET', '/', [('Connection', 'close')])
            self.assertEqual(reply.status, 200)
            self.assertTrue(reply.closing)
            self.assertTrue(client.ends())

    def test_connection_close_of_the_upstream_does_not_reach_the_client(self):
        _, gateway = self.pair(lambda request, wire: answer(200, b'ok', [('Connection', 'close')]))
        with Client(gateway.address) as client:
            self.assertFalse(client.request('GET', '/').closing)
            self.assertEqual(client.request('GET', '/').status, 200)

    def test_requests_per_connection_are_limited_by_an_announced_close(self):
        _, gateway = self.pair(top='limits: {requests_per_connection: 3}')
        with Client(gateway.address) as client:
            for _ in range(2):
                self.assertIsNone(client.request('GET', '/').field('Connection'))
            self.assertTrue(client.request('GET', '/').closing)
            self.assertTrue(client.ends())

    def test_a_client_that_leaves_early_cancels_its_upstream_exchange(self):
        gone = []

        def handler(request, wire):
            try:
                wire.more()
            except (EOFError, OSError):
                gone.append(request.target)
            raise EOFError
        upstream, gateway = self.pair(handler)
        with Client(gateway.address) as client:
            client.send(encode('GET', '/left'))
            upstream.wait_requests(1)
        upstream.wait(lambda up: gone or not up.open, 5, 'the end of the upstream exchange')
        self.assertEqual(gone, ['/left'])


class Pipelining(case.Case):
    def test_a_hundred_pipelined_requests_are_answered_in_order(self):
        upstream, gateway = self.pair(lambda request, wire: answer(200, request.target))
        with Client(gateway.address) as client:
            client.send(b''.join(encode('GET', f'/{number}') for number in range(100)))
            for number in range(100):
                self.assertEqual(client.read().body, b'/%d' % number)
        self.assertEqual([request.target for request in upstream.requests], [f'/{n}' for n in range(100)])

    def test_pipelined_posts_keep_their_own_bodies(self):
        upstream, gateway = self.pair(lambda request, wire: answer(200, request.body))
        with Client(gateway.address) as client:
            client.send(b''.join(encode('POST', '/', body=f'body {number}') for number in range(30)))
            for number in range(30):
                self.assertEqual(client.read().body, b'body %d' % number)

    def test_any_split_of_the_bytes_gives_the_same_answers(self):
        _, gateway = self.pair(lambda request, wire: answer(200, request.target.encode() + b' ' + request.body))
        data = encode('POST', '/a', body='one') + encode(
            'POST', '/b', [('Transfer-Encoding', 'chunked')], b'3\r\ntwo\r\n0\r\n\r\n') + encode('GET', '/c')
        for cut in range(1, len(data)):
            with Client(gateway.address) as client:
                client.send(data[:cut])
                client.send(data[cut:])
                bodies = [client.read().body for _ in range(3)]
            self.assertEqual(bodies, [b'/a one', b'/b two', b'/c '], f'cut at {cut}')

    def test_single_bytes_give_the_same_answer(self):
        _, gateway = self.pair(lambda request, wire: answer(200, request.body))
        with Client(gateway.address) as client:
            for byte in encode('POST', '/', [('Transfer-Encoding', 'chunked')], b'2\r\nab\r\n0\r\nX: y\r\n\r\n'):
                client.send(bytes([byte]))
            self.assertEqual(client.read().body, b'ab')


class Messages(case.Case):
    def test_head_gets_the_fields_and_no_body(self):
        _, gateway = self.pair(lambda request, wire: answer(200, b'12345'))
        with Client(gateway.address) as client:
            self.assertEqual(client.request('HEAD', '/').field('Content-Length'), '5')
            self.assertEqual(client.request('GET', '/').body, b'12345')

    def test_204_and_304_have_no_body(self):
        for status in (204, 304):
            _, gateway = self.pair(lambda request, wire, status=status: b'HTTP/1.1 %d X\r\n\r\n' % status)
            with Client(gateway.address) as client:
                self.assertEqual(client.request('GET', '/').status, status)
                self.assertEqual(client.request('GET', '/').status, status)

    def test_expect_continue_is_answered_before_the_body_comes(self):
        upstream, gateway = self.pair(lambda request, wire: answer(200, request.body))
        with Client(gateway.address, 3) as client:
            client.send(encode('POST', '/', [('Expect', '100-continue'), ('Content-Length', '5')]))
            status, _, _ = client.head()
            self.assertEqual(status, 100)
            client.send(b'hello')
            self.assertEqual(client.read().body, b'hello')
        self.assertIsNone(upstream.last.field('Expect'))

    def test_expect_continue_is_refused_without_100_when_the_host_is_not_ours(self):
        _, gateway = self.pair()
        with Client(gateway.address) as client:
            client.send(encode('POST', '/', [('Expect', '100-continue'), ('Content-Length', '5')], host='evil.example'))
            status, _, _ = client.head()
            self.assertGreaterEqual(status, 400)

    def test_http_1_0_closes_by_default_and_gets_no_chunks(self):
        def handler(request, wire):
            wire.send(b'HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n')
        _, gateway = self.pair(handler)
        with Client(gateway.address) as client:
            reply = client.request('GET', '/', version='1.0')
            self.assertIsNone(reply.field('Transfer-Encoding'))
            self.assertEqual(reply.body, b'ok')

    def test_a_chunked_request_reaches_the_upstream_whole(self):
        upstream, gateway = self.pair()
        body = b'5;ext=1\r\nhello\r\n6\r\n world\r\n0\r\nX-Trailer: gone\r\n\r\n'
        call(gateway.address, 'POST', '/', [('Transfer-Encoding', 'chunked')], body)
        self.assertEqual(upstream.last.body, b'hello world')
        self.assertIsNone(upstream.last.field('X-Trailer'))

    def test_a_chunked_answer_reaches_the_client_whole_and_its_trailers_do_no_harm(self):
        def handler(request, wire):
            wire.send(b'HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n'
                      b'0\r\nSet-Cookie: late=1\r\n\r\n')
        _, gateway = self.pair(handler)
        with Client(gateway.address) as client:
            reply = client.request('GET', '/')
            self.assertEqual(reply.body, b'hello')
            self.assertNotIn(b'late', reply.head)
            self.assertEqual(client.request('GET', '/').body, b'hello')

    def test_an_answer_that_ends_by_close_reaches_the_client_whole(self):
        def handler(request, wire):
            wire.send(b'HTTP/1.1 200 X\r\n\r\nuntil the end')
            raise EOFError
        _, gateway = self.pair(handler)
        self.assertEqual(get(gateway.address, '/').body, b'until the end')

    def test_an_answer_streams_before_it_is_complete(self):
        def handler(request, wire):
            wire.send(b'HTTP/1.1 200 X\r\nContent-Length: 10\r\n\r\nfirst')
            wire.more()
        upstream, gateway = self.pair(handler)
        with Client(gateway.address, 3) as client:
            client.send(encode('GET', '/'))
            client.head()
            self.assertEqual(client.exactly(5), b'first')

    def test_path_and_query_pass_byte_for_byte(self):
        upstream, gateway = self.pair()
        for target in ('/a//b', '/%2F%2f/x', '/?', '/?a=1&&b=%20+&a=2', '/x;y=1/z', '/%E4%B8%AD?q=%e4', "/~!$&'()*,:@"):
            get(gateway.address, target)
            self.assertEqual(upstream.last.target, target)

    def test_fields_of_the_client_pass_and_connection_fields_do_not(self):
        upstream, gateway = self.pair()
        get(gateway.address, '/', [
            ('X-One', 'a  b'), ('Accept-Encoding', 'br'), ('User-Agent', 'till/1'), ('Connection', 'X-Hop'), ('X-Hop', '1'),
            ('Keep-Alive', '5'), ('TE', 'trailers'), ('Proxy-Authorization', 'Basic x'), ('Under_Score', '1')])
        seen = upstream.last
        self.assertEqual(seen.field('X-One'), 'a  b')
        self.assertEqual(seen.field('User-Agent'), 'till/1')
        for name in ('X-Hop', 'Keep-Alive', 'TE', 'Proxy-Authorization', 'Under_Score', 'Expect'):
            self.assertIsNone(seen.field(name), name)

    def test_underscores_pass_where_the_route_says_so(self):
        upstream, gateway = self.pair(route='underscores: true')
        get(gateway.address, '/', [('Under_Score', '1')])
        self.assertEqual(upstream.last.field('Under_Score'), '1')

    def test_nothing_is_added_that_the_client_did_not_send(self):
        upstream, gateway = self.pair()
        get(gateway.address, '/')
        names = {name.lower() for name, _ in upstream.last.fields}
        self.assertFalse(names & {'accept', 'content-type', 'expect', 'cookie', 'authorization', 'transfer-encoding'}, names)

    def test_every_answer_carries_an_id_and_an_outcome(self):
        _, gateway = self.pair()
        one, two = get(gateway.address, '/'), get(gateway.address, '/')
        self.assertEqual(one.outcome, 'forwarded')
        self.assertNotEqual(one.field('X-Request-Id'), two.field('X-Request-Id'))

    def test_an_unknown_path_is_not_found(self):
        upstream = self.upstream()
        gateway = self.gateway(configs.plain(upstream.url).replace('path: /**', 'path: /only/**'))
        self.assert_refused(get(gateway.address, '/other'), 404, 'not_found')
        self.assertEqual(get(gateway.address, '/only/this').status, 200)

    def test_a_method_that_the_route_does_not_list_is_refused(self):
        upstream, gateway = self.pair(route='methods: [GET]')
        self.assertIn(call(gateway.address, 'POST', '/', body='x').status, (404, 405))
        self.assertEqual(upstream.requests, [])


class Listeners(case.Case):
    def test_ipv6_and_unix_sockets_serve_like_ipv4(self):
        upstream = self.upstream()
        gateway = self.gateway(configs.plain(upstream.url).replace(
            'listen: [127.0.0.1:0]', 'listen: [127.0.0.1:0, "[::1]:0", "unix:$FOLDER/http.sock"]'))
        self.assertEqual(len(gateway.listeners), 3)
        for address in gateway.listeners:
            self.assertEqual(get(address, '/').status, 200, address)

    def test_localhost_is_both_loopback_addresses_on_one_port(self):
        upstream = self.upstream()
        gateway = self.gateway(configs.plain(upstream.url).replace('[127.0.0.1:0]', '[localhost:0]').replace(
            'admin: 127.0.0.1:0', 'admin: localhost:0'))
        self.assertEqual(gateway.listeners, [f'127.0.0.1:{gateway.port}', f'[::1]:{gateway.port}'])
        for address in gateway.listeners:
            for host in ('localhost', '127.0.0.1', '[::1]'):
                self.assertEqual(call(address, 'GET', '/', host=f'{host}:{gateway.port}').status, 200, address)
        gateway.reload()
        self.assertEqual(get(gateway.listeners[1], '/').status, 200)
        text = configs.plain(upstream.url).replace('[127.0.0.1:0]', '["[::1]:65001", "localhost:65001"]')
        self.assertIn('the same address twice', gateway.reload(text, 'reload failed')['issue'])

    def test_a_unix_socket_is_private_and_removed_at_the_end(self):
        upstream = self.upstream()
        gateway = self.gateway(configs.plain(upstream.url).replace('127.0.0.1:0]', '127.0.0.1:0, "unix:$FOLDER/s"]', 1))
        path = os.path.join(gateway.folder, 's')
        self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), 0o600)
        self.assertEqual(gateway.stop(), 0)
        self.assertFalse(os.path.exists(path))

    def test_a_second_instance_on_the_same_port_says_who_cannot_start(self):
        upstream, gateway = self.pair()
        second = self.gateway(
            configs.plain(upstream.url).replace('127.0.0.1:0]', f'127.0.0.1:{gateway.port}]'), wait=False)
        self.assertNotEqual(second.wait_exit(), 0)
        self.assertIn(str(gateway.port).encode(), second.output())

    def test_nothing_listens_beyond_loopback(self):
        upstream, gateway = self.pair()
        with open('/proc/net/tcp') as table:
            bound = [line.split()[1] for line in table if line.split()[3] == '0A']
        self.assertIn('0100007F:%04X' % gateway.port, bound)
        self.assertNotIn('00000000:%04X' % gateway.port, bound)


if __name__ == '__main__':
    case.main()
