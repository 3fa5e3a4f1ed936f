"""The default KMS key of EBS encryption, and its permissions."""

from __future__ import annotations

import json

from msgspec import Struct

from neuron_cluster.aws.errors import translated
from neuron_cluster.aws.session import Target, client

AWS_KEY = "alias/aws/ebs"
"""The AWS managed key for EBS in every account."""


class DefaultKey(Struct, frozen=True):
    """A customer managed key that encrypts volumes without a key of their own."""

    arn: str
    state: str
    policy: str
    """Its key policy, as JSON."""
    grantees: tuple[str, ...]
    """Principals of its grants."""


def default_key(target: Target) -> DefaultKey | None:
    """None for the AWS managed key, which every service of the account may use."""
    kms = client(target, "kms")
    with translated():
        named = client(target, "ec2").get_ebs_default_kms_key_id()["KmsKeyId"]
        if named.endswith(AWS_KEY):
            return None
        row = kms.describe_key(KeyId=named)["KeyMetadata"]
        if row["KeyManager"] == "AWS":
            return None
        policy = kms.get_key_policy(KeyId=row["Arn"], PolicyName="default")["Policy"]
        pages = kms.get_paginator("list_grants").paginate(KeyId=row["Arn"])
        grantees = tuple(grant["GranteePrincipal"] for page in pages for grant in page["Grants"])
    return DefaultKey(row["Arn"], row["KeyState"], json.dumps(json.loads(policy)), grantees)
