"""Every limit answers with its own status, and the connection that broke it ends."""
import threading
import time

from support import case, configs
from support.client import Client, call, encode, get
from support.gateway import eventually
from support.swarm import swarm
from support.upstream import answer


FORM = ('Content-Type', 'application/x-www-form-urlencoded')


class Bodies(case.Case):
    ATTACH = 'attach: {form: {own: "1"}}'

    def test_a_form_of_too_many_fields_is_413_where_it_is_looked_into(self):
        upstream, gateway = self.pair(route=self.ATTACH, top='limits: {form_fields: 100}')
        at, above = '&'.join(['a=1'] * 100), '&'.join(['a=1'] * 101)
        with Client(gateway.address) as client:
            self.assertEqual(client.request('POST', '/', [FORM], at).status, 200)
            self.assertEqual(upstream.last.body.count(b'a=1'), 100)
            self.assert_refused(client.request('POST', '/', [FORM], above), 413, 'too_large')
        with Client(gateway.address) as client:
            self.assert_refused(client.request('POST', '/', [FORM], '&' * 5000), 413, 'too_large')
        self.assertEqual(len(upstream.requests), 1)
        self.assertIn(b'limit_refusals_total{limit="form_fields"} 2', get(gateway.admin, '/metrics').body)

    def test_a_form_that_only_passes_has_any_number_of_fields(self):
        upstream, gateway = self.pair(top='limits: {form_fields: 100}')
        self.assertEqual(call(gateway.address, 'POST', '/', [FORM], '&'.join(['a=1'] * 500)).status, 200)
        self.assertEqual(upstream.last.body.count(b'a=1'), 500)

    def test_the_usual_limit_is_ten_thousand(self):
        _, gateway = self.pair(route=self.ATTACH)
        self.assertEqual(call(gateway.address, 'POST', '/', [FORM], '&'.join(['a=1'] * 10000)).status, 200)
        self.assertEqual(call(gateway.address, 'POST', '/', [FORM], '&'.join(['a=1'] * 10001)).status, 413)

    def test_a_query_of_too_many_parameters_is_400(self):
        upstream, gateway = self.pair(top='limits: {form_fields: 100}')
        self.assertEqual(get(gateway.address, '/?' + '&'.join(['a=1'] * 100)).status, 200)
        self.assert_refused(get(gateway.address, '/?' + '&'.join(['a=1'] * 101)), 400, 'bad_request')
        self.assertEqual(len(upstream.requests), 1)

    def refuses_more(self, top, route, limit, at, above):
        """Both are (content type, body): the first fits, the second does not and would pass where nothing looks into it."""
        upstream, gateway = self.pair(route=route, top=f'limits: {{{top}}}')
        self.assertEqual(call(gateway.address, 'POST', '/', [('Content-Type', at[0])], at[1]).status, 200)
        reply = call(gateway.address, 'POST', '/', [('Content-Type', above[0])], above[1])
        self.assert_refused(reply, 413, 'too_large')
        self.assertEqual(len(upstream.requests), 1)
        self.assertIn(b'limit_refusals_total{limit="%s"} 1\n' % limit, get(gateway.admin, '/metrics').body)
        upstream, gateway = self.pair(top=f'limits: {{{top}}}')
        self.assertEqual(call(gateway.address, 'POST', '/', [('Content-Type', above[0])], above[1]).status, 200)

    def test_json_of_too_many_values(self):
        kind = 'application/json'
        # The object, its name, its list, and the elements.
        self.refuses_more('body_values: 100', 'attach: {json: {own: "1"}}', b'body_values',
                          (kind, '{"a":[%s]}' % ','.join(['1'] * 97)), (kind, '{"a":[%s]}' % ','.join(['1'] * 98)))

    def test_what_stands_in_a_text_is_no_value(self):
        upstream, gateway = self.pair(route='attach: {json: {own: "1"}}', top='limits: {body_values: 100}')
        text = '{"a":"%s"}' % ('\\\\,\\",[{:' * 500)
        self.assertEqual(call(gateway.address, 'POST', '/', [('Content-Type', 'application/json')], text).status, 200)

    def test_xml_of_too_many_elements(self):
        kind = 'text/xml'
        self.refuses_more('body_values: 100', 'attach: {xml: {own: "1"}}', b'body_values',
                          (kind, '<r>%s</r>' % ('<b c="1"></b>' * 49 + '<d/>')), (kind, '<r>%s</r>' % ('<b c="1"/>' * 50)))

    def test_a_body_of_too_many_parts(self):
        def parts(count):
            part = '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n'
            return 'multipart/form-data; boundary=x', part * count + '--x--\r\n'
        self.refuses_more('form_fields: 100', self.ATTACH, b'form_fields', parts(100), parts(101))

    def test_a_recipe_that_takes_the_body_apart(self):
        recipe = 'signatures:\n  s: {variables: {v: "%s"}, attach: {header: {X-V: "${vars.v}"}}}\nlimits: {body_values: 100}'
        body = '[%s]' % ','.join(['1'] * 200)
        for read, status in (('string(request.json.size())', 413), ('hex.encode(hash.md5(request.body))', 200)):
            upstream, gateway = self.pair(route='sign: s', top=recipe % read)
            # Under whatever name.
            self.assertEqual(call(gateway.address, 'POST', '/', [('Content-Type', 'text/plain')], body).status, status, read)

    def test_an_evaluation_of_too_many_steps(self):
        top = 'signatures:\n  s: {variables: {v: "%s"}, attach: {header: {X-V: "${vars.v}"}}}\nlimits: {steps: 10000}'
        body = '{"a":[%s]}' % ','.join(['1'] * 5000)
        upstream, gateway = self.pair(route='sign: s', top=top % 'hex.encode(hash.md5(json.canonical(request.json)))')
        small = call(gateway.address, 'POST', '/', [('Content-Type', 'application/json')], '{"a":1}')
        self.assertEqual(small.status, 200)
        reply = call(gateway.address, 'POST', '/', [('Content-Type', 'application/json')], body)
        self.assert_refused(reply, 413, 'too_large')
        self.assertIn('limits.steps', reply.json['error']['detail'])
        self.assertIn(b'limit_refusals_total{limit="steps"} 1\n', get(gateway.admin, '/metrics').body)
        self.assertEqual(len(upstream.requests), 1)

    def test_steps_that_no_request_is_the_cause_of(self):
        top = 'signatures:\n  s: {variables: {v: "%s"}, attach: {header: {X-V: "${vars.v}"}}}\nlimits: {steps: 10000}'
        _, gateway = self.pair(route='sign: s', top=top % "string(lists.range(int(now) > 0 ? 60000 : 1).map(i, i + 1).size())")
        self.assert_refused(get(gateway.address, '/'), 500, 'internal')
        self.assertIn(b'limit_refusals_total{limit="steps"} 1\n', get(gateway.admin, '/metrics').body)

    def test_bodies_that_are_held_have_one_cap_together(self):
        upstream, gateway = self.pair(route=self.ATTACH, top='limits: {held: 1MiB}')
        head = [FORM, ('Content-Length', '600000')]
        first = self.start(Client(gateway.address))
        first.send(encode('POST', '/', head) + b'a' * 599999)
        eventually(lambda: b'countersign_held_bytes 599999\n' in get(gateway.admin, '/metrics').body, 5)
        # Announced: refused before a byte of it is taken.
        second = self.start(Client(gateway.address))
        second.send(encode('POST', '/', head))
        self.assert_refused(second.read(), 503, 'overloaded')
        self.assertTrue(second.ends())
        # In chunks: refused when it does not fit.
        third = self.start(Client(gateway.address))
        third.send(encode('POST', '/', [FORM, ('Transfer-Encoding', 'chunked')]) + b'80000\r\n' + b'b' * 0x80000)
        self.assert_refused(third.read(), 503, 'overloaded')
        first.send(b'a')
        self.assertEqual(first.read().status, 200)
        self.assertIn(b'countersign_held_bytes 0\n', get(gateway.admin, '/metrics').body)
        self.assertEqual(call(gateway.address, 'POST', '/', [FORM], 'c' * 600000).status, 200)
        self.assertIn(b'limit_refusals_total{limit="held"} 2', get(gateway.admin, '/metrics').body)
        self.assertEqual(len(upstream.requests), 2)

    def test_memory_of_a_large_body_goes_back(self):
        _, gateway = self.pair(route=self.ATTACH, top='limits: {form_fields: 1000000}')
        get(gateway.address, '/x')
        before = gateway.memory()
        reply = call(gateway.address, 'POST', '/', [FORM], '&'.join(f'{n}=1' for n in range(900000)), timeout=60)
        self.assertEqual(reply.status, 200)
        eventually(lambda: gateway.memory() < before + (8 << 20), 10, 'the memory to go back')


