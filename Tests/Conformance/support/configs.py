"""The configs that the tests start from, as YAML text."""
import json

from support import shop as shop_module

LISTEN = """listen: [127.0.0.1:0]
admin: 127.0.0.1:0
hosts: [gw.test]
"""


def plain(url, *, upstream='', route='', top='', session=''):
    """Everything passes through to one upstream. The extra texts are YAML lines, indented by their callers' words:
    `upstream` and `route` are flow entries such as "timeouts: {connect: 1s}", one per line."""
    return LISTEN + dedent(top) + 'upstreams:\n  up:\n    url: "%s"\n%s%sroutes:\n  - path: /**\n    upstream: up\n%s' % (
        url, indent(upstream, 4), dedent(session), indent(route, 4))


def dedent(text):
    return text if not text or text.endswith('\n') else text + '\n'


def indent(text, by):
    return ''.join(' ' * by + line + '\n' for line in text.splitlines() if line.strip())


SECRETS = {'secrets/user': shop_module.USER, 'secrets/password': shop_module.PASSWORD, 'secrets/key': shop_module.KEY}

TPSHOP = """secrets:
  username: {file: secrets/user}
  password: {file: secrets/password}
  sign_key: {file: secrets/key}
upstreams:
  shop:
    url: "%(url)s"
%(upstream)s
sessions:
  shop:
    upstream: shop
    login:
      - request:
          method: POST
          path: /index.php?m=Api&c=User&a=login
          form: {username: "${secret.username}", password: "${hex.encode(hash.md5('TPSHOP' + secret.password))}"}
        sign: tpshop
        success: int(json.status) > 0
        refused: int(json.status) in [-1, -2, -3]
        capture: {token: json.result.token, user_id: json.result.user_id%(capture)s}
    expired: int(json.status) in [-100, -101, -102]
    attach:
      form: {token: "${session.token}", user_id: "${session.user_id}"}
%(session)s
signatures:
  tpshop:
    variables:
      time: string(int(now))
      sign: >-
        hex.encode(hash.md5(request.form.filter(f, !(f.name in ["time", "sign"])).sortBy(f, f.name).map(f, f.value).join("")
        + vars.time + secret.sign_key))
    attach:
      form: {time: "${vars.time}", sign: "${vars.sign}"}
envelopes:
  tpshop:
    unwrap: [charset, bom, skip_to_json]
    ok: int(json.status) > 0
    code: json.status
    message: json.msg
    data: json.?result.or(json.?data)
    render: {status: "${code.orValue(-1)}", msg: "${message}", result: ""}
routes:
%(routes)s"""

API_ROUTE = """  - path: /api/**
    upstream: shop
    rewrite: /index.php?m=Api&c=${request.segments[1]}&a=${request.segments[2]}
    session: shop
    sign: tpshop
%s"""


def route(extra='envelope: {from: tpshop, to: standard}'):
    return API_ROUTE % indent(extra, 4)


def tpshop(url, *, routes=None, upstream='', session='', capture='', top=''):
    """The shop dialect; `upstream` and `session` are extra lines of those two sections, `routes` replaces the route."""
    return LISTEN + dedent(top) + TPSHOP % {
        'url': url, 'upstream': indent(upstream, 4), 'session': indent(session, 4), 'capture': capture,
        'routes': routes if routes is not None else route()}


WIDE = """limits: {connections: 4096, in_flight: 4096}
"""
WIDE_UPSTREAM = 'limits: {in_flight: 2048, queued: 4096, queue_time: 20s, idle_connections: 2048}'
WIDE_SESSION = 'wait: {requests: 2048, time: 20s}'


def profile(url, name, values=None, secrets=(), extra=''):
    """A whole config: one upstream with a profile."""
    given = json.dumps({'name': name, 'with': values or {}})
    files = ', '.join(f'{key}: {{file: secrets/{key}}}' for key in secrets)
    return f'{LISTEN}secrets: {{{files}}}\nupstreams:\n  up: {{url: "{url}", profile: {given}{extra}}}\n'
