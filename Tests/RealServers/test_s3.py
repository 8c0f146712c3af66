"""An S3 that checks signatures: objects with awkward names, listed, read and written by many at once."""
import contextlib
import json
import os
import re
import urllib.parse
import xml.etree.ElementTree

from real import case, install
from real.front import TLSFront
from real.server import Caller, Server
from support.certificates import Authority

# What a name may hold: each of these was a bug in somebody's signing code.
KEYS = ['plain', 'a blank', 'a+plus', '100%', '100%25', '%2F', 'ünï/中文', 'two//slashes', '/lead', '//lead', 'trail/', 'tilde~x',
        'a=b&c', 'q?x', 'h#y', "(it's)*!,", 'a:b@c;d$e', '[b]{c}|^`"<>', '.dot', 'x..y', '😀', 'e\u0301', 'line\tbreak']

HERE = os.path.dirname(os.path.abspath(__file__))
CLIENT, RECIPE = os.path.join(HERE, 'clients', 'boto.py'), os.path.join(HERE, 's3-recipe.yaml')


class Moto(Server):
    """moto's server. What it stands on is set up while it believes everybody; then it is told to check."""

    health = '/moto-api/'

    def prepare(self):
        self.python = install.python('moto[s3,iam,sts]~=5.2', 'flask', 'flask-cors')

    def command(self):
        return [self.python, '-m', 'moto.server', '-H', '127.0.0.1', '-p', str(self.port)]

    def ask(self, service, **form):
        """A call to IAM with a signature that nobody looks at yet."""
        with contextlib.closing(Caller(f'127.0.0.1:{self.port}')) as caller:
            scope = f'AKIASETUP/20260101/us-east-1/{service}/aws4_request'
            return caller.expect(200, 'POST', '/', urllib.parse.urlencode({**form, 'Version': '2010-05-08'}), {
                'Content-Type': 'application/x-www-form-urlencoded',
                'Authorization': f'AWS4-HMAC-SHA256 Credential={scope}, SignedHeaders=host, Signature=0'}).body.decode()

    def set_up(self):
        """A user with keys, a role, a bucket; returns the user's keys."""
        def policy(**who):
            return json.dumps({'Version': '2012-10-17', 'Statement': [{
                'Effect': 'Allow', 'Action': ['s3:*', 'sts:AssumeRole'], **who}]})
        self.ask('iam', Action='CreateUser', UserName='till')
        keys = self.ask('iam', Action='CreateAccessKey', UserName='till')
        self.ask('iam', Action='PutUserPolicy', UserName='till', PolicyName='all', PolicyDocument=policy(Resource='*'))
        self.ask('iam', Action='CreateRole', RoleName='store', AssumeRolePolicyDocument=policy(Principal={'AWS': '*'}))
        self.ask('iam', Action='PutRolePolicy', RoleName='store', PolicyName='all', PolicyDocument=policy(Resource='*'))
        with contextlib.closing(Caller(f'127.0.0.1:{self.port}')) as caller:
            caller.expect(200, 'POST', '/moto-api/reset-auth', b'0')
            caller.expect(403, 'GET', '/nowhere?list-type=2', headers={
                'Authorization': 'AWS4-HMAC-SHA256 Credential=AKIAX/20260101/us-east-1/s3/aws4_request, SignedHeaders=host, '
                                 'Signature=0'})
        return [re.search(f'<{name}>(.*?)</', keys).group(1) for name in ('AccessKeyId', 'SecretAccessKey')]


def target(bucket, key):
    return f'/{bucket}/' + urllib.parse.quote(key, safe='/~')


def listed(caller, bucket, prefix):
    """The keys below a prefix, in pages of ten."""
    keys, token = [], {}
    while True:
        query = urllib.parse.urlencode({'list-type': 2, 'prefix': prefix, 'max-keys': 10, 'encoding-type': 'url', **token},
                                       quote_via=urllib.parse.quote)
        page = xml.etree.ElementTree.fromstring(caller.expect(200, 'GET', f'/{bucket}?{query}').body)
        space = page.tag.split('}')[0] + '}'
        keys += [urllib.parse.unquote(item.text) for item in page.iterfind(f'{space}Contents/{space}Key')]
        following = page.find(space + 'NextContinuationToken')
        if following is None:
            return keys
        token = {'continuation-token': following.text}


