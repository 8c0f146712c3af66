"""Tokens that somebody else gains: a file that changes, a command that is run."""
import json
import os
import threading
import time

from support import case, recipes
from support.client import get
from support.gateway import command, eventually

ATTACH = 'attach: {header: {Token: "${session.token}"}}'


class Source(case.Case):
    def setUp(self):
        self.valid = {'t1'}
        self.site_ = self.start(recipes.Site({}, lambda request: request.field('Token') in self.valid))

    def gate(self, token, files=None, session='', env=None, **options):
        return self.gateway(recipes.config(self.site_.url, f'token: {token}\n{ATTACH}\n{session}', **options),
                            secrets={**recipes.SECRETS, **(files or {})}, env=env)

    def tokens(self):
        return [request.field('Token') for request in self.site_.calls]

    def health(self, gate):
        return get(gate.admin, '/health').json['sessions']['api']


class File(Source):
    def test_plain_text(self):
        gate = self.gate('{file: token}', {'token': 't1\n'})
        self.assertEqual(get(gate.address, '/a').status, 200)
        self.assertIsNone(self.health(gate)['expiresIn'])

    def test_json_with_an_expiry(self):
        for text in ({'token': 't1', 'expires_in': 100}, {'access_token': 't1', 'expires_at': time.time() + 100}):
            gate = self.gate('{file: token}', {'token': json.dumps(text)})
            self.assertEqual(get(gate.address, '/a').status, 200)
            self.assertTrue(95 < self.health(gate)['expiresIn'] <= 100)

    def test_the_time_since_the_file_was_written_counts(self):
        gate = self.gate('{file: token}', {'token': '{"token": "t1", "expires_in": 100}'})
        past = time.time() - 60
        os.utime(os.path.join(gate.folder, 'token'), (past, past))
        self.assertEqual(get(gate.address, '/a').status, 200)
        self.assertTrue(35 < self.health(gate)['expiresIn'] <= 40)

    def test_a_file_that_comes_later_is_noticed(self):
        gate = self.gate('{file: token}', patience='backoff: {min: 30s, max: 60s}')
        self.assert_refused(get(gate.address, '/a'), 503, 'login_unavailable')
        gate.write('token', 't1')
        eventually(lambda: get(gate.address, '/a').status == 200, 3, 'the file')

    def test_own_captures(self):
        gate = self.gate('{file: token, capture: {token: json.a.b, expires_in: json.left}}',
                         {'token': '{"a": {"b": "t1"}, "left": 50}'})
        self.assertEqual(get(gate.address, '/a').status, 200)
        self.assertTrue(45 < self.health(gate)['expiresIn'] <= 50)

    def test_a_changed_file_is_read_again_without_a_refusal(self):
        gate = self.gate('{file: token}', {'token': 't1'})
        get(gate.address, '/a')
        self.valid.add('t2')
        gate.write('token', 't2')
        eventually(lambda: get(gate.address, '/a').status == 200 and self.tokens()[-1] == 't2', 3, 'the new token')
        self.assertTrue(all(token in ('t1', 't2') for token in self.tokens()))

    def test_a_refused_token_is_read_again_and_replayed(self):
        gate = self.gate('{file: token}', {'token': 't1'})
        get(gate.address, '/a')
        self.valid = {'t2'}
        gate.write('token', 't2')
        self.assertEqual(get(gate.address, '/a').status, 200)

    def test_the_same_refused_token_waits_for_another(self):
        gate = self.gate('{file: token}', {'token': 't1'})
        get(gate.address, '/a')
        self.valid = {'t2'}
        self.assert_refused(get(gate.address, '/a'), 503, 'login_unavailable')
        calls = len(self.site_.calls)
        gate.write('token', 't2')
        eventually(lambda: get(gate.address, '/a').status == 200, 3, 'the new token')
        self.assertEqual(len(self.site_.calls), calls + 1)

    def test_what_is_wrong_with_a_file_is_told_without_its_content(self):
        for files, words in (({}, 'no such file'), ({'token': ''}, 'neither'), ({'token': '{"error": "canary-1"}'}, 'neither'),
                             ({'token': 'a\nb'}, 'neither'), ({'token': 'x' * 70000}, 'too large')):
            with self.subTest(words):
                gate = self.gate('{file: token}', files)
                reply = get(gate.address, '/a')
                self.assert_refused(reply, 503, 'login_unavailable')
                self.assertIn(words, reply.json['error']['detail'])
                self.assertNotIn(b'canary-1', gate.log.text())

    def test_a_file_that_others_can_read_is_not_taken(self):
        gate = self.gate('{file: token}', {'token': 't1'})
        os.chmod(os.path.join(gate.folder, 'token'), 0o644)
        reply = get(gate.address, '/a')
        self.assert_refused(reply, 503, 'login_unavailable')
        self.assertIn('chmod 600', reply.json['error']['detail'])
        os.chmod(os.path.join(gate.folder, 'token'), 0o600)
        eventually(lambda: get(gate.address, '/a').status == 200, 3, 'the mode')

    def test_an_expired_token_is_read_again(self):
        gate = self.gate('{file: token}', {'token': '{"token": "t1", "expires_in": 1}'}, session='refresh_ahead: 0s')
        get(gate.address, '/a')
        self.valid = {'t2'}
        gate.write('token', '{"token": "t2", "expires_in": 100}')
        time.sleep(1.1)
        self.assertEqual(get(gate.address, '/a').status, 200)