class Sizes(case.Case):
    def limit(self, data, status, top='', route=''):
        upstream, gateway = self.pair(top=top, route=route)
        with Client(gateway.address) as client:
            client.send(data)
            reply = client.read()
            self.assert_refused(reply, status)
            self.assertTrue(client.ends(), 'the connection was left open')
        self.assertEqual(upstream.requests, [])
        return reply

    def test_a_long_request_line_is_414(self):
        self.limit(encode('GET', '/' + 'a' * 9000), 414)

    def test_a_long_head_is_431(self):
        self.limit(encode('GET', '/', [(f'X-{n}', 'v' * 1000) for n in range(40)]), 431)

    def test_too_many_fields_are_431(self):
        self.limit(encode('GET', '/', [(f'X-{n}', '1') for n in range(120)]), 431)

    def test_a_long_field_name_is_431(self):
        self.limit(encode('GET', '/', [('X' * 300, '1')]), 431)

    def test_the_configured_request_line_counts(self):
        self.limit(encode('GET', '/' + 'a' * 600), 414, top='limits: {request_line: 512}')

    def test_a_request_at_the_limits_passes(self):
        upstream, gateway = self.pair()
        target = '/' + 'a' * (8192 - len('GET  HTTP/1.1') - 1 - 2)
        reply = get(gateway.address, target, [(f'X-{n}', 'v' * 200) for n in range(90)])
        self.assertEqual(reply.status, 200)
        self.assertEqual(upstream.last.target, target)

    def test_a_head_beyond_the_limit_is_refused_before_its_end(self):
        _, gateway = self.pair()
        with Client(gateway.address) as client:
            client.send(b'GET / HTTP/1.1\r\nHost: gw.test\r\n' + b'X: ' + b'a' * 40000)
            self.assertEqual(client.read().status, 431)

    def test_a_large_announced_body_is_413_without_100_and_without_an_upstream_request(self):
        upstream, gateway = self.pair(route='limits: {body: 1KiB}')
        with Client(gateway.address) as client:
            client.send(encode('POST', '/', [('Content-Length', '2000'), ('Expect', '100-continue')]))
            status, _, _ = client.head()
            self.assertEqual(status, 413)
        self.assertEqual(upstream.requests, [])

    def test_a_large_body_is_too_large(self):
        upstream, gateway = self.pair(route='limits: {body: 1KiB}')
        reply = call(gateway.address, 'POST', '/', body='x' * 2000)
        self.assert_refused(reply, 413, 'too_large')
        self.assertEqual(reply.json['error']['detail'],
                         "a request body of 2000 bytes is above the route's limit of 1024 bytes")
        self.assertEqual(upstream.requests, [])

    def test_a_chunked_body_beyond_the_limit_is_413(self):
        upstream, gateway = self.pair(route='limits: {body: 1KiB}')
        body = b'400\r\n' + b'x' * 1024 + b'\r\n1\r\nx\r\n0\r\n\r\n'
        reply = call(gateway.address, 'POST', '/', [('Transfer-Encoding', 'chunked')], body)
        self.assert_refused(reply, 413, 'too_large')
        self.assertEqual(reply.json['error']['detail'],
                         "a request body of 1025 bytes or more is above the route's limit of 1024 bytes")
        self.assertIn(b'limit_refusals_total{limit="body"} 1', get(gateway.admin, '/metrics').body)
        self.assertEqual(upstream.requests, [], 'the upstream took a cut body for a whole one')

    def test_a_body_at_the_limit_passes(self):
        upstream, gateway = self.pair(route='limits: {body: 1KiB}')
        self.assertEqual(call(gateway.address, 'POST', '/', body='x' * 1024).status, 200)
        self.assertEqual(len(upstream.last.body), 1024)


