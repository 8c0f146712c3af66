"""Profiles of devices and servers in one's own network, against stand-ins that are strict about what they are sent."""
import base64
import hashlib
import json
import xml.etree.ElementTree as xml

from support import case, servers
from support.client import call
from support.servers import form, path, query, sent
from support.upstream import answer, json_answer

USER = {'username': 'ann', 'password': 'p&s <ü>'}
WRONG = ('password', 'no')
XML = [('Content-Type', 'text/xml; charset=utf-8')]
JSON = [('Content-Type', 'application/json')]


def basic(name='ann', password=USER['password']):
    return 'Basic ' + base64.b64encode(f'{name}:{password}'.encode()).decode()


def right(values, name='username', password='password'):
    return (values[name], values[password]) == (USER['username'], USER['password'])


def cookie(request, name):
    pairs = dict(pair.split('=', 1) for pair in (request.field('Cookie') or '').split('; ') if pair)
    return pairs.get(name)


class Appliances(servers.Servers):
    def test_proxmox(self):
        def server(request, sessions):
            if path(request) == '/api2/json/access/ticket':
                if not right(form(request)):
                    return sessions.refuse(json_answer({'data': None}, 401))
                ticket = sessions.new()
                return json_answer({'data': {'ticket': ticket, 'CSRFPreventionToken': 'c' + ticket, 'username': 'ann@pam'}})
            if cookie(request, 'PVEAuthCookie') != sessions.alive:
                return json_answer({'data': None}, 401)
            assert request.field('CSRFPreventionToken') == 'c' + sessions.alive
            return json_answer({'data': []})
        self.drive('proxmox', server, {}, USER, wrong=WRONG, target='/api2/json/nodes', body='', logout=False,
                   token='PVE:ann@pam:%08X::aB+/=')

    def test_proxmox_renews_with_the_ticket(self):
        """A ticket that still holds is its own password; a second factor is not for a gateway."""
        seen = []

        def server(request, sessions):
            if path(request) == '/api2/json/access/ticket':
                seen.append(form(request)['password'])
                return json_answer({'data': {'ticket': f't{len(seen)}', 'CSRFPreventionToken': 'c'}})
            return json_answer({}) if cookie(request, 'PVEAuthCookie') == 't2' else json_answer({}, 401)
        _, gateway = self.gate(server, servers.Sessions(), 'proxmox', {}, USER)
        self.assertEqual((call(gateway.address, 'GET', '/api2/json/x').status, seen), (200, [USER['password'], 't1']))
        second = {'data': {'ticket': 'PVE:!tfa!x', 'CSRFPreventionToken': 'c', 'NeedTFA': 1}}
        _, gateway = self.gate(lambda request, sessions: json_answer(second), servers.Sessions(), 'proxmox', {}, USER)
        self.assert_refused(call(gateway.address, 'GET', '/api2/json/x'), 401, 'login_refused')

    def test_redfish(self):
        def server(request, sessions):
            token, base = request.field('X-Auth-Token'), '/redfish/v1/SessionService/Sessions'
            if (request.method, path(request)) == ('POST', base):
                if sent(request) != {'UserName': 'ann', 'Password': USER['password']}:
                    return sessions.refuse(json_answer({'error': {'code': 'Base.1.0.GeneralError'}}, self.status))
                token = sessions.new()
                # Some write an origin of their own.
                origin = 'https://bmc.local' if sessions.logins == 2 else ''
                return json_answer({'Id': token}, 201, [('X-Auth-Token', token),
                                                        ('Location', f'{origin}{base}/{sessions.logins}')])
            if token != sessions.alive:
                return json_answer({'error': {'code': 'Base.1.12.NoValidSession'}}, 401)
            if request.method == 'DELETE':
                assert path(request) == base + '/2'
                return sessions.end(token)
            return json_answer({})
        for self.status in (401, 403):
            self.drive('redfish', server, {}, USER, wrong=WRONG, target='/redfish/v1/Systems', token='t%d')

    def test_unifi_os(self):
        def server(request, sessions):
            if path(request) == '/api/auth/login':
                values = sent(request)
                if not right(values):
                    return sessions.refuse(json_answer({'code': 'AUTHENTICATION_FAILED_INVALID_CREDENTIALS'}, 403))
                claims = base64.urlsafe_b64encode(b'{"exp":4102444800}').decode().rstrip('=')
                token = f'h.{claims}.' + sessions.new()
                self.csrf = 'first'
                return json_answer({}, 200, [('Set-Cookie', f'TOKEN={token}; path=/; httponly'), ('X-CSRF-Token', self.csrf)])
            token = (cookie(request, 'TOKEN') or '').rpartition('.')[2]
            if not sessions.alive or token != sessions.alive:
                return json_answer({'error': {'code': 401}}, 401)
            assert request.field('X-CSRF-Token') == self.csrf, (request.field('X-CSRF-Token'), self.csrf)
            if path(request) == '/api/auth/logout':
                return sessions.end(token)
            self.csrf += '+'
            return json_answer({'meta': {'rc': 'ok'}}, 200, [('X-Updated-CSRF-Token', self.csrf)])
        self.drive('unifi-os', server, {}, USER, wrong=WRONG, target='/proxy/network/api/s/default/cmd/x', body='{}', fields=JSON,
                   token='t%d')

    def test_cisco_aci(self):
        def got(sessions):
            token = sessions.new()
            return json_answer({'imdata': [{'aaaLogin': {'attributes': {'token': token, 'refreshTimeoutSeconds': '600'}}}]},
                               200, [('Set-Cookie', f'APIC-cookie={token}; path=/; HttpOnly; Secure')])

        def server(request, sessions):
            token = cookie(request, 'APIC-cookie')
            if path(request) == '/api/aaaLogin.json':
                values = sent(request)['aaaUser']['attributes']
                return got(sessions) if right(values, 'name', 'pwd') else sessions.refuse(json_answer({'imdata': []}, 401))
            if token != sessions.alive:
                error = {'code': '403', 'text': 'Token was invalid (Error: Token timeout)'}
                return json_answer({'imdata': [{'error': {'attributes': error}}]}, 403)
            if path(request) == '/api/aaaLogout.json':
                assert sent(request) == {'aaaUser': {'attributes': {'name': 'ann'}}}
                return sessions.end(token)
            return got(sessions) if path(request) == '/api/aaaRefresh.json' else json_answer({'imdata': []})
        self.drive('cisco-aci', server, {}, USER, wrong=WRONG, target='/api/class/fvTenant.json')

    def test_f5(self):
        def server(request, sessions):
            token = request.field('X-F5-Auth-Token')
            if path(request) == '/mgmt/shared/authn/login':
                values = sent(request)
                assert values['loginProviderName'] == 'tmos'
                if not right(values):
                    return sessions.refuse(json_answer({'code': 401, 'message': 'Authentication failed.'}, 401))
                return json_answer({'token': {'token': sessions.new(), 'timeout': 1200}})
            if token != sessions.alive:
                return json_answer({'code': 401, 'message': 'X-F5-Auth-Token does not exist.'}, 401)
            return sessions.end(path(request).rpartition('/')[2]) if request.method == 'DELETE' else json_answer({})
        self.drive('f5-bigip', server, {}, USER, wrong=WRONG, target='/mgmt/tm/ltm/pool', token='T%d')

    def test_panos(self):
        no = "<response status = 'error' code = '403'><result><msg>Invalid Credential</msg></result></response>"

        def server(request, sessions):
            if request.method == 'POST' and b'type=keygen' in request.body:
                if not right(form(request), 'user'):
                    return sessions.refuse(answer(403, no, XML))
                return answer(200, f"<response status = 'success'><result><key>{sessions.new()}</key></result></response>", XML)
            if request.field('X-PAN-KEY') != sessions.alive:
                return answer(403, no, XML)
            return answer(200, '<response status="success"><result/></response>', XML)
        self.drive('panos', server, {}, USER, wrong=WRONG, target='/api/?type=op&cmd=x', logout=False, token='LUFRPT1%d==')

    def test_fixed_credentials(self):
        request = self.send('fortigate', {'vdom': 'guest'}, {'token': 't0ken'}, 'GET', '/api/v2/cmdb/x?a=1')
        self.assertEqual((request.field('Authorization'), query(request)), ('Bearer t0ken', {'a': '1', 'vdom': 'guest'}))
        self.assertEqual(self.send('fortigate', {}, {'token': 't'}, 'GET', '/api/v2/x').target, '/api/v2/x')
        request = self.send('nextcloud-app-password', {}, USER, 'PUT', '/remote.php/dav/files/ann/a', b'\xff' * 100)
        self.assertEqual((request.field('Authorization'), request.field('OCS-APIRequest'), request.body),
                         (basic(), 'true', b'\xff' * 100))


