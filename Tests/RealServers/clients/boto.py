"""An application that knows nothing of the gateway: boto3 with keys that nobody knows, or none. boto.py ADDRESS BUCKET KIND"""
import io
import os
import sys

import boto3
from botocore import UNSIGNED
from botocore.config import Config

KINDS = {'signed': {}, 'unsigned': {'signature_version': UNSIGNED}, 'plain': {'request_checksum_calculation': 'when_required'}}


def main(address, bucket, kind):
    s3 = boto3.client('s3', endpoint_url='http://' + address, region_name='us-east-1', aws_access_key_id='AKIANOBODY',
                      aws_secret_access_key='none', config=Config(s3={'addressing_style': 'path'}, **KINDS[kind]))
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
    try:
        s3.get_object(Bucket=bucket, Key='missing')
    except s3.exceptions.NoSuchKey:
        return
    raise AssertionError('a missing object is there')


main(*sys.argv[1:])
