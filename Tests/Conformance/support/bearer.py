"""A small API with bearer tokens, for the session rules that want more control than the shop gives."""
import json
import threading

from support import configs
from support.upstream import Upstream, answer, json_answer

SESSION = """secrets:
  name: {file: secrets/name}
sessions:
  api:
    upstream: up
    login:
      - request: {method: POST, path: /login, json: {name: "${secret.name}"}}
        success: status == 200
        refused: status == 403
        capture: {%s}
    expired: status == 401
    attach: {%s}
%s"""
HEADER = 'header: {Authorization: "Bearer ${session.token}"}'


def config(url, *, attach=HEADER, session='', route='', capture='token: json.token', top='', upstream=''):
    """A bearer session on one route for everything."""
    text = configs.plain(url, top=top, upstream=upstream, route='session: api\n' + route,
                         session=SESSION % (capture, attach, configs.indent(session, 4)))
    return text


SECRETS = {'secrets/name': 'till-7'}


class TokenServer:
    """Issues t1, t2, ... at /login and asks for the newest one everywhere else."""

    def __init__(self):
        self.issued = 0
        self.valid = set()
        self.attempts = 0
        self.lock = threading.Lock()
        self.login_replies = []          # bytes of the next login answers
        self.login_gate = None           # an Event that logins wait for
        self.gates = {}                  # target -> Event that the first call to it waits for
        self.extra = {}                  # further members of the login answer
        self.always_expired = False
        self.forbidden = None            # a target that is always answered like an expired session
        self.same_token = None
        self.stillborn = 0               # so many of the next logins bring a token that is dead already
        self.calls = []                  # (target, token) of every call that was not a login
        self.done = []                   # targets of those that were carried out
        self.upstream = Upstream(self._handle)
        self.url = self.upstream.url

    def close(self):
        self.upstream.close()

    def expire(self):
        with self.lock:
            self.valid.clear()

    def token_of(self, request):
        return (request.field('Authorization') or '').removeprefix('Bearer ')

    def _handle(self, request, wire):
        if request.target.startswith('/login'):
            return self._login(request)
        token = self.token_of(request)
        with self.lock:
            self.calls.append((request.target, token))
            good = token in self.valid and not self.always_expired and request.target != self.forbidden
            gate = self.gates.pop(request.target, None)
        if gate:
            gate.wait(10)
            with self.lock:
                good = token in self.valid and not self.always_expired and request.target != self.forbidden
        if not good:
            return json_answer({'error': 'expired'}, 401)
        with self.lock:
            self.done.append(request.target)
        return answer(200, request.target.encode() + b' ' + request.body)

    def _login(self, request):
        with self.lock:
            self.attempts += 1
        if self.login_gate:
            self.login_gate.wait(10)
        with self.lock:
            if self.login_replies:
                return self.login_replies.pop(0)
            self.issued += 1
            token = self.same_token or f't{self.issued}'
            self.valid = set() if self.stillborn > 0 else {token}
            self.stillborn -= 1
        return json_answer(json.dumps({'token': token, **self.extra}))
