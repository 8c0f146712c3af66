"""The built-in demo upstream behaves as the shop does, and its switches work."""
import hashlib
import json
import subprocess
import time
import urllib.parse

from support import case, shop
from support.client import FORM, Client, call, encode
from support.demo import Demo
from support.gateway import binary, eventually


class Shop(case.Case):
    def setUp(self):
        self.demo = self.start(Demo())

    def ask(self, controller, action, moment=None, sign=None, path=None, **form):
        form = {'unique_id': 'device-1', **form}
        form['time'] = str(moment if moment is not None else int(time.time()))
        form['sign'] = sign or shop.php_sign(form)[0]
        return call(self.demo.address, 'POST', path or f'/index.php?m=Api&c={controller}&a={action}', [FORM],
                    urllib.parse.urlencode(form), host=self.demo.address)

    def status(self, reply):
        return json.loads(reply.body[reply.body.index(b'{'):])['status']

    def login(self, **changes):
        hashed = hashlib.md5(('TPSHOP' + shop.PASSWORD).encode()).hexdigest()
        return self.ask('User', 'login', **{'username': shop.USER, 'password': hashed, **changes})

    def session(self):
        result = self.login().json['result']
        return {'token': result['token'], 'user_id': str(result['user_id'])}

    def test_an_address_that_other_hosts_reach_is_refused(self):
        for address in ('0.0.0.0:0', '[::]:0'):
            done = subprocess.run([binary(), 'demo', '--listen', address], capture_output=True, timeout=10)
            self.assertEqual(done.returncode, 2, address)
            self.assertIn(b'--allow-remote', done.stderr)

    def test_a_login_gives_a_token_and_the_user(self):
        reply = self.login()
        self.assertGreater(reply.json['status'], 0)
        self.assertTrue(reply.json['result']['token'])
        self.assertTrue(reply.field('Content-Type').startswith('text/html'))

    def test_wrong_names_and_passwords_have_their_statuses(self):
        self.assertEqual(self.login(username='nobody').json['status'], -1)
        self.assertEqual(self.login(password='0' * 32).json['status'], -2)

    def test_a_token_call_works_with_the_token_only(self):
        session = self.session()
        self.assertGreater(self.status(self.ask('User', 'userInfo', **session)), 0)
        self.assertEqual(self.status(self.ask('User', 'userInfo')), -100)
        self.assertEqual(self.status(self.ask('User', 'userInfo', token='f' * 32)), -101)

    def test_a_new_login_replaces_the_token(self):
        old = self.session()
        self.session()
        self.assertEqual(self.status(self.ask('User', 'userInfo', **old)), -101)

    def test_a_bad_signature_and_an_old_time_are_refused(self):
        self.assertEqual(self.ask('Goods', 'goodsInfo', sign='0' * 32).json['msg'], '签名失败!!!')
        self.assertEqual(self.ask('Goods', 'goodsInfo', moment=int(time.time()) - 700).json['msg'], '请求超时!!!')
        self.assertNotEqual(self.ask('Goods', 'goodsInfo', moment=int(time.time()) + 99999).json['msg'], '请求超时!!!')

    def test_exempt_actions_need_no_signature_whatever_their_case(self):
        for action in ('getServerTime', 'GETCONFIG', 'goodsList', 'search'):
            self.assertNotEqual(self.ask('Base', action, sign='0' * 32).json['msg'], '签名失败!!!', action)

    def test_the_path_form_of_the_address_works(self):
        self.assertGreater(self.status(self.ask('', '', path='/index.php/Api/User/userInfo', **self.session())), 0)

    def test_get_cannot_be_signed(self):
        reply = call(self.demo.address, 'GET', '/index.php?m=Api&c=Goods&a=goodsInfo', host=self.demo.address)
        self.assertEqual(reply.json['status'], -1)

    def test_expire_and_other_device_end_a_session(self):
        for switch in ('expire', 'other-device'):
            session = self.session()
            self.assertLess(self.demo.control(switch).status, 300)
            self.assertIn(self.status(self.ask('User', 'userInfo', **session)), (-101, -102), switch)

    def test_slow_delays_answers(self):
        self.demo.control('slow?ms=300')
        start = time.monotonic()
        self.ask('Base', 'getServerTime')
        self.assertGreaterEqual(time.monotonic() - start, 0.29)

    def test_down_ends_after_its_time(self):
        self.demo.control('down?for=400')

        def up():
            try:
                return self.ask('Base', 'getServerTime').status == 200
            except (OSError, EOFError):
                return False
        self.assertFalse(up())
        eventually(up, 5, 'the return of the demo')

    def test_fail_sends_the_status_so_often(self):
        self.demo.control('fail?status=503&count=2')
        self.assertEqual([self.ask('Base', 'getServerTime').status for _ in range(3)], [503, 503, 200])

    def test_notice_puts_text_before_the_json(self):
        self.demo.control('notice?on=1')
        body = self.ask('Base', 'getServerTime').body
        self.assertFalse(body.startswith(b'{'))
        self.assertIn(b'"status":1', body.replace(b' ', b''))

    def test_counters_count_and_reset_resets(self):
        self.login()
        counters = json.dumps(self.demo.counters())
        self.assertIn('login', counters)
        self.assertLess(self.demo.control('reset').status, 300)
        self.assertNotEqual(counters, json.dumps(self.demo.counters()))

    def test_it_serves_many_requests_on_a_connection(self):
        with Client(self.demo.address) as client:
            for _ in range(100):
                client.send(encode('POST', '/index.php?m=Api&c=Base&a=getServerTime', [FORM], '', host=self.demo.address))
                self.assertEqual(client.read().status, 200)


if __name__ == '__main__':
    case.main()
