"""Uploads that come in the client's own aws-chunked frame, as the SDKs send them, on routes that sign for AWS themselves."""
import base64
import email.utils
import hashlib
import json
import threading
import time
import zlib

from support import case, configs
from support.client import Client, call
from support.gateway import command
from support.signed import SigV4, chunks
from support.upstream import answer
from test_aws import AWS, CONFIG, NOW, SECRET, SECRETS

BODY = bytes(range(256)) * 1000
UNSIGNED, SIGNED = 'STREAMING-UNSIGNED-PAYLOAD-TRAILER', 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD'


def crc32(body):
    return base64.b64encode(zlib.crc32(body).to_bytes(4, 'big')).decode()


def frame(body, *, size=65536, signed=False, trailers=()):
    """What a client makes of a body."""
    extension = b';chunk-signature=' + b'a' * 64 if signed else b''
    parts = [body[start:start + size] for start in range(0, len(body), size)] + [b'']
    framed = b''.join(b'%x%s\r\n%s\r\n' % (len(part), extension, part) for part in parts).removesuffix(b'\r\n')
    return framed + b''.join(f'{name}:{value}\r\n'.encode() for name, value in trailers) + b'\r\n'


def head(body, *, digest=UNSIGNED, coding='aws-chunked', trailer='x-amz-checksum-crc32', length=None):
    fields = {'Content-Encoding': coding, 'X-Amz-Content-SHA256': digest, 'X-Amz-Trailer': trailer,
              'X-Amz-Decoded-Content-Length': str(len(body) if length is None else length), 'X-Amz-Date': '20200101T000000Z',
              'Authorization': 'AWS4-HMAC-SHA256 Credential=theirs', 'X-Amz-Security-Token': 'theirs'}
    return [(name, value) for name, value in fields.items() if value]


