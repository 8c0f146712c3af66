"""`explain` shows what would be sent, without a network, reproducibly and without secrets."""
import json

from support import case, configs, corpus, shop
from support.gateway import command, folder

VECTORS = [vector for vector in corpus.load('tpshop-md5.json') if vector.get('body_params')]


def explain(*args, config=None):
    with folder({**configs.SECRETS, 'g.yaml': config or configs.tpshop('http://127.0.0.1:9')}) as path:
        return command('explain', 'g.yaml', *args, cwd=path)


class Explain(case.Case):
    FORM = ('--header', 'Content-Type: application/x-www-form-urlencoded')

    def test_it_reproduces_a_published_example(self):
        config = configs.tpshop('http://127.0.0.1:9', routes='  - {path: /**, upstream: shop, sign: tpshop}\n')
        for vector in VECTORS[:3]:
            data = '&'.join(f'{name}={value}' for name, value in vector['body_params'].items())
            status, out, error = explain('POST', '/x', *self.FORM, '--data', data, '--now', vector['time'], config=config)
            self.assertEqual(status, 0, error)
            self.assertIn(vector['expected'], out)

    def test_it_shows_the_route_the_edits_and_the_final_request(self):
        status, out, error = explain(
            'POST', '/api/User/userInfo?page=1', *self.FORM, '--data', 'a=1', '--session', 'token=abc123def',
            '--session', 'user_id=7', '--now', '1492495675')
        self.assertEqual(status, 0, error)
        self.assertIn('/api/**', out)
        self.assertIn('/index.php?m=Api&c=User&a=userInfo&page=1', out)
        self.assertIn('1492495675', out)
        self.assertIn('user_id', out)

    def test_secrets_and_session_values_are_masked(self):
        status, out, error = explain(
            'POST', '/api/User/userInfo', *self.FORM, '--data', 'a=1', '--session', 'token=abc123def',
            '--session', 'user_id=7', '--now', '1')
        self.assertEqual(status, 0, error)
        for secret in (shop.KEY, shop.PASSWORD, 'abc123def'):
            self.assertNotIn(secret, out + error)

    def test_secrets_are_shown_on_demand(self):
        _, out, _ = explain('POST', '/api/User/userInfo', *self.FORM, '--data', 'a=1', '--session', 'token=abc123def',
                            '--session', 'user_id=7', '--now', '1', '--show-secrets')
        self.assertIn('abc123def', out)
        self.assertIn(shop.KEY, out)

    def test_the_json_form_holds_the_same(self):
        status, out, error = explain('POST', '/api/User/userInfo', *self.FORM, '--data', 'a=1', '--session', 'token=abc123def',
                                     '--session', 'user_id=7', '--now', '1', '--json')
        self.assertEqual(status, 0, error)
        self.assertIsInstance(json.loads(out), dict)
        self.assertNotIn('abc123def', out)

    def test_the_nonce_is_fixed_on_demand(self):
        config = configs.LISTEN + '''upstreams: {up: {url: "http://127.0.0.1:9"}}
signatures: {s: {variables: {n: nonce}, attach: {header: {X-Nonce: "${vars.n}"}}}}
routes: [{path: /**, upstream: up, sign: s}]
'''
        _, out, error = explain('GET', '/x', '--nonce', 'fixed-nonce-1', '--now', '1', config=config)
        self.assertIn('fixed-nonce-1', out, error)

    def test_an_unmatched_request_is_told(self):
        status, out, error = explain('GET', '/nowhere')
        self.assertEqual(status, 1)
        self.assertIn('/nowhere', out + error)

    def test_the_same_input_gives_the_same_output(self):
        args = ('POST', '/api/User/userInfo', *self.FORM, '--data', 'a=1', '--session', 'token=t', '--session', 'user_id=7',
                '--now', '1492495675', '--nonce', 'n')
        self.assertEqual(explain(*args), explain(*args))


if __name__ == '__main__':
    case.main()
