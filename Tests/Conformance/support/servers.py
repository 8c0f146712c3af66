"""Stand-ins of servers with a login, strict about what they are sent, and what each profile has to manage against them."""
import json
import urllib.parse

import test_vectors_recipes as recipes
from support import case, configs
from support.client import call
from support.upstream import answer, json_answer


def form(request):
    """The fields of a form body."""
    return dict(urllib.parse.parse_qsl(request.body.decode(), keep_blank_values=True))


def query(request):
    return dict(urllib.parse.parse_qsl(request.target.partition('?')[2], keep_blank_values=True))


def path(request):
    return request.target.partition('?')[0]


def sent(request):
    """The JSON body, or None."""
    return json.loads(request.body) if request.body else None


NOW = 1700000000


class Sessions:
    """What a stand-in has handed out: one token lives at a time."""

    def __init__(self, token='t+/%d'):
        self.token, self.logins, self.refused, self.ended, self.alive, self.faults = token, 0, 0, [], None, []

    def new(self):
        self.logins += 1
        self.alive = self.token % self.logins
        return self.alive

    def refuse(self, reply):
        self.refused += 1
        return reply

    def end(self, token):
        """A logout."""
        self.ended.append(token)
        self.alive = None
        return answer(204)


class Servers(case.Case):
    """Runs a profile against a stand-in: `server(request, sessions)` gives the bytes of an answer."""

    def gate(self, server, sessions, profile, values, secrets, args=()):
        def handle(request, wire):
            try:
                return server(request, sessions)
            except (AssertionError, KeyError, TypeError, ValueError) as fault:
                sessions.faults.append(f'{request.method} {request.target} {request.body!r}: {fault!r}')
                return json_answer({'fault': repr(fault)}, 400)
        upstream = self.upstream(handle)
        gateway = self.gateway(configs.profile(upstream.url, profile, values, secrets), args=args,
                               secrets={'secrets/' + name: text for name, text in secrets.items()})
        return upstream, gateway

    def drive(self, profile, server, values, secrets, *, wrong, target='/x', body=None, fields=(), logout=True, token='t+/%d',
              args=()):
        """Works, comes back from a session that has died, logs out at the end, and takes a wrong `wrong` for what it is."""
        sessions = Sessions(token)
        upstream, gateway = self.gate(server, sessions, profile, values, secrets, args)
        method = 'GET' if body is None else 'POST'
        for number in (1, 2):
            got = call(gateway.address, method, target, fields, body)
            self.assertEqual((got.status, sessions.faults), (200, []), got)
            self.assertEqual(sessions.logins, number)
            dead, sessions.alive = sessions.alive, None
        sessions.alive = dead
        last = upstream.last
        gateway.stop()
        self.assertEqual((sessions.ended, sessions.faults), ([dead] if logout else [], []))
        sessions = Sessions(token)
        upstream, gateway = self.gate(server, sessions, profile, values, {**secrets, wrong[0]: wrong[1]}, args)
        for _ in range(3):
            got = call(gateway.address, method, target, fields, body)
            # In the upstream's own dialect, where a profile knows how it says no.
            self.assertEqual((got.status, got.field('Proxy-Status').startswith('countersign; ')), (401, True), got)
        self.assertEqual((sessions.logins, sessions.refused, sessions.faults), (0, 1, []))
        return last

    def send(self, profile, values, secrets, method, target, body=b'', fields=(), server=None):
        """One request through a profile whose clock is pinned to `NOW`; returns it as it arrived."""
        sessions = Sessions()
        upstream, gateway = self.gate(server or (lambda request, sessions: answer(200, b'{}')), sessions, profile, values,
                                      secrets, ['--pin-now', str(NOW)])
        got = call(gateway.address, method, target, list(fields), body)
        self.assertEqual((got.status, sessions.faults), (200, []), got)
        return upstream.last


class Published(recipes.Recipes):
    """Checks examples that vendors print: `url`, `profile` and `with` beside what a vector file has."""

    def config(self, name, vector, socket):
        return configs.profile(vector['url'], vector['profile'], vector.get('with'), vector['secrets'], f', socket: {socket}')