class Uploads(AWS):
    signer = SigV4(SECRET, 'us-east-1', 's3', s3=True)

    def start_with(self, options='', **more):
        return self.make('s3.amazonaws.com', 'service: s3, s3: true' + options, **more)

    def assert_plain(self, request, body, checksum=True):
        """What arrived is the content, and nothing of the frame."""
        self.assertEqual(request.body, body)
        self.assertEqual(request.field('Content-Length'), str(len(body)))
        for name in ('X-Amz-Decoded-Content-Length', 'X-Amz-Trailer', 'X-Amz-Security-Token'):
            self.assertIsNone(request.field(name))
        self.assertEqual(request.field('x-amz-checksum-crc32'), crc32(body) if checksum else None)

    def test_a_held_body_and_its_checksum(self):
        """Default of the SDKs over TLS."""
        upstream, gateway = self.start_with()
        for body in (b'', b'hello', BODY):
            framed = frame(body, trailers=[('x-amz-checksum-crc32', crc32(body))])
            reply = call(gateway.address, 'PUT', '/b/k', head(body), framed)
            self.assertEqual(reply.status, 200, reply)
            self.assert_plain(upstream.last, body)
            self.assertIsNone(upstream.last.field('Content-Encoding'))
            self.assertIn('x-amz-checksum-crc32', self.assert_signed(upstream.last, self.signer))

    def test_what_announces_a_frame(self):
        """A client without a key sends the coding only, an older one with a key the digest only."""
        upstream, gateway = self.start_with()
        for fields in ([('Content-Encoding', 'aws-chunked')], [('X-Amz-Content-Sha256', SIGNED)]):
            reply = call(gateway.address, 'PUT', '/b/k', fields, frame(b'hello', signed=True))
            self.assertEqual(reply.status, 200, reply)
            self.assert_plain(upstream.last, b'hello', checksum=False)
            self.assert_signed(upstream.last, self.signer)

    def test_other_codings_stay(self):
        upstream, gateway = self.start_with()
        call(gateway.address, 'PUT', '/b/k', head(BODY, digest=SIGNED, coding='aws-chunked,gzip', trailer=None),
             frame(BODY, signed=True))
        self.assert_plain(upstream.last, BODY, checksum=False)
        self.assertEqual(upstream.last.field('Content-Encoding'), 'gzip')
        self.assert_signed(upstream.last, self.signer)

    def test_a_frame_within_transfer_chunks(self):
        upstream, gateway = self.start_with()
        framed = frame(b'hello', size=2, trailers=[('x-amz-checksum-crc32', crc32(b'hello'))])
        wire = b''.join(b'1\r\n%c\r\n' % byte for byte in framed) + b'0\r\n\r\n'
        reply = call(gateway.address, 'PUT', '/b/k', head(b'hello') + [('Transfer-Encoding', 'chunked')], wire)
        self.assertEqual(reply.status, 200, reply)
        self.assert_plain(upstream.last, b'hello')

    def test_an_unsigned_payload_keeps_the_checksum(self):
        upstream, gateway = self.start_with(', payload: unsigned')
        call(gateway.address, 'PUT', '/b/k', head(BODY), frame(BODY, trailers=[('x-amz-checksum-crc32', crc32(BODY))]))
        self.assert_plain(upstream.last, BODY)
        self.assert_signed(upstream.last, self.signer, payload='UNSIGNED-PAYLOAD')

    def test_our_trailer_has_the_clients_kind_of_checksum(self):
        """S3 compares it with x-amz-sdk-checksum-algorithm. The config's own would be crc32c."""
        for mode, digest in (('streaming-trailer', SIGNED + '-TRAILER'), ('streaming-unsigned-trailer', UNSIGNED)):
            upstream, gateway = self.start_with(', payload: ' + mode)
            body = BODY[:100000]
            framed = frame(body, trailers=[('x-amz-checksum-crc32', crc32(body))])
            reply = call(gateway.address, 'PUT', '/b/k', head(body), framed)
            self.assertEqual(reply.status, 200, reply)
            self.assert_signed(upstream.last, self.signer, payload=digest)
            parts, trailer = chunks(upstream.last.body)
            self.assertEqual(b''.join(data for data, _ in parts), body)
            self.assertEqual(trailer[0], 'x-amz-checksum-crc32:' + crc32(body))
            self.assertEqual(upstream.last.field('X-Amz-Trailer'), 'x-amz-checksum-crc32')
            self.assertEqual(upstream.last.field('X-Amz-Decoded-Content-Length'), str(len(body)))
            self.assertEqual(upstream.last.field('Content-Encoding'), 'aws-chunked')
            self.assertIsNone(upstream.last.field('x-amz-checksum-crc32'))

    def test_the_clients_own_checksum_in_the_head_takes_the_place_of_ours(self):
        """S3 takes one: "Multiple checksum Types are not allowed". Fields about checksums are none."""
        own = base64.b64encode(hashlib.sha256(BODY).digest()).decode()
        about = ('x-amz-checksum-algorithm', 'SHA256')
        for mode, digest in (('streaming-trailer', SIGNED), ('streaming-unsigned-trailer', 'UNSIGNED-PAYLOAD')):
            upstream, gateway = self.start_with(', payload: ' + mode)
            reply = call(gateway.address, 'PUT', '/b/k', [('X-Amz-Checksum-SHA256', own), about], BODY)
            self.assertEqual(reply.status, 200, reply)
            self.assertEqual(upstream.last.all('x-amz-checksum-sha256'), [own])
            self.assertIsNone(upstream.last.field('X-Amz-Trailer'))
            self.assertIn('x-amz-checksum-sha256', self.assert_signed(upstream.last, self.signer, payload=digest))
            body = upstream.last.body
            if digest == SIGNED:
                parts, trailer = chunks(body)
                body = b''.join(data for data, _ in parts)
                self.assertEqual(trailer, [])
            self.assertEqual(body, BODY)
            call(gateway.address, 'PUT', '/b/k', [about], BODY)
            self.assertEqual(upstream.last.field('X-Amz-Trailer'), 'x-amz-checksum-crc32c')
            both = head(BODY) + [('X-Amz-Checksum-SHA256', own)]
            framed = frame(BODY, trailers=[('x-amz-checksum-crc32', crc32(BODY))])
            self.assert_refused(call(gateway.address, 'PUT', '/b/k', both, framed), 400, 'bad_request')

    def stream(self, options, fields, framed, split):
        """Sends up to `split`, waits until some of it is at the upstream, sends the rest; returns the answer and what the
        upstream read, which is None when the body did not arrive whole."""
        seen, ended, arrived = threading.Event(), threading.Event(), []

        def raw(wire):
            request = wire.read_head()
            while len(wire.buffer) < 40000:
                wire.more()
            seen.set()
            try:
                arrived.append(wire.read_body(request))
                wire.send(b'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
            except (EOFError, ConnectionError):
                arrived.append(None)
            ended.set()
        gateway = self.gateway(CONFIG % ('s3.amazonaws.com', 'us-east-1', 'service: s3, s3: true' + options, ''),
                               secrets=SECRETS, args=['--pin-now', NOW])
        self.upstream(path=gateway.folder + '/up.sock', raw=raw)
        with Client(gateway.address) as client:
            lines = ''.join(f'{name}: {value}\r\n' for name, value in fields)
            client.send(f'PUT /b/k HTTP/1.1\r\nHost: gw.test\r\n{lines}Content-Length: {len(framed)}\r\n\r\n'.encode())
            client.send(framed[:split])
            self.assertTrue(seen.wait(5), 'nothing was sent before the body was complete')
            client.send(framed[split:])
            answer = client.read('PUT')
        self.assertTrue(ended.wait(5), 'the upstream still waits')
        return answer, arrived[0]

    def test_a_body_that_streams(self):
        body, trailer = BODY, [('x-amz-checksum-crc32', crc32(BODY))]
        answer, arrived = self.stream(', payload: unsigned', head(body, digest=SIGNED, trailer=None),
                                      frame(body, signed=True), 200000)
        self.assertEqual(answer.status, 200)
        self.assertEqual(arrived, body)
        answer, arrived = self.stream(', payload: streaming-trailer', head(body), frame(body, trailers=trailer), 200000)
        self.assertEqual(answer.status, 200)
        self.assertEqual(b''.join(data for data, _ in chunks(arrived)[0]), body)

    def test_a_streamed_body_that_is_wrong_never_arrives_whole(self):
        """Not even where every byte of the announced length came: the last one waits for the end of the frame."""
        plain, wrong = head(BODY, digest=SIGNED, trailer=None), [('x-amz-checksum-crc32', crc32(b'another'))]
        for options, fields, framed in (
                (', payload: unsigned', plain, frame(BODY)[:-2] + b'x\n'),
                (', payload: unsigned', plain, frame(BODY, trailers=wrong)),
                (', payload: unsigned', head(BODY, digest=SIGNED, trailer=None, length=len(BODY) + 1), frame(BODY)),
                (', payload: streaming-trailer', head(BODY), frame(BODY, trailers=wrong))):
            answer, arrived = self.stream(options, fields, framed, 200000)
            self.assert_refused(answer, 400, 'bad_request')
            self.assertIsNone(arrived)

    def test_refusals(self):
        upstream, gateway = self.start_with()
        good = [('x-amz-checksum-crc32', crc32(b'hello'))]
        for name, fields, body in (
                ('checksum', head(b'hello'), frame(b'hellO', trailers=good)),
                ('trailer that is not there', head(b'hello'), frame(b'hello')),
                ('trailer that is not announced', head(b'hello', trailer=None), frame(b'hello', trailers=good)),
                ('another trailer', head(b'hello', trailer='authorization'), frame(b'hello', trailers=[('authorization', 'x')])),
                ('too short', head(b'hello', length=6), frame(b'hello', trailers=good)),
                ('too long', head(b'hello', length=4), frame(b'hello', trailers=good)),
                ('no length', head(b'hello', length='five'), frame(b'hello', trailers=good)),
                ('cut', head(b'hello'), frame(b'hello', trailers=good)[:-1]),
                ('goes on', head(b'hello'), frame(b'hello', trailers=good) + b'0'),
                ('no frame', head(b'hello'), b'hello'), ('bare line feed', head(b'hello'), b'5\nhello\n0\n\n'),
                ('nothing', head(b'hello'), b''), ('no body', head(b'hello'), None)):
            with self.subTest(name):
                self.assert_refused(call(gateway.address, 'PUT', '/b/k', fields, body), 400, 'bad_request')
        self.assertEqual(upstream.requests, [])

    def test_many_small_chunks_count_with_the_body_only(self):
        upstream, gateway = self.start_with()
        call(gateway.address, 'PUT', '/b/k', head(BODY, digest=SIGNED, trailer=None), frame(BODY, size=100, signed=True))
        self.assert_plain(upstream.last, BODY, checksum=False)

    def test_a_second_attempt_has_content_and_checksum_again(self):
        """Signed anew after a clock refusal, with a date an hour later."""
        statuses = iter([403, 200])

        def handler(request, wire):
            return answer(next(statuses), b'', [('Date', email.utils.formatdate(time.time() + 3600, usegmt=True))])
        options = 'service: s3, s3: true}\n    clock_refused: status == 403    # '
        gateway = self.gateway(CONFIG % ('s3.amazonaws.com', 'us-east-1', options, ''), secrets=SECRETS)
        upstream = self.upstream(handler, path=gateway.folder + '/up.sock')
        reply = call(gateway.address, 'PUT', '/b/k', head(b'hello'),
                     frame(b'hello', trailers=[('x-amz-checksum-crc32', crc32(b'hello'))]))
        self.assertEqual(reply.status, 200, reply)
        self.assertEqual(len(upstream.requests), 2)
        for request in upstream.requests:
            self.assert_plain(request, b'hello')
            self.assert_signed(request, self.signer)
        self.assertNotEqual(*(request.field('X-Amz-Date') for request in upstream.requests))

    def test_explain_takes_it_off_too(self):
        gateway = self.gateway(CONFIG % ('s3.amazonaws.com', 'us-east-1', 'service: s3, s3: true', ''), secrets=SECRETS)
        fields = [word for name, value in head(b'hello') for word in ('--header', f'{name}: {value}')]
        framed = frame(b'hello', trailers=[('x-amz-checksum-crc32', crc32(b'hello'))]).decode()
        status, output, error = command('explain', gateway.config_path, 'PUT', '/b/k', *fields, '--data', framed, '--now', NOW,
                                        '--json')
        self.assertEqual(status, 0, error)
        inputs = {part['function']: part['message'] for item in json.loads(output)['computed'] for part in item['inputs']}
        self.assertIn('\nx-amz-checksum-crc32:NhCmhg==\n', inputs['canonical request'])
        self.assertTrue(inputs['canonical request'].endswith(hashlib.sha256(b'hello').hexdigest()))


class Untouched(case.Case):
    """Where nothing is signed for AWS the frame is the upstream's, which knows the client's key."""

    def test_the_frame_goes_through(self):
        upstream = self.upstream()
        gateway = self.gateway(configs.plain(upstream.url))
        framed = frame(b'hello', signed=True, trailers=[('x-amz-checksum-crc32', 'AAAAAA==')])
        self.assertEqual(call(gateway.address, 'PUT', '/b/k', head(b'hello', length=9), framed).status, 200)
        self.assertEqual(upstream.last.body, framed)
        for name, value in head(b'hello', length=9):
            self.assertEqual(upstream.last.field(name), value)
