"""qBittorrent: a cookie session that dies of idleness, by a logout, under load."""
import base64
import contextlib
import hashlib
import json
import time
import urllib.parse

from real import case, install
from real.server import Caller, Server
from support.gateway import eventually

USER, PASSWORD = 'admin', 'träck + me & "you"'
TIMEOUT = 1    # seconds without a call until a session is gone
VERSION = '/api/v2/app/version'


class QBittorrent(Server):
    """qbittorrent-nox with a profile of its own, and no peers."""

    def prepare(self):
        self.program = install.debian('qbittorrent-nox')
        salt = b'sixteen salty b!'
        digest = hashlib.pbkdf2_hmac('sha512', PASSWORD.encode(), salt, 100_000, 64)
        hashed = base64.b64encode(salt).decode() + ':' + base64.b64encode(digest).decode()
        self.write('profile/qBittorrent/config/qBittorrent.conf', f"""[LegalNotice]
Accepted=true

[BitTorrent]
Session\\DHTEnabled=false
Session\\LSDEnabled=false
Session\\PeXEnabled=false
Session\\Interface=lo
Session\\InterfaceName=lo

[Network]
PortForwardingEnabled=false

[Preferences]
Connection\\UPnP=false
WebUI\\Address=127.0.0.1
WebUI\\Username={USER}
WebUI\\Password_PBKDF2="@ByteArray({hashed})"
WebUI\\SessionTimeout={TIMEOUT}
WebUI\\LocalHostAuth=true
WebUI\\CSRFProtection=true
WebUI\\HostHeaderValidation=true
WebUI\\ServerDomains=127.0.0.1
""")

    def command(self):
        return [self.program, '--profile=' + self.path('profile'), f'--webui-port={self.port}']


def torrent(name):
    """A file of one piece, in bencoding."""
    raw = name.encode()
    info = b'd6:lengthi5e4:name%d:%s12:piece lengthi16384e6:pieces20:%se' % (len(raw), raw, hashlib.sha1(raw).digest())
    return b'd8:announce19:http://127.0.0.1:9/4:info' + info + b'e'


class TestQBittorrent(case.Case):
    server_class = QBittorrent

    def start(self, password=PASSWORD):
        return self.gateway('qbittorrent', {'username': USER, 'password': password}, more=case.OFTEN)

    def test_bursts_with_idle_expiry_between(self):
        gateway, bursts = self.start(), 4

        def burst(caller, worker, number):
            reply = caller.expect(200, 'GET', VERSION)
            assert reply.body.startswith(b'v'), reply
            assert 'set-cookie' not in reply.fields, 'the session leaks'
        for number in range(bursts):
            self.drive(gateway, burst, seconds=0.7)
            if number < bursts - 1:
                time.sleep(TIMEOUT + 1.5)    # the server counts whole seconds
        self.assert_logins(gateway, bursts, bursts)

    def test_logout_under_load(self):
        """Somebody ends the session while many calls are under way, readers and writers."""
        gateway, ends = self.start(), 5

        def work(caller, worker, number):
            if worker % 3:
                caller.expect(200, 'GET', '/api/v2/torrents/info?filter=all')
            else:    # a form that is sent again after the login
                value = json.dumps({'autorun_program': f'prüfen + %20 {worker}'})
                caller.expect(200, 'POST', '/api/v2/app/setPreferences', urllib.parse.urlencode({'json': value}),
                              {'Content-Type': 'application/x-www-form-urlencoded'})

        def end():
            caller = Caller(gateway.address)
            for _ in range(ends):
                time.sleep(1.5)
                caller.expect(200, 'POST', '/api/v2/auth/logout')
            caller.close()
        tally = self.drive(gateway, work, seconds=ends * 1.5 + 1.5, during=end)
        self.assertGreaterEqual(tally.outcomes['relogin'], ends, tally)
        self.assert_logins(gateway, ends + 1, ends + 2)    # a stall may let it idle away once more

    def test_torrents_added_across_expiries(self):
        """Files sent as multipart, each meeting a session that has idled away; each torrent is there once."""
        gateway, rounds = self.start(), 3
        names = {}
        for number in range(rounds):
            def add(caller, worker, count, number=number):
                if count:
                    return time.sleep(0.05)
                name = f'torrent {number}.{worker} ü'
                data = torrent(name)
                names[hashlib.sha1(data[data.index(b'4:info') + 6:-1]).hexdigest()] = name
                body = (b'--frontier\r\nContent-Disposition: form-data; name="paused"\r\n\r\ntrue\r\n--frontier\r\n'
                        b'Content-Disposition: form-data; name="torrents"; filename="x.torrent"\r\n'
                        b'Content-Type: application/x-bittorrent\r\n\r\n' + data + b'\r\n--frontier--\r\n')
                reply = caller.expect(200, 'POST', '/api/v2/torrents/add', body,
                                      {'Content-Type': 'multipart/form-data; boundary=frontier'})
                assert reply.body == b'Ok.', reply
            self.drive(gateway, add, seconds=0.5)
            time.sleep(TIMEOUT + 1.5)
        with contextlib.closing(Caller(gateway.address)) as caller:
            found = eventually(lambda: (lambda all: len(all) >= len(names) and all)(
                caller.expect(200, 'GET', '/api/v2/torrents/info').json), 20, 'every torrent')
        self.assertEqual({one['hash']: one['name'] for one in found}, names)
        self.assert_logins(gateway, rounds + 1, rounds + 1)

    def test_a_browser_behind_the_gateway(self):
        """What a browser says about the page's address is no reason for the server to refuse."""
        gateway = self.start()
        with contextlib.closing(Caller(gateway.address)) as caller:
            origin = 'http://' + gateway.address
            caller.expect(200, 'GET', VERSION, headers={'Referer': origin + '/', 'Origin': origin, 'Cookie': 'SID=mine'})
        refused = self.server.call('POST', '/api/v2/auth/login', 'username=a',
                                   {'Origin': origin, 'Content-Type': 'application/x-www-form-urlencoded'})
        self.assertEqual(refused.status, 401, 'the server does not check origins any more: this test proves nothing')

    def test_wrong_password_is_tried_once(self):
        gateway = self.start(password='wrong')
        with contextlib.closing(Caller(gateway.address)) as caller:
            for _ in range(8):    # five wrong ones would ban this address
                reply = caller.expect(401, 'GET', VERSION)
                self.assertEqual(reply.json['error']['kind'], 'login_refused')
        self.assertEqual(self.session(gateway)['state'], 'refused')


if __name__ == '__main__':
    case.unittest.main()
