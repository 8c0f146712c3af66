"""AWS Signature Version 4 through sockets: the published examples, and requests signed again by an independent signer."""
import base64
import hashlib
import hmac
import json
import threading
import time
import urllib.parse
import zlib

from support import case, configs, corpus
from support.client import Client, call
from support.gateway import command
from support.signed import SigV4, chunks, openssl, undo_der, verifies

VECTORS = corpus.load('built-in.json')['aws']
ACCESS, SECRET = 'AKIAIOSFODNN7EXAMPLE', 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'
NOW = '1369353600'
DATE = '20130524T000000Z'
SECRETS = {'secrets/aws': SECRET, 'secrets/token': 'the/session+token=='}

CONFIG = configs.LISTEN + """secrets: {aws: {file: secrets/aws}, token: {file: secrets/token}}
upstreams: {up: {url: "http://%s", socket: $FOLDER/up.sock}}
signatures:
  aws:
    aws_sigv4: {access_key: AKIAIOSFODNN7EXAMPLE, secret_key: "${secret.aws}", region: "%s", %s}
routes:
  - {path: /**, upstream: up, sign: aws%s}
"""
OWN = ('host', 'x-amz-content-sha256', 'x-amz-date', 'content-encoding', 'content-length', 'x-amz-decoded-content-length',
       'x-amz-trailer')


class AWS(case.Case):
    def make(self, host, options, *, route='', now=NOW, handler=None, region='us-east-1'):
        gateway = self.gateway(CONFIG % (host, region, options, route), secrets=SECRETS, args=['--pin-now', now])
        upstream = self.upstream(handler, path=gateway.folder + '/up.sock')
        return upstream, gateway

    def authorization(self, request):
        scheme, _, rest = request.field('Authorization').partition(' ')
        self.assertEqual(scheme, 'AWS4-HMAC-SHA256')
        return dict(part.split('=', 1) for part in rest.split(', '))

    def assert_signed(self, request, signer, *, payload=None):
        """Signs what arrived again, over the headers that the gateway says it signed."""
        parts = self.authorization(request)
        signed = parts['SignedHeaders'].split(';')
        payload = payload or hashlib.sha256(request.body).hexdigest()
        canonical = signer.canonical(request.method, request.target, request.fields, signed, payload)
        self.assertEqual(parts['Signature'], signer.signature(request.field('X-Amz-Date'), canonical), canonical)
        self.assertEqual(parts['Credential'], f'{ACCESS}/{signer.scope(request.field("X-Amz-Date"))}')
        return signed


def derived_public_key():
    """PEM of the key of version 4a: NIST SP 800-108 in counter mode, one more than what it gives."""
    order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551
    for counter in range(1, 255):
        fixed = b'\0\0\0\1AWS4-ECDSA-P256-SHA256\0' + ACCESS.encode() + bytes([counter]) + b'\0\0\1\0'
        number = int.from_bytes(hmac.new(b'AWS4A' + SECRET.encode(), fixed, hashlib.sha256).digest(), 'big')
        if number <= order - 2:
            break
    head = bytes.fromhex('3041020100301306072a8648ce3d020106082a8648ce3d030107042730250201010420')
    return openssl('pkey', '-inform', 'DER', '-pubout', data=head + (number + 1).to_bytes(32, 'big')).decode()


