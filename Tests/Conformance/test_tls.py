"""TLS upstreams are verified, pinned and identified to as the config says, and never loosened."""
import os
import shutil
import tempfile

from support import case, configs
from support.certificates import Authority
from support.client import get
from support.http2 import nginx_http2
from support.upstream import Upstream, refuse_hello


class Verification(case.Case):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix='countersign-ca-')
        cls.authority = Authority(cls.folder)
        cls.stranger = Authority(cls.folder + '/stranger')

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def ask(self, context, tls, host='127.0.0.1', wait=True):
        upstream = self.start(Upstream(tls=context))
        self.gate = self.gateway(configs.plain(
            f'https://{host}:{upstream.port}', upstream='tls: {%s}' % tls))
        self.up = upstream
        return get(self.gate.address, '/x')

    def assert_tls_failure(self, reply):
        self.assert_refused(reply, 502, 'tls')
        self.assertIn('tls', reply.field('Proxy-Status'))
        self.assertEqual(self.up.requests, [])

    def test_a_certificate_of_the_configured_authority_is_accepted(self):
        reply = self.ask(self.authority.server('good'), f'ca_file: "{self.authority.file}"')
        self.assertEqual(reply.status, 200)

    def half(self, ends):
        """An answer without a length, whose connection ends as told; what the client got of it."""
        def raw(wire):
            wire.read_head()
            wire.send(b'HTTP/1.1 200 X\r\n\r\nhalf')
            ends(wire)
        upstream = self.start(Upstream(tls=self.authority.server("good"), raw=raw))
        gateway = self.gateway(configs.plain(
            f'https://127.0.0.1:{upstream.port}', upstream=f'tls: {{ca_file: "{self.authority.file}"}}'))
        return get(gateway.address, '/x')

    def test_a_tls_stream_that_is_cut_does_not_look_whole(self):
        with self.assertRaises(ConnectionResetError):
            self.half(lambda wire: wire.socket.close())

    def test_a_tls_stream_that_ends_in_order_is_whole(self):
        def ends(wire):
            wire.socket = wire.socket.unwrap()
        reply = self.half(ends)
        self.assertEqual((reply.status, reply.body, reply.whole), (200, b'half', True))

    def test_a_certificate_of_an_unknown_authority_is_refused(self):
        self.assert_tls_failure(self.ask(self.stranger.server('unknown'), f'ca_file: "{self.authority.file}"'))

    def test_a_certificate_for_another_name_is_refused(self):
        context = self.authority.server('other', 'DNS:other.example')
        self.assert_tls_failure(self.ask(context, f'ca_file: "{self.authority.file}"'))

    def test_files_that_changed_under_their_paths_are_read_by_a_reload(self):
        path = self.folder + '/trusted.pem'
        shutil.copy(self.authority.file, path)
        self.assertEqual(self.ask(self.authority.server('renewed'), f'ca_file: "{path}"').status, 200)
        self.gate.reload()
        self.assertEqual(get(self.gate.address, '/x').status, 200)
        self.assertEqual(self.up.last.connection, self.up.requests[0].connection, 'nothing changed, and it was dropped')
        shutil.copy(self.stranger.file, path)
        self.gate.reload()
        # Not even over the connection that was open before.
        self.assert_refused(get(self.gate.address, '/x'), 502, 'tls')
        shutil.copy(self.authority.file, path)
        self.gate.reload()
        self.assertEqual(get(self.gate.address, '/x').status, 200)

    def test_a_client_certificate_that_changed_is_shown(self):
        context = self.authority.server('mutual-renewed', ask_client=True)
        paths = [self.folder + '/current.pem', self.folder + '/current.key']
        for path, source in zip(paths, self.stranger.leaf('shown', 'DNS:client')):
            shutil.copy(source, path)
        tls = f'ca_file: "{self.authority.file}", client_certificate: "{paths[0]}", client_key: "{paths[1]}"'
        self.assertEqual(self.ask(context, tls).status, 502)
        for path, source in zip(paths, self.authority.leaf('shown', 'DNS:client')):
            shutil.copy(source, path)
        self.gate.reload()
        self.assertEqual(get(self.gate.address, '/x').status, 200)

    def test_no_variable_makes_it_write_keys_or_trust_others(self):
        upstream = self.start(Upstream(tls=self.authority.server('keylog')))
        config = configs.plain(f'https://127.0.0.1:{upstream.port}', upstream=f'tls: {{ca_file: "{self.authority.file}"}}')
        path = self.folder + '/keys'
        gateway = self.gateway(config, env={'SSLKEYLOGFILE': path})
        self.assertEqual(get(gateway.address, '/x').status, 200)
        self.assertFalse(os.path.exists(path))
        line = gateway.log.wait(lambda record: record.get('message') == 'environment variable is ignored')
        self.assertEqual(line['name'], 'SSLKEYLOGFILE')
        config = configs.plain(f'https://127.0.0.1:{upstream.port}')
        gateway = self.gateway(config, env={'SSL_CERT_FILE': self.authority.file, 'SSL_CERT_DIR': self.folder})
        self.assert_refused(get(gateway.address, '/x'), 502, 'tls')

    def test_a_matching_pin_is_accepted(self):
        context = self.authority.server('pinned')
        pin = self.authority.pin('pinned')
        self.assertEqual(self.ask(context, f'ca_file: "{self.authority.file}", pins: ["{pin}"]').status, 200)

    def test_a_pin_of_another_key_is_refused(self):
        context = self.authority.server('mispinned')
        self.stranger.leaf('else', 'DNS:localhost')
        pin = self.stranger.pin('else')
        self.assert_tls_failure(self.ask(context, f'ca_file: "{self.authority.file}", pins: ["{pin}"]'))

    def test_a_backup_pin_suffices(self):
        context = self.authority.server('backup')
        self.stranger.leaf('spare', 'DNS:localhost')
        pins = f'["{self.stranger.pin("spare")}", "{self.authority.pin("backup")}"]'
        self.assertEqual(self.ask(context, f'ca_file: "{self.authority.file}", pins: {pins}').status, 200)

    def test_a_client_certificate_is_shown(self):
        certificate, key = self.authority.leaf('client', 'DNS:client')
        context = self.authority.server('mutual', ask_client=True)
        tls = f'ca_file: "{self.authority.file}", client_certificate: "{certificate}", client_key: "{key}"'
        self.assertEqual(self.ask(context, tls).status, 200)

    def test_without_the_client_certificate_the_upstream_refuses(self):
        context = self.authority.server('mutual2', ask_client=True)
        self.assertEqual(self.ask(context, f'ca_file: "{self.authority.file}"').status, 502)

    def test_verification_that_is_off_is_warned_about_loudly_and_shown_in_health(self):
        reply = self.ask(self.stranger.server('loose'), 'verify: false')
        self.assertEqual(reply.status, 200)
        self.gate.log.wait(lambda record: record.get('level') == 'warning' and 'verif' in str(record), 2)
        self.assertIs(get(self.gate.admin, '/health').json['upstreams']['up']['verifyTLS'], False)

    def test_a_plain_port_is_no_tls(self):
        # Like any plain HTTP server: what is no request line gets a 400.
        upstream = self.upstream(raw=refuse_hello)
        gateway = self.gateway(configs.plain(f'https://127.0.0.1:{upstream.port}'))
        self.assert_refused(get(gateway.address, '/x'), 502, 'tls')

    def test_http_2_is_spoken_where_the_config_asks(self):
        certificate, key = self.authority.leaf('two', 'IP:127.0.0.1')
        server = self.start(nginx_http2(certificate, key))
        gateway = self.gateway(configs.plain(
            f'https://127.0.0.1:{server.port}', upstream='http: 2\ntls: {ca_file: "%s"}' % self.authority.file))
        self.assertEqual(get(gateway.address, '/').body, b'HTTP/2.0')

    def test_http_1_is_spoken_by_default(self):
        certificate, key = self.authority.leaf('one', 'IP:127.0.0.1')
        server = self.start(nginx_http2(certificate, key))
        gateway = self.gateway(configs.plain(
            f'https://127.0.0.1:{server.port}', upstream='tls: {ca_file: "%s"}' % self.authority.file))
        self.assertEqual(get(gateway.address, '/').body, b'HTTP/1.1')


if __name__ == '__main__':
    case.main()
