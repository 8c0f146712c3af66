"""`check` tells every problem of a config at once, each with its place and a hint."""
import json
import os
import re

from support import case, configs
from support.gateway import ROOT, command, folder

GOOD = configs.tpshop('http://127.0.0.1:9')


def check(text, files=None, args=(), env=None):
    """Runs `check` on a config in a folder of its own: (status, output)."""
    files = {**configs.SECRETS, **(files or {}), 'g.yaml': text}
    with folder(files) as path:
        status, out, error = command('check', 'g.yaml', *args, cwd=path, env=env)
        return status, out + error


class Check(case.Case):
    def assert_issue(self, text, *patterns, files=None):
        status, output = check(text, files)
        self.assertEqual(status, 1, output)
        for pattern in patterns:
            self.assertRegex(output, pattern)
        return output

    def line_of(self, text, needle):
        """1-based line and column of the first occurrence."""
        before = text[:text.index(needle)]
        return before.count('\n') + 1, len(before) - before.rfind('\n')

    def at(self, text, needle):
        line, column = self.line_of(text, needle)
        return re.escape(f'g.yaml:{line}:{column} ')

    def test_a_good_config_passes(self):
        status, output = check(GOOD)
        self.assertEqual(status, 0, output)

    def test_the_example_config_passes(self):
        example = os.path.join(ROOT, 'config', 'countersign.example.yaml')
        status, out, error = command('check', example, env={
            'SHOP_USER': 'u', 'SHOP_PASSWORD': 'p', 'SHOP_SIGN_KEY': 'k'})
        self.assertEqual(status, 0, out + error)

    def test_the_path_of_a_socket_must_fit_an_address(self):
        text = configs.plain('http://127.0.0.1:9', upstream='socket: "/%s"')
        self.assertEqual(check(text % ('x' * 106))[0], 0)
        self.assert_issue(text % ('x' * 107), self.at(text, '"/%s"'), 'socket: the path is longer than 107 bytes')
        self.assert_issue(text.replace('"/%s"', '"x"'), 'socket: the path must be absolute')

    def test_an_unknown_key_has_its_place_and_a_suggestion(self):
        text = GOOD.replace('  - path: /api/**', '  - path: /api/**\n    upsteam: shop')
        self.assert_issue(text, self.at(text, 'upsteam'), r'routes\[0\]', r'did you mean .?upstream')

    def test_a_duplicate_key_has_its_place(self):
        text = GOOD + 'admin: 127.0.0.1:0\n'
        output = self.assert_issue(text, r'already set')
        self.assertIn(f'g.yaml:{text.count(chr(10))}:1 ', output)

    def test_an_unknown_name_is_reported_with_what_is_known(self):
        text = GOOD.replace('session: shop', 'session: shopp')
        self.assert_issue(text, self.at(text, 'shopp'), 'shopp', 'shop')

    def test_all_problems_are_reported_at_once_and_in_order(self):
        text = GOOD.replace('[gw.test]', '[gw test]').replace('sign: tpshop\n    env', 'sign: nosuch\n    env')
        text = text.replace('int(json.status) > 0\n        refused', 'int(json.status > 0\n        refused') + 'bogus: 1\n'
        output = self.assert_issue(text, 'hosts', 'nosuch', 'bogus', r'success')
        lines = [int(number) for number in re.findall(r'g\.yaml:(\d+):\d+ ', output)]
        self.assertGreaterEqual(len(lines), 4)
        self.assertEqual(lines, sorted(lines))

    def test_a_syntax_error_of_yaml_has_its_place(self):
        self.assert_issue('listen: [127.0.0.1:0\nroutes: {', r'g\.yaml:\d+:\d+:? ')

    def test_an_error_in_an_expression_points_into_it(self):
        text = GOOD.replace('expired: int(json.status) in', 'expired: int(json.status) im')
        line, column = self.line_of(text, 'im [-100')
        self.assert_issue(text, re.escape(f'g.yaml:{line}:') + r'\d+ ')
        output = check(text)[1]
        found = int(re.search(re.escape(f'g.yaml:{line}:') + r'(\d+) ', output).group(1))
        self.assertLessEqual(abs(found - column), 3, output)

    def test_an_unknown_name_in_an_expression_is_an_issue(self):
        text = GOOD.replace('secret.sign_key', 'secret.sing_key')
        self.assert_issue(text, 'sing_key', 'sign_key')

    def test_an_unknown_function_is_an_issue(self):
        self.assert_issue(GOOD.replace('hash.md5(request', 'hash.md6(request'), r'hash\.md6')

    def test_a_literal_secret_is_refused(self):
        text = GOOD.replace('{file: secrets/key}', 'tpshop-literal')
        output = self.assert_issue(text, 'sign_key')
        self.assertNotIn('tpshop-literal', output)

    def test_a_literal_where_a_key_takes_nothing_but_a_secret_is_refused(self):
        text = GOOD.replace('signatures:\n', 'signatures:\n  aws:\n    aws_sigv4: {access_key: AKID, '
                            'secret_key: aws-literal, region: r, service: s}\n', 1)
        output = self.assert_issue(text, 'secret_key', 'never a text in this file')
        self.assertNotIn('aws-literal', output)

    def test_a_readable_secret_file_is_refused(self):
        for mode in (0o644, 0o640, 0o604):
            output = self.assert_issue(GOOD, 'secrets/key', files={'secrets/key': ('tpshop2', mode)})
            self.assertNotIn('tpshop2', output)

    def test_a_missing_secret_is_reported(self):
        text = GOOD.replace('{file: secrets/key}', '{file: secrets/none}')
        text = text.replace('{file: secrets/user}', '{env: NO_SUCH_VARIABLE}')
        self.assert_issue(text, 'secrets/none', 'NO_SUCH_VARIABLE')

    def test_a_secret_file_that_is_a_link_or_a_folder_is_refused(self):
        self.assert_issue(GOOD.replace('{file: secrets/key}', '{file: secrets}'), 'secrets')

    def test_a_secret_from_the_environment_is_taken(self):
        status, output = check(GOOD.replace('{file: secrets/key}', '{env: CS_TEST_KEY}'), env={'CS_TEST_KEY': 'abc-secret'})
        self.assertEqual(status, 0, output)
        self.assertNotIn('abc-secret', output)

    def test_a_remote_listener_needs_consent(self):
        text = GOOD.replace('[127.0.0.1:0]', '[0.0.0.0:8080]')
        self.assert_issue(text, 'allow_remote')
        self.assertEqual(check(text + 'allow_remote: true\n')[0], 0)

    def test_values_of_the_wrong_type_are_issues(self):
        for old, new in (('[127.0.0.1:0]', '[localhost]'), ('url: "http://127.0.0.1:9"', 'url: "ftp://x"'),
                         ('envelope: {from: tpshop, to: standard}', 'limits: {body: 10 apples}'),
                         ('envelope: {from: tpshop, to: standard}', 'methods: [CONNECT]'),
                         ('path: /api/**', 'path: api/**'), ('path: /api/**', 'path: /**/api')):
            status, output = check(GOOD.replace(old, new))
            self.assertEqual(status, 1, f'{new}: {output}')
            self.assertRegex(output, r'g\.yaml:\d+:\d+ ', new)

    def test_a_route_that_can_never_match_is_an_issue(self):
        text = GOOD + '  - {path: /api/User/x, upstream: shop}\n'
        self.assert_issue(text, r'routes\[1\]')

    def test_a_config_without_a_listener_or_a_route_target_is_an_issue(self):
        self.assert_issue(GOOD.replace('listen: [127.0.0.1:0]\n', ''), 'listen')
        self.assert_issue(GOOD.replace('    upstream: shop\n    rewrite', '    rewrite'), 'upstream')

    def test_issues_come_as_json_for_machines(self):
        status, output = check(GOOD + 'bogus: 1\n', args=['--json'])
        self.assertEqual(status, 1)
        issue = json.loads(output)
        issue = (issue['issues'] if isinstance(issue, dict) else issue)[0]
        self.assertEqual((issue['line'], issue['column']), (GOOD.count('\n') + 1, 1))
        self.assertIn('bogus', json.dumps(issue))

    def test_a_missing_file_is_an_error_and_no_crash(self):
        status, out, error = command('check', '/no/such/file.yaml')
        self.assertEqual(status, 1)
        self.assertIn('/no/such/file.yaml', out + error)

    def test_run_refuses_a_bad_config_with_the_same_issues(self):
        text = GOOD + 'bogus: 1\n'
        gateway = self.gateway(text, secrets=configs.SECRETS, wait=False)
        self.assertEqual(gateway.wait_exit(), 1)
        self.assertIn(b'bogus', gateway.output())

    def test_plain_words_take_the_type_of_their_field(self):
        text = GOOD.replace('hosts: [gw.test]', 'hosts: [no, 1e3]')
        self.assertEqual(check(text)[0], 0, check(text)[1])

    def test_json_is_yaml_too(self):
        text = json.dumps({'listen': '127.0.0.1:0', 'upstreams': {'up': {'url': 'http://127.0.0.1:9'}},
                           'routes': [{'path': '/**', 'upstream': 'up'}]})
        self.assertEqual(check(text)[0], 0, check(text)[1])


if __name__ == '__main__':
    case.main()
