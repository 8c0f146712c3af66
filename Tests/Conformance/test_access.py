"""Loopback is not trust: other hosts' names and other sites' pages are refused before anything is forwarded."""
from support import case, configs
from support.client import Client, call, encode, get
from support.upstream import answer


class Hosts(case.Case):
    def refused(self, host, statuses=(400, 403, 421)):
        upstream, gateway = self.pair()
        reply = call(gateway.address, 'GET', '/', host=host.replace('PORT', str(gateway.port)))
        self.assertIn(reply.status, statuses)
        self.assertIs(reply.json['success'], False)
        self.assertEqual(upstream.requests, [])

    def test_a_foreign_host_is_misdirected(self):
        self.refused('evil.example', (421,))

    def test_a_foreign_host_with_our_port_is_refused(self):
        self.refused('evil.example:PORT')

    def test_a_suffix_of_localhost_is_refused(self):
        self.refused('localhost.evil.example:PORT')

    def test_a_wildcard_dns_name_of_loopback_is_refused(self):
        self.refused('127.0.0.1.nip.io:PORT')

    def test_the_unspecified_address_is_refused(self):
        self.refused('0.0.0.0:PORT')

    def test_our_own_names_are_served(self):
        _, gateway = self.pair()
        for host in (f'127.0.0.1:{gateway.port}', f'localhost:{gateway.port}', 'gw.test', f'GW.test:{gateway.port}'):
            self.assertEqual(call(gateway.address, 'GET', '/', host=host).status, 200, host)

    def test_a_name_with_a_port_in_the_config_allows_that_port_only(self):
        upstream = self.upstream()
        gateway = self.gateway(configs.plain(upstream.url).replace('[gw.test]', '["gw.test:8080"]'))
        self.assertEqual(call(gateway.address, 'GET', '/', host='gw.test:8080').status, 200)
        self.assertEqual(call(gateway.address, 'GET', '/', host='gw.test:8081').status, 421)

    def test_a_route_matches_on_host(self):
        one, two = self.upstream(), self.upstream()
        gateway = self.gateway(f'''listen: 127.0.0.1:0
hosts: [a.test, b.test]
upstreams: {{one: {{url: "{one.url}"}}, two: {{url: "{two.url}"}}}}
routes:
  - {{path: /**, hosts: [a.test], upstream: one}}
  - {{path: /**, upstream: two}}
''')
        call(gateway.address, 'GET', '/a', host='a.test')
        call(gateway.address, 'GET', '/b', host='b.test')
        self.assertEqual([one.last.target, two.last.target], ['/a', '/b'])

    def test_the_upstream_gets_its_own_host_name(self):
        upstream, gateway = self.pair()
        get(gateway.address, '/')
        self.assertEqual(upstream.last.field('Host'), f'127.0.0.1:{upstream.port}')


class Sites(case.Case):
    def send(self, fields, top='', method='GET'):
        upstream, gateway = self.pair(top=top)
        items = [(name, value.replace('PORT', str(gateway.port))) for name, value in fields]
        reply = call(gateway.address, method, '/', items, host=f'localhost:{gateway.port}')
        return reply, upstream

    def assert_forbidden(self, fields, **options):
        reply, upstream = self.send(fields, **options)
        self.assert_refused(reply, 403, 'forbidden')
        self.assertEqual(upstream.requests, [])
        for name, _ in reply.fields:
            self.assertFalse(name.lower().startswith('access-control-'), name)

    def test_another_origin_is_forbidden(self):
        self.assert_forbidden([('Origin', 'https://evil.example')])

    def test_a_null_origin_is_forbidden(self):
        self.assert_forbidden([('Origin', 'null')])

    def test_another_port_of_localhost_is_another_origin(self):
        self.assert_forbidden([('Origin', 'http://localhost:1')])

    def test_cross_site_fetch_metadata_is_forbidden(self):
        self.assert_forbidden([('Sec-Fetch-Site', 'cross-site'), ('Sec-Fetch-Mode', 'no-cors')])

    def test_same_site_fetch_metadata_is_forbidden(self):
        self.assert_forbidden([('Sec-Fetch-Site', 'same-site')])

    def test_a_preflight_is_forbidden(self):
        self.assert_forbidden(
            [('Origin', 'https://evil.example'), ('Access-Control-Request-Method', 'POST')], method='OPTIONS')

    def test_the_same_origin_is_served(self):
        reply, _ = self.send([('Origin', 'http://localhost:PORT'), ('Sec-Fetch-Site', 'same-origin')])
        self.assertEqual(reply.status, 200)

    def test_a_typed_address_is_served(self):
        reply, _ = self.send([('Sec-Fetch-Site', 'none'), ('Sec-Fetch-Mode', 'navigate')])
        self.assertEqual(reply.status, 200)

    def test_a_configured_origin_is_served(self):
        reply, _ = self.send([('Origin', 'https://app.example'), ('Sec-Fetch-Site', 'cross-site')],
                             top='origins: ["https://app.example"]')
        self.assertEqual(reply.status, 200)

    def test_cors_fields_of_the_upstream_do_not_open_the_gateway(self):
        _, gateway = self.pair(lambda request, wire: answer(200, b'ok', [
            ('Access-Control-Allow-Origin', '*'), ('Strict-Transport-Security', 'max-age=1'), ('X-Kept', '1')]))
        reply = get(gateway.address, '/')
        self.assertIsNone(reply.field('Access-Control-Allow-Origin'))
        self.assertIsNone(reply.field('Strict-Transport-Security'))
        self.assertEqual(reply.field('X-Kept'), '1')


class OtherProtocols(case.Case):
    def test_what_is_not_http_is_refused_and_closed(self):
        upstream, gateway = self.pair()
        for greeting in (b'\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', b'*1\r\n$4\r\nPING\r\n', b'EHLO x\r\n'):
            with Client(gateway.address) as client:
                client.send(greeting)
                self.assertTrue(client.ends(3), greeting)
        self.assertEqual(upstream.requests, [])

    def test_forwarding_fields_of_the_client_are_dropped(self):
        upstream, gateway = self.pair()
        get(gateway.address, '/', [('X-Forwarded-For', '6.6.6.6'), ('X-Forwarded-Host', 'evil'), ('Forwarded', 'for=6'),
                                   ('X-Original-URL', '/admin'), ('X-Rewrite-URL', '/admin'), ('X-Real-IP', '6.6.6.6')])
        self.assertNotIn(b'6.6.6.6', upstream.last.head)
        self.assertNotIn(b'/admin', upstream.last.head)

    def test_connect_and_trace_are_refused(self):
        upstream, gateway = self.pair()
        for method in ('CONNECT', 'TRACE', 'get', 'PROPFIND'):
            with Client(gateway.address) as client:
                client.send(encode(method, '/'))
                self.assertIn(client.read().status, (400, 405, 501), method)
        self.assertEqual(upstream.requests, [])


if __name__ == '__main__':
    case.main()
