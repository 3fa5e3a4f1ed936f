"""Statements that the policy of a data key needs, created or existing, as IAM spells them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

ON_DATA = ["kms:Decrypt", "kms:Encrypt", "kms:GenerateDataKey", "kms:ReEncryptFrom", "kms:ReEncryptTo"]
THIS_KEY = "*"
"""In a key policy: this key."""


def lustre_statement(partition: str, region: str, account: str) -> dict[str, Any]:
    """FSx reads and writes the bucket as its service-linked role; without this the association never imports.

    The encryption context is any bucket: CloudFormation generates the name of this one after the key exists. AWS limits
    the role of a file system to the buckets that it is linked to, and the key encrypts data of this environment alone.

    Source: FSx for Lustre guide, server-side encrypted buckets in a data repository association.
    """
    role = "role/aws-service-role/s3.data-source.lustre.fsx.amazonaws.com/AWSServiceRoleForFSxS3Access_*"
    return {
        "Sid": "LustreReadsAndWritesTheBucket",
        "Effect": "Allow",
        "Principal": {"AWS": "*"},
        "Action": ON_DATA,
        "Resource": THIS_KEY,
        "Condition": {
            "StringEquals": {"kms:CallerAccount": account, "kms:ViaService": f"s3.{region}.amazonaws.com"},
            "ArnLike": {
                "aws:PrincipalArn": f"arn:{partition}:iam::{account}:{role}",
                "kms:EncryptionContext:aws:s3:arn": f"arn:{partition}:s3:::*",
            },
        },
    }


def instances_statement(
    partition: str, region: str, account: str, role_paths: Sequence[str], bucket: str | None
) -> dict[str, Any]:
    """Instances with roles of these paths read and write encrypted objects of the bucket; None: its name is generated.

    Needed where the policy does not let IAM policies of the account use the key, and for a key of another account. The
    encryption context is the bucket with an S3 Bucket Key, otherwise the object.

    Sources: https://docs.aws.amazon.com/AmazonS3/latest/userguide/UsingKMSEncryption.html (encryption context);
    https://docs.aws.amazon.com/kms/latest/developerguide/key-policy-modifying-external-accounts.html
    """
    roles = [f"arn:{partition}:iam::{account}:role{path}*" for path in role_paths]
    buckets = f"arn:{partition}:s3:::"
    objects = [f"{buckets}{bucket}", f"{buckets}{bucket}/*"] if bucket is not None else [f"{buckets}*"]
    return {
        "Sid": "InstancesUseTheBucket",
        "Effect": "Allow",
        "Principal": {"AWS": f"arn:{partition}:iam::{account}:root"},
        "Action": ["kms:Decrypt", "kms:GenerateDataKey"],
        "Resource": THIS_KEY,
        "Condition": {
            "StringEquals": {"kms:ViaService": f"s3.{region}.amazonaws.com"},
            "ArnLike": {
                "aws:PrincipalArn": roles,
                "kms:EncryptionContext:aws:s3:arn": objects,
            },
        },
    }


def logs_statement(partition: str, region: str, account: str, *log_groups: str) -> dict[str, Any]:
    """Lets CloudWatch Logs encrypt the log groups of these name patterns.

    Source: CloudWatch Logs guide, encrypting log data with KMS.
    """
    arns = [f"arn:{partition}:logs:{region}:{account}:log-group:{name}" for name in log_groups]
    return {
        "Sid": "LogsEncryptTheirGroups",
        "Effect": "Allow",
        "Principal": {"Service": f"logs.{region}.amazonaws.com"},
        "Action": sorted([*ON_DATA, "kms:DescribeKey"]),
        "Resource": THIS_KEY,
        "Condition": {"ArnLike": {"kms:EncryptionContext:aws:logs:arn": arns if len(arns) > 1 else arns[0]}},
    }


def log_groups_of(environment: str) -> str:
    """The name pattern of the log groups that the data key encrypts."""
    return f"/neuron-cluster/{environment}/*"
