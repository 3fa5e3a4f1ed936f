"""Buckets that an environment names, and that an empty local account does not have."""

from __future__ import annotations

from botocore.exceptions import ClientError

from local_aws.clients import local_client

HOME_REGION = "us-east-1"
"""The Region that S3 does not take as a location constraint."""


def make_versioned_bucket(endpoint: str, account: str, region: str, name: str) -> None:
    """On AWS the user creates it before the environment; one that exists stays as it is."""
    s3 = local_client("s3", endpoint, account, region)
    constraint = {"CreateBucketConfiguration": {"LocationConstraint": region}}
    try:
        s3.head_bucket(Bucket=name)
    except ClientError:
        s3.create_bucket(Bucket=name, **(constraint if region != HOME_REGION else {}))
        s3.put_bucket_versioning(Bucket=name, VersioningConfiguration={"Status": "Enabled"})
