"""The base class of the tests: a real server, the gateway with a profile in front of it, and many clients."""
import collections
import json
import sys
import threading
import time
import unittest

from real import install
from real.server import Caller
from support.gateway import Gateway

WORKERS = 12
# Sessions that die every few seconds: more logins than a config should allow an account that may be locked.
OFTEN = 'sessions: {real: {attempts_window: {logins: 30, per: 30s}}}\n'


class Tally:
    """What the clients of one drive saw."""

    def __init__(self):
        self.calls = 0
        self.failures = []
        self.outcomes = collections.Counter()
        self.seconds = 0.0

    def __str__(self):
        return f'{self.calls} calls in {self.seconds:.1f} s, {len(self.failures)} failed, {dict(self.outcomes)}'


class Case(unittest.TestCase):
    """`server_class` is started once for the class."""

    maxDiff = 2000
    server_class = None

    @classmethod
    def setUpClass(cls):
        try:
            cls.server = cls.server_class()
        except install.Unreachable as error:
            print(f'{install.NOT_RUN}{error}', file=sys.stderr, flush=True)
            sys.exit(install.UNREACHABLE)
        cls.addClassCleanup(cls.server.close)

    def gateway(self, profile, secrets, values=None, more=''):
        """The gateway with one upstream `real`: the server with a profile; `more` is what a config says beside that."""
        use = json.dumps({'name': profile, 'with': values or {}})
        return self.gateway_with(f'upstreams:\n  real: {{url: "{self.server.url}", profile: {use}}}\n{more}', secrets)

    def gateway_with(self, text, secrets):
        """The gateway with a config that says everything but listeners (free ports) and secrets (files)."""
        files = ', '.join(f'{name}: {{file: secrets/{name}}}' for name in secrets)
        gateway = Gateway(f'listen: 127.0.0.1:0\nadmin: 127.0.0.1:0\nsecrets: {{{files}}}\n{text}',
                          secrets={'secrets/' + name: value for name, value in secrets.items()})
        self.addCleanup(gateway.close)
        return gateway

    def drive(self, gateway, job, *, seconds, workers=WORKERS, during=None):
        """`workers` clients call job(caller, worker, number) again and again for `seconds`. An exception of the job is a
        failed call. `during()` runs meanwhile in this thread. No call may fail."""
        tally, lock, start = Tally(), threading.Lock(), time.monotonic()

        def work(worker):
            caller, number = Caller(gateway.address), 0
            while time.monotonic() - start < seconds:
                failure = None
                try:
                    job(caller, worker, number)
                except Exception as error:    # whatever it is, it is a failed call, to be shown
                    failure = f'+{time.monotonic() - start:.2f} s: {type(error).__name__}: {error}'
                    caller.close()
                number += 1
                with lock:
                    tally.failures += [failure] if failure else []
            caller.close()
            with lock:
                tally.outcomes.update(caller.outcomes)
        threads = [threading.Thread(target=work, args=(number,), daemon=True) for number in range(workers)]
        for thread in threads:
            thread.start()
        try:
            if during:
                during()
        finally:
            for thread in threads:
                thread.join(seconds + 120)
        self.assertFalse([thread for thread in threads if thread.is_alive()], 'clients that did not end')
        tally.seconds, tally.calls = time.monotonic() - start, sum(tally.outcomes.values())
        self.tell(tally)
        self.assertEqual(tally.failures[:5], [], f'{tally}\n{self.report(gateway)}')
        self.assertGreaterEqual(tally.calls, workers, 'hardly a call was made')
        return tally

    def tell(self, text):
        print(f'  {self.id().rsplit(".", 1)[1]}: {text}', flush=True)

    def session(self, gateway):
        """How the session is, by /health."""
        admin = Caller(gateway.admin)
        try:
            return admin.request('GET', '/health').json['sessions']['real']
        finally:
            admin.close()

    def assert_logins(self, gateway, least, most):
        """About one login per expiry."""
        session = self.session(gateway)
        self.tell(f'{session["logins"]} logins (from {least} to {most} expected)')
        self.assertTrue(least <= session['logins'] <= most, f'{session}, {least} to {most} logins expected')
        self.assertEqual(session['state'], 'ready', session)

    @staticmethod
    def report(gateway):
        lines = gateway.log.text().decode('utf8', 'replace').splitlines()
        return 'the end of the gateway\'s log:\n' + '\n'.join(lines[-12:])
