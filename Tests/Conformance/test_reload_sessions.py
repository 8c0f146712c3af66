"""A reload keeps what its change does not concern: the session, the connections, the breaker."""
import signal
import threading

import test_session_store

from support import bearer, case, configs
from support.client import FORM, Client, encode, get
from support.demo import Demo
from support.gateway import eventually
from support.swarm import steady


class Keeps(case.Case):
    """Counted at the server: logins and connections."""

    def setUp(self):
        self.server = self.start(bearer.TokenServer())
        self.gate = self.gateway(bearer.config(self.server.url), secrets=bearer.SECRETS)
        self.works()

    def works(self, outcome='forwarded'):
        reply = get(self.gate.address, '/x')
        self.assertEqual(reply.status, 200, reply)
        return reply

    def test_small_changes_keep_session_and_connection(self):
        changes = [
            {'upstream': 'timeouts: {connect: 1s, first_byte: 9s, idle: 9s, total: 20s}'},
            {'upstream': 'limits: {in_flight: 3, queued: 4, queue_time: 1s, idle_connections: 5, answer_fields: 99}'},
            {'upstream': 'probe: {path: /ping, every: 1h}'}, {'upstream': 'breaker: {after: 2, wait: 3s}'},
            {'upstream': 'clock: {learn_from: date}'},
            {'session': 'wait: {requests: 3, time: 4s}'}, {'session': 'in_flight: 2'}, {'session': 'refresh_ahead: 1s'},
            {'session': 'backoff: {min: 2s}\nattempts_window: {logins: 2}'}, {'session': 'taken: status == 499'},
            {'session': 'logout: {request: {path: /logout}}'},
            {'attach': 'header: {Authorization: "Bearer ${session.token}", X-Till: "7"}'},
            {'top': 'limits: {in_flight: 99}\ntexts: {en: {offline: Gone.}}'}, {'route': 'login: optional'}, {}]
        for change in changes:
            with self.subTest(**change):
                self.gate.reload(bearer.config(self.server.url, **change))
                self.works()
                self.assertEqual((self.server.attempts, self.server.upstream.connections), (1, 1))
        self.assertEqual(get(self.gate.admin, '/health').json['sessions']['api']['generation'], 1)

    def test_what_a_change_says_counts_for_the_kept_session(self):
        self.gate.reload(bearer.config(self.server.url, attach='header: {Authorization: "Bearer ${session.token}", X-Till: "7"}'))
        self.works()
        self.assertEqual(self.server.upstream.last.field('X-Till'), '7')
        self.gate.reload(bearer.config(self.server.url).replace('expired: status == 401', 'expired: status == 499'))
        self.server.expire()
        self.assertEqual(get(self.gate.address, '/x').status, 401)
        self.assertEqual(self.server.attempts, 1)

    def test_another_secret_or_recipe_logs_in_anew(self):
        self.gate.write('secrets/name', 'till-8')
        self.gate.reload()
        self.works()
        self.assertEqual(self.server.attempts, 2)
        self.gate.reload(bearer.config(self.server.url).replace('path: /login,', 'path: "/login?b",'))
        self.works()
        # Each login takes a connection of its own, and what follows uses it.
        self.assertEqual((self.server.attempts, self.server.upstream.connections), (3, 3))

    def test_a_login_under_way_goes_on_when_upstreams_and_secrets_are_numbered_anew(self):
        self.server.expire()
        self.server.login_gate = threading.Event()
        self.addCleanup(self.server.login_gate.set)
        client = self.start(Client(self.gate.address))
        client.send(encode('GET', '/a'))
        self.server.upstream.wait(lambda up: len([r for r in up.requests if r.target == '/login']) == 2)
        text = bearer.config(self.server.url, session='wait: {requests: 9}').replace(
            'upstreams:\n', 'upstreams:\n  first: {url: "http://127.0.0.1:9"}\n').replace(
            'secrets:\n', 'secrets:\n  first: {file: secrets/first}\n')
        self.gate.write('secrets/first', 'another')
        self.gate.reload(text)
        late = self.start(Client(self.gate.address))
        late.send(encode('GET', '/b'))
        eventually(lambda: get(self.gate.admin, '/health').json['sessions']['api']['waiting'] == 2, 3, 'both waiting')
        self.server.login_gate.set()
        self.assertEqual([client.read().status, late.read().status], [200, 200])
        self.assertEqual(self.server.attempts, 2)
        self.server.expire()
        self.assertEqual(self.works().outcome, 'relogin')
        self.assertEqual(self.server.upstream.last.target, '/x')
        self.assertIn(b'till-7', [r for r in self.server.upstream.requests if r.target == '/login'][-1].body)

    def test_an_answer_that_was_awaited_is_judged_by_the_plan_of_its_request(self):
        hold = self.server.gates['/held'] = threading.Event()
        self.addCleanup(hold.set)
        client = self.start(Client(self.gate.address))
        client.send(encode('GET', '/held'))
        eventually(lambda: self.server.calls[-1][0] == '/held', 3, 'the call')
        self.gate.reload(bearer.config(self.server.url).replace('expired: status == 401', 'expired: status == 499'))
        self.server.expire()
        hold.set()
        self.assertEqual(client.read().outcome, 'relogin')

    def test_an_open_breaker_stays_open_and_closes_by_itself(self):
        port = self.server.upstream.port
        self.server.close()
        text = bearer.config(self.server.url, upstream='breaker: {after: 1, wait: 1s, wait_max: 1s}')
        self.gate.reload(text)
        get(self.gate.address, '/x')
        health = lambda: get(self.gate.admin, '/health').json['upstreams']['up']    # noqa: E731
        self.assertEqual(health()['breaker'], 'open')
        self.gate.reload(text + '    limits: {body: 1MiB}\n')
        self.assertIn(health()['breaker'], ('open', 'half_open'))
        back = self.upstream(port=port)
        eventually(lambda: health()['breaker'] == 'closed', 5, 'the trial')
        self.assertEqual(back.requests[0].target, '/')

    def test_reloads_do_not_put_the_probe_off(self):
        text = bearer.config(self.server.url, upstream='probe: {path: /probe, every: 1s}')
        self.gate.reload(text)

        def probed():
            self.gate.reload(text)
            return sum(request.target == '/probe' for request in self.server.upstream.requests) >= 3
        eventually(probed, 8, 'three probes')


