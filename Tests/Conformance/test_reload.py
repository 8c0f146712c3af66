"""SIGHUP changes the plan without dropping anybody; a bad config changes nothing."""
import threading

from support import case, configs
from support.client import Client, encode, get, post
from support.swarm import steady
from support.upstream import answer, free_port


class Reload(case.Case):
    def setUp(self):
        self.old = self.upstream(lambda request, wire: answer(200, b'old'))
        self.new = self.upstream(lambda request, wire: answer(200, b'new'))
        self.gate = self.gateway(configs.plain(self.old.url))

    def config(self, upstream):
        return configs.plain(upstream.url)

    def test_the_next_request_uses_the_new_plan(self):
        self.gate.reload(self.config(self.new))
        self.assertEqual(get(self.gate.address, '/x').body, b'new')

    def test_a_kept_connection_survives(self):
        with Client(self.gate.address) as client:
            self.assertEqual(client.request('GET', '/x').body, b'old')
            self.gate.reload(self.config(self.new))
            self.assertEqual(client.request('GET', '/x').body, b'new')

    def test_a_request_in_flight_ends_on_its_old_plan(self):
        release = threading.Event()
        self.addCleanup(release.set)
        self.old.handler = lambda request, wire: release.wait(10) and answer(200, b'old')
        with Client(self.gate.address) as client:
            client.send(encode('GET', '/slow'))
            self.old.wait_requests(1)
            self.gate.reload(self.config(self.new))
            self.assertEqual(get(self.gate.address, '/x').body, b'new')
            release.set()
            self.assertEqual(client.read().body, b'old')

    def test_an_added_listener_is_bound_and_a_removed_one_closed(self):
        port = free_port()
        both = self.config(self.new).replace('listen: [127.0.0.1:0]', f'listen: [127.0.0.1:0, 127.0.0.1:{port}]')
        self.gate.reload(both)
        self.assertEqual(get(f'127.0.0.1:{port}', '/x').body, b'new')
        self.assertEqual(get(self.gate.address, '/x').body, b'new')
        self.gate.reload(self.config(self.new))
        with self.assertRaises(OSError):
            get(f'127.0.0.1:{port}', '/x')
        self.assertEqual(get(self.gate.address, '/x').body, b'new')

    def test_a_kept_connection_ends_with_its_removed_listener(self):
        port = free_port()
        both = self.config(self.old).replace('listen: [127.0.0.1:0]', f'listen: [127.0.0.1:0, 127.0.0.1:{port}]')
        self.gate.reload(both)
        release = threading.Event()
        self.addCleanup(release.set)
        idle, busy = (self.start(Client(f'127.0.0.1:{port}')) for _ in range(2))
        host = f'127.0.0.1:{port}'
        self.assertEqual(idle.request('GET', '/x', host=host).status, 200)
        self.old.handler = lambda request, wire: release.wait(10) and answer(200, b'old')
        busy.send(encode('GET', '/slow', host=host))
        self.old.wait(lambda up: any(request.target == '/slow' for request in up.requests))
        self.gate.reload(self.config(self.old))
        self.assertTrue(idle.ends())
        release.set()
        reply = busy.read()
        self.assertEqual((reply.status, reply.closing), (200, True))
        self.assertTrue(busy.ends())

    def test_a_flood_of_issues_is_bounded_and_quick(self):
        text = self.config(self.new) + ''.join(f'k{number}: 1\n' for number in range(20000))
        start = len(self.gate.log.records)
        record = self.gate.reload(text, 'reload failed')
        self.assertEqual(record['issues'], 101)
        last = self.gate.log.wait(lambda record: 'and 19900 more' in record.get('issue', ''), 5, start)
        self.assertEqual(last['message'], 'config issue')

    def test_a_listener_that_cannot_be_bound_fails_the_reload(self):
        port = self.old.port
        taken = self.config(self.new).replace('listen: [127.0.0.1:0]', f'listen: [127.0.0.1:0, 127.0.0.1:{port}]')
        self.gate.reload(taken, 'reload failed')
        self.assertEqual(get(self.gate.address, '/x').body, b'old')

    def test_a_bad_config_is_reported_with_its_issues_and_the_old_plan_stays(self):
        record = self.gate.reload(self.config(self.new).replace('upstream: up', 'upstream: upp'), 'reload failed')
        self.assertIn('upp', str(record))
        self.assertEqual(get(self.gate.address, '/x').body, b'old')
        self.assertIn(b'countersign_config_reloads_total{result="failed"} 1', get(self.gate.admin, '/metrics').body)

    def test_a_file_that_is_no_yaml_is_reported_and_the_old_plan_stays(self):
        self.gate.reload('listen: [', 'reload failed')
        self.assertEqual(get(self.gate.address, '/x').body, b'old')

    def test_a_session_survives_a_reload_that_does_not_concern_it(self):
        store = self.shop()
        gateway = self.shop_gateway(store)
        post(gateway.address, '/api/User/userInfo', 'echo=1')
        gateway.reload(configs.tpshop(store.url, top='limits: {in_flight: 100}'))
        self.assertIs(post(gateway.address, '/api/User/userInfo', 'echo=1').json['success'], True)
        self.assertEqual(store.counters['logins'], 1)

    def test_thirty_reloads_under_load_fail_no_request_and_reset_no_connection(self):
        done = threading.Event()
        counted = [0]

        def reload():
            while not done.is_set() and counted[0] < 30:
                self.gate.reload(self.config(self.new if counted[0] % 2 else self.old))
                counted[0] += 1
        thread = threading.Thread(target=reload)
        thread.start()
        results = steady(self.gate.address, lambda number: encode('GET', f'/{number}'), 4, workers=20)
        done.set()
        thread.join(10)
        self.assertGreater(counted[0], 5)
        self.assertEqual([result.error for _, result in results if result.status != 200], [])


if __name__ == '__main__':
    case.main()
