"""Whatever the upstream's envelope, the client gets one shape, and the payload byte for byte."""
import json

from support import case, configs, shop
from support.client import call, get, post
from support.upstream import answer, free_port, json_answer

PAYLOAD = ('{"id":12345678901234567890,"price":10.10,"e":1E+2,"z":1,"a":{"b":[1.0,-0]},"z":2,'
           '"text":"\\u4e2d\\/\\ud83d\\ude00 中\\n","none":null}')
ROUTE = 'envelope: {from: api, to: %s%s}'
ENVELOPES = '''envelopes:
  api:
    unwrap: [charset, bom, skip_to_json, xssi, jsonp]
    ok: int(json.status) > 0
    code: json.status
    message: json.msg
    data: json.?result.or(json.?data)
    render: {status: "${code.orValue(-1)}", msg: "${message}", result: ""}
  city:
    ok: json.code == 200
    code: json.code
    message: json.msg
    data: json.?data
    render: {code: "${code.orValue(-1009)}", msg: "${message}", data: "${data}"}
'''


class Base(case.Case):
    to, options = 'standard', ''

    def ask(self, body, fields=(), status=200, method='GET', content_type='text/html;charset=utf-8'):
        upstream = self.upstream(lambda request, wire: answer(status, body, [('Content-Type', content_type), *fields]))
        gateway = self.gateway(configs.plain(upstream.url, top=ENVELOPES, route=ROUTE % (self.to, self.options)))
        return call(gateway.address, method, '/x')

    def shop_answer(self, result=PAYLOAD, status=1, msg='ok'):
        return '{"status":%s,"msg":%s,"result":%s}' % (status, json.dumps(msg, ensure_ascii=False), result)


class Standard(Base):
    def test_the_payload_is_spliced_byte_for_byte(self):
        reply = self.ask(self.shop_answer())
        self.assertEqual(reply.body.decode(), '{"success":true,"code":1,"message":"ok","data":%s}' % PAYLOAD)

    def test_the_answer_is_json_and_its_length_is_right(self):
        reply = self.ask(self.shop_answer())
        self.assertEqual(reply.field('Content-Type').lower(), 'application/json; charset=utf-8')
        self.assertEqual(int(reply.field('Content-Length')), len(reply.body))
        self.assertEqual((reply.status, reply.outcome), (200, 'forwarded'))

    def test_a_failure_keeps_the_upstreams_code_and_text(self):
        reply = self.ask(self.shop_answer('""', -1, '余额"不足"'))
        self.assertEqual(reply.status, 200)
        self.assertEqual(reply.json, {'success': False, 'code': -1, 'message': '余额"不足"', 'data': ''})
        self.assertNotIn('error', reply.json)

    def test_a_code_that_is_text_stays_text(self):
        self.assertIn(b'"code":"0001"', self.ask(self.shop_answer('1', '"0001"')).body)

    def test_a_missing_payload_is_null(self):
        self.assertEqual(self.ask('{"status":1,"msg":"ok"}').json['data'], None)

    def test_data_takes_the_place_of_result(self):
        self.assertEqual(self.ask('{"status":1,"msg":"ok","data":[1]}').json['data'], [1])

    def test_a_null_result_is_found(self):
        self.assertIn(b'"data":null', self.ask('{"status":1,"msg":"ok","result":null,"data":5}').body)

    def test_a_byte_order_mark_is_dropped(self):
        self.assertEqual(self.ask(b'\xef\xbb\xbf' + self.shop_answer('7').encode()).json['data'], 7)

    def test_a_php_notice_is_skipped(self):
        body = '<br />\n<b>Notice</b>: Undefined [offset] {1} in x.php\n' + self.shop_answer('7')
        self.assertEqual(self.ask(body).json['data'], 7)

    def test_a_script_guard_is_dropped(self):
        for guard in (")]}',\n", 'while(1);', 'for(;;);'):
            self.assertEqual(self.ask(guard + self.shop_answer('7')).json['data'], 7, guard)

    def test_a_callback_is_unwrapped(self):
        self.assertEqual(self.ask('cb(' + self.shop_answer('7') + ');').json['data'], 7)

    def test_an_answer_that_is_no_json_is_a_bad_answer(self):
        for body in ('<html>portal</html>', '{"status":1', '{"status":1,}', '[' * 5000, b'\xff\xfe'):
            reply = self.ask(body)
            self.assert_refused(reply, 502, 'bad_answer')

    def test_an_upstream_error_page_is_an_upstream_error(self):
        reply = self.ask('<html>oops</html>', status=500)
        self.assertIn(reply.kind, ('upstream_error', 'bad_answer'))
        self.assertIn(reply.status, (500, 502))

    def test_head_has_no_body(self):
        reply = self.ask(self.shop_answer(), method='HEAD')
        self.assertEqual((reply.status, reply.body), (200, b''))

    def test_the_client_cannot_make_the_upstream_compress_an_envelope(self):
        upstream = self.upstream(lambda request, wire: json_answer(self.shop_answer('7')))
        gateway = self.gateway(configs.plain(upstream.url, top=ENVELOPES, route=ROUTE % ('standard', '')))
        get(gateway.address, '/x', [('Accept-Encoding', 'gzip, br')])
        self.assertIn(upstream.last.field('Accept-Encoding'), (None, 'identity'))

    def test_a_large_payload_within_the_limit_passes(self):
        payload = json.dumps(['x' * 1000] * 800)
        self.assertEqual(self.ask(self.shop_answer(payload)).json['data'][799], 'x' * 1000)


