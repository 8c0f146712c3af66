"""Published signatures of many vendors, each from a config file alone: what arrives upstream carries the expected signature,
and `explain` tells the same request and the string that was signed."""
import json
import os
import re
import tempfile
import urllib.parse

from support import case
from support.client import call
from support.gateway import command, folder
from support.upstream import answer, json_answer

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'vectors')
FILES = sorted(name[:-5] for name in os.listdir(FOLDER) if name.endswith('.json') and not name.endswith('_answer.json'))


def config(name, socket):
    with open(os.path.join(FOLDER, name + '.yaml'), encoding='utf8') as file:
        return file.read().replace('$SOCKET', socket).replace('secrets:', 'hosts: [gw.test]\nsecrets:', 1)


def secrets(vector):
    return {'secrets/' + name: value for name, value in vector['secrets'].items()}


def found(request, key):
    """What a request carries: "header NAME", "query NAME", "form NAME", "json NAME", "xml NAME", "target" or "body"."""
    place, _, name = key.partition(' ')
    if place in ('target', 'body'):
        return request.target if place == 'target' else request.body.decode()
    if place == 'header':
        return request.field(name)
    if place in ('query', 'form'):
        text = request.target.partition('?')[2] if place == 'query' else request.body.decode()
        values = [value for key, value in urllib.parse.parse_qsl(text, keep_blank_values=True) if key == name]
    elif place == 'json':
        values = [json.loads(request.body)[name]]
    else:
        values = re.findall(f'<{name}>([^<]*)</{name}>', request.body.decode())
    assert len(values) == 1, f'{key} appears {len(values)} times'
    return values[0]


class Recipes(case.Case):
    """Runs an example through a gateway and through `explain`."""

    def config(self, name, vector, socket):
        return config(vector.get('config', name), socket)

    def arrive(self, name, vector, reply=None):
        """Sends the example through a gateway whose clock and nonce are pinned; returns what arrives, and the answer."""
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        path = os.path.join(place.name, 'up.sock')
        upstream = self.upstream(lambda request, wire: reply or answer(200, b'ok'), path=path)
        gateway = self.gateway(self.config(name, vector, path), secrets=secrets(vector),
                               args=['--pin-now', vector['now'], '--pin-nonce', vector['nonce']])
        method, target, fields, body = vector['send']
        got = call(gateway.address, method, target, [tuple(field) for field in fields], body)
        self.assertTrue(upstream.requests, got)
        return upstream.last, got

    @staticmethod
    def cut(secret):
        return secret.split(' ')

    def explain(self, name, vector):
        method, target, fields, body = vector['send']
        headers = [word for field in fields for word in ('--header', ': '.join(field))]
        data = ['--data', body] if body or method in ('POST', 'PUT') else []
        text = self.config(name, vector, '/nowhere.sock')
        with folder({**secrets(vector), 'g.yaml': text}) as path:
            status, out, error = command('explain', 'g.yaml', method, target, *headers, *data, '--now', vector['now'],
                                         '--nonce', vector['nonce'], '--json', cwd=path)
        self.assertEqual(status, 0, out + error)
        return json.loads(out)

    def check(self, name, vector):
        request, _ = self.arrive(name, vector)
        for key, expected in vector['expect'].items():
            self.assertEqual(found(request, key), expected, key)
        told = self.explain(name, vector)
        values = [str(item['value']) for item in told['computed']]
        for key, expected in vector['expect'].items():
            if 'ign' in key and not any(secret in expected for secret in vector['secrets'].values()):
                self.assertTrue(any(expected in value for value in values), (key, values))
        if 'text' in vector:
            expected = vector['text']
            # What a recipe cuts out of a secret (`covered` is a list of names) is hidden as well.
            hidden = [piece for secret in vector['secrets'].values() for piece in [secret, *self.cut(secret)] if len(piece) > 3]
            for secret in sorted(hidden, key=len, reverse=True):
                expected = expected.replace(secret, '***')
            signed = [call['message'] for item in told['computed'] for call in item['inputs']]
            texts = signed + values
            self.assertIn(expected, texts, 'the string to sign is not told')


class Vectors(Recipes):
    """One test for each published example is added below."""


def _add(name, number, vector):
    def test(self):
        self.check(name, vector)
    test.__doc__ = f'{name}: {vector["name"]} ({vector["provenance"]})'
    setattr(Vectors, f'test_{name}_{number}', test)


for _name in FILES:
    with open(os.path.join(FOLDER, _name + '.json'), encoding='utf8') as _file:
        for _number, _vector in enumerate(json.load(_file)):
            _add(_name, _number, _vector)


class Answers(Recipes):
    """An answer that the upstream signed."""

    def setUp(self):
        with open(os.path.join(FOLDER, 'wechatpay_v3_answer.json'), encoding='utf8') as file:
            self.signed = json.load(file)
        with open(os.path.join(FOLDER, 'wechatpay_v3.json'), encoding='utf8') as file:
            self.vector = {**json.load(file)[2], 'send': ['GET', '/checked/x', [], '']}

    def outcome(self, body):
        fields = [('Wechatpay-Timestamp', self.signed['timestamp']), ('Wechatpay-Nonce', self.signed['nonce']),
                  ('Wechatpay-Signature', self.signed['signature'])]
        _, got = self.arrive('wechatpay_v3', self.vector, json_answer(body, 200, fields))
        return got

    def test_the_published_answer_is_taken(self):
        got = self.outcome(self.signed['body'])
        self.assertIs(got.json['success'], True, got)
        self.assertEqual(got.json['data'], json.loads(self.signed['body']))

    def test_an_answer_that_was_changed_is_refused(self):
        got = self.outcome(self.signed['body'].replace('pr=J', 'pr=K'))
        self.assert_refused(got, 502, 'bad_answer')


if __name__ == '__main__':
    case.main()
