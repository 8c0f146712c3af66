"""Signatures computed and verified without the gateway's code: hashlib, and the openssl command for keys."""
import base64
import hashlib
import hmac
import os
import subprocess
import tempfile
import urllib.parse

ALGORITHMS = {
    'rsa-pss-sha512': ('-sha512', '-sigopt', 'rsa_padding_mode:pss', '-sigopt', 'rsa_pss_saltlen:64'),
    'rsa-v1_5-sha256': ('-sha256',), 'ecdsa-p256-sha256': ('-sha256',), 'ecdsa-p384-sha384': ('-sha384',),
    'RS256': ('-sha256',), 'ES256': ('-sha256',), 'ES384': ('-sha384',), 'rsa-sha1': ('-sha1',),
    'PS256': ('-sha256', '-sigopt', 'rsa_padding_mode:pss', '-sigopt', 'rsa_pss_saltlen:32'),
}


def openssl(*args, data=None):
    return subprocess.run(['openssl', *args], input=data, check=True, capture_output=True).stdout


def new_key(*options):
    return openssl('genpkey', *options).decode()


def public(private_pem):
    return openssl('pkey', '-pubout', data=private_pem.encode()).decode()


def der(raw):
    """r and s side by side as the SEQUENCE that openssl reads."""
    def integer(data):
        data = data.lstrip(b'\0') or b'\0'
        data = b'\0' + data if data[0] & 0x80 else data
        return b'\x02' + bytes([len(data)]) + data
    half = len(raw) // 2
    body = integer(raw[:half]) + integer(raw[half:])
    return b'\x30' + bytes([len(body)]) + body


def undo_der(signature, size):
    """The reverse, each number in so many bytes."""
    assert signature[0] == 0x30 and signature[1] == len(signature) - 2, signature.hex()
    numbers, rest = [], signature[2:]
    while rest:
        assert rest[0] == 0x02, signature.hex()
        numbers.append(int.from_bytes(rest[2:2 + rest[1]], 'big').to_bytes(size, 'big'))
        rest = rest[2 + rest[1]:]
    return b''.join(numbers)


def verifies(public_pem, algorithm, message, signature):
    with tempfile.TemporaryDirectory() as folder:
        paths = {name: os.path.join(folder, name) for name in ('key', 'message', 'signature')}
        raw = der(signature) if algorithm.startswith(('ecdsa', 'ES')) else signature
        for name, data in (('key', public_pem.encode()), ('message', message), ('signature', raw)):
            with open(paths[name], 'wb') as file:
                file.write(data)
        if algorithm in ('ed25519', 'EdDSA'):
            args = ['pkeyutl', '-verify', '-rawin', '-pubin', '-inkey', paths['key'], '-in', paths['message'],
                    '-sigfile', paths['signature']]
        else:
            args = ['dgst', *ALGORITHMS[algorithm], '-verify', paths['key'], '-signature', paths['signature'],
                    paths['message']]
        return subprocess.run(['openssl', *args], capture_output=True).returncode == 0


def _mac(key, text):
    return hmac.new(key, text.encode(), hashlib.sha256).digest()


def quote(text):
    return urllib.parse.quote(text, safe='-_.~')


class SigV4:
    """An independent signer, written from the rules: what arrived is signed again."""

    def __init__(self, secret, region, service, *, s3=False, normalize=True):
        self.secret, self.region, self.service, self.s3, self.normalize = secret, region, service, s3, normalize

    def path(self, path):
        if self.normalize and not self.s3:
            kept = []
            for segment in path.split('/'):
                if segment == '..':
                    del kept[-1:]
                elif segment not in ('', '.'):
                    kept.append(segment)
            slash = '/' if path.endswith('/') and kept else ''
            path = '/' + '/'.join(kept) + slash
        raw = urllib.parse.unquote_to_bytes(path) if self.s3 else path.encode()
        return urllib.parse.quote(raw, safe='-_.~/')

    @staticmethod
    def query(query):
        pairs = []
        for piece in query.split('&'):
            if piece:
                name, _, value = piece.partition('=')
                pairs.append(tuple(urllib.parse.quote(urllib.parse.unquote_to_bytes(part), safe='-_.~')
                                   for part in (name, value)))
        return '&'.join(f'{name}={value}' for name, value in sorted(pairs))

    def canonical(self, method, target, fields, signed, payload):
        path, _, query = target.partition('?')
        query = '&'.join(piece for piece in query.split('&') if not piece.startswith('X-Amz-Signature='))
        lines = []
        for name in signed:
            values = [' '.join(value.split()) for key, value in fields if key.lower() == name]
            lines.append(f'{name}:{",".join(values)}\n')
        return '\n'.join([method, self.path(path), self.query(query), ''.join(lines), ';'.join(signed), payload])

    def key(self, date):
        key = ('AWS4' + self.secret).encode()
        for part in (date[:8], self.region, self.service, 'aws4_request'):
            key = _mac(key, part)
        return key

    def scope(self, date):
        return f'{date[:8]}/{self.region}/{self.service}/aws4_request'

    def text(self, date, *parts, kind=''):
        return '\n'.join(['AWS4-HMAC-SHA256' + kind, date, self.scope(date), *parts])

    def sign(self, date, text):
        return _mac(self.key(date), text).hex()

    def signature(self, date, canonical):
        return self.sign(date, self.text(date, hashlib.sha256(canonical.encode()).hexdigest()))


def chunks(body):
    """The frame of an aws-chunked body: ([(data, signature)], trailer lines)."""
    parts = []
    while True:
        line, body = body.split(b'\r\n', 1)
        size, _, extension = line.partition(b';')
        data, body = body[:int(size, 16)], body[int(size, 16):]
        parts.append((data, extension.decode().removeprefix('chunk-signature=')))
        if not data:
            return parts, body.decode().removesuffix('\r\n').splitlines()
        assert body.startswith(b'\r\n'), body[:20]
        body = body[2:]


def b64url(text):
    return base64.urlsafe_b64decode(text + '=' * (-len(text) % 4))


def unpad(data):
    return base64.urlsafe_b64encode(data).decode().rstrip('=')


def jwk(public_pem):
    """The JWK of an EC P-256 or Ed25519 public key."""
    raw = base64.b64decode(''.join(public_pem.split('\n')[1:-2]))
    if len(raw) == 44:
        return {'kty': 'OKP', 'crv': 'Ed25519', 'x': unpad(raw[-32:])}
    return {'kty': 'EC', 'crv': 'P-256', 'x': unpad(raw[-64:-32]), 'y': unpad(raw[-32:])}
