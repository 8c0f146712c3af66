"""Configs and servers for login recipes: a session section in YAML, and an upstream made of small handlers."""
import http.cookies
import threading

from support import configs
from support.upstream import Upstream, answer

SECRETS = {'secrets/user': 'ann', 'secrets/password': 'pa<s>s & "word"'}
PATIENT = 'backoff: {min: 100ms, max: 1s}\nattempts_window: {logins: 100, per: 1s}'


def config(url, session, *, route='', upstreams='', patience=PATIENT):
    """One session named api on a route for everything; `session` is YAML at the session's own level."""
    text = ('secrets:\n  user: {file: secrets/user}\n  password: {file: secrets/password}\nsessions:\n  api:\n'
            '    upstream: up\n' + configs.indent(session + '\n' + patience, 4))
    return configs.plain(url, route='session: api\n' + route, session=text).replace(
        'upstreams:\n', 'upstreams:\n' + configs.indent(upstreams, 2))


def cookies(request):
    """{name: value} of the one Cookie field."""
    jar = http.cookies.SimpleCookie(request.field('Cookie') or '')
    return {name: morsel.value for name, morsel in jar.items()}


class Site:
    """Paths of a login by name in `pages` (functions of the request); everything else asks `allows`."""

    def __init__(self, pages, allows, denied=answer(401, b'no')):
        self.pages, self.allows, self.denied = pages, allows, denied
        self.logins = []                 # the requests to the pages, in order
        self.calls = []                  # the other requests
        self.lock = threading.Lock()
        self.upstream = Upstream(self._handle)
        self.url = self.upstream.url

    def close(self):
        self.upstream.close()

    def _handle(self, request, wire):
        page = self.pages.get(request.target.split('?')[0])
        if page:
            with self.lock:
                self.logins.append(request)
                return page(request)
        with self.lock:
            self.calls.append(request)
            allowed = self.allows(request)
        if isinstance(allowed, bytes):
            return allowed
        return answer(200, request.target.encode()) if allowed else self.denied
