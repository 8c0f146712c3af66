"""Profiles: the shop in three lines, the published signatures of every profile that has one, logins, and the command."""
import base64
import hashlib
import hmac
import json
import os
import re
import urllib.parse

import test_vectors_recipes as recipes
from support import case, configs, corpus
from support.client import call, get
from support.demo import Demo
from support.gateway import command, folder
from support.upstream import answer, json_answer

VECTORS = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'vectors')
LISTEN, use = configs.LISTEN, configs.profile

# File of the examples: (number of the example, profile, parameters, secrets beside those of the example).
PUBLISHED = {
    'alipay_rsa2': [(0, 'alipay', {}, {})],
    'aliyun_acs3': [(0, 'aliyun-acs3', {}, {}), (1, 'aliyun-acs3', {}, {})],
    'aliyun_apigateway_xca': [(number, 'aliyun-api-gateway', {}, {'key_id': '24000001'}) for number in (0, 1)],
    'aliyun_oss_v1': [(0, 'aliyun-oss', {}, {})],
    'aliyun_roa': [(1, 'aliyun-roa', {'version': '2015-12-15'}, {'key_id': 'testid'})],
    'aliyun_rpc': [(number, 'aliyun-rpc', {}, {'key_id': 'testid'}) for number in (0, 2)],
    'azure_sharedkey': [(0, 'azure-sharedkey', {}, {}), (1, 'azure-sharedkey', {}, {}), (2, 'azure-cosmos', {}, {})],
    'cavage': [(number, 'http-signature', {'key_id': 'Test', 'signed': '$covered'}, {}) for number in (0, 1, 2)],
    'exchanges': [(0, 'binance', {}, {}), (1, 'binance', {'place': 'form'}, {}),
                  (2, 'kraken', {'path': '/0/**'}, {'key_id': 'k'}),
                  (3, 'coinbase', {}, {'key_id': 'k', 'passphrase': 'p'}), (4, 'gateio', {}, {'key_id': 'k'})],
    'huawei_sdk_hmac': [(0, 'huawei', {}, {})],
    'taobao_top': [(number, 'taobao-top', {}, {}) for number in (0, 1, 2)],
    'tencent_tc3': [(number, 'tencent-tc3', {'service': 'cvm', 'signed': '$signed'}, {}) for number in (0, 1)],
    'volcengine': [(0, 'volcengine', {'service': 'iam'}, {})],
    'webhooks': [(0, 'webhook-github', {}, {}), (1, 'webhook-standard', {}, {}), (2, 'webhook-stripe', {}, {}),
                 (3, 'webhook-slack', {}, {}), (4, 'feishu-bot', {'path': '/**'}, {}),
                 (5, 'dingtalk-bot', {'path': '/**'}, {})],
    'wechat_misc': [(1, 'wechat-push', {}, {})],
    'wechatpay_v2': [(0, 'wechatpay-v2', {}, {}),
                     (1, 'wechatpay-v2', {'digest': 'hmac.sha256(secret.key, vars.text)'}, {})],
    'wechatpay_v3': [(number, 'wechatpay-v3', {'mchid': '1900007291', 'serial': '408B'}, {}) for number in (0, 2)],
}


class Signatures(recipes.Recipes):
    """One test for each published example is added below: the profile gives what the hand-written recipe gives."""

    @staticmethod
    def cut(secret):
        """A profile takes such lists as parameters, which are no secrets."""
        return []

    def config(self, name, vector, socket):
        with open(os.path.join(VECTORS, vector.get('config', name) + '.yaml'), encoding='utf8') as file:
            url = re.search(r'url: "([^"]+)"', file.read())[1]
        values = {key: vector['secrets'][text[1:]] if text.startswith('$') else text
                  for key, text in vector['with'].items()}
        return use(url, vector['profile'], values, vector['secrets'], f', socket: {socket}')


def _add(name, number, profile, values, extra):
    def test(self):
        with open(os.path.join(VECTORS, name + '.json'), encoding='utf8') as file:
            vector = json.load(file)[number]
        vector = {**vector, 'profile': profile, 'with': values, 'secrets': {**vector['secrets'], **extra}}
        self.check(name, vector)
    test.__doc__ = f'{profile}: example {number} of {name}'
    setattr(Signatures, f'test_{profile.replace("-", "_")}_{number}', test)


