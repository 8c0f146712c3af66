"""An application that knows nothing of the gateway: boto3 with keys that nobody knows, or none.

boto.py URL BUCKET KIND [AUTHORITY]: over https it must frame what it uploads, which is checked; AUTHORITY is trusted.
"""
import io
import os
import sys

import boto3
from botocore import UNSIGNED
from botocore.config import Config

KINDS = {'signed': {}, 'unsigned': {'signature_version': UNSIGNED}, 'plain': {'request_checksum_calculation': 'when_required'}}


def main(url, bucket, kind, authority=None):
    s3 = boto3.client('s3', endpoint_url=url, verify=authority, region_name='us-east-1', aws_access_key_id='AKIANOBODY',
                      aws_secret_access_key='none', config=Config(s3={'addressing_style': 'path'}, **KINDS[kind]))
    codings = set()
    s3.meta.events.register('before-send.s3', lambda request, **_: codings.add(request.headers.get('Content-Encoding')))
    small, large = os.urandom(1000), os.urandom(12 << 20)
    s3.create_bucket(Bucket=bucket)
    s3.put_object(Bucket=bucket, Key='ä b+c', Body=small, Metadata={'note': 'two  blanks'})
    assert s3.get_object(Bucket=bucket, Key='ä b+c')['Body'].read() == small
    s3.copy_object(Bucket=bucket, Key='copy', CopySource={'Bucket': bucket, 'Key': 'ä b+c'})
    s3.upload_fileobj(io.BytesIO(large), bucket, 'in parts')    # in parallel
    target = io.BytesIO()
    s3.download_fileobj(bucket, 'in parts', target)             # by ranges, in parallel
    assert target.getvalue() == large
    s3.put_object_tagging(Bucket=bucket, Key='copy', Tagging={'TagSet': [{'Key': 'a', 'Value': 'b = c@d'}]})
    assert s3.get_object_tagging(Bucket=bucket, Key='copy')['TagSet'] == [{'Key': 'a', 'Value': 'b = c@d'}]
    s3.delete_objects(Bucket=bucket, Delete={'Objects': [{'Key': 'copy'}]})
    assert [one['Key'] for one in s3.list_objects_v2(Bucket=bucket)['Contents']] == ['in parts', 'ä b+c']
    assert s3.list_objects_v2(Bucket=bucket, Prefix='ä ', Delimiter='/')['KeyCount'] == 1
    framed = bool(codings & {'aws-chunked', b'aws-chunked'})
    assert framed == (url.startswith('https:') and kind != 'plain'), codings
    try:
        s3.get_object(Bucket=bucket, Key='missing')
    except s3.exceptions.NoSuchKey:
        return
    raise AssertionError('a missing object is there')


main(*sys.argv[1:])
