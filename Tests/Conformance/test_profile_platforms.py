"""Profiles of Chinese clouds and of platforms for shops and devices: examples that vendors print, and strict stand-ins."""
import base64
import datetime
import hashlib
import hmac
import time
import urllib.parse

from support import case, configs, servers, signed
from support.client import call
from support.servers import form, path, query, sent
from support.upstream import json_answer

FORM = [('Content-Type', 'application/x-www-form-urlencoded')]
JSON = [('Content-Type', 'application/json')]


class Published(servers.Published):
    def test_cos(self):
        """The two examples of the documentation (their window begins at its time, ours a minute before)."""
        host, name = 'examplebucket-1250000000.cos.ap-beijing.myqcloud.com', urllib.parse.quote('exampleobject(腾讯云)', safe='()')
        for now, send, names, params, sign in (
                (1557989151, ['PUT', '/' + name, [
                    ('Date', 'Thu, 16 May 2019 06:45:51 GMT'), ('Content-Type', 'text/plain'),
                    ('Content-MD5', 'mQ/fVh815F3k6TAUm8m0eg=='), ('x-cos-acl', 'private'),
                    ('x-cos-grant-read', 'uin="100000000011"')], 'ObjectContent'],
                 'content-length;content-md5;content-type;date;host;x-cos-acl;x-cos-grant-read', '',
                 '3b8851a11a569213c17ba8fa7dcf2abec6935172'),
                (1557989753, ['GET', f'/{name}?response-content-type=application%2Foctet-stream'
                              '&response-cache-control=max-age%3D600', [('Date', 'Thu, 16 May 2019 06:55:53 GMT')], ''],
                 'date;host', 'response-cache-control;response-content-type', '01681b8c9d798a678e43b685a9f1bba0f6c0e012')):
            window = f'{now};{now + 7200}'
            self.check('cos', {
                'profile': 'tencent-cos', 'url': 'http://' + host, 'with': {'lifetime': '7140'}, 'now': str(now + 60),
                'nonce': 'n', 'secrets': {'key_id': 'AKIDQjz3ltompVjBni5LitkWHFlFpwkn9U5q',
                                          'key': 'BQYIM75p8x0iWVFSIgqEKwFprpRSVHlz'},
                'send': send, 'expect': {'header Authorization': (
                    'q-sign-algorithm=sha1&q-ak=AKIDQjz3ltompVjBni5LitkWHFlFpwkn9U5q&q-sign-time='
                    f'{window}&q-key-time={window}&q-header-list={names}&q-url-param-list={params}&q-signature={sign}')}})

    def test_bce(self):
        key_id, fields = 'a' * 32, 'content-length;content-md5;content-type;host;x-bce-date'
        self.check('bce', {
            'profile': 'baidu-bce', 'url': 'http://bj.bcebos.com', 'now': '1430123029', 'nonce': 'n',
            'secrets': {'key_id': key_id, 'key': 'b' * 32},
            'send': ['PUT', '/v1/test/myfolder/readme.txt?partNumber=9&uploadId=a44cc9bab11cbd156984767aad637851',
                     [('Content-Type', 'text/plain'), ('Content-MD5', 'NFzcPqhviddjRNnSOGo4rw==')], 'Example\n'],
            'expect': {'header Authorization': (f'bce-auth-v1/{key_id}/2015-04-27T08:23:49Z/1800/{fields}/'
                                                'd74a04362e6a848f5b39b15421cb449427f419c95a480fd6b8cf9fc783e2999e')}})

    def test_lazada(self):
        """The example of the documentation, its token handed in by the stand-in of the other host."""
        def server(request, sessions):
            if path(request) == '/rest/auth/token/refresh':
                return json_answer({'code': '0', 'access_token': 'test', 'refresh_token': 'r2', 'expires_in': 604800})
            return json_answer({'code': '0', 'data': {}})
        secrets = {'app_key': '123456', 'app_secret': 'helloworld', 'refresh_token': 'r1'}
        upstream, gateway = self.gate(server, secrets, '1517820392')
        self.assertEqual(call(gateway.address, 'GET', '/order/get?order_id=1234').status, 200)
        self.assertEqual(query(upstream.last), {
            'app_key': '123456', 'access_token': 'test', 'timestamp': '1517820392000', 'sign_method': 'sha256',
            'order_id': '1234', 'sign': '4190D32361CFB9581350222F345CB77F3B19F0E31D162316848A2C1FFD5FAB4A'})

    def gate(self, server, secrets, now):
        upstream = self.upstream(lambda request, wire: server(request, None))
        config = configs.profile(upstream.url + '/rest', 'lazada', {'server': 'up'}, secrets)
        return upstream, self.gateway(config, secrets={'secrets/' + name: text for name, text in secrets.items()},
                                      args=['--pin-now', now])