class Asymmetric(AWS):
    """Version 4a: the canonical request is that of version 4, the signature is ECDSA."""

    def check(self, request, date, payload, signature, credential, names, fields):
        self.assertEqual(credential, f'{ACCESS}/{date[:8]}/s3/aws4_request')
        canonical = SigV4(SECRET, 'none', 's3', s3=True).canonical(
            request.method, request.target, fields, names.split(';'), payload)
        text = '\n'.join(['AWS4-ECDSA-P256-SHA256', date, f'{date[:8]}/s3/aws4_request',
                          hashlib.sha256(canonical.encode()).hexdigest()])
        raw = undo_der(bytes.fromhex(signature), 32)
        self.assertTrue(verifies(derived_public_key(), 'ES256', text.encode(), raw), canonical)
        self.assertFalse(verifies(derived_public_key(), 'ES256', text.encode() + b' ', raw))

    def test_in_the_header(self):
        upstream, gateway = self.make(
            'a.example', 'service: s3, s3: true, asymmetric: true, session_token: "${secret.token}"', region='us-*,eu-west-1')
        reply = call(gateway.address, 'PUT', '/a%20b?x=1', [('X-Amz-Region-Set', 'mine')], b'data')
        self.assertEqual(reply.status, 200, reply)
        request = upstream.last
        self.assertEqual(request.field('X-Amz-Region-Set'), 'us-*,eu-west-1')
        scheme, _, rest = request.field('Authorization').partition(' ')
        parts = dict(part.split('=', 1) for part in rest.split(', '))
        self.assertEqual(scheme, 'AWS4-ECDSA-P256-SHA256')
        self.assertIn('x-amz-region-set', parts['SignedHeaders'].split(';'))
        self.check(request, request.field('X-Amz-Date'), hashlib.sha256(b'data').hexdigest(), parts['Signature'],
                   parts['Credential'], parts['SignedHeaders'], request.fields)

    def test_in_the_query(self):
        upstream, gateway = self.make('a.example', 'service: s3, s3: true, asymmetric: true, mode: query', region='*')
        self.assertEqual(call(gateway.address, 'GET', '/k?a=1').status, 200)
        query = dict(urllib.parse.parse_qsl(upstream.last.target.partition('?')[2]))
        self.assertEqual((query['X-Amz-Region-Set'], query['X-Amz-Algorithm']), ('*', 'AWS4-ECDSA-P256-SHA256'))
        self.check(upstream.last, query['X-Amz-Date'], 'UNSIGNED-PAYLOAD', query['X-Amz-Signature'],
                   query['X-Amz-Credential'], query['X-Amz-SignedHeaders'], upstream.last.fields)


class Published(AWS):
    """S3's documented examples; the client sends what is not the gateway's own."""

    def arrive(self, vector, options, body=None):
        upstream, gateway = self.make(vector['headers']['host'], 'service: s3, s3: true' + options)
        target = vector['uri'] + ('?' + vector['query'] if vector['query'] and 'X-Amz' not in vector['query'] else '')
        fields = [(name, value) for name, value in vector['headers'].items() if name not in OWN]
        reply = call(gateway.address, vector['method'], target.replace('lifecycle=', 'lifecycle'), fields, body)
        self.assertEqual(reply.status, 200, reply)
        return upstream.last

    def header_vector(self, name, body=None):
        vector = next(vector for vector in VECTORS if vector['name'].startswith(name))
        request = self.arrive(vector, '', body or vector.get('body'))
        self.assertEqual(self.authorization(request)['Signature'], vector['expected'])
        self.assertEqual(request.field('x-amz-content-sha256'), vector['payload_hash'])

    def test_get_with_a_range(self):
        self.header_vector('GET object, Range')

    def test_put_an_object(self):
        self.header_vector('PUT object')

    def test_a_query_without_a_value(self):
        self.header_vector('GET ?lifecycle')

    def test_presigned_in_the_query(self):
        vector = next(vector for vector in VECTORS if vector['name'].startswith('presigned'))
        request = self.arrive(vector, ', mode: query, expires: 24h')
        self.assertEqual(request.target,
                         vector['uri'] + '?' + vector['query'] + '&X-Amz-Signature=' + vector['expected'])
        self.assertIsNone(request.field('Authorization'))

    def check_chunks(self, vector, request):
        expected = [chunk['signature'] for chunk in vector['chunks']]
        parts, trailer = chunks(request.body)
        self.assertEqual([signature for _, signature in parts], expected)
        self.assertEqual([len(data) for data, _ in parts], [65536, 1024, 0])
        self.assertEqual(request.field('Content-Length'), str(len(request.body)))
        self.assertEqual(request.field('x-amz-decoded-content-length'), '66560')
        self.assertEqual(request.field('content-encoding'), 'aws-chunked')
        return trailer

    def test_streaming_chunks(self):
        vector = next(vector for vector in VECTORS if vector['name'] == 'streaming seed')
        request = self.arrive(vector, ', payload: streaming', b'a' * 66560)
        self.assertEqual(self.authorization(request)['Signature'], vector['expected'])
        self.assertEqual(request.field('Content-Length'), vector['headers']['content-length'])
        self.assertEqual(self.check_chunks(vector, request), [])

    def test_streaming_with_a_trailer(self):
        vector = next(vector for vector in VECTORS if 'trailer seed' in vector['name'])
        request = self.arrive(vector, ', payload: streaming-trailer', b'a' * 66560)
        self.assertEqual(self.authorization(request)['Signature'], vector['expected'])
        self.assertEqual(self.check_chunks(vector, request), [
            vector['trailer']['line'].strip(), 'x-amz-trailer-signature:' + vector['trailer']['signature']])

    def test_explain_shows_canonical_request_and_string_to_sign(self):
        vector = VECTORS[0]
        gateway = self.gateway(CONFIG % (vector['headers']['host'], 'us-east-1', 'service: s3, s3: true', ''), secrets=SECRETS)
        status, output, error = command(
            'explain', gateway.config_path, 'GET', '/test.txt', '--header', 'Range: bytes=0-9', '--now', NOW, '--json')
        self.assertEqual(status, 0, error)
        inputs = {part['function']: part['message'] for item in json.loads(output)['computed'] for part in item['inputs']}
        self.assertEqual(inputs['canonical request'], vector['canonical'])
        self.assertEqual(inputs['string to sign'], vector['string_to_sign'])
        self.assertNotIn(SECRET, output)


