"""The right to decrypt assets of CDK where the account was bootstrapped with a key of the customer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from neuron_cluster.plan.cluster_plan import ClusterPlan


def keys_of_account(plan: ClusterPlan) -> str:
    """Synthesis does not know the key of the bootstrap bucket, and whether it has one."""
    return f"arn:{plan.partition}:kms:{plan.region}:{plan.account}:key/*"


def decrypts_assets(plan: ClusterPlan, objects: Sequence[str]) -> dict[str, Any]:
    """A statement for these objects alone, through S3. With an S3 Bucket Key the context is the ARN of the bucket.

    Source: https://docs.aws.amazon.com/AmazonS3/latest/userguide/UsingKMSEncryption.html (encryption context)
    """
    return {
        "Effect": "Allow",
        "Action": "kms:Decrypt",
        "Resource": keys_of_account(plan),
        "Condition": {
            "StringEquals": {"kms:ViaService": f"s3.{plan.region}.amazonaws.com"},
            "StringLike": {"kms:EncryptionContext:aws:s3:arn": list(objects)},
        },
    }
