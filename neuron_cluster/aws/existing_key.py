"""A KMS key that exists: what it is, and what it has as properties of ``AWS::KMS::Key``."""

from __future__ import annotations

import json
from typing import Any

from msgspec import Struct

from neuron_cluster.aws.errors import translated
from neuron_cluster.aws.kms import key_policy
from neuron_cluster.aws.session import Target, client


class ExistingKey(Struct, frozen=True):
    id: str
    arn: str
    kind: dict[str, Any]
    """State, manager, spec, usage, origin and ``MultiRegion``, as DescribeKey returns them."""
    properties: dict[str, Any]
    """In CloudFormation's form; without those that it lacks, and of a key of AWS none."""

    @property
    def account(self) -> str:
        return self.arn.split(":")[4]


KIND = ("KeyState", "KeyManager", "KeySpec", "KeyUsage", "Origin", "MultiRegion")


def existing_key(target: Target, key_id: str) -> ExistingKey | None:
    """The key of this id or ARN; None when it does not exist in the Region. Raises ``AwsApiError``."""
    kms = client(target, "kms")
    with translated():
        try:
            row = kms.describe_key(KeyId=key_id)["KeyMetadata"]
        except (kms.exceptions.NotFoundException, kms.exceptions.InvalidArnException):
            return None
    kind = {name: row.get(name) for name in KIND}
    is_readable = row["KeyManager"] == "CUSTOMER" and row["KeyState"] == "Enabled"
    return ExistingKey(row["KeyId"], row["Arn"], kind, _properties(target, row) if is_readable else {})


def _properties(target: Target, row: dict[str, Any]) -> dict[str, Any]:
    kms = client(target, "kms")
    with translated():
        rotates = row["Origin"] == "AWS_KMS" and kms.get_key_rotation_status(KeyId=row["KeyId"])["KeyRotationEnabled"]
        tags = kms.list_resource_tags(KeyId=row["KeyId"])["Tags"]
    found = {
        "Description": row.get("Description"),
        "EnableKeyRotation": rotates,
        "KeyPolicy": json.loads(key_policy(target, row["KeyId"])),
        "Tags": [
            {"Key": tag["TagKey"], "Value": tag["TagValue"]} for tag in tags if not tag["TagKey"].startswith("aws:")
        ],
    }
    return {name: value for name, value in found.items() if value}
