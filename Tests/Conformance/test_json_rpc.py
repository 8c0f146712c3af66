"""An app that speaks REST in front of a JSON-RPC 2.0 server: the manual's own config, word for word."""
import json
import os
import re

from support import case, configs
from support.client import call, get
from support.upstream import Upstream, json_answer

MANUAL = os.path.join(os.path.dirname(__file__), '../../Sources/countersign/Countersign.docc/HowRequestsAreShaped.md')
SECRETS = {'secrets/rpc-user': 'ann', 'secrets/rpc-password': 'pass "word"'}
JSON = [('Content-Type', 'application/json')]


def manual(url):
    """The config under the heading `A path becomes a body`, with listeners and the server's address."""
    with open(MANUAL, encoding='utf8') as file:
        section = file.read().split('## A path becomes a body', 1)[1]
    text = re.search(r'```yaml\n(.*?)```', section, re.S).group(1)
    assert text.count('http://rpc.example') == 1
    return 'listen: [127.0.0.1:0]\nadmin: 127.0.0.1:0\nhosts: [gw.test]\n' + text.replace('http://rpc.example', url)


class Server:
    """One URL, errors inside a 200, sessions as a member of the parameters."""

    def __init__(self):
        self.items = {7: {'id': 7, 'price': 10.5}, 8: {'id': 8}}
        self.sids = set()
        self.logins = 0
        self.calls = []
        self.wrong_ids = False
        self.upstream = Upstream(self.handle)
        self.url, self.close = self.upstream.url, self.upstream.close

    def handle(self, request, wire):
        assert (request.method, request.target) == ('POST', '/rpc'), request
        assert request.field('Content-Type') == 'application/json', request.fields
        body = json.loads(request.body)
        assert body['jsonrpc'] == '2.0', body
        answer = {'jsonrpc': '2.0', 'id': body['id'] + (1000 if self.wrong_ids else 0)}
        try:
            answer['result'] = self.dispatch(body['method'], dict(body['params']), body['id'])
        except LookupError as error:
            code, message = error.args
            answer['error'] = {'code': code, 'message': message}
        return json_answer(answer)

    def dispatch(self, method, params, number):
        if method == 'session.login':
            if params != {'user': 'ann', 'password': 'pass "word"'}:
                raise LookupError(-32001, 'wrong password')
            self.logins += 1
            self.sids.add(f'sid-{self.logins}')
            return {'sid': f'sid-{self.logins}'}
        self.calls.append((number, method, params))
        if params.pop('sid', None) not in self.sids:
            raise LookupError(-32002, 'session expired')
        if method == 'items.add':
            self.items[params['id']] = params
            return params['id']
        if method not in ('items.get', 'items.delete'):
            raise LookupError(-32601, 'no such method')
        if params['id'] not in self.items:
            raise LookupError(-32010, 'no such item')
        return self.items[params['id']] if method == 'items.get' else self.items.pop(params['id']) and None


class Manual(case.Case):
    def setUp(self):
        self.server = self.start(Server())
        self.gate = self.gateway(manual(self.server.url), secrets=SECRETS)

    def call(self, method, target, body=None):
        return call(self.gate.address, method, target, JSON if body is not None else (),
                    None if body is None else json.dumps(body))

    def test_get_post_and_delete(self):
        reply = self.call('GET', '/items/7')
        self.assertEqual((reply.status, reply.body), (
            200, b'{"success":true,"code":null,"message":null,"data":{"id": 7, "price": 10.5}}'), reply)
        self.assertEqual(self.call('POST', '/items', {'id': 9, 'name': 'x'}).json['data'], 9)
        self.assertEqual(self.call('GET', '/items/9').json['data'], {'id': 9, 'name': 'x'})
        self.assertEqual(self.call('DELETE', '/items/9').json['success'], True)
        self.assertEqual([(method, params.get('id')) for _, method, params in self.server.calls], [
            ('items.get', 7), ('items.add', 9), ('items.get', 9), ('items.delete', 9)])
        numbers = [number for number, _, _ in self.server.calls]
        self.assertEqual(numbers, list(range(numbers[0], numbers[0] + 4)))
        self.assertEqual(self.server.logins, 1)

    def test_an_error_inside_a_200_is_a_failure(self):
        reply = self.call('GET', '/items/99')
        self.assertEqual((reply.status, reply.json), (
            422, {'success': False, 'code': -32010, 'message': 'no such item', 'data': None}))
        self.assertEqual(self.call('GET', '/other/1').json['code'], -32601)

    def test_an_expiry_inside_a_200_is_invisible(self):
        for method, target, body in (('GET', '/items/7', None), ('DELETE', '/items/8', None), ('POST', '/items', {'id': 1})):
            self.server.sids.clear()
            before = self.server.logins
            reply = self.call(method, target, body)
            self.assertEqual((reply.json['success'], self.server.logins), (True, before + 1), reply)
        *_, refused, again = self.server.calls
        self.assertGreater(again[0], refused[0])
        self.assertEqual(again[1], refused[1])

    def test_what_is_no_number_is_refused(self):
        reply = self.call('GET', '/items/seven')
        self.assert_refused(reply, 400, 'bad_request')
        self.assertEqual(self.server.calls, [])

    def test_an_answer_to_another_call_is_no_success(self):
        self.server.wrong_ids = True
        self.assertEqual(self.call('GET', '/items/7').json['success'], False)