class Rules(AWS):
    """Requests of all shapes, signed again from what arrived."""

    TARGETS = ['/', '/a/b', '/a//b/', '/a%20b/c%2Fd', '/%E4%B8%AD', '/x?b=2&a=1', '/x?a=2&a=1', '/x?a', '/x?a=&&b',
               '/x?a=b%20c+d&A=%7e~', '/x?param%5B10%5D=a&param[9]=b', '/~-_.x/:@!$', '/x?x=%e4%b8&y==&=z']

    def test_every_shape_of_path_and_query(self):
        for options, signer in (('service: execute-api', SigV4(SECRET, 'us-east-1', 'execute-api')),
                                ('service: execute-api, normalize: false',
                                 SigV4(SECRET, 'us-east-1', 'execute-api', normalize=False)),
                                ('service: s3, s3: true', SigV4(SECRET, 'us-east-1', 's3', s3=True))):
            upstream, gateway = self.make('api.example.com:8443', options)
            for target in self.TARGETS:
                with self.subTest(options=options, target=target):
                    call(gateway.address, 'GET', target)
                    self.assertEqual(upstream.last.target, target, 'the target was rewritten')
                    self.assert_signed(upstream.last, signer)

    def test_headers_fold_and_duplicates_keep_their_order(self):
        upstream, gateway = self.make('api.example.com', 'service: execute-api')
        signer = SigV4(SECRET, 'us-east-1', 'execute-api')
        call(gateway.address, 'POST', '/x', [
            ('My-Header', '  a   b\t c '), ('Zebra', 'z'), ('my-header', 'second'), ('Content-Type', 'text/plain'),
            ('User-Agent', 'client'), ('Accept-Encoding', 'gzip'), ('Connection', 'keep-alive')], b'body')
        signed = self.assert_signed(upstream.last, signer)
        self.assertEqual(signed, ['content-type', 'host', 'my-header', 'x-amz-date', 'zebra'])

    def test_only_the_listed_headers(self):
        upstream, gateway = self.make('api.example.com', 'service: execute-api, signed_headers: [Content-Type]')
        call(gateway.address, 'POST', '/x', [('Zebra', 'z'), ('Content-Type', 'text/plain'), ('X-Amz-Target', 't')], b'body')
        self.assertEqual(self.assert_signed(upstream.last, SigV4(SECRET, 'us-east-1', 'execute-api')),
                         ['content-type', 'host', 'x-amz-date', 'x-amz-target'])

    def test_a_session_token_is_signed_or_added_after(self):
        signer = SigV4(SECRET, 'us-east-1', 'iam')
        for omits in (False, True):
            upstream, gateway = self.make('iam.amazonaws.com', 'service: iam, session_token: "${secret.token}"'
                                          + (', omit_session_token: true' if omits else ''))
            call(gateway.address, 'GET', '/')
            signed = self.assert_signed(upstream.last, signer)
            self.assertEqual('x-amz-security-token' in signed, not omits)
            self.assertEqual(upstream.last.field('X-Amz-Security-Token'), SECRETS['secrets/token'])

    def test_a_presigned_query_with_a_token(self):
        signer = SigV4(SECRET, 'us-east-1', 'iam')
        for omits in (False, True):
            upstream, gateway = self.make('iam.amazonaws.com', 'mode: query, service: iam, session_token: "${secret.token}"'
                                          + (', omit_session_token: true' if omits else ''))
            call(gateway.address, 'GET', '/p?z=1&Action=List&X-Amz-Signature=old')
            target = upstream.last.target
            self.assertEqual(target.count('X-Amz-Signature='), 1)
            token = '&X-Amz-Security-Token=the%2Fsession%2Btoken%3D%3D'
            self.assertIn(token, target)
            signed = target.replace(token, '') if omits else target
            canonical = signer.canonical('GET', signed, upstream.last.fields, ['host'], hashlib.sha256(b'').hexdigest())
            self.assertTrue(target.endswith('X-Amz-Signature=' + signer.signature(DATE, canonical)), canonical)

    def test_the_clients_own_signature_is_dropped(self):
        upstream, gateway = self.make('iam.amazonaws.com', 'service: iam, sign_body: true')
        call(gateway.address, 'GET', '/', [('Authorization', 'AWS4-HMAC-SHA256 forged'), ('X-Amz-Date', 'old'),
                                          ('x-amz-content-sha256', 'old')])
        self.assert_signed(upstream.last, SigV4(SECRET, 'us-east-1', 'iam'))
        self.assertEqual(upstream.last.field('x-amz-content-sha256'), hashlib.sha256(b'').hexdigest())

    def test_an_unsigned_payload_streams(self):
        upstream, gateway = self.make('s3.amazonaws.com', 'service: s3, s3: true, payload: unsigned')
        call(gateway.address, 'PUT', '/b/k', (), b'x' * 200000)
        self.assert_signed(upstream.last, SigV4(SECRET, 'us-east-1', 's3', s3=True), payload='UNSIGNED-PAYLOAD')