class Homes(servers.Servers):
    def test_synology(self):
        def server(request, sessions):
            values = form(request) if request.method == 'POST' else query(request)
            if values.get('method') == 'login':
                assert (values['api'], values['version'], values['format']) == ('SYNO.API.Auth', '6', 'sid')
                if not right(values, 'account', 'passwd'):
                    return sessions.refuse(json_answer({'success': False, 'error': {'code': 400}}))
                sid = sessions.new()
                return json_answer({'success': True, 'data': {'sid': sid, 'synotoken': 'syno' + sid}})
            sid = query(request).get('_sid')
            if sid != sessions.alive:
                return json_answer({'success': False, 'error': {'code': self.dead}})
            if values['method'] == 'logout':
                assert values['session'] == 'FileStation'
                return sessions.end(sid)
            assert request.field('X-SYNO-TOKEN') == 'syno' + sid
            return json_answer({'success': True, 'data': {}})
        for self.dead in (119, 106, 107):
            self.drive('synology-dsm', server, {}, USER, wrong=WRONG, token='s_-%d',
                       target='/webapi/entry.cgi?api=SYNO.FileStation.List&version=2&method=list_share')

    def test_home_assistant(self):
        def server(request, sessions):
            values = sent(request) if (request.field('Content-Type') or '').startswith('application/json') else None
            if path(request) == '/auth/login_flow':
                assert values == {'client_id': 'http://countersign.local/', 'handler': ['homeassistant', None],
                                  'redirect_uri': 'http://countersign.local/'}
                return json_answer({'type': 'form', 'flow_id': 'f1', 'step_id': 'init', 'errors': {}})
            if path(request) == '/auth/login_flow/f1':
                assert values['client_id'] == 'http://countersign.local/'
                if not right(values):
                    return sessions.refuse(json_answer({'type': 'form', 'step_id': 'init', 'errors': {'base': 'invalid_auth'}}))
                return json_answer({'type': 'create_entry', 'result': 'code1', 'flow_id': 'f1'})
            if path(request) == '/auth/token':
                values = form(request)
                assert values['client_id'] == 'http://countersign.local/'
                if values['grant_type'] == 'refresh_token':
                    return json_answer({'error': 'invalid_grant'}, 400)
                assert values['code'] == 'code1'
                token = sessions.new()
                return json_answer({'access_token': token, 'expires_in': 1800, 'refresh_token': 'r' + token})
            if path(request) == '/auth/revoke':
                return sessions.end(form(request)['token'].removeprefix('r'))
            if request.field('Authorization') != f'Bearer {sessions.alive}':
                return answer(401, '401: Unauthorized')
            return json_answer({'message': 'API running.'})
        self.drive('home-assistant', server, {}, USER, wrong=WRONG, target='/api/')

    def test_home_assistant_refreshes(self):
        seen = []

        def server(request, sessions):
            seen.append(path(request))
            if seen[-1].startswith('/auth/login_flow'):
                return json_answer({'type': 'create_entry', 'result': 'c', 'flow_id': 'f'})
            if seen[-1] == '/auth/token':
                refresh = form(request)['grant_type'] == 'refresh_token'
                return json_answer({'access_token': 't2', 'expires_in': 1800} if refresh else
                                   {'access_token': 't1', 'refresh_token': 'r', 'expires_in': 1800})
            return json_answer({}, 200 if request.field('Authorization') == 'Bearer t2' else 401)
        _, gateway = self.gate(server, servers.Sessions(), 'home-assistant', {}, USER)
        self.assertEqual(call(gateway.address, 'GET', '/api/x').status, 200)
        self.assertEqual(seen, ['/auth/login_flow', '/auth/login_flow/f', '/auth/token', '/api/x', '/auth/token', '/api/x'])

    # The challenge, password and answer of AVM's note on its session ids.
    CHALLENGE = '2$10000$5A1711$2000$5A1722'
    RESPONSE = '5A1722$1798a1672bca7c6463d6b245f82b53703b0f50813401b03e4045a5861e689adb'

    def fritz(self, request, sessions, pause=0):
        def info(sid, block):
            return answer(200, f'<?xml version="1.0" encoding="utf-8"?><SessionInfo><SID>{sid}</SID><Challenge>{self.CHALLENGE}'
                          f'</Challenge><BlockTime>{block}</BlockTime><Rights></Rights></SessionInfo>', XML)
        if path(request) == '/login_sid.lua':
            assert query(request)['version'] == '2'
            if 'logout' in query(request):
                return sessions.end(query(request)['sid'])
            if request.method == 'GET':
                return info('0' * 16, pause)
            if form(request) != {'username': 'ann', 'response': self.RESPONSE}:
                return sessions.refuse(info('0' * 16, 8))
            return info(sessions.new(), 0)
        return answer(200, '1\n') if query(request).get('sid') == sessions.alive else answer(403)

    def test_fritzbox(self):
        self.drive('fritzbox', self.fritz, {}, {'username': 'ann', 'password': '1example!'}, wrong=WRONG, token='%016x',
                   target='/webservices/homeautoswitch.lua?switchcmd=getswitchlist')

    def test_fritzbox_that_wants_a_pause(self):
        """A BlockTime is waited for: no password goes out meanwhile."""
        upstream, gateway = self.gate(lambda request, sessions: self.fritz(request, sessions, 60), servers.Sessions(),
                                      'fritzbox', {}, {'username': 'ann', 'password': '1example!'})
        self.assert_refused(call(gateway.address, 'GET', '/webservices/x'), 503, 'login_unavailable')
        self.assertEqual({request.method for request in upstream.requests}, {'GET'})

    def test_pi_hole(self):
        def server(request, sessions):
            sid = request.field('X-FTL-SID')
            if (request.method, path(request)) == ('POST', '/api/auth'):
                if sent(request) != {'password': USER['password']}:
                    return sessions.refuse(json_answer({'session': {'valid': False, 'sid': None, 'validity': -1}}, 401))
                new = sessions.new()
                return json_answer({'session': {'valid': True, 'totp': False, 'sid': new, 'csrf': 'c' + new, 'validity': 1800}})
            if sid != sessions.alive:
                return json_answer({'error': {'key': 'unauthorized'}}, 401)
            if request.method == 'DELETE':
                return sessions.end(sid)
            assert request.field('X-FTL-CSRF') == 'c' + sid
            return json_answer({'blocking': 'enabled'})
        self.drive('pi-hole', server, {}, {'password': USER['password']}, wrong=WRONG, target='/api/dns/blocking',
                   token='aB+/%d=')

    def test_zabbix(self):
        def server(request, sessions):
            values, token = sent(request), request.field('Authorization')
            assert values['jsonrpc'] == '2.0' and request.field('Content-Type').startswith('application/json')

            def error(code, data):
                return json_answer({'jsonrpc': '2.0', 'error': {'code': code, 'message': 'x', 'data': data}, 'id': values['id']})
            if values['method'] in ('user.login', 'apiinfo.version'):
                assert token is None, values
                if values['method'] == 'apiinfo.version':
                    return json_answer({'jsonrpc': '2.0', 'result': '7.0.0', 'id': 1})
                if not right(values['params']):
                    return sessions.refuse(error(-32500, 'Incorrect user name or password or account is temporarily blocked.'))
                return json_answer({'jsonrpc': '2.0', 'result': sessions.new(), 'id': 1})
            if token != f'Bearer {sessions.alive}':
                return error(-32602, 'Session terminated, re-login, please.')
            if values['method'] == 'user.logout':
                return sessions.end(token.removeprefix('Bearer '))
            return json_answer({'jsonrpc': '2.0', 'result': [], 'id': values['id']})
        for method in ('host.get', 'item.get'):
            self.drive('zabbix', server, {}, USER, wrong=WRONG, target='/api_jsonrpc.php', fields=JSON, token='%032x',
                       body=json.dumps({'jsonrpc': '2.0', 'method': method, 'params': {}, 'id': 7}))
        _, gateway = self.gate(server, sessions := servers.Sessions(), 'zabbix', {'to': 'standard'}, USER)
        version = json.dumps({'jsonrpc': '2.0', 'method': 'apiinfo.version', 'params': [], 'id': 1})
        got = call(gateway.address, 'POST', '/api_jsonrpc.php', JSON, version)
        self.assertEqual((got.json['data'], sessions.faults), ('7.0.0', []))

    def test_openwrt(self):
        def server(request, sessions):
            values = sent(request)
            head = {'jsonrpc': '2.0', 'id': values['id']}
            session, *rest = values['params']
            if rest[:2] == ['session', 'login']:
                assert session == '0' * 32
                if not right(rest[2]):
                    return sessions.refuse(json_answer({**head, 'result': [6]}))
                return json_answer({**head, 'result': [0, {'ubus_rpc_session': sessions.new(), 'timeout': 300, 'expires': 299}]})
            if session != sessions.alive:
                return json_answer({**head, 'error': {'code': -32002, 'message': 'Access denied'}})
            assert rest == ['system', 'board', {}], rest
            return json_answer({**head, 'result': [0, {}]})
        self.drive('openwrt-ubus', server, {}, USER, wrong=WRONG, target='/ubus', fields=JSON, logout=False, token='%032x',
                   body=json.dumps({'jsonrpc': '2.0', 'id': 3, 'method': 'call', 'params': ['mine', 'system', 'board', {}]}))

    def test_transmission(self):
        def server(request, sessions):
            if request.field('Authorization') != basic():
                return sessions.refuse(answer(401, '<h1>401: Unauthorized</h1>'))
            number = request.field('X-Transmission-Session-Id')
            if number is None or number != sessions.alive:
                return answer(409, '<h1>409: Conflict</h1>', [('X-Transmission-Session-Id', sessions.alive or sessions.new())])
            return json_answer({'result': 'success', 'arguments': {}})
        self.drive('transmission', server, {}, USER, wrong=WRONG, target='/transmission/rpc', body='{"method":"torrent-get"}',
                   fields=JSON, logout=False)

    def test_jellyfin(self):
        def server(request, sessions):
            kind, _, rest = request.field('Authorization').partition(' ')
            values = {name: text.strip('"') for name, text in (item.split('=', 1) for item in rest.split(', '))}
            assert kind == 'MediaBrowser'
            if path(request) == '/Users/AuthenticateByName':
                assert values.keys() == {'Client', 'Device', 'DeviceId', 'Version'}, values
                if not right(sent(request), 'Username', 'Pw'):
                    return sessions.refuse(answer(401, 'Error processing request.'))
                return json_answer({'AccessToken': sessions.new(), 'User': {'Id': 'u'}})
            if values['Token'] != sessions.alive:
                return answer(401)
            return sessions.end(values['Token']) if path(request) == '/Sessions/Logout' else json_answer({})
        self.drive('jellyfin', server, {}, USER, wrong=WRONG, target='/Items', token='%032x')

    def test_omada(self):
        def server(request, sessions):
            if path(request) == '/openapi/authorize/token':
                assert query(request) == {'grant_type': 'client_credentials'}
                if sent(request) != {'omadacId': 'oid', 'client_id': 'c', 'client_secret': 's'}:
                    return sessions.refuse(json_answer({'errorCode': -44106, 'msg': 'The client id or client secret is invalid'}))
                return json_answer({'errorCode': 0, 'msg': 'ok', 'result': {
                    'accessToken': sessions.new(), 'tokenType': 'bearer', 'expiresIn': 7200, 'refreshToken': 'r'}})
            if request.field('Authorization') != f'AccessToken={sessions.alive}':
                return json_answer({'errorCode': -44112, 'msg': 'The access token has expired'})
            return json_answer({'errorCode': 0, 'msg': 'Success.', 'result': {}})
        self.drive('tplink-omada', server, {'omadac': 'oid'}, {'client_id': 'c', 'client_secret': 's'},
                   wrong=('client_secret', 'x'), target='/openapi/v1/oid/sites', logout=False, token='AT-%d')

    def test_hilink(self):
        """Tokens serve once, and the next one comes with the answer, whatever it says."""
        def server(request, sessions):
            token, fail = request.field('__RequestVerificationToken'), '<error><code>{}</code><message></message></error>'
            if path(request) == '/api/webserver/SesTokInfo':
                return answer(200, '<response><SesInfo>SessionID=pre</SesInfo><TokInfo>tok</TokInfo></response>', XML)
            if path(request) == '/api/user/login':
                assert (cookie(request, 'SessionID'), token) == ('pre', 'tok')
                root = xml.fromstring(request.body)
                assert (root.tag, root.findtext('password_type'), root.findtext('Username')) == ('request', '4', 'ann')
                inner = base64.b64encode(hashlib.sha256(USER['password'].encode()).hexdigest().encode()).decode()
                proof = base64.b64encode(hashlib.sha256(f'ann{inner}tok'.encode()).hexdigest().encode()).decode()
                if root.findtext('Password') != proof:
                    return sessions.refuse(answer(200, fail.format(108006), XML))
                self.next = 1
                return answer(200, '<response>OK</response>', [
                    *XML, ('Set-Cookie', f'SessionID={sessions.new()}; path=/; HttpOnly'),
                    ('__RequestVerificationTokenone', 'n1'), ('__RequestVerificationTokentwo', 'n0')])
            if cookie(request, 'SessionID') != sessions.alive:
                return answer(200, fail.format(125002), XML)
            assert token == f'n{self.next}', (token, self.next)
            self.next += 1
            return answer(200, '<response>OK</response>', [*XML, ('__RequestVerificationToken', f'n{self.next}')])
        self.drive('huawei-hilink', server, {}, USER, wrong=WRONG, target='/api/sms/send-sms', fields=XML, logout=False,
                   body='<request/>', token='s%d')
        upstream, gateway = self.gate(server, sessions := servers.Sessions('s%d'), 'huawei-hilink', {}, USER)
        for _ in range(3):
            call(gateway.address, 'POST', '/api/sms/send-sms', XML, '<request/>')
        self.assertEqual((sessions.faults, self.next), ([], 4))


if __name__ == '__main__':
    case.main()