class Signed(servers.Servers):
    def test_jd_cloud(self):
        """Compared with what JD's own library for Go makes of the same request, but for the nonce."""
        for method, target, body, service, region in (
                ('POST', '/v1/sslCert:upload', b'{"certName":"x"}', 'ssl', 'jdcloud-api'),
                ('GET', '/v1/regions/cn-north-1/instances?pageSize=100&pageNumber=1', b'', 'vm', 'cn-north-1')):
            request = self.send('jdcloud', {'service': service, 'region': region}, {'key_id': 'AKID', 'key': 'SECRET'}, method,
                                target, body, JSON)
            nonce, date = request.field('x-jdcloud-nonce'), request.field('x-jdcloud-date')
            self.assertEqual((len(nonce), date), (36, '20231114T221320Z'))
            canonical = '\n'.join([
                method, path(request).replace(':', '%3A'), '&'.join(sorted(request.target.partition('?')[2].split('&'))),
                f'content-type:application/json\nhost:{request.field("Host")}\nx-jdcloud-date:{date}\nx-jdcloud-nonce:{nonce}\n',
                'content-type;host;x-jdcloud-date;x-jdcloud-nonce', hashlib.sha256(body).hexdigest()])
            scope, key = f'20231114/{region}/{service}/jdcloud2_request', b'JDCLOUD2SECRET'
            text = '\n'.join(['JDCLOUD2-HMAC-SHA256', date, scope, hashlib.sha256(canonical.encode()).hexdigest()])
            for part in scope.split('/'):
                key = hmac.digest(key, part.encode(), 'sha256')
            self.assertEqual(request.field('Authorization'), (
                f'JDCLOUD2-HMAC-SHA256 Credential=AKID/{scope}, SignedHeaders=content-type;host;x-jdcloud-date;x-jdcloud-nonce, '
                f'Signature={hmac.digest(key, text.encode(), "sha256").hex()}'))

    def test_kingsoft(self):
        request = self.send('kingsoft', {'service': 'kec', 'region': 'cn-beijing-6'}, {'key_id': 'AKLT', 'key': 'secret'}, 'GET',
                            '/?Action=DescribeInstances&Version=2016-03-04')
        words = dict(word.split('=') for word in request.field('Authorization').partition(' ')[2].split(', '))
        self.assertEqual(words['Credential'], 'AKLT/20231114/cn-beijing-6/kec/aws4_request')
        signer = signed.SigV4('secret', 'cn-beijing-6', 'kec')
        canonical = signer.canonical('GET', request.target, request.fields, words['SignedHeaders'].split(';'),
                                     hashlib.sha256(b'').hexdigest())
        self.assertEqual(words['Signature'], signer.signature(request.field('X-Amz-Date'), canonical))

    def test_artemis(self):
        for method, target, fields, body in (
                ('POST', '/artemis/api/resource/v1/org/orgList?b=2&a=', [('Accept', '*/*'), *JSON], b'{"pageNo":1}'),
                ('GET', '/artemis/api/x', [], b''), ('POST', '/artemis/api/y', FORM, b'd=4&c=3')):
            request = self.send('hikvision-artemis', {}, {'key_id': 'k', 'key': 's'}, method, target, body, fields)
            lines = [method] + [request.field(name) for name in ('Accept', 'Content-MD5', 'Content-Type', 'Date')]
            for name in request.field('X-Ca-Signature-Headers').split(','):
                lines.append(f'{name}:{request.field(name)}')
            pairs = {**query(request), **(form(request) if fields == FORM else {})}
            tail = '&'.join(name + ('=' + text if text else '') for name, text in sorted(pairs.items()))
            lines.append(path(request) + ('?' + tail if tail else ''))
            text = '\n'.join(line for line in lines if line is not None)
            self.assertEqual(request.field('X-Ca-Signature-Headers'), 'x-ca-key,x-ca-nonce,x-ca-timestamp')
            self.assertEqual(request.field('X-Ca-Signature'),
                             base64.b64encode(hmac.digest(b's', text.encode(), 'sha256')).decode())