class Streaming(AWS):
    def check(self, request, payload, body):
        signer = SigV4(SECRET, 'us-east-1', 's3', s3=True)
        self.assert_signed(request, signer, payload=payload)
        previous = self.authorization(request)['Signature']
        parts, trailer = chunks(request.body)
        for data, signature in parts:
            text = signer.text(DATE, previous, hashlib.sha256(b'').hexdigest(), hashlib.sha256(data).hexdigest(),
                               kind='-PAYLOAD')
            previous = signer.sign(DATE, text)
            self.assertEqual(signature, previous)
        self.assertEqual(b''.join(data for data, _ in parts), body)
        self.assertEqual(request.field('Content-Length'), str(len(request.body)))
        return trailer

    def test_a_large_body_is_framed_as_it_comes(self):
        upstream, gateway = self.make('s3.amazonaws.com', 'service: s3, s3: true, payload: streaming, chunk_size: 16KiB',
                                      route=', limits: {body: 64MiB}')
        body = bytes(range(256)) * 12345 + b'tail'
        call(gateway.address, 'PUT', '/b/k', [('Content-Encoding', 'gzip')], body)
        self.assertEqual(upstream.last.field('content-encoding'), 'aws-chunked,gzip')
        self.assertEqual(self.check(upstream.last, 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD', body), [])

    def test_the_first_chunk_leaves_before_the_last_arrives(self):
        seen = threading.Event()

        def raw(wire):
            head = wire.read_head()
            while len(wire.buffer) < 40000:
                wire.more()
            seen.set()
            wire.read_body(head)
            wire.send(b'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
        options = 'service: s3, s3: true, payload: streaming, chunk_size: 16KiB'
        gateway = self.gateway(CONFIG % ('s3.amazonaws.com', 'us-east-1', options, ''), secrets=SECRETS, args=['--pin-now', NOW])
        self.upstream(path=gateway.folder + '/up.sock', raw=raw)
        with Client(gateway.address) as client:
            client.send(b'PUT /b/k HTTP/1.1\r\nHost: gw.test\r\nContent-Length: 400000\r\n\r\n' + b'x' * 200000)
            self.assertTrue(seen.wait(5), 'nothing was sent before the body was complete')
            client.send(b'x' * 200000)
            self.assertEqual(client.read('PUT').status, 200)

    def test_bodies_around_the_size_of_a_chunk(self):
        upstream, gateway = self.make('s3.amazonaws.com', 'service: s3, s3: true, payload: streaming, chunk_size: 8KiB')
        for count in (0, 1, 8191, 8192, 8193, 16384, 65536, 65537, 81920):
            with self.subTest(count=count):
                body = b'y' * count
                call(gateway.address, 'PUT', '/b/k', (), body)
                self.check(upstream.last, 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD', body)

    def test_a_chunked_upload_gets_its_length(self):
        upstream, gateway = self.make('s3.amazonaws.com', 'service: s3, s3: true, payload: streaming')
        call(gateway.address, 'PUT', '/b/k', [('Transfer-Encoding', 'chunked')], b'3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n')
        self.check(upstream.last, 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD', b'abcde')

    def test_trailers_with_every_checksum(self):
        body = b'hello trailer' * 10000
        expected = {'crc32': zlib.crc32(body).to_bytes(4, 'big'), 'sha1': hashlib.sha1(body).digest(),
                    'sha256': hashlib.sha256(body).digest()}
        for name, value in expected.items():
            upstream, gateway = self.make(
                's3.amazonaws.com', f'service: s3, s3: true, payload: streaming-trailer, checksum: {name}')
            call(gateway.address, 'PUT', '/b/k', (), body)
            trailer = self.check(upstream.last, 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER', body)
            self.assertEqual(trailer[0], f'x-amz-checksum-{name}:{base64.b64encode(value).decode()}')
            self.assertTrue(trailer[1].startswith('x-amz-trailer-signature:'))

    def test_unsigned_chunks_with_a_trailer(self):
        upstream, gateway = self.make(
            's3.amazonaws.com', 'service: s3, s3: true, payload: streaming-unsigned-trailer, checksum: crc32')
        call(gateway.address, 'PUT', '/b/k', (), b'z' * 100000)
        parts, trailer = chunks(upstream.last.body)
        self.assertEqual([(len(data), signature) for data, signature in parts], [(65536, ''), (34464, ''), (0, '')])
        self.assertEqual(len(trailer), 1)
        self.assertEqual(upstream.last.field('Content-Length'), str(len(upstream.last.body)))
        self.assert_signed(upstream.last, SigV4(SECRET, 'us-east-1', 's3', s3=True),
                           payload='STREAMING-UNSIGNED-PAYLOAD-TRAILER')

    def test_each_request_has_the_time_of_its_sending(self):
        gateway = self.gateway(CONFIG % ('s3.amazonaws.com', 'us-east-1', 'service: s3, s3: true', ''), secrets=SECRETS)
        upstream = self.upstream(path=gateway.folder + '/up.sock')
        call(gateway.address, 'GET', '/b/k')
        sent = time.strptime(upstream.last.field('X-Amz-Date'), '%Y%m%dT%H%M%SZ')
        self.assertLess(abs(time.mktime(sent) - time.mktime(time.gmtime())), 60)
