"""A session is gained by itself, attached, lost and gained again, and the client notices nothing."""
import json

from support import case, configs
from support.client import call, get, post
from support.gateway import eventually
from support.upstream import answer


class Shop(case.Case):
    def setUp(self):
        self.store = self.shop()
        self.gate = self.shop_gateway(self.store)

    def call(self, action='User/userInfo', form='echo=1', fields=()):
        return post(self.gate.address, '/api/' + action, form, fields)

    def test_the_first_request_logs_in_by_itself(self):
        reply = self.call()
        self.assertEqual((reply.status, reply.json['success']), (200, True), reply)
        self.assertEqual(self.store.counters['logins'], 1)

    def test_later_requests_use_the_same_session(self):
        for number in range(20):
            self.assertEqual(self.call(form=f'echo={number}').json['data']['echo'], str(number))
        self.assertEqual(self.store.counters['logins'], 1)

    def test_every_request_is_signed_as_the_server_checks_it(self):
        self.call(form='b=2&a=%E4%B8%AD+%2B&B=1')
        self.assertEqual(self.store.counters['refused_signatures'], 0)
        self.assertEqual(self.store.counters['accepted'], 1)

    def test_an_expired_session_is_renewed_and_the_request_replayed(self):
        self.call()
        self.store.expire()
        reply = self.call(form='echo=again')
        self.assertEqual(reply.json['data']['echo'], 'again')
        self.assertEqual(reply.outcome, 'relogin')
        self.assertEqual(self.store.counters['logins'], 2)

    def test_a_session_taken_by_another_device_is_gained_again(self):
        self.call()
        self.store.other_device()
        self.assertIs(self.call().json['success'], True)
        self.assertEqual(self.store.counters['logins'], 2)

    def test_the_replay_carries_the_new_token_and_a_fresh_signature(self):
        self.call()
        self.store.expire()
        self.call(form='echo=x')
        first, second = [form for controller, action, form, _ in self.store.seen if action == 'userinfo'][-2:]
        self.assertNotEqual(first['token'], second['token'])
        self.assertNotEqual(first['sign'], second['sign'])
        self.assertEqual(second['echo'], 'x')

    def test_fields_that_the_gateway_owns_are_dropped_from_what_the_client_sent(self):
        self.call(form='token=mine&user_id=9&time=1&sign=abc&echo=kept&token=twice')
        form = self.store.seen[-1][2]
        self.assertEqual((form['token'], form['user_id'], form['echo']), (self.store.token, '2591', 'kept'))
        self.assertEqual(self.store.counters['refused_signatures'], 0)

    def test_the_clients_own_query_follows_the_rewritten_one(self):
        post(self.gate.address, '/api/User/userInfo?page=2&page=3', 'echo=1')
        self.assertEqual(self.store.seen[-1][3], {'m': 'Api', 'c': 'User', 'a': 'userInfo', 'page': '3'})

    def test_a_business_failure_is_not_an_expiry(self):
        self.call()
        self.store.fail = [500]
        self.call()
        self.assertEqual(self.store.counters['logins'], 1)

    def test_a_php_notice_before_the_json_changes_nothing(self):
        self.store.notice = b'\nNotice: Undefined index: x in /var/www/index.php on line 3\n'
        self.assertIs(self.call().json['success'], True)
        self.store.expire()
        self.assertIs(self.call().json['success'], True)
        self.assertEqual(self.store.counters['logins'], 2)

    def test_the_health_page_tells_the_state_of_the_session(self):
        self.assertEqual(get(self.gate.admin, '/health').json['sessions']['shop']['state'], 'none')
        self.call()
        shop = get(self.gate.admin, '/health').json['sessions']['shop']
        self.assertEqual((shop['state'], shop['logins']), ('ready', 1))
        generation = shop['generation']
        self.store.expire()
        self.call()
        shop = get(self.gate.admin, '/health').json['sessions']['shop']
        self.assertEqual((shop['state'], shop['logins']), ('ready', 2))
        self.assertGreater(shop['generation'], generation)


class Routes(case.Case):
    def start_shop(self, extra, **options):
        store = self.shop()
        routes = configs.route('envelope: {from: tpshop, to: standard}\n' + extra)
        return store, self.shop_gateway(store, routes=routes, **options)

    def test_a_route_that_never_logs_in_sends_no_token(self):
        store, gateway = self.start_shop('login: never')
        reply = post(gateway.address, '/api/User/userInfo', 'echo=1')
        self.assertEqual(reply.json['code'], -100)
        self.assertEqual(store.counters['login_attempts'], 0)
        self.assertNotIn('token', store.seen[-1][2])

    def test_an_optional_session_that_cannot_be_had_does_not_stop_the_request(self):
        store, gateway = self.start_shop('login: optional', secrets={'secrets/password': 'wrong'})
        for _ in range(3):
            reply = post(gateway.address, '/api/Goods/goodsInfo', 'id=1')
            self.assertEqual((reply.status, reply.json['success']), (200, True), reply)
        self.assertLessEqual(store.counters['login_attempts'], 1)

    def test_a_route_that_opts_out_passes_the_expiry_to_the_client(self):
        store, gateway = self.start_shop('relogin: false')
        post(gateway.address, '/api/User/userInfo', 'echo=1')
        store.expire()
        reply = post(gateway.address, '/api/User/userInfo', 'echo=1')
        self.assertEqual((reply.json['success'], reply.json['code']), (False, -101))
        self.assertEqual(reply.outcome, 'forwarded')
        self.assertEqual(store.counters['logins'], 1)


