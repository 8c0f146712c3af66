"""What a reviewer broke once from outside: each stays mended."""
import os
import subprocess
import tempfile
import time

from support import bearer, case, configs
from support.client import Client, call, encode, get
from support.gateway import binary, eventually
from support.upstream import answer


class Bodies(case.Case):
    def test_a_chunked_body_above_the_replay_limit_passes_on_a_ready_session(self):
        # It stopped the process: the exchange looked at the connection while the connection gave it the piece.
        server = self.start(bearer.TokenServer())
        gateway = self.gateway(
            bearer.config(server.url, route='limits: {replay: 1KiB}\n'), secrets=bearer.SECRETS)
        self.assertEqual(get(gateway.address, '/warm').status, 200)
        body = b''.join(b'%x\r\n%s\r\n' % (len(part), part) for part in [b'x' * 4096] * 64) + b'0\r\n\r\n'
        with Client(gateway.address) as client:
            client.send(encode('POST', '/big', [('Transfer-Encoding', 'chunked')]))
            client.send(body)
            self.assertEqual(client.read().status, 200)

    def test_a_client_cannot_double_a_json_field_by_another_content_type(self):
        upstream = self.upstream()
        gateway = self.gateway(configs.plain(
            upstream.url, route='session: fixed',
            session='sessions:\n  fixed:\n    upstream: up\n    attach: {json: {token: "real"}}\n'))
        reply = call(gateway.address, 'POST', '/', [('Content-Type', 'text/plain')], '{"token":"evil"}')
        self.assertEqual(reply.status, 400)
        call(gateway.address, 'POST', '/', [], '{"token":"evil","n":10.10}')
        self.assertEqual(upstream.last.body, b'{"n":10.10,"token":"real"}')


class Rewrites(case.Case):
    def rewritten(self, target, rewrite='/index.php?m=Api&c=${request.segments[1]}&a=${request.segments[2]}'):
        upstream, gateway = self.pair(route=f'rewrite: "{rewrite}"')
        reply = get(gateway.address, target)
        return reply, upstream.requests[-1].target if upstream.requests else None

    def test_a_segment_cannot_bring_a_parameter(self):
        _, target = self.rewritten('/api/User/x%26m=Admin')
        self.assertEqual(target, '/index.php?m=Api&c=User&a=x%26m%3DAdmin')

    def test_a_clients_query_cannot_override_what_the_rewrite_sets(self):
        _, target = self.rewritten('/api/User/info?m=Admin&page=2&c=Config')
        self.assertEqual(target, '/index.php?m=Api&c=User&a=info&page=2')

    def test_text_of_any_language_passes(self):
        _, target = self.rewritten('/api/User/%E4%B8%AD%20x')
        self.assertEqual(target, '/index.php?m=Api&c=User&a=%E4%B8%AD%20x')

    def test_a_path_keeps_its_escapes_and_gains_no_query(self):
        _, target = self.rewritten('/a%2Fb/c%20d', '/v1${request.path}')
        self.assertEqual(target, '/v1/a%2Fb/c%20d')
        _, target = self.rewritten('/rw/x%3fa=1', '/v1/${request.segments[1]}')
        self.assertEqual(target, '/v1/x%3Fa=1')

    def test_too_few_segments_are_not_found(self):
        reply, target = self.rewritten('/api/User')
        self.assertEqual((reply.status, target), (404, None))