class TestS3(case.Case):
    server_class = Moto

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.access_key, cls.secret_key = cls.server.set_up()

    ROLE = {'role': 'arn:aws:iam::123456789012:role/store', 'region': 'us-east-1', 'service': 's3', 's3': 'true'}

    def start(self, way, secret_key=None, **values):
        """`recipe` follows AWS's documentation line by line in expressions; `s3` and `role` are profiles."""
        secrets = {'key_id': self.access_key, 'key': secret_key or self.secret_key}
        if way == 'recipe':
            with open(RECIPE, encoding='utf8') as file:
                return self.gateway_with(file.read().replace('$URL', self.server.url), secrets)
        if way == 'role':
            return self.gateway('aws-assume-role', secrets, {**self.ROLE, **values}, case.OFTEN)
        return self.gateway('aws-s3', secrets, {'region': 'us-east-1', **values})

    def bucket(self, gateway):
        """A bucket of this test's own, made through the gateway."""
        name = self.id().rsplit('.', 1)[1].replace('_', '-')
        with contextlib.closing(Caller(gateway.address)) as caller:
            caller.expect(200, 'PUT', '/' + name)
        return name

    def store(self, gateway, bucket, seconds):
        """Every worker writes, reads and lists its own objects, and deletes them when all are there."""
        def work(caller, worker, number):
            key = f'w{worker}/' + KEYS[(number + 2 * worker) % len(KEYS)]
            place, body = target(bucket, key), os.urandom(64 << (number % 12))
            caller.expect(200, 'PUT', place, body, {'Content-Type': 'application/x-test'})
            reply = caller.expect(200, 'GET', place)
            assert reply.body == body, f'{key!r}: {len(reply.body)} bytes instead of {len(body)}'
            assert caller.expect(206, 'GET', place, headers={'Range': 'bytes=3-9'}).body == body[3:10], key
            assert caller.expect(200, 'HEAD', place).fields['content-type'] == 'application/x-test', key
            if number % len(KEYS) == len(KEYS) - 1:
                found = listed(caller, bucket, f'w{worker}/')
                assert sorted(found) == sorted(f'w{worker}/{key}' for key in KEYS), found
                for one in found:
                    caller.expect(204, 'DELETE', target(bucket, one))
        return self.drive(gateway, work, seconds=seconds)

    def each_key(self, gateway, bucket):
        """One after the other, with nothing before the name; tells all that fail."""
        bad = {}
        with contextlib.closing(Caller(gateway.address)) as caller:
            for key in KEYS:
                wrote = caller.request('PUT', target(bucket, key), key.encode())
                read = caller.request('GET', target(bucket, key))
                if (wrote.status, read.status, read.body) != (200, 200, key.encode()):
                    bad[key] = (wrote, read)
            self.assertEqual(bad, {})
            self.assertEqual(sorted(listed(caller, bucket, '')), sorted(KEYS))

    def test_recipe(self):
        gateway = self.start('recipe')
        bucket = self.bucket(gateway)
        self.each_key(gateway, bucket)
        self.store(gateway, bucket, 8)

    def test_built_in(self):
        gateway = self.start('s3')
        bucket = self.bucket(gateway)
        self.each_key(gateway, bucket)
        self.store(gateway, bucket, 8)

    def test_other_ways_to_sign_the_body(self):
        """Not at all, and chunk by chunk while it streams."""
        for payload in ('unsigned', 'streaming', 'streaming-trailer'):
            with self.subTest(payload):
                gateway = self.start('s3', payload=payload)
                body = os.urandom(300_000)
                with contextlib.closing(Caller(gateway.address)) as caller:
                    caller.expect(200, 'PUT', '/' + payload)
                    caller.expect(200, 'PUT', target(payload, 'a blank'), body)
                    self.assertEqual(caller.expect(200, 'GET', target(payload, 'a blank')).body, body)

    def test_boto3(self):
        """An application with AWS's own library: its signature, dates and digests give way to the gateway's."""
        for way in ('recipe', 's3', 'role'):
            gateway = self.start(way)
            for kind in ('signed', 'unsigned', 'plain'):
                with self.subTest(way=way, kind=kind):
                    self.server.run(self.server.python, CLIENT, f'http://{gateway.address}', f'boto-{way}-{kind}', kind)

    def test_boto3_over_tls(self):
        """Then the library frames its uploads, with a checksum behind them; none of that may be in the object."""
        authority = Authority(self.server.path('tls'))
        for payload in ('signed', 'unsigned', 'streaming-trailer'):
            gateway = self.gateway('aws-s3', {'key_id': self.access_key, 'key': self.secret_key},
                                   {'region': 'us-east-1', 'payload': payload}, 'hosts: [localhost]\n')
            with TLSFront(gateway.address, authority.server('front')) as front:
                for kind in ('signed', 'unsigned', 'plain'):
                    with self.subTest(payload=payload, kind=kind):
                        self.server.run(self.server.python, CLIENT, f'https://localhost:{front.port}',
                                        f'tls-{payload}-{kind}', kind, authority.file)

    def test_temporary_credentials(self):
        """Keys and token change every few seconds while requests are signed with them: never one of each."""
        seconds, lifetime = 16, 4
        gateway = self.start('role', expires=f"now + duration('{lifetime}s')")
        self.store(gateway, self.bucket(gateway), seconds)
        self.assert_logins(gateway, 4, seconds // (lifetime - 1) + 2)

    def test_wrong_key(self):
        """The server does check."""
        for way in ('recipe', 's3'):
            with contextlib.closing(Caller(self.start(way, secret_key='wrong').address)) as caller:
                self.assertIn(b'SignatureDoesNotMatch', caller.expect(403, 'GET', '/nowhere/x').body)


if __name__ == '__main__':
    case.unittest.main()