class Calls(case.Case):
    """A client that speaks JSON-RPC itself: what the gateway says carries the id of the client's call."""

    ENVELOPE = '''envelopes:
  rpc:
    ok: json.id == request.json.id
    data: json.result
    render:
      jsonrpc: "2.0"
      id: "${request.json.id}"
      result: "${data}"
      error: "${{'code': -32000, 'message': message, 'kind': kind}}"
'''

    def front(self, handler, route):
        self.up = self.upstream(handler)
        return self.gateway(configs.plain(self.up.url, top=self.ENVELOPE, route=route))

    def call(self, gate, body, type_='application/json'):
        return call(gate.address, 'POST', '/rpc', [('Content-Type', type_)], body)

    def test_an_error_of_the_gateway_answers_that_call(self):
        gate = self.front(lambda request, wire: json_answer({'id': 7, 'result': 1}), 'envelope: {from: rpc, to: same}')
        self.assertEqual(self.call(gate, '{"id":7,"method":"m"}').body, b'{"id": 7, "result": 1}')
        self.up.close()
        for id_ in ('7', '"a-1"', '12345678901234567890', 'null'):
            reply = self.call(gate, '{"jsonrpc":"2.0","id":%s,"method":"m","params":["%s"]}' % (id_, 'x' * 100_000))
            self.assertEqual(reply.status, 502)
            start = '{"jsonrpc":"2.0","id":%s,"result":null,"error":{"code":-32000,' % id_
            self.assertTrue(reply.body.decode().startswith(start), reply.body)
            self.assertEqual(reply.json['error']['kind'], 'refused')

    def test_a_call_without_an_id_gets_the_standard_envelope(self):
        gate = self.front(None, 'envelope: {from: rpc, to: same}')
        self.up.close()
        for body in ('{"method":"m"}', 'no JSON', ''):
            self.assert_refused(self.call(gate, body), 502, 'refused')

    def test_the_upstreams_answer_is_told_under_the_clients_own_id(self):
        """The gateway numbers calls anew upstream; `ok` sees its number, `render` the client's."""
        gate = self.front(
            lambda request, wire: json_answer({'id': json.loads(request.body)['id'], 'result': request.body.decode()}),
            'attach:\n  header: {Content-Type: application/json}\n'
            '  body: \'${json.encode({"id": 1000 + request.json.id, "method": request.json.method})}\'\n'
            'envelope: {from: rpc, to: rpc}')
        reply = self.call(gate, '{"id":5,"method":"m"}')
        self.assertEqual((reply.json['id'], reply.json['result']), (5, '{"id":1005,"method":"m"}'))


class Ids(case.Case):
    def front(self, id, *, status=''):
        upstream = self.upstream(lambda request, wire: json_answer(
            {'result': 1} if 'pay' in request.body.decode() else {'error': {'code': -7, 'message': 'no'}}))
        return self.gateway(configs.plain(
            upstream.url, top='envelopes: {rpc: {ok: has(json.result), code: json.error.code, '
            'message: json.error.message, data: json.?result, render: {id: "%s", result: "${data}"}}}' % id,
            route='envelope: {from: rpc, to: rpc%s}' % status))

    def ask(self, gateway, body):
        return call(gateway.address, 'POST', '/x', JSON, body)

    def test_a_call_without_an_id_is_told_by_a_template_that_expects_none(self):
        reply = self.ask(self.front('${request.json.?id.orValue(null)}'), '{"method":"pay"}')
        self.assertEqual((reply.json, reply.field('Countersign-Envelope')), ({'id': None, 'result': 1}, None))

    def test_a_template_that_errs_hides_nothing_of_what_the_upstream_said(self):
        """The upstream may have acted: a 500 would make the client do it again."""
        gateway = self.front('${request.json.id}', status=', status: map')
        self.assertEqual(self.ask(gateway, '{"method":"pay","id":4}').json, {'id': 4, 'result': 1})
        for body, told in (('{"method":"pay"}', (200, {'success': True, 'code': None, 'message': None, 'data': 1})),
                           ('{"method":"x"}', (422, {'success': False, 'code': -7, 'message': 'no', 'data': None}))):
            reply = self.ask(gateway, body)
            self.assertEqual((reply.status, reply.json), told)
            self.assertEqual((reply.field('Countersign-Envelope'), reply.outcome), ('standard', 'forwarded'))
        self.assertIn('countersign_envelope_fallbacks_total{route="/**"} 2', get(gateway.admin, '/metrics').body.decode())
        gateway.stop()
        gateway.output()
        lines = [line for line in gateway.log.records if line['message'].endswith('told in the standard envelope')]
        self.assertEqual([(line['envelope'], line['expression'], line['reason']) for line in lines], [
            ('rpc', 'render.id', 'no such key: id')])


if __name__ == '__main__':
    case.main()
