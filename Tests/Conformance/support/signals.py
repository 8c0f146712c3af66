"""How services say that a session is over, and what looks like it but is not: a config expression per service, and answers.

Each answer is (verdict, status, fields, body). `relogin`: one login and a replay; `pass`: the client gets the answer as it is
and nobody logs in; `taken`: the other side keeps the session."""
import json


def body(verdict, value, status=200, type='application/json', **fields):
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    pairs = [('Content-Type', type)] if type else []
    return verdict, status, pairs + [(name.replace('_', '-'), text) for name, text in fields.items()], text


def each(verdict, make, values, status=200):
    return [body(verdict, make(value), status) for value in values]


TABLE = {
    'tpshop': ({'expired': 'int(json.status) in [-100, -101, -102]'}, [
        *each('relogin', lambda code: {'status': code, 'msg': ''}, [-100, -101, -102, '-101']),
        body('relogin', '<br />Notice: x in /a.php\n{"status":-101}', type='text/html'),
        *each('pass', lambda text: {'status': -1, 'msg': text}, ['请求超时!!!', '签名失败!!!', '库存不足']),
        body('pass', {'status': -1007}), body('pass', {'status': 1})]),
    'tpshop-fork': ({'expired': 'int(json.code) == 10001'}, [body('relogin', {'code': 10001}), body('pass', {'code': 200})]),
    'wechat': ({'expired': 'json.errcode in [40001, 40014, 41001, 42001]'}, [
        *each('relogin', lambda code: {'errcode': code}, [40001, 40014, 41001, 42001]),
        *each('pass', lambda code: {'errcode': code}, [42002, 42003, 42007, 40030, 0])]),
    'dingtalk-old': ({'expired': 'json.errcode == 88 && string(json.sub_code) == "40014"'}, [
        body('relogin', {'errcode': 88, 'sub_code': '40014'}), body('relogin', {'errcode': 88, 'sub_code': 40014}),
        body('pass', {'errcode': 88, 'sub_code': '60011'}), body('pass', {'errcode': 88})]),
    'dingtalk-new': ({'expired': 'status == 400 && json.code == "InvalidAuthentication"'}, [
        body('relogin', {'code': 'InvalidAuthentication'}, 400),
        body('pass', {'code': 'AuthenticationFailed.MissingParameter'}, 400), body('pass', {'code': 'x'}, 400)]),
    'feishu': ({'expired': 'json.code in [99991661, 99991663, 99991664, 99991668, 99991671, 99991677]'}, [
        *each('relogin', lambda code: {'code': code}, [99991661, 99991663, 99991664, 99991668, 99991671, 99991677]),
        body('relogin', {'code': 99991677}, 401),
        *each('pass', lambda code: {'code': code}, [99991672, 99991676, 99991679, 0], 403)]),
    'baidu': ({'expired': 'json.error_code in [110, 111]'}, [
        *each('relogin', lambda code: {'error_code': code}, [110, 111]), body('relogin', {'error_code': 110}, 401),
        body('pass', {'error_code': 6, 'error_msg': 'No permission'})]),
    'top': ({'expired': 'json.error_response.code in [26, 27] || json.error_response.sub_code in '
             '["isv.session-expired", "isv.invalid-access-token"]'}, [
        *each('relogin', lambda code: {'error_response': {'code': code}}, [26, 27]),
        body('relogin', {'error_response': {'code': 15, 'sub_code': 'isv.session-expired'}}),
        body('pass', {'error_response': {'code': 15, 'sub_code': 'isv.item-not-exist'}})]),
    'douyin': ({'expired': 'json.data.error_code == 2190008'}, [
        body('relogin', {'data': {'error_code': 2190008}}), body('pass', {'data': {'error_code': 2190002}})]),
    'salesforce': ({'expired': 'status == 401 && json[0].errorCode == "INVALID_SESSION_ID"'}, [
        body('relogin', [{'errorCode': 'INVALID_SESSION_ID'}], 401), body('pass', [{'errorCode': 'OTHER'}], 401),
        body('pass', [{'errorCode': 'INVALID_SESSION_ID'}], 403), body('pass', [], 401)]),
    'sa-token': ({'expired': 'json.msg.matches("^未能读取到有效 ?token|^token (无效|已过期)")',
                  'taken': 'json.msg.matches("已被(顶|踢)下线")'}, [
        *each('relogin', lambda text: {'code': 401, 'msg': text}, ['未能读取到有效 token', 'token 无效', 'token 已过期']),
        body('pass', {'code': 401, 'msg': 'token 已被冻结'}),
        *each('taken', lambda text: {'code': 401, 'msg': text}, ['token 已被顶下线', 'token 已被踢下线'])]),
    'jeecg': ({'expired': 'json.message == "Token失效，请重新登录"'}, [
        body('relogin', {'code': 500, 'message': 'Token失效，请重新登录'}, 500),
        body('relogin', {'message': 'Token失效，请重新登录'}, 401), body('pass', {'code': 500, 'message': '系统异常'}, 500)]),
    'graphql': ({'expired': 'json.errors.exists(e, e.extensions.code == "UNAUTHENTICATED")'}, [
        body('relogin', {'data': None, 'errors': [{'message': 'x'}, {'extensions': {'code': 'UNAUTHENTICATED'}}]}),
        body('pass', {'errors': [{'extensions': {'code': 'FORBIDDEN'}}]}), body('pass', {'data': {}})]),
    'oauth-resource': ({'expired': 'status == 401 && headers["www-authenticate"].matches("error=.?invalid_token")'}, [
        body('relogin', '', 401, type=None, WWW_Authenticate='Bearer realm="x", error="invalid_token"'),
        body('pass', '', 401, type=None, WWW_Authenticate='Bearer realm="x"'),
        body('pass', '', 403, type=None, WWW_Authenticate='Bearer error="insufficient_scope"')]),
    'digest': ({'expired': 'status == 401 && headers["www-authenticate"].matches("(?i)stale=true")'}, [
        body('relogin', '', 401, type=None, WWW_Authenticate='Digest realm="x", nonce="n", stale=true'),
        body('pass', '', 401, type=None, WWW_Authenticate='Digest realm="x", nonce="n"')]),
    'slack': ({'expired': '!json.ok && json.error in ["token_expired", "invalid_auth", "not_authed"]'}, [
        *each('relogin', lambda code: {'ok': False, 'error': code}, ['token_expired', 'invalid_auth', 'not_authed']),
        *each('pass', lambda code: {'ok': False, 'error': code}, ['token_revoked', 'missing_scope'])]),
    's3': ({'expired': 'text.contains("<Code>ExpiredToken</Code>")'}, [
        *[body(verdict, f'<?xml version="1.0"?><Error><Code>{code}</Code></Error>', 403, 'application/xml')
          for verdict, code in (('relogin', 'ExpiredToken'), ('pass', 'RequestTimeTooSkewed'),
                                ('pass', 'SignatureDoesNotMatch'), ('pass', 'AccessDenied'))]]),
    'alibaba': ({'expired': 'json.Code == "InvalidSecurityToken.Expired"'}, [
        body('relogin', {'Code': 'InvalidSecurityToken.Expired'}, 400),
        *each('pass', lambda code: {'Code': code}, ['InvalidTimeStamp.Expired', 'InvalidTimeStamp.Format',
                                                    'SignatureNonceUsed', 'SignatureDoesNotMatch'], 400)]),
    'redirect': ({'expired': 'status in [302, 303, 307] && headers.location.matches("(?i)login|signin|sso|cas|passport")'}, [
        *[body('relogin', '', status, type=None, Location=place) for status, place in (
            (302, '/login?next=/a'), (303, 'https://sso.test/'), (307, '/cas/SignIn'))],
        body('pass', '', 302, type=None, Location='/orders/7'), body('pass', '', 201, type=None, Location='/login/1')]),
    'header': ({'expired': 'headers["session-status"] == "timeout" || headers.sessionstatus == "timeout"'}, [
        body('relogin', '', 401, type=None, session_status='timeout'),
        body('relogin', '', 403, type=None, sessionstatus='timeout'),
        body('pass', '', 403, type=None)]),
    'empty-body': ({'expired': 'status in [401, 403] && size(text) == 0'}, [
        body('relogin', '', 401, type=None), body('relogin', '', 403, type=None),
        body('pass', 'no permission', 403, 'text/plain')]),
    'login-page': ({'expired': 'headers["content-type"].startsWith("text/html") && text.matches("(?i)type=.?password")'}, [
        body('relogin', '<html><input type="password"></html>', 200, 'text/html; charset=utf-8'),
        body('pass', '<html>maintenance</html>', 200, 'text/html'), body('pass', {'html': 'type="password"'})]),
}
