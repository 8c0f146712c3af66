"""The command line: usage errors exit 2, everything else does what it says."""
import json
import os
import re
import signal

from support import case, configs, shop
from support.client import get
from support.gateway import ROOT, command, folder


class Usage(case.Case):
    def assert_usage(self, *args):
        status, out, error = command(*args)
        self.assertEqual(status, 2, (args, out, error))
        self.assertRegex(error, '(?i)usage')
        self.assertEqual(out, '')

    def test_no_command_prints_usage(self):
        self.assert_usage()

    def test_an_unknown_command_prints_usage(self):
        self.assert_usage('frobnicate')

    def test_an_unknown_flag_prints_usage(self):
        for args in (('run', 'x.yaml', '--frob'), ('check', 'x.yaml', '--frob'), ('explain', 'x.yaml', 'GET', '/', '--frob'),
                     ('demo', '--frob'), ('status', '--frob'), ('version', '--frob')):
            self.assert_usage(*args)

    def test_missing_arguments_print_usage(self):
        for args in (('run',), ('check',), ('explain', 'x.yaml'), ('explain', 'x.yaml', 'GET'), ('demo', '--listen')):
            self.assert_usage(*args)

    def test_surplus_arguments_print_usage(self):
        self.assert_usage('check', 'a.yaml', 'b.yaml')

    def test_an_unknown_command_near_a_known_one_is_helped(self):
        _, _, error = command('chekc')
        self.assertIn('check', error)

    def test_help_goes_to_stdout_and_exits_0(self):
        for args in (('--help',), ('help',)):
            status, out, _ = command(*args)
            self.assertEqual(status, 0, args)
            self.assertRegex(out, '(?i)usage')

    def test_version_prints_one_line(self):
        status, out, _ = command('version')
        self.assertEqual(status, 0)
        self.assertRegex(out, r'^countersign \d+\.\d+')


class Status(case.Case):
    def test_status_reads_a_running_gateway(self):
        _, gateway = self.pair()
        get(gateway.address, '/x')
        status, out, error = command('status', '--admin', gateway.admin)
        self.assertEqual(status, 0, error)
        self.assertRegex(out, r'up\b')

    def test_status_of_nobody_fails_clearly(self):
        status, out, error = command('status', '--admin', '127.0.0.1:1')
        self.assertEqual(status, 3)
        self.assertEqual(out, '')
        self.assertIn('127.0.0.1:1', error)

    def test_status_of_an_upstream_that_is_away_is_1(self):
        gateway = self.gateway(configs.plain('http://127.0.0.1:9', upstream='breaker: {after: 1, wait: 30s}'))
        get(gateway.address, '/x')
        status, out, error = command('status', '--admin', gateway.admin)
        self.assertEqual(status, 1, error)
        self.assertRegex(out, r'upstream up +down .*breaker open.*last failure refused')

    def test_status_of_something_else_fails_clearly(self):
        upstream = self.upstream()
        status, out, error = command('status', '--admin', f'127.0.0.1:{upstream.port}')
        self.assertEqual((status, out), (3, ''), error)


class Login(case.Case):
    def trial(self, *args, password=shop.PASSWORD):
        store = self.shop()
        with folder({**configs.SECRETS, 'secrets/password': password, 'g.yaml': configs.tpshop(store.url)}) as path:
            return command(*args, cwd=path)

    def test_a_login_is_tried_and_told_without_secrets(self):
        status, out, error = self.trial('login', 'g.yaml', 'shop')
        self.assertEqual(status, 0, out + error)
        self.assertIn('logged in', out)
        self.assertRegex(out, r'session\.token: \*\*\* \(string, \d+ bytes\)')
        for secret in (shop.PASSWORD, shop.KEY, shop.USER):
            self.assertNotIn(secret, out + error)

    def test_a_refused_login_fails(self):
        status, out, _ = self.trial('login', 'g.yaml', 'shop', password='not-the-password')
        self.assertEqual(status, 1)
        self.assertIn('refused', out)
        self.assertNotIn('not-the-password', out)

    def test_an_unknown_session_is_told(self):
        status, _, error = self.trial('login', 'g.yaml', 'shoop')
        self.assertEqual(status, 1)
        self.assertIn('shop', error)

    def test_check_live_logs_in(self):
        status, out, error = self.trial('check', 'g.yaml', '--live')
        self.assertEqual(status, 0, out + error)
        self.assertIn('logged in', out)
        status, out, _ = self.trial('check', 'g.yaml', '--live', '--json', password='not-the-password')
        self.assertEqual(status, 1)
        issue, = json.loads(out)
        self.assertEqual(issue['path'], 'sessions.shop.login')


class Reference(case.Case):
    def test_every_page_is_a_table(self):
        for page in ('keys', 'limits', 'errors', 'functions', 'metrics'):
            status, out, error = command('reference', page)
            self.assertEqual(status, 0, error)
            rows = [line for line in out.splitlines() if line.startswith('|')]
            self.assertGreater(len(rows), 15, page)
            tables = re.split(r'\n\n', out)
            for table in tables:
                lines = [line for line in table.splitlines() if line.startswith('|')]
                # A bar inside a cell is escaped.
                self.assertLessEqual(len({len(re.findall(r'(?<!\\)\|', line)) for line in lines}), 1, table[:300])

    def test_the_schema_is_the_checked_in_one(self):
        with open(os.path.join(ROOT, 'config', 'schema.json'), encoding='utf8') as file:
            self.assertEqual(command('reference', 'schema')[1], file.read())

    def test_an_unknown_page_is_a_usage_error(self):
        self.assertEqual(command('reference', 'nothing')[0], 2)

    def test_the_usage_names_every_command(self):
        text = command('--help')[1]
        for name in ('run', 'check', 'explain', 'login', 'status', 'demo', 'reference', 'version', 'help'):
            self.assertRegex(text, rf'(?m)^  {name}\b')


class Process(case.Case):
    def test_it_is_ready_soon(self):
        _, gateway = self.pair()
        self.assertLess(gateway.ready_after, 1.0)

    def test_a_fatal_signal_prints_no_memory(self):
        _, gateway = self.pair()
        gateway.signal(signal.SIGSEGV)
        self.assertEqual(gateway.wait_exit(), -signal.SIGSEGV)
        self.assertNotIn(b'rax', gateway.output().lower())
        self.assertNotRegex(gateway.output().decode('utf8', 'replace'), '(?i)backtrace|crash')

    def test_secrets_are_not_in_the_arguments(self):
        store = self.shop()
        gateway = self.shop_gateway(store)
        with open(f'/proc/{gateway.pid}/cmdline', 'rb') as file:
            self.assertNotIn(b'demo-password', file.read())

    def test_cores_are_off(self):
        _, gateway = self.pair()
        with open(f'/proc/{gateway.pid}/limits') as file:
            self.assertTrue(re.search(r'Max core file size +0 ', file.read()))

    def test_a_bad_listener_is_told(self):
        text = configs.plain('http://127.0.0.1:9').replace('127.0.0.1:0]', '"unix:/no/such/folder/s"]')
        gateway = self.gateway(text, wait=False)
        self.assertNotEqual(gateway.wait_exit(), 0)
        self.assertIn(b'/no/such/folder/s', gateway.output())


if __name__ == '__main__':
    case.main()
