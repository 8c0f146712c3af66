"""The logs never hold up the gateway, follow a rotation, and count what they lose."""
import os
import select
import signal
import time

from support import case, configs
from support.client import Client, encode, get
from support.gateway import eventually
from test_admin import metrics

LOST = 'countersign_log_lines_lost_total'


class AccessFile(case.Case):
    def setUp(self):
        self.up = self.upstream()
        self.gate = self.gateway(configs.plain(self.up.url))
        self.path = os.path.join(self.gate.folder, 'access.log')

    def config(self, target=None):
        return configs.plain(self.up.url, top=f'log: {{access: "{target or self.path}"}}')

    def has(self, path, text):
        with open(path) as file:
            return text in file.read()

    def test_a_fifo_that_nobody_reads_holds_nothing_up_and_its_lines_are_counted(self):
        os.mkfifo(self.path)
        self.gate.reload(self.config())
        self.assertEqual(get(self.gate.address, '/x', timeout=3).status, 200)
        line = self.gate.log.wait(lambda record: record.get('message') == 'the access log cannot be opened')
        self.assertIn(self.path, line['detail'])
        self.assertEqual(metrics(self.gate)[LOST], 1)

    def test_a_fifo_gets_lines_once_somebody_reads(self):
        os.mkfifo(self.path)
        reader = os.open(self.path, os.O_RDONLY | os.O_NONBLOCK)
        self.addCleanup(os.close, reader)
        self.gate.reload(self.config())
        get(self.gate.address, '/read')
        self.assertTrue(select.select([reader], [], [], 5)[0])
        self.assertIn(b'/read', os.read(reader, 65536))

    def test_a_signal_opens_the_file_anew(self):
        self.gate.reload(self.config())
        for number, name in ((signal.SIGHUP, 'hup'), (signal.SIGUSR1, 'usr1')):
            get(self.gate.address, f'/before-{name}')
            eventually(lambda: self.has(self.path, f'/before-{name}'), 5)
            os.rename(self.path, self.path + name)
            self.gate.signal(number)
            eventually(lambda: os.path.exists(self.path), 5, 'the new file')
            get(self.gate.address, f'/after-{name}')
            eventually(lambda: self.has(self.path, f'/after-{name}'), 5)
            self.assertFalse(self.has(self.path + name, f'/after-{name}'))
            self.assertEqual(os.stat(self.path).st_mode & 0o777, 0o600)

    def test_a_reload_that_fails_opens_the_file_anew_all_the_same(self):
        self.gate.reload(self.config())
        os.rename(self.path, self.path + '.1')
        self.gate.reload('listen: [', 'reload failed')
        self.assertTrue(os.path.exists(self.path))

    def test_a_place_that_takes_no_lines_is_an_issue(self):
        folder = self.gate.folder
        os.symlink('/dev/null', folder + '/link')
        for target, word in ((folder + '/none/a.log', 'cannot be made'), (folder, 'is a folder'),
                             (folder + '/link', 'symbolic link')):
            issue = self.gate.reload(self.config(target), 'reload failed')['issue']
            self.assertIn('log.access', issue)
            self.assertIn(word, issue)
        self.assertFalse(os.path.exists(folder + '/none'))
        self.assertEqual(get(self.gate.address, '/x').status, 200)

    def test_a_full_disk_is_counted(self):
        self.gate.reload(self.config('/dev/full'))
        for _ in range(3):
            get(self.gate.address, '/x')
        eventually(lambda: metrics(self.gate)[LOST] == 3, 5)


class SlowReader(case.Case):
    def test_what_waited_for_a_full_pipe_leaves_when_there_is_room(self):
        up = self.upstream()
        gateway = self.gateway(configs.plain(up.url))
        path = os.path.join(gateway.folder, 'pipe')
        os.mkfifo(path)
        reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        self.addCleanup(os.close, reader)
        gateway.reload(configs.plain(up.url, top=f'log: {{access: "{path}"}}'))
        count = 150    # 150 lines of 2 KiB: four pipes full, and less than what is kept
        with Client(gateway.address) as client:
            for number in range(count):
                client.send(encode('GET', f'/{number}/' + 'a' * 1800))
                self.assertEqual(client.read().status, 200)
        lines = b''
        end = time.monotonic() + 10
        # No further request is made: the pipe's room alone must bring the rest.
        while lines.count(b'\n') < count and time.monotonic() < end:
            if select.select([reader], [], [], 1)[0]:
                lines += os.read(reader, 1 << 20)
        self.assertEqual(lines.count(b'\n'), count)
        self.assertEqual(metrics(gateway)[LOST], 0)


if __name__ == '__main__':
    case.main()
