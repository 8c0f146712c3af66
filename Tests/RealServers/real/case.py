"""The base class of the tests: a real server, the gateway with a config of this folder, and many clients."""
import collections
import os
import re
import threading
import time
import unittest

from real.server import Caller
from support.gateway import Gateway

CONFIGS = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'configs')
WORKERS = 12


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
        cls.server = cls.server_class()
        cls.addClassCleanup(cls.server.close)

    def gateway(self, config, secrets, edit=lambda text: text):
        """The gateway with configs/NAME.yaml; listeners on free ports, the upstream where the server listens."""
        with open(os.path.join(CONFIGS, config + '.yaml'), encoding='utf8') as file:
            text = file.read()
        text = re.sub(r'^(listen|admin): .*$', r'\1: 127.0.0.1:0', text, flags=re.M)
        text = edit(re.sub(r'\burl: \S+$', 'url: ' + self.server.url, text, flags=re.M))
        gateway = Gateway(text, secrets={'secrets/' + name: value for name, value in secrets.items()})
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

    def session(self, gateway, name):
        """How a session is, by /health."""
        admin = Caller(gateway.admin)
        try:
            return admin.request('GET', '/health').json['sessions'][name]
        finally:
            admin.close()

    def assert_logins(self, gateway, name, least, most):
        """About one login per expiry."""
        session = self.session(gateway, name)
        self.tell(f'{session["logins"]} logins (from {least} to {most} expected)')
        self.assertTrue(least <= session['logins'] <= most, f'{session}, {least} to {most} logins expected')
        self.assertEqual(session['state'], 'ready', session)

    @staticmethod
    def report(gateway):
        lines = gateway.log.text().decode('utf8', 'replace').splitlines()
        return 'the end of the gateway\'s log:\n' + '\n'.join(lines[-12:])
