"""Every malformed, slow or hostile upstream answer of the corpus gets what the corpus says."""
import unittest

from support import configs, corpus
from support.gateway import Gateway

CASES = sorted(corpus.load('http1-responses.jsonl'), key=lambda case: case['group'] not in ('time', 'interim'))


class Worker:
    """One gateway before one step player. A name takes the way through libcurl, an address the one without it."""

    def __init__(self, host):
        self.player = corpus.Player()
        url = self.player.url.replace('127.0.0.1', host)
        assert host in url
        # The corpus is one failure after the other: the breaker would hide the later ones.
        self.gateway = Gateway(configs.plain(
            # A session: what an answer brings of its credentials does not leave.
            url, route='session: fixed', session='sessions:\n  fixed:\n    upstream: up\n',
            upstream='timeouts: {connect: 1s, first_byte: 3s, idle: 5s}\nbreaker: {after: 100000}'))

    def judge(self, case):
        before = self.gateway.memory()
        fault = corpus.run_response(self.gateway.address, self.player, case)
        allowed = case['expected'].get('rss_growth_max_mib')
        grown = (self.gateway.memory() - before) / (1 << 20)
        if not fault and allowed and grown > allowed:
            return f'memory grew by {grown:.1f} MiB, want at most {allowed}'
        return fault

    def close(self):
        self.player.close()
        self.gateway.close()


class _Corpus:
    @classmethod
    def setUpClass(cls):
        cls.faults = corpus.replay(CASES, lambda: Worker(cls.HOST), lambda worker, case: worker.judge(case))


class AnswersOfAnAddress(_Corpus, unittest.TestCase):
    HOST = '127.0.0.1'


class AnswersThroughLibcurl(_Corpus, unittest.TestCase):
    HOST = 'upstream.localhost'


def _add(case):
    def test(self):
        fault = self.faults[case['id']]
        self.assertEqual(fault, '', f'{case["id"]} {case["title"]}: {fault}')
    test.__doc__ = f'{case["id"]}: {case["title"]}: {case["expected"]["behaviour"]}'
    setattr(_Corpus, 'test_' + case['id'].replace('-', '_'), test)


for _case in CASES:
    _add(_case)


if __name__ == '__main__':
    unittest.main()
