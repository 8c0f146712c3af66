"""Allocations per request stay within the checked-in budget (thresholds.json); the counts are exact and stable."""
import json
import math
import os
import struct
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), 'Conformance'))

from support import configs  # noqa: E402
from support.client import FORM, Client  # noqa: E402
from support.gateway import Gateway, binary  # noqa: E402
from support.shop import Shop  # noqa: E402
from support.upstream import Upstream, json_answer  # noqa: E402

WARM, COUNTED = 200, 2000
TOP = 'log: {access: off}'


class Mallocs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix='countersign-mallocs-')
        cls.library = os.path.join(cls.folder.name, 'mallocs.so')
        compiler = os.environ.get('CC') or 'cc'
        subprocess.run([compiler, '-O2', '-shared', '-fPIC', '-o', cls.library, os.path.join(HERE, 'mallocs.c')], check=True)
        with open(os.path.join(HERE, 'thresholds.json')) as file:
            cls.budget = json.load(file)['mallocs_per_request']

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_the_counter_counts(self):
        path = os.path.join(self.folder.name, 'self')
        code = 'import ctypes; c = ctypes.CDLL(None); [c.malloc(8) for _ in range(1000)]'
        subprocess.run([sys.executable, '-c', code], check=True, env={**os.environ, **self.environment(path)})
        self.assertGreater(self.read(path), 1000)

    def environment(self, path):
        return {'LD_PRELOAD': self.library, 'MALLOC_COUNT': path}

    @staticmethod
    def read(path):
        with open(path, 'rb') as file:
            return struct.unpack('Q', file.read(8))[0]

    def per_request(self, config, ask, **options):
        path = os.path.join(self.folder.name, self.id())
        with Gateway(config, env=self.environment(path), **options) as gateway, Client(gateway.address) as client:
            for _ in range(WARM):
                ask(client)
            before = self.read(path)
            for _ in range(COUNTED):
                ask(client)
            return (self.read(path) - before) / COUNTED

    def assert_within(self, name, measured):
        budget = self.budget.get(name)
        self.assertGreater(measured, 0, 'nothing was counted')
        if budget is None:
            self.fail(f'thresholds.json has no budget for {name}: measured {measured:.2f}, '
                      f'so check in {math.ceil(measured + 0.5)}')
        self.assertLessEqual(measured, budget, f'{name}: {measured:.2f} mallocs per request, the budget is {budget}')
        print(f'mallocs per request, {name}: {measured:.2f} (budget {budget})')

    def test_a_request_that_passes_through_stays_within_its_budget(self):
        def ask(client):
            assert client.request('GET', '/x').status == 200
        with Upstream(lambda request, wire: json_answer('{"id":1}')) as upstream:
            self.assert_within('pass_through', self.per_request(configs.plain(upstream.url, top=TOP), ask))

    def test_the_whole_job_stays_within_its_budget(self):
        form = 'goods_id=140&goods_num=1&unique_id=891F1CCA&page=2&sort=price&echo=a+b'

        def ask(client):
            reply = client.request('POST', '/api/User/userInfo', [FORM], form)
            assert reply.status == 200 and b'"success":true' in reply.body, reply
        with Shop() as shop:
            self.assert_within('whole_job', self.per_request(
                configs.tpshop(shop.url, top=TOP), ask, secrets=configs.SECRETS))


if __name__ == '__main__':
    binary()
    unittest.main()
