"""What is said when a server cannot be installed: nothing but a registry that cannot be reached excuses a test."""
import http.server
import os
import tempfile
import threading
import unittest
import unittest.mock

from real import install
from support.upstream import free_port


class TestInstall(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.venv = folder.name

    def ask(self, index):
        with unittest.mock.patch.dict(os.environ, {'PIP_INDEX_URL': index, 'PIP_CONFIG_FILE': os.devnull, 'no_proxy': '*'}):
            install.python('countersign-test-no-such-package', venv=self.venv)

    def test_a_registry_that_cannot_be_reached(self):
        with self.assertRaises(install.Unreachable) as raised:
            self.ask(f'http://127.0.0.1:{free_port()}/simple')
        self.assertIn('countersign-test-no-such-package', str(raised.exception))

    def test_a_registry_that_does_not_have_it(self):
        with http.server.ThreadingHTTPServer(('127.0.0.1', 0), http.server.BaseHTTPRequestHandler) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            with self.assertRaisesRegex(AssertionError, 'No matching distribution'):
                self.ask(f'http://127.0.0.1:{server.server_port}/simple')
            server.shutdown()


if __name__ == '__main__':
    unittest.main()