class Platforms(servers.Servers):
    TUYA = {'client_id': '1KAD46OrT9HafiKdsXeg', 'secret': '4OHBOnWOqaEC1mWXOpVL3yV50s0qGSRC'}

    def test_tuya_signs_the_published_examples(self):
        seen = []

        def server(request, sessions):
            seen.append(request)
            return json_answer({'success': True, 'result': {
                'access_token': '3f4eda2bdec17232f67c0b188af3eec1', 'refresh_token': 'r', 'expire_time': 7200}})
        headers = [('Signature-Headers', 'area_id:call_id'), ('area_id', '29a33e8796834b1efa6'),
                   ('call_id', '8afdb70ab2ed11eb85290242ac130003')]
        _, gateway = self.gate(server, servers.Sessions(), 'tuya', {}, self.TUYA, [
            '--pin-now', '1588925778', '--pin-nonce', '5138cc3a9033d69856923fd07b491173'])
        for target in ('/v1.0/token?grant_type=1', '/v2.0/apps/schema/users?page_size=50&page_no=1'):
            self.assertEqual(call(gateway.address, 'GET', target, headers).status, 200)
        self.assertEqual([request.field('sign') for request in seen[1:]], [
            '9E48A3E93B302EEECC803C7241985D0A34EB944F40FB573C7B5C2A82158AF13E',
            'AE4481C692AA80B25F3A7E12C3A5FD9BBF6251539DD78E565A1A72A508A88784'])
        self.assertEqual([seen[2].field(name) for name in ('client_id', 't', 'sign_method', 'access_token')],
                         [self.TUYA['client_id'], '1588925778000', 'HMAC-SHA256', '3f4eda2bdec17232f67c0b188af3eec1'])

    def test_tuya(self):
        def server(request, sessions):
            token = '' if path(request).startswith('/v1.0/token') else request.field('access_token')
            text = f'{request.method}\n{hashlib.sha256(request.body).hexdigest()}\n\n{request.target}'
            text = ''.join([request.field('client_id'), token, request.field('t'), request.field('nonce'), text])
            sign = hmac.digest(self.TUYA['secret'].encode(), text.encode(), 'sha256').hex().upper()
            if path(request).startswith('/v1.0/token/'):
                return json_answer({'success': False, 'code': 1010, 'msg': 'token invalid'})
            if request.field('sign') != sign:
                return sessions.refuse(json_answer({'success': False, 'code': 1004, 'msg': 'sign invalid'}))
            if path(request) == '/v1.0/token':
                return json_answer({'success': True, 'result': {
                    'access_token': sessions.new(), 'refresh_token': 'r', 'expire_time': 7200, 'uid': 'u'}})
            if token != sessions.alive:
                return json_answer({'success': False, 'code': 1010, 'msg': 'token is expired'})
            return json_answer({'success': True, 'result': True})
        self.drive('tuya', server, {}, self.TUYA, wrong=('secret', 'no'), target='/v1.0/devices/d/commands', logout=False,
                   body='{"commands": []}', fields=JSON, token='t%d')

    def test_ezviz(self):
        def server(request, sessions):
            values = form(request)
            if path(request) == '/api/lapp/token/get':
                if values != {'appKey': 'k', 'appSecret': 's'}:
                    return sessions.refuse(json_answer({'code': '10030', 'msg': 'appkey和appSecret不匹配'}))
                return json_answer({'code': '200', 'data': {'accessToken': sessions.new(), 'expireTime': 4102444800000}})
            if values.pop('accessToken') != sessions.alive:
                return json_answer({'code': '10002', 'msg': 'accessToken过期或异常'})
            assert values in ({}, {'pageStart': '0'}), values
            return json_answer({'code': '200', 'data': []})
        for body, fields in (('pageStart=0', FORM), ('', []), ('{"pageStart":0}', JSON)):
            self.drive('ezviz', server, {}, {'app_key': 'k', 'app_secret': 's'}, wrong=('app_secret', 'no'), logout=False,
                       target='/api/lapp/device/list', body=body, fields=fields, token='at.%d')

    SHOPEE = {'key': 'partner key', 'refresh_token': 'seed'}

    def test_shopee(self):
        def server(request, sessions):
            values, auth = query(request), path(request).startswith('/api/v2/auth/')
            who = '' if auth else values['access_token'] + values['shop_id']
            text = f'2001{path(request)}{values["timestamp"]}{who}'
            if values['sign'] != hmac.digest(b'partner key', text.encode(), 'sha256').hex():
                return sessions.refuse(json_answer({'error': 'error_sign', 'message': 'Wrong sign.'}, 403))
            assert values['partner_id'] == '2001' and abs(int(values['timestamp']) - time.time()) < 10
            if auth:
                got = sent(request)
                token = got.pop('refresh_token')
                assert got == {'partner_id': 2001, 'shop_id': 7007}
                assert token == (f'r{sessions.logins}' if sessions.logins else 'seed')
                return json_answer({'access_token': sessions.new(), 'refresh_token': f'r{sessions.logins}', 'expire_in': 14400,
                                    'error': '', 'message': '', 'request_id': '1'})
            if values['access_token'] != sessions.alive:
                return json_answer({'error': self.dead, 'message': 'Invalid access_token, please have a check.'}, 403)
            assert values['shop_id'] == '7007' and values['page_size'] == '5'
            return json_answer({'error': '', 'message': '', 'response': {}})
        for self.dead in ('invalid_acceess_token', 'invalid_access_token', 'error_auth'):
            self.drive('shopee', server, {'partner': '2001', 'shop': '7007'}, self.SHOPEE, wrong=('key', 'no'), logout=False,
                       target='/api/v2/order/get_order_list?page_size=5', token='t%d')

    def test_lazada(self):
        def server(request, sessions):
            values = query(request)
            sign, name = values.pop('sign'), path(request)
            body = form(request) if request.body else {}
            text = name + ''.join(key + text for key, text in sorted({**values, **body}.items()) if text)
            if sign != hmac.digest(b'app secret', text.encode(), 'sha256').hex().upper():
                return sessions.refuse(json_answer({'code': 'IncompleteSignature', 'type': 'ISV', 'message': 'x'}))
            assert (values['app_key'], values['sign_method']) == ('123', 'sha256')
            if name == '/auth/token/refresh':
                assert values['refresh_token'] == (f'r{sessions.logins}' if sessions.logins else 'seed')
                return json_answer({'code': '0', 'access_token': sessions.new(), 'refresh_token': f'r{sessions.logins}',
                                    'expires_in': 604800})
            if values['access_token'] != sessions.alive:
                return json_answer({'code': 'IllegalAccessToken', 'type': 'ISP', 'message': 'x'})
            assert body == {'payload': '<Request>ü</Request>'}, body
            return json_answer({'code': '0', 'data': {}})
        self.drive('lazada', server, {'server': 'up'}, {'app_key': '123', 'app_secret': 'app secret', 'refresh_token': 'seed'},
                   wrong=('app_secret', 'no'), logout=False, target='/product/update', token='t%d', fields=FORM,
                   body=urllib.parse.urlencode({'payload': '<Request>ü</Request>'}))

    def test_pinduoduo(self):
        def server(request, sessions):
            values = form(request)
            sign = values.pop('sign')
            text = 's3cret' + ''.join(key + text for key, text in sorted(values.items())) + 's3cret'

            def error(code):
                return json_answer({'error_response': {'error_code': code, 'error_msg': 'x', 'sub_code': None}})
            if sign != hashlib.md5(text.encode()).hexdigest().upper():
                return sessions.refuse(error(20004))
            assert values['client_id'] == 'cid' and values['data_type'] == 'JSON'
            assert abs(int(values['timestamp']) - time.time()) < 10
            if values['type'] == 'pdd.pop.auth.token.refresh':
                assert values['refresh_token'] == (f'r{sessions.logins}' if sessions.logins else 'seed')
                return json_answer({'pop_auth_token_refresh_response': {
                    'access_token': sessions.new(), 'refresh_token': f'r{sessions.logins}', 'expires_in': 86400}})
            if values['access_token'] != sessions.alive:
                return error(10019)
            assert values['goods_name'] == '苹果'
            return json_answer({'goods_list_get_response': {'total_count': 0}})
        self.drive('pinduoduo', server, {}, {'client_id': 'cid', 'client_secret': 's3cret', 'refresh_token': 'seed'},
                   wrong=('client_secret', 'no'), logout=False, target='/api/router', token='t%d', fields=FORM,
                   body=urllib.parse.urlencode({'type': 'pdd.goods.list.get', 'goods_name': '苹果'}))

    def test_jd(self):
        def server(request, sessions):
            if path(request) == '/oauth2/refresh_token':
                values = query(request)
                if values.pop('app_secret') != 's3cret':
                    return sessions.refuse(json_answer({'code': 400, 'msg': 'x'}))
                assert values == {'app_key': 'k', 'grant_type': 'refresh_token',
                                  'refresh_token': f'r{sessions.logins}' if sessions.logins else 'seed'}, values
                return json_answer({'access_token': sessions.new(), 'refresh_token': f'r{sessions.logins}', 'expires_in': 86399})
            values = form(request)
            sign = values.pop('sign')
            text = 's3cret' + ''.join(key + text for key, text in sorted(values.items())) + 's3cret'
            assert sign == hashlib.md5(text.encode()).hexdigest().upper()
            stamp = datetime.datetime.strptime(values['timestamp'] + '+0800', '%Y-%m-%d %H:%M:%S%z')
            assert abs(stamp.timestamp() - time.time()) < 10 and (values['v'], values['format']) == ('2.0', 'json')
            if values['access_token'] != sessions.alive:
                return json_answer({'error_response': {'code': '19', 'zh_desc': '无效access_token'}})
            assert values['360buy_param_json'] == '{"name":"苹果"}'
            return json_answer({'jingdong_x_responce': {'code': '0'}})
        self.drive('jd-jos', server, {'server': 'up'}, {'app_key': 'k', 'app_secret': 's3cret', 'refresh_token': 'seed'},
                   wrong=('app_secret', 'no'), logout=False, target='/routerjson', token='t%d', fields=FORM,
                   body=urllib.parse.urlencode({'method': 'jingdong.x', '360buy_param_json': '{"name":"苹果"}'}))

    def test_dingtalk_old(self):
        def server(request, sessions):
            values = query(request)
            if path(request) == '/gettoken':
                if values != {'appkey': 'k', 'appsecret': 's'}:
                    return sessions.refuse(json_answer({'errcode': 40089, 'errmsg': '不合法的corpid或corpsecret'}))
                return json_answer({'errcode': 0, 'errmsg': 'ok', 'access_token': sessions.new(), 'expires_in': 7200})
            return json_answer({'errcode': 0, 'errmsg': 'ok'} if values['access_token'] == sessions.alive else self.dead)
        for self.dead in ({'errcode': 40014, 'errmsg': 'x'}, {'errcode': 88, 'sub_code': '42001', 'errmsg': 'x'}):
            self.drive('dingtalk-old', server, {}, {'app_key': 'k', 'app_secret': 's'}, wrong=('app_secret', 'no'), logout=False,
                       target='/topapi/v2/user/get', body='{"userid":"u"}', fields=JSON, token='t%d')


if __name__ == '__main__':
    case.main()