class Load(case.Case):
    def test_reloads_under_load_at_the_demo_cost_no_login_and_no_request(self):
        demo = self.start(Demo())
        plans = [configs.tpshop(demo.url, upstream=upstream, session=session) for upstream in (
            'timeouts: {first_byte: 9s}', 'limits: {in_flight: 2}', 'limits: {in_flight: 40, queued: 99}') for session in (
                'in_flight: 3', 'refresh_ahead: 9s', 'wait: {requests: 99}\nin_flight: 1', 'attempts_window: {logins: 9}')]
        gate = self.gateway(plans[0], secrets=configs.SECRETS)
        done, count = threading.Event(), [0]

        def reload():
            while not done.is_set():
                gate.reload(plans[count[0] % len(plans)])
                count[0] += 1
        thread = threading.Thread(target=reload)
        thread.start()
        results = steady(gate.address, lambda number: encode('POST', '/api/User/userInfo', [FORM], f'n={number}'), 5)
        done.set()
        thread.join(10)
        self.assertGreater(count[0], 10)
        self.assertGreater(len(results), 100)
        self.assertEqual([(result.error, result.body) for _, result in results if result.status != 200], [])
        self.assertTrue(all(b'"success":true' in result.body for _, result in results))
        self.assertEqual(demo.counters()['logins'], 1)


class Stored(test_session_store.Base):
    def test_a_reload_moves_the_file_and_changes_its_key(self):
        gate = self.gate()
        self.works(gate)
        gate.write('secrets/other', test_session_store.KEY[::-1])
        moved = self.file + '.new'
        gate.reload(self.config().replace(f'"{self.file}", key: "${{secret.key}}"', f'"{moved}", key: "${{secret.other}}"')
                    .replace('secrets:\n', 'secrets:\n  other: {file: secrets/other}\n', 1))
        self.assertEqual(self.health(gate)[0], {'state': 'saved', 'problem': None})
        gate.signal(signal.SIGKILL)
        gate.wait_exit()
        self.file = moved
        self.works(self.gate(secrets={**test_session_store.SECRETS, 'secrets/key': test_session_store.KEY[::-1]}))
        self.assertEqual(self.server.logins, 1)


if __name__ == '__main__':
    case.main()
