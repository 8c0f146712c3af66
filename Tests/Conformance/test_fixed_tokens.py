"""The renewal brings the credential that was just refused: a device's only one, or one that was alive all the time."""
import test_login_answers

from support import case
from support.client import get
from support.gateway import eventually
from support.upstream import json_answer


class FixedToken(test_login_answers.Answers):
    """A device that has one token; a login brings it to life again."""

    def setUp(self):
        self.alive, self.useless = False, False

        def login(request):
            self.alive = not self.useless
            return json_answer({'token': 'device-token'})
        self.pages = {'/login': login}

    def start_gate(self, session='backoff: {min: 30s, max: 60s}\nattempts_window: {logins: 100, per: 1s}'):
        return self.gate(self.pages, test_login_answers.LOGIN % ('', '') + session, lambda request: self.alive, patience='')

    def test_it_is_revived_again_and_again(self):
        gate = self.start_gate()
        for number in range(5):
            self.assertEqual(get(gate.address, '/a').status, 200)
            self.alive = False
        self.assertEqual(len(self.site_.logins), 5)
        self.assertEqual(self.health(gate)['generation'], 5)

    def test_one_that_never_lives_is_renewed_no_more_than_after_failures(self):
        gate = self.start_gate()
        self.assertEqual(get(gate.address, '/a').status, 200)
        self.useless = True
        self.alive = False
        for _ in range(10):
            reply = get(gate.address, '/a')
            self.assertEqual((reply.status, reply.field('Countersign-Replay')), (401, 'same_credential'))
        self.assertEqual(len(self.site_.logins), 2)
        self.assertEqual((self.health(gate)['state'], self.health(gate)['lastError']), ('ready', 'login_unavailable'))

    def test_after_the_pause_it_is_tried_again(self):
        gate = self.start_gate('backoff: {min: 200ms, max: 400ms}\nattempts_window: {logins: 100, per: 1s}')
        self.assertEqual(get(gate.address, '/a').status, 200)
        self.useless = True
        self.alive = False
        eventually(lambda: get(gate.address, '/a').field('Countersign-Replay') == 'same_credential', 5, 'the pause')
        self.useless = False
        eventually(lambda: get(gate.address, '/a').status == 200, 5, 'the recovery')


if __name__ == '__main__':
    case.main()