class Command(Source):
    def run_once(self, command, **options):
        gate = self.gate('{command: %s}' % json.dumps(command), **options)
        return gate, get(gate.address, '/a')

    def test_json_and_plain_text(self):
        for output in ('t1', '{"token": "t1", "expires_in": 60}', '{"access_token": "t1"}'):
            _, reply = self.run_once(['printf', '%s\\n', output])
            self.assertEqual(reply.status, 200, output)

    def test_it_is_run_again_when_the_token_is_refused(self):
        script = 'echo x >> runs; echo t$(wc -l < runs)'
        gate, reply = self.run_once(['sh', '-c', script])
        self.assertEqual(reply.status, 200)
        self.valid = {'t2'}
        reply = get(gate.address, '/a')
        self.assertEqual((reply.status, reply.outcome), (200, 'relogin'))

    def test_it_inherits_the_environment(self):
        for command, status in ((['sh', '-c', 'echo "$TOKEN_OF_TEST"'], 200),
                                (['env', '-i', 'PATH=/usr/bin:/bin', 'sh', '-c', 'echo "$TOKEN_OF_TEST"'], 503)):
            _, reply = self.run_once(command, env={'TOKEN_OF_TEST': 't1'})
            self.assertEqual(reply.status, status, command)

    def test_failures_are_told_without_the_output(self):
        for command, words in ((['sh', '-c', 'echo canary-2; exit 3'], 'code 3'), (['sh', '-c', 'kill -9 $$'], 'code 137'),
                               (['/nowhere/program'], 'errno 2'), (['sh', '-c', 'yes canary-2'], 'more than 64 KiB'),
                               (['true'], 'neither')):
            with self.subTest(words):
                gate, reply = self.run_once(command)
                self.assert_refused(reply, 503, 'login_unavailable')
                self.assertIn(words, reply.json['error']['detail'])
                self.assertNotIn(b'canary-2', gate.log.text())

    def test_a_slow_command_blocks_nobody_and_is_killed_with_its_children(self):
        gate = self.gate('{command: [sh, -c, "sleep 60 & echo $! > child; wait"], timeout: 700ms}')
        replies = []
        thread = threading.Thread(target=lambda: replies.append(get(gate.address, '/a')))
        thread.start()
        start = time.monotonic()
        while thread.is_alive() and time.monotonic() - start < 0.5:
            began = time.monotonic()
            self.assertEqual(get(gate.admin, '/livez').status, 200)
            self.assertLess(time.monotonic() - began, 0.3)
            time.sleep(0.05)
        thread.join(5)
        self.assert_refused(replies[0], 503, 'login_unavailable')
        self.assertIn('too long', replies[0].json['error']['detail'])
        with open(os.path.join(gate.folder, 'child'), encoding='utf8') as file:
            child = file.read().strip()

        def is_gone():
            try:
                with open(f'/proc/{child}/stat', encoding='utf8') as stat:
                    return stat.read().rsplit(') ', 1)[1][0] == 'Z'
            except FileNotFoundError:
                return True
        eventually(is_gone, 3, 'the end of the child')

    def test_a_child_that_keeps_the_output_open_is_cut_off(self):
        gate = self.gate('{command: [sh, -c, "echo t1; sleep 30 &"], timeout: 500ms}')
        start = time.monotonic()
        self.assertEqual(get(gate.address, '/a').status, 503)
        self.assertLess(time.monotonic() - start, 3)

    def test_no_zombie_and_no_descriptor_stays(self):
        gate, _ = self.run_once(['sh', '-c', 'echo x >> runs; echo t$(wc -l < runs)'])
        self.valid = {f't{number}' for number in range(100)}
        before = len(os.listdir(f'/proc/{gate.pid}/fd'))
        for number in range(2, 12):
            self.valid = {f't{number}'}
            self.assertEqual(get(gate.address, '/a').status, 200)
        eventually(lambda: len(os.listdir(f'/proc/{gate.pid}/fd')) <= before + 2, 3, 'closed descriptors')
        children = [pid for pid in os.listdir('/proc') if pid.isdigit() and self.parent(pid) == gate.pid]
        self.assertEqual(children, [])

    @staticmethod
    def parent(pid):
        try:
            with open(f'/proc/{pid}/stat', encoding='utf8') as stat:
                return int(stat.read().rsplit(') ', 1)[1].split()[1])
        except OSError:
            return 0


class Trial(Source):
    def test_the_login_command_reads_it_too(self):
        gate = self.gate('{command: [echo, t1]}')
        status, output, _ = command('login', gate.config_path, 'api')
        self.assertEqual(status, 0, output)
        self.assertNotIn('t1\n', output)
