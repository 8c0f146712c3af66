"""Every request of the corpus is refused before the upstream sees a byte, or passes unchanged."""
import unittest

from support import configs, corpus
from support.gateway import Gateway
from support.upstream import Upstream

CASES = corpus.load('http1-requests.jsonl')


class Worker:
    """One gateway before one recording upstream."""

    def __init__(self):
        self.upstream = Upstream()
        self.gateway = Gateway(configs.plain(
            # A session that needs no login: what the client brings of its own credentials does not pass.
            self.upstream.url, route='session: fixed', session='sessions:\n  fixed:\n    upstream: up\n'))

    def judge(self, case):
        self.upstream.requests.clear()
        expected = case['expected']
        shut = expected.get('close') or expected['verdict'] == 'reject'
        out, closed = corpus.exchange(
            self.gateway.address, corpus.payload(case), case.get('half_close', False), 0.5 if shut else 0.3)
        return corpus.judge_request(case, out, closed, list(self.upstream.requests))

    def close(self):
        self.upstream.close()
        self.gateway.close()


class RequestCorpus(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.faults = corpus.replay(CASES, Worker, lambda worker, case: worker.judge(case))


def _add(case):
    verb = {'reject': 'is refused', 'accept': 'passes unchanged', 'either': 'is refused or passes unchanged'}

    def test(self):
        fault = self.faults[case['id']]
        self.assertEqual(fault, '', f'{case["id"]} {case["title"]}: {fault}')
    test.__doc__ = f'{case["id"]}: {case["title"]} {verb[case["expected"]["verdict"]]}'
    setattr(RequestCorpus, 'test_' + case['id'].replace('-', '_'), test)


for _case in CASES:
    _add(_case)


if __name__ == '__main__':
    unittest.main()