class Mapped(Base):
    options = ', status: map'

    def test_a_failure_under_200_becomes_422(self):
        reply = self.ask(self.shop_answer('""', -1, 'no'))
        self.assertEqual((reply.status, reply.json['code']), (422, -1))

    def test_a_success_keeps_its_status(self):
        self.assertEqual(self.ask(self.shop_answer()).status, 200)


class Same(Base):
    to = 'same'

    def test_the_answer_passes_untouched(self):
        body = '<b>Notice</b>' + self.shop_answer()
        reply = self.ask(body)
        self.assertEqual(reply.body.decode(), body)
        self.assertEqual(reply.field('Content-Type'), 'text/html;charset=utf-8')

    def test_the_gateways_own_answers_speak_the_dialect(self):
        gateway = self.gateway(configs.plain(
            f'http://127.0.0.1:{free_port()}', top=ENVELOPES, route=ROUTE % ('same', '')))
        reply = get(gateway.address, '/x', [('Accept-Language', 'zh-CN,zh;q=0.9')])
        self.assertEqual((reply.json['status'], reply.json['result']), (-1, ''))
        self.assertRegex(reply.json['msg'], '[一-鿿]')
        self.assertEqual(set(reply.json), {'status', 'msg', 'result'})


class Problem(Base):
    to = 'problem'

    def test_a_failure_is_an_rfc_9457_problem(self):
        reply = self.ask(self.shop_answer('""', -1, 'no money'))
        self.assertEqual(reply.field('Content-Type').split(';')[0], 'application/problem+json')
        self.assertEqual(reply.json['detail'] if 'detail' in reply.json else reply.json['title'], 'no money')

    def test_a_gateway_error_is_a_problem_with_its_kind(self):
        gateway = self.gateway(configs.plain(
            f'http://127.0.0.1:{free_port()}', top=ENVELOPES, route=ROUTE % ('problem', '')))
        reply = get(gateway.address, '/x')
        self.assertEqual(reply.field('Content-Type').split(';')[0], 'application/problem+json')
        self.assertEqual(reply.json['status'], reply.status)
        self.assertIn('refused', json.dumps(reply.json))


class Other(Base):
    to = 'city'

    def test_a_success_is_rendered_in_the_other_dialect_byte_for_byte(self):
        reply = self.ask(self.shop_answer())
        self.assertEqual(reply.body.decode(), '{"code":1,"msg":"ok","data":%s}' % PAYLOAD)

    def test_a_failure_is_rendered_in_the_other_dialect(self):
        self.assertEqual(self.ask(self.shop_answer('""', -5, 'no')).json, {'code': -5, 'msg': 'no', 'data': ''})


class Languages(case.Case):
    def ask(self, language, top=''):
        gateway = self.gateway(configs.plain(f'http://127.0.0.1:{free_port()}', top=top))
        fields = [('Accept-Language', language)] if language else []
        return get(gateway.address, '/x', fields).json['message']

    def test_english_is_the_default(self):
        for language in ('', 'en', 'fr-FR,fr;q=0.8', '*', 'x' * 300, 'zh;q=0, en'):
            self.assertRegex(self.ask(language), '^[ -~]+$', language)

    def test_chinese_is_given_to_those_who_prefer_it(self):
        for language in ('zh', 'zh-CN', 'zh-Hans-CN', 'ZH-cn,en;q=0.5', 'en;q=0.4, zh;q=0.9'):
            self.assertRegex(self.ask(language), '[一-鿿]', language)

    def test_the_config_overrides_a_text(self):
        top = 'texts: {zh-Hans: {refused: "店铺休息中"}, en: {refused: "The shop sleeps"}}'
        self.assertEqual(self.ask('zh-CN', top), '店铺休息中')
        self.assertEqual(self.ask('', top), 'The shop sleeps')


class WholeJob(case.Case):
    def test_the_whole_job_leaves_the_payload_of_the_shop_alone(self):
        store = self.shop()
        store.result = PAYLOAD
        gateway = self.shop_gateway(store)
        reply = post(gateway.address, '/api/User/userInfo', 'echo=1')
        self.assertEqual(reply.body.decode(), '{"success":true,"code":1,"message":"ok","data":%s}' % PAYLOAD)
        self.assertNotIn(shop.KEY.encode(), reply.body)


if __name__ == '__main__':
    case.main()