class Capacity(case.Case):
    def test_connections_above_the_cap_get_503_and_a_close(self):
        _, gateway = self.pair(top='limits: {connections: 4}')
        kept = [self.start(Client(gateway.address)) for _ in range(4)]
        for client in kept:
            self.assertEqual(client.request('GET', '/').status, 200)
        with Client(gateway.address) as client:
            client.send(encode('GET', '/'))
            self.assertEqual(client.read().status, 503)
            self.assertTrue(client.ends())
        kept[0].close()

        def works():
            with Client(gateway.address) as client:
                return client.request('GET', '/').status == 200
        eventually(works, 3, 'a free place')

    def test_exchanges_above_in_flight_are_overloaded_at_once(self):
        upstream = self.upstream(lambda request, wire: wire.more())
        gateway = self.gateway(configs.plain(upstream.url, top='limits: {in_flight: 3}'))
        held = [self.start(Client(gateway.address)) for _ in range(3)]
        for client in held:
            client.send(encode('GET', '/held'))
        upstream.wait_requests(3)
        start = time.monotonic()
        reply = get(gateway.address, '/more')
        self.assert_refused(reply, 503, 'overloaded')
        self.assertLess(time.monotonic() - start, 0.5)
        self.assertTrue(reply.field('Retry-After'))

    def test_the_upstream_cap_queues_and_serves_all(self):
        most, now = [0], [0]
        lock = threading.Lock()

        def handler(request, wire):
            with lock:
                now[0] += 1
                most[0] = max(most[0], now[0])
            time.sleep(0.02)    # the work of the upstream
            with lock:
                now[0] -= 1
            return answer(200, b'ok')
        _, gateway = self.pair(handler, upstream='limits: {in_flight: 4}')
        replies = swarm(gateway.address, [encode('GET', f'/{n}') for n in range(60)])
        self.assertEqual({reply.status for reply in replies}, {200})
        self.assertLessEqual(most[0], 4)

    def test_a_full_upstream_queue_is_overloaded(self):
        upstream = self.upstream(lambda request, wire: wire.more())
        gateway = self.gateway(configs.plain(upstream.url, upstream='limits: {in_flight: 1, queued: 1, queue_time: 20s}'))
        clients = [self.start(Client(gateway.address)) for _ in range(2)]
        clients[0].send(encode('GET', '/flying'))
        upstream.wait_requests(1)
        clients[1].send(encode('GET', '/queued'))
        queued = b'countersign_upstream_queued{upstream="up"} 1'
        eventually(lambda: queued in get(gateway.admin, '/metrics').body, 3, 'the queued request')
        self.assert_refused(get(gateway.address, '/too-many'), 503, 'overloaded')

    def test_a_request_waits_in_the_queue_no_longer_than_told(self):
        upstream = self.upstream(lambda request, wire: wire.more())
        gateway = self.gateway(configs.plain(upstream.url, upstream='limits: {in_flight: 1, queue_time: 300ms}'))
        client = self.start(Client(gateway.address))
        client.send(encode('GET', '/flying'))
        upstream.wait_requests(1)
        start = time.monotonic()
        self.assert_refused(get(gateway.address, '/waits'), 503, 'overloaded')
        self.assertLess(time.monotonic() - start, 2)


if __name__ == '__main__':
    case.main()