class Answers(case.Case):
    def test_an_echo_of_the_attached_header_does_not_leave(self):
        upstream = self.upstream(lambda request, wire: answer(200, b'ok', [('X-Tok', request.field('X-Tok'))]))
        gateway = self.gateway(configs.plain(
            upstream.url, route='session: fixed',
            session='sessions:\n  fixed:\n    upstream: up\n    attach: {header: {X-Tok: "token-1"}}\n'))
        reply = get(gateway.address, '/')
        self.assertEqual((upstream.last.field('X-Tok'), reply.field('X-Tok')), ('token-1', None))

    def test_an_upstream_does_not_speak_for_the_gateway(self):
        upstream = self.upstream(lambda request, wire: answer(
            200, b'ok', [('x-request-id', 'theirs'), ('Countersign-Outcome', 'relogin'), ('countersign-replay', 'x')]))
        reply = get(self.gateway(configs.plain(upstream.url)).address, '/')
        names = [name.lower() for name, _ in reply.fields]
        self.assertEqual((names.count('x-request-id'), names.count('countersign-outcome'), names.count('countersign-replay')),
                         (1, 1, 0))
        self.assertEqual((reply.field('Upstream-Request-Id'), reply.outcome), ('theirs', 'forwarded'))

    def test_an_upgrade_is_ignored_and_never_switches_protocols(self):
        for host in ('127.0.0.1', 'up.localhost'):
            upstream = self.upstream(lambda request, wire: (
                b'HTTP/1.1 101 Switching\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'
                if request.target == '/switch' or request.field('Upgrade') else answer(426, b'upgrade')))
            gateway = self.gateway(configs.plain(f'http://{host}:{upstream.port}'))
            asks = [('Connection', 'Upgrade'), ('Upgrade', 'websocket'), ('Sec-WebSocket-Version', '13')]
            reply = get(gateway.address, '/ws', asks)
            self.assertEqual((reply.status, reply.body), (426, b'upgrade'))
            self.assert_refused(get(gateway.address, '/switch', asks), 502, 'bad_answer')

    def test_a_login_without_a_token_is_no_session(self):
        server = self.start(bearer.TokenServer())
        server.login_replies = [b'HTTP/1.1 200 X\r\nContent-Length: 14\r\n\r\n{"token":null}']
        gateway = self.gateway(
            bearer.config(server.url, session='backoff: {min: 10ms, max: 10ms}'), secrets=bearer.SECRETS)
        self.assertEqual(get(gateway.address, '/x').status, 503)
        eventually(lambda: get(gateway.address, '/x').status == 200, 5, 'the next login')

    def test_a_token_that_no_header_can_hold_is_given_up(self):
        server = self.start(bearer.TokenServer())
        server.login_replies = [b'HTTP/1.1 200 X\r\nContent-Length: 16\r\n\r\n{"token":"a\\nb"}']
        gateway = self.gateway(bearer.config(server.url), secrets=bearer.SECRETS)
        self.assertEqual(get(gateway.address, '/x').status, 503)
        eventually(lambda: get(gateway.address, '/x').status == 200, 5, 'the next login')


class Forbidden(case.Case):
    def test_one_forbidden_caller_does_not_take_the_session_from_the_others(self):
        # Every call to /forbidden is refused like an expired session.
        server = self.start(bearer.TokenServer())
        server.forbidden = '/forbidden'
        gateway = self.gateway(bearer.config(
            server.url, session='attempts_window: {logins: 2, per: 30s}'), secrets=bearer.SECRETS)
        for _ in range(5):
            self.assertEqual(get(gateway.address, '/forbidden').status, 401)
            self.assertEqual(get(gateway.address, '/fine').status, 200)
        self.assertLessEqual(server.attempts, 2)
        self.assertEqual(get(gateway.address, '/forbidden').field('Countersign-Replay'), 'logins_spent')


class Processes(case.Case):
    def test_a_log_that_nobody_reads_stops_nothing(self):
        upstream = self.upstream()
        gateway = self.gateway(configs.plain(upstream.url))
        config = open(gateway.config_path, encoding='utf8').read()
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'gateway.yaml')
            socket = os.path.join(folder, 's')
            with open(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600), 'w', encoding='utf8') as file:
                file.write(config.replace('127.0.0.1:0]', f'"unix:{socket}"]'))
            process = subprocess.Popen([binary(), 'run', path], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            try:
                def listens():
                    # The file is there a moment before anybody listens.
                    try:
                        Client(f'unix:{socket}').close()
                    except OSError:
                        return False
                    return True
                eventually(listens, 10, 'the listener')
                with Client(f'unix:{socket}') as client:
                    for number in range(1500):
                        self.assertEqual(client.request('GET', f'/{"x" * 200}{number}').status, 200)
                process.terminate()
                self.assertEqual(process.wait(10), 0)
            finally:
                process.kill()
                process.stdout.close()
                process.stderr.close()

    def test_what_is_cut_at_the_end_of_a_drain_is_logged(self):
        held = self.upstream(lambda request, wire: wire.more())
        gateway = self.gateway(configs.plain(held.url, top='limits: {drain: 200ms}'))
        with Client(gateway.address) as client:
            client.send(encode('GET', '/held'))
            held.wait_requests(1)
            started = time.monotonic()
            self.assertEqual(gateway.stop(), 0)
            self.assertLess(time.monotonic() - started, 5)
        self.assertIn(b'"path":"/held"', gateway.output())


if __name__ == '__main__':
    case.main()