for _name, _uses in PUBLISHED.items():
    for _use in _uses:
        _add(_name, *_use)


class Prefix(case.Case):
    CONFIG = LISTEN + """secrets: {key: {file: secrets/key}}
upstreams:
  a: {url: "%s/base", profile: {name: webhook-github, prefix: /hooks/a}}
  b: {url: "%s", profile: {name: webhook-slack, prefix: /b}}
"""

    def test_two_profiles_share_a_gateway(self):
        first, second = self.upstream(), self.upstream()
        gateway = self.gateway(self.CONFIG % (first.url, second.url), secrets={'secrets/key': 'k'})
        for target in ('/hooks/a/x%2Fy/z?q=1', '/b/', '/b/hooks/a'):
            self.assertEqual(get(gateway.address, target).status, 200)
        self.assertEqual([request.target for request in first.requests], ['/base/x%2Fy/z?q=1'])
        self.assertEqual([request.target for request in second.requests], ['/', '/hooks/a'])
        self.assertTrue(first.last.field('X-Hub-Signature-256'))
        self.assertTrue(second.last.field('X-Slack-Signature'))


class Amazon(case.Case):
    def test_s3_signs_the_published_example(self):
        vector = corpus.load('built-in.json')['aws'][0]
        secrets = {'key_id': 'AKIAIOSFODNN7EXAMPLE', 'key': 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'}
        text = use('http://' + vector['headers']['host'], 'aws-s3', {'region': 'us-east-1'}, secrets)
        with folder({**{'secrets/' + key: value for key, value in secrets.items()}, 'g.yaml': text}) as path:
            status, out, error = command('explain', 'g.yaml', 'GET', vector['uri'], '--header', 'Range: bytes=0-9',
                                         '--now', '1369353600', '--json', cwd=path)
        self.assertEqual(status, 0, out + error)
        self.assertIn(vector['expected'], out)


class BuiltIn(case.Case):
    def test_oauth1_signs_the_published_example(self):
        vector = next(vector for vector in corpus.load('built-in.json')['oauth1'] if 'Core' in vector['name'])
        params = dict(vector['params'])
        secrets = {'consumer_key': params['oauth_consumer_key'], 'consumer_secret': vector['consumer_secret'],
                   'token': params['oauth_token'], 'token_secret': vector['token_secret']}
        text = use('http://photos.example.net', 'oauth1', {}, secrets)
        with folder({**{'secrets/' + key: value for key, value in secrets.items()}, 'g.yaml': text}) as path:
            status, out, error = command('explain', 'g.yaml', 'GET', '/photos?file=vacation.jpg&size=original', '--now',
                                         params['oauth_timestamp'], '--nonce', params['oauth_nonce'], '--json', cwd=path)
        self.assertEqual(status, 0, out + error)
        self.assertIn(f'oauth_signature=\\"{urllib.parse.quote(vector["expected"], safe="")}\\"', out)

    def test_a_message_signature_verifies(self):
        upstream = self.upstream()
        config = use(upstream.url, 'http-message-signature', {'key_id': 'k1', 'algorithm': 'hmac-sha256'}, ('key',))
        gateway = self.gateway(config, secrets={'secrets/key': 'k' * 32})
        self.assertEqual(call(gateway.address, 'POST', '/a?b=c', [], 'body').status, 200)
        got = upstream.last
        digest = base64.b64encode(hashlib.sha256(b'body').digest()).decode()
        self.assertEqual(got.field('Content-Digest'), f'sha-256=:{digest}:')
        label, _, params = got.field('Signature-Input').partition('=')
        base = (f'"@method": POST\n"@authority": {got.field("Host")}\n"@path": /a\n"@query": ?b=c\n'
                f'"content-digest": sha-256=:{digest}:\n"@signature-params": {params}')
        sign = base64.b64encode(hmac.digest(b'k' * 32, base.encode(), 'sha256')).decode()
        self.assertEqual((label, got.field('Signature')), ('sig1', f'sig1=:{sign}:'))

    def test_digest_answers_a_challenge(self):
        def handle(request, wire):
            if not request.field('Authorization'):
                return answer(401, b'', [('WWW-Authenticate', 'Digest realm="r", nonce="n", qop="auth", algorithm=SHA-256')])
            return answer(200, request.field('Authorization').encode())

        def digest(text):
            return hashlib.sha256(text.encode()).hexdigest()
        for profile, target in (('http-digest', '/x'), ('hikvision-isapi', '/ISAPI/System/deviceInfo')):
            config = use(self.upstream(handle).url, profile, {}, ('username', 'password'))
            gateway = self.gateway(config, secrets={'secrets/username': 'u', 'secrets/password': 'p'})
            got = get(gateway.address, target).body.decode()
            values = dict(re.findall(r'(\w+)="?([^",]*)"?', got))
            self.assertEqual(values['response'], digest(':'.join(
                [digest('u:r:p'), 'n', values['nc'], values['cnonce'], 'auth', digest(f'GET:{target}')])))


class Apps(case.Case):
    """Tokens of an app: gained, attached, found dead once, gained again."""

    def drive(self, profile, secrets, login_path, token, expired, found, path='/x'):
        logins, calls = [], []

        def handle(request, wire):
            if request.target.startswith(login_path):
                logins.append(request)
                return json_answer(token(f't{len(logins)}'))
            calls.append(found(request))
            return expired if len(calls) == 1 else json_answer({'code': 0, 'data': {'a': 1}})
        gateway = self.gateway(use(self.upstream(handle).url, profile, {}, secrets),
                               secrets={'secrets/' + name: 'x-' + name for name in secrets})
        self.assertEqual(get(gateway.address, path).status, 200)
        self.assertEqual(calls, ['t1', 't2'])
        return logins[0]

    def test_wechat(self):
        first = self.drive('wechat-official', ('app_id', 'app_secret'), '/cgi-bin/token',
                           lambda new: {'access_token': new, 'expires_in': 7200}, json_answer({'errcode': 42001}),
                           lambda request: request.target.partition('access_token=')[2])
        self.assertEqual(first.target.partition('?')[2], 'grant_type=client_credential&appid=x-app_id&secret=x-app_secret')

    def test_wecom(self):
        first = self.drive('wecom', ('corp_id', 'app_secret'), '/cgi-bin/gettoken',
                           lambda new: {'errcode': 0, 'access_token': new, 'expires_in': 7200}, json_answer({'errcode': 42001}),
                           lambda request: request.target.partition('access_token=')[2])
        self.assertEqual(first.target.partition('?')[2], 'corpid=x-corp_id&corpsecret=x-app_secret')

    def test_baidu(self):
        first = self.drive('baidu-ai', ('api_key', 'secret_key'), '/oauth/2.0/token',
                           lambda new: {'access_token': new, 'expires_in': 2592000},
                           json_answer({'error_code': 111, 'error_msg': 'Access token expired'}),
                           lambda request: request.target.partition('access_token=')[2])
        self.assertEqual(first.body, b'grant_type=client_credentials&client_id=x-api_key&client_secret=x-secret_key')

    def test_feishu(self):
        first = self.drive('feishu-app', ('app_id', 'app_secret'), '/open-apis/auth/v3/tenant_access_token/internal',
                           lambda new: {'code': 0, 'tenant_access_token': new, 'expire': 7200},
                           json_answer({'code': 99991663, 'msg': 'x'}, 400),
                           lambda request: request.field('Authorization').removeprefix('Bearer '), '/open-apis/x')
        self.assertEqual(json.loads(first.body), {'app_id': 'x-app_id', 'app_secret': 'x-app_secret'})

    def test_dingtalk(self):
        first = self.drive('dingtalk-app', ('app_key', 'app_secret'), '/v1.0/oauth2/accessToken',
                           lambda new: {'accessToken': new, 'expireIn': 7200},
                           json_answer({'code': 'InvalidAuthentication'}, 400),
                           lambda request: request.field('x-acs-dingtalk-access-token'))
        self.assertEqual(json.loads(first.body), {'appKey': 'x-app_key', 'appSecret': 'x-app_secret'})


class Shop(case.Case):
    SECRETS = {'secrets/pw': 'demo', 'secrets/key': 'tpshop2'}
    CONFIG = """listen: 127.0.0.1:0
upstreams:
  shop: {url: "%s", profile: tpshop}
secrets: {username: {env: SHOP_USER}, password: {file: secrets/pw}, sign_key: {file: secrets/key}}
"""

    def test_three_lines_run_against_the_demo_shop(self):
        demo = self.start(Demo('--user', 'demo', '--password', 'demo'))
        gateway = self.gateway(self.CONFIG % demo.url, secrets=self.SECRETS, env={'SHOP_USER': 'demo'})
        for _ in range(2):
            got = call(gateway.address, 'POST', '/api/User/userInfo', [], '', host=gateway.address)
            self.assertEqual(got.status, 200, got)
            self.assertIs(got.json['success'], True, got)
            demo.control('expire')
        self.assertEqual(demo.counters()['logins'], 2)

    def test_a_wrong_secret_is_a_problem_with_its_place(self):
        with folder({'c.yaml': self.CONFIG.replace('sign_key', 'signkey') % 'http://127.0.0.1:1', **self.SECRETS}) as path:
            status, out, _ = command('check', 'c.yaml', cwd=path)
        self.assertEqual(status, 1)
        self.assertIn('c.yaml:3:', out)
        self.assertIn('profile tpshop needs the secret sign_key', out)


class Logins(case.Case):
    """Logs in, meets an expired token once, and hands back the normalized answer."""

    SECRETS = {'secrets/username': 'ann', 'secrets/password': 'pa<s>s'}

    def drive(self, profile, login, expired, good, token, values=None):
        """`login` makes the answer with a token; `expired` is given to the first call. Returns the first login."""
        logins, calls = [], []

        def handle(request, wire):
            if request.target in ('/login', '/sys/mLogin'):
                logins.append(request)
                return login(f't{len(logins)}')
            calls.append(request)
            return expired if len(calls) == 1 else good
        upstream = self.upstream(handle)
        gateway = self.gateway(use(upstream.url, profile, values, ('username', 'password')), secrets=self.SECRETS)
        got = get(gateway.address, '/orders?page=1')
        self.assertEqual(len(logins), 2, got)
        self.assertEqual([token(request) for request in calls], ['t1', 't2'])
        self.assertIs(got.json['success'], True, got)
        self.assertEqual(got.json['data'], [1, 2.50])
        return logins[0]

    def test_citydo(self):
        good = answer(200, b'{"code":200,"msg":"ok","data":[1,2.50]}')
        first = self.drive('citydo', lambda new: json_answer({'code': 200, 'data': {'token': new}}),
                           json_answer({'code': 101, 'msg': 'x'}), good, lambda request: request.field('token'))
        self.assertEqual(urllib.parse.parse_qs(first.body.decode()), {'username': ['ann'], 'password': ['pa<s>s']})

    def test_citydo_with_a_hashed_password(self):
        good = answer(200, b'{"code":200,"msg":"ok","data":[1,2.50]}')
        first = self.drive('citydo', lambda new: json_answer({'code': 200, 'data': {'token': new}}),
                           json_answer({'code': 101, 'msg': 'x'}, 403), good, lambda request: request.field('token'),
                           {'password': 'hex.encode(hash.md5(secret.password))'})
        self.assertIn(hashlib.md5(b'pa<s>s').hexdigest(), first.body.decode())

    def test_ruoyi(self):
        good = answer(200, b'{"code":200,"msg":"ok","data":[1,2.50]}')
        first = self.drive('ruoyi', lambda new: json_answer({'code': 200, 'token': new}),
                           json_answer({'code': 401, 'msg': '认证失败，无法访问系统资源'}), good,
                           lambda request: request.field('Authorization').removeprefix('Bearer '))
        self.assertEqual(json.loads(first.body), {'username': 'ann', 'password': 'pa<s>s'})

    def test_jeecgboot(self):
        good = answer(200, b'{"success":true,"code":200,"message":"","result":[1,2.50]}')
        self.drive('jeecgboot', lambda new: json_answer({'success': True, 'result': {'token': new}}),
                   json_answer({'success': False, 'code': 500, 'message': 'Token失效，请重新登录'}, 500), good,
                   lambda request: request.field('X-Access-Token'))

    def test_a_wrong_password_is_not_tried_again(self):
        wrong = {'citydo': {'code': 500, 'msg': 'x'}, 'ruoyi': {'code': 500, 'msg': '用户不存在/密码错误'},
                 'jeecgboot': {'success': False, 'code': 500, 'message': '用户名或密码错误'}}
        for profile, body in wrong.items():
            upstream = self.upstream(lambda request, wire, body=body: json_answer(body))
            gateway = self.gateway(use(upstream.url, profile, {}, ('username', 'password')), secrets=self.SECRETS)
            for _ in range(3):
                self.assert_refused(get(gateway.address, '/x'), 401, 'login_refused')
            self.assertEqual(len(upstream.requests), 1, profile)


class Tokens(case.Case):
    def drive(self, profile, secrets, grant, values=None):
        tokens = []

        def handle(request, wire):
            if request.target == '/oauth2/token':
                tokens.append(urllib.parse.parse_qs(request.body.decode()))
                return json_answer({'access_token': f't{len(tokens)}', 'token_type': 'bearer', 'expires_in': 3600})
            return answer(200, (request.field('Authorization') or '').encode())
        upstream = self.upstream(handle)
        gateway = self.gateway(use(upstream.url, profile, values, secrets),
                               secrets={'secrets/' + name: 'x-' + name for name in secrets})
        self.assertEqual(get(gateway.address, '/x').body, b'Bearer t1')
        self.assertEqual(tokens[0]['grant_type'], [grant])
        return tokens[0]

    def test_client_credentials(self):
        form = self.drive('oauth2', ('client_id', 'client_secret'), 'client_credentials')
        self.assertNotIn('scope', form)

    def test_client_credentials_with_scope_in_the_form(self):
        form = self.drive('oauth2', ('client_id', 'client_secret'), 'client_credentials',
                          {'scope': 'read write', 'client_auth': 'post'})
        self.assertEqual((form['scope'], form['client_secret']), (['read write'], ['x-client_secret']))

    def test_password(self):
        form = self.drive('oauth2-password', ('client_id', 'client_secret', 'username', 'password'), 'password')
        self.assertEqual((form['username'], form['password']), (['x-username'], ['x-password']))

    def test_refresh_token(self):
        form = self.drive('oauth2-refresh', ('client_id', 'client_secret', 'refresh_token'), 'refresh_token')
        self.assertEqual(form['refresh_token'], ['x-refresh_token'])


class RespInfo(case.Case):
    def ask(self, body, content_type):
        upstream = self.upstream(lambda request, wire: answer(200, body.encode(), [('Content-Type', content_type)]))
        return get(self.gateway(use(upstream.url, 'respinfo')).address, '/x.asmx/List').json

    def test_rows_inside_xml(self):
        text = json.dumps({'Success': 1, 'ControlType': 0, 'Rows': '[{"a":1.50}]', 'AddicationDictionary': '', 'Msg': 'ok'})
        got = self.ask(f'<string xmlns="http://tempuri.org/">{text.replace("<", "&lt;")}</string>', 'text/xml; charset=utf-8')
        self.assertEqual((got['success'], got['data'], got['message']), (True, [{'a': 1.5}], 'ok'))

    def test_both_inside_d(self):
        text = json.dumps({'Success': True, 'ControlType': 2, 'Rows': '', 'AddicationDictionary': '{"k":"v"}', 'Msg': ''})
        got = self.ask(json.dumps({'d': text}), 'application/json')
        self.assertEqual((got['success'], got['data']), (True, {'rows': None, 'dictionary': {'k': 'v'}}))

    def test_a_failure(self):
        got = self.ask('{"Success":"0","ControlType":1,"Rows":"","AddicationDictionary":"","Msg":"no"}', 'application/json')
        self.assertEqual((got['success'], got['data'], got['message']), (False, None, 'no'))


class Command(case.Case):
    def test_lists_and_prints(self):
        status, out, _ = command('profiles')
        self.assertEqual(status, 0)
        names = [line.split()[0] for line in out.splitlines()]
        self.assertIn('tpshop', names)
        status, text, _ = command('profiles', 'tpshop')
        self.assertEqual(status, 0)
        self.assertIn('profile: tpshop\n', text)
        # What is printed is a profile that works: an own one starts as a copy.
        secrets = {name: 'x' for name in ('username', 'password', 'sign_key')}
        with folder({'c.yaml': use('http://127.0.0.1:1', './mine.yaml', {}, secrets), 'mine.yaml': text,
                     **{'secrets/' + name: 'x' for name in secrets}}) as path:
            os.chmod(os.path.join(path, 'mine.yaml'), 0o644)
            status, out, error = command('check', 'c.yaml', cwd=path)
        self.assertEqual(status, 0, out + error)

    def test_an_unknown_name(self):
        status, _, error = command('profiles', 'tpshp')
        self.assertEqual(status, 1)
        self.assertIn('did you mean tpshop', error)


if __name__ == '__main__':
    case.main()