class Attach(case.Case):
    """A session without a login is always ready; what it attaches arrives, and only once."""

    def static(self, attach, route=''):
        upstream = self.upstream()
        gateway = self.gateway(configs.plain(
            upstream.url, route='session: fixed\n' + route,
            session='secrets: {key: {file: secrets/k}}\nsessions:\n  fixed:\n    upstream: up\n    attach: {%s}\n' % attach),
            secrets={'secrets/k': 'k+/ =&\n'})
        return upstream, gateway

    def test_a_header_replaces_the_clients_own(self):
        upstream, gateway = self.static('header: {X-Key: "${secret.key}"}')
        get(gateway.address, '/', [('x-key', 'mine'), ('X-KEY', 'too')])
        self.assertEqual(upstream.last.all('X-Key'), ['k+/ =&'])

    def test_a_header_of_ours_survives_its_nomination_by_the_client(self):
        upstream, gateway = self.static('header: {X-Key: "${secret.key}"}')
        get(gateway.address, '/', [('Connection', 'X-Key')])
        self.assertEqual(upstream.last.all('X-Key'), ['k+/ =&'])

    def test_a_query_field_is_escaped_and_replaces_the_clients_own(self):
        upstream, gateway = self.static('query: {key: "${secret.key}"}')
        get(gateway.address, '/p?a=%2f&key=mine&b')
        self.assertEqual(upstream.last.target, '/p?a=%2f&b&key=k%2B%2F%20%3D%26')

    def test_a_cookie_joins_the_clients_cookies_and_replaces_its_own_name(self):
        upstream, gateway = self.static('cookie: {sid: "abc"}')
        get(gateway.address, '/', [('Cookie', 'a=1; sid=mine; b=2')])
        self.assertEqual(upstream.last.field('Cookie'), 'sid=abc')

    def test_a_json_field_joins_the_body_and_the_rest_stays_verbatim(self):
        upstream, gateway = self.static('json: {key: "v1"}')
        call(gateway.address, 'POST', '/', [('Content-Type', 'application/json')],
             '{"n":10.10, "id":12345678901234567890,"key":"mine","s":"\\u4e2d"}')
        body = upstream.last.body
        self.assertIn(b'"n":10.10', body)
        self.assertIn(b'"id":12345678901234567890', body)
        self.assertIn(b'"s":"\\u4e2d"', body)
        self.assertNotIn(b'mine', body)
        self.assertEqual(json.loads(body)['key'], 'v1')
        self.assertEqual(int(upstream.last.field('Content-Length')), len(body))

    def test_a_form_field_joins_the_body_and_the_rest_stays_verbatim(self):
        upstream, gateway = self.static('form: {key: "${secret.key}"}')
        post(gateway.address, '/', 'a=%2f+x&key=mine&b=')
        self.assertEqual(upstream.last.body.decode().replace('+%3D', '%20%3D'), 'a=%2f+x&b=&key=k%2B%2F%20%3D%26')

    def test_a_session_cookie_of_the_upstream_does_not_leave(self):
        upstream = self.upstream(lambda request, wire: answer(200, b'ok', [
            ('Set-Cookie', 'sid=new-token; Path=/'), ('Set-Cookie', 'other=1')]))
        gateway = self.gateway(configs.plain(
            upstream.url, route='session: fixed',
            session='sessions:\n  fixed:\n    upstream: up\n    attach: {cookie: {sid: "abc"}}\n'))
        reply = get(gateway.address, '/')
        self.assertNotIn(b'new-token', reply.head)

    def test_common_fields_of_a_route_are_attached(self):
        upstream, gateway = self.static('header: {X-Key: a}', route='attach: {header: {X-Device: "${device}"}, query: {v: "2"}}')
        get(gateway.address, '/p')
        get(gateway.address, '/q')
        one, two = upstream.requests
        self.assertTrue(one.field('X-Device'))
        self.assertEqual(one.field('X-Device'), two.field('X-Device'))
        self.assertEqual(one.target, '/p?v=2')


class Ready(case.Case):
    def test_readiness_follows_the_session_and_liveness_does_not(self):
        store = self.shop()
        gateway = self.shop_gateway(store, secrets={'secrets/password': 'wrong'})
        post(gateway.address, '/api/User/userInfo', 'echo=1')
        eventually(lambda: get(gateway.admin, '/readyz').status == 503, 3, 'not ready')
        self.assertEqual(get(gateway.admin, '/livez').status, 200)


if __name__ == '__main__':
    case.main()
