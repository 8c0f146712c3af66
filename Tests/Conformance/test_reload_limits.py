"""Limits that a reload raises or lowers, as counted at the peer."""
import threading
import time

from support import bearer, case, configs
from support.client import Client, encode, get
from support.gateway import eventually
from support.swarm import steady
from support.upstream import Upstream, answer


def gauge(gate, line):
    return line.encode() in get(gate.admin, '/metrics').body


class Counter:
    """Counts the requests that are with it at once; each takes so many seconds, or until its gate opens."""

    def __init__(self, seconds=0.0):
        self.seconds = seconds
        self.lock = threading.Lock()
        self.out, self.most, self.seen = 0, 0, []
        self.gates = {}
        self.upstream = Upstream(self._handle)
        self.url = self.upstream.url

    def close(self):
        for gate in self.gates.values():
            gate.set()
        self.upstream.close()

    def hold(self, target):
        return self.gates.setdefault(target, threading.Event())

    def _handle(self, request, wire):
        with self.lock:
            self.out += 1
            self.most = max(self.most, self.out)
            self.seen.append(request.target)
        gate = self.gates.get(request.target)
        if gate:
            gate.wait(10)
        time.sleep(self.seconds)
        with self.lock:
            self.out -= 1
        return answer(200, request.target.encode())

    def wait(self, *targets):
        self.upstream.wait(lambda up: set(targets) <= {request.target for request in up.requests})


def fixed(peer, where, limit, extra):
    limits = f'limits: {{in_flight: {limit}}}\n' if where == 'upstream' else ''
    own = f'in_flight: {limit}' if where == 'session' else ''
    # Fixed fields need no login.
    session = configs.indent(f'upstream: up\nattach: {{header: {{Key: "${{secret.name}}"}}}}\n{own}', 4)
    return configs.plain(peer.url, upstream=limits + extra, route='session: api',
                         session='secrets:\n  name: {file: secrets/name}\nsessions:\n  api:\n' + session)


class Load(case.Case):
    def test_in_flight_is_kept_at_the_peer_across_reloads(self):
        most = {'upstream': 3, 'session': 2}
        for where, limit in most.items():
            with self.subTest(where=where):
                peer = self.start(Counter(seconds=0.01))
                plans = [fixed(peer, where, limit, extra) for extra in ('timeouts: {idle: 9s}', 'timeouts: {idle: 8s}')]
                gate = self.gateway(plans[0], secrets=bearer.SECRETS)
                done = threading.Event()

                def reload(gate=gate, plans=plans, done=done):
                    number = 0
                    while not done.is_set():
                        number += 1
                        gate.reload(plans[number % 2])
                thread = threading.Thread(target=reload)
                thread.start()
                results = steady(gate.address, lambda number: encode('GET', f'/{number}'), 2)
                done.set()
                thread.join(10)
                self.assertEqual([result for _, result in results if result.status != 200], [])
                self.assertEqual(peer.most, limit)


class Places(case.Case):
    def setUp(self):
        self.peer = self.start(Counter())

    def clients(self, gate, *targets):
        clients = []
        for target in targets:
            client = self.start(Client(gate.address))
            client.send(encode('GET', target))
            clients.append(client)
        return clients

    def plan(self, limits):
        return configs.plain(self.peer.url, upstream='limits: {%s}' % limits)

    def test_those_who_wait_profit_from_a_raised_limit(self):
        gate = self.gateway(self.plan('in_flight: 1'))
        first = self.peer.hold('/first')
        clients = self.clients(gate, '/first')
        self.peer.wait('/first')
        clients += self.clients(gate, '/a', '/b', '/c')
        eventually(lambda: gauge(gate, 'countersign_upstream_queued{upstream="up"} 3'), 3, 'the queue')
        gate.reload(self.plan('in_flight: 3'))
        self.assertEqual([client.read().status for client in clients[1:]], [200] * 3)
        first.set()
        self.assertEqual(clients[0].read().status, 200)
        self.assertLessEqual(self.peer.most, 3)

    def test_a_lowered_limit_holds_while_older_requests_are_still_out(self):
        gate = self.gateway(self.plan('in_flight: 3'))
        gates = [self.peer.hold(target) for target in ('/a', '/b', '/c')]
        old = self.clients(gate, '/a', '/b', '/c')
        self.peer.wait('/a', '/b', '/c')
        gate.reload(self.plan('in_flight: 1'))
        new = self.clients(gate, '/d')
        for number in range(2):
            gates[number].set()
            self.assertEqual(old[number].read().status, 200)
            self.assertNotIn('/d', self.peer.seen)
            self.assertTrue(gauge(gate, 'countersign_upstream_queued{upstream="up"} 1'))
        gates[2].set()
        self.assertEqual([old[2].read().status, new[0].read().status], [200, 200])

    def test_a_wait_says_how_long_it_would_be(self):
        gate = self.gateway(self.plan('in_flight: 1, queued: 2, queue_time: 60s'))
        first = self.peer.hold('/first')
        clients = self.clients(gate, '/first')
        self.peer.wait('/first')
        clients += self.clients(gate, '/a', '/b')
        eventually(lambda: gauge(gate, 'countersign_upstream_queued{upstream="up"} 2'), 3, 'the queue')
        told = []

        def refused():
            reply = get(gate.address, '/no')
            self.assert_refused(reply, 503, 'overloaded')
            told.append(int(reply.field('Retry-After')))
            return told[-1] >= 4
        eventually(refused, 10, 'a longer wait')
        self.assertEqual(told, sorted(told))
        first.set()
        self.assertEqual({client.read().status for client in clients}, {200})


class Turns(case.Case):
    def setUp(self):
        self.peer = self.start(Counter())

    def plan(self, limit):
        return fixed(self.peer, 'session', limit, '')

    def waiting(self, gate, count):
        return lambda: get(gate.admin, '/health').json['sessions']['api']['waiting'] == count

    def test_a_limit_that_is_new_counts_those_who_are_out(self):
        gate = self.gateway(self.plan(0), secrets=bearer.SECRETS)
        first = self.peer.hold('/first')
        clients = Places.clients(self, gate, '/first')
        self.peer.wait('/first')
        gate.reload(self.plan(1))
        clients += Places.clients(self, gate, '/a', '/b')
        eventually(self.waiting(gate, 2), 3, 'the turn')
        self.assertEqual(self.peer.seen, ['/first'])
        first.set()
        self.assertEqual({client.read().status for client in clients}, {200})
        self.assertEqual(self.peer.most, 1)

    def test_a_limit_that_goes_lets_those_who_wait_go(self):
        gate = self.gateway(self.plan(1), secrets=bearer.SECRETS)
        first = self.peer.hold('/first')
        clients = Places.clients(self, gate, '/first')
        self.peer.wait('/first')
        clients += Places.clients(self, gate, '/a', '/b')
        eventually(self.waiting(gate, 2), 3, 'the turn')
        gate.reload(self.plan(0))
        self.assertEqual([client.read().status for client in clients[1:]], [200, 200])
        gate.reload(self.plan(1))
        late = Places.clients(self, gate, '/late')[0]
        eventually(self.waiting(gate, 1), 3, 'the turn')
        first.set()
        self.assertEqual([clients[0].read().status, late.read().status], [200, 200])


if __name__ == '__main__':
    case.main()
