"""The settings of a bucket that exists, as properties of ``AWS::S3::Bucket``."""

from __future__ import annotations

from typing import Any

from neuron_cluster.aws.existing_bucket import bucket_answer
from neuron_cluster.aws.session import Target


def bucket_properties(target: Target, name: str, owner: str) -> dict[str, Any]:
    """The properties that a bucket has, in CloudFormation's form; without those that it lacks.

    The rules of ``LifecycleConfiguration`` and ``ReplicationConfiguration`` are as S3 returns them. Raises
    ``AwsApiError``.
    """

    def of(operation: str, *path: str) -> Any:
        found: Any = bucket_answer(target, operation, name, owner) or {}
        for part in path:
            found = found.get(part, {})
        return found

    lock = of("get_object_lock_configuration", "ObjectLockConfiguration")
    found = {
        "VersioningConfiguration": {
            key: value for key, value in of("get_bucket_versioning").items() if key == "Status"
        },
        "BucketEncryption": _encryption(of("get_bucket_encryption", "ServerSideEncryptionConfiguration", "Rules")),
        "PublicAccessBlockConfiguration": of("get_public_access_block", "PublicAccessBlockConfiguration"),
        "OwnershipControls": of("get_bucket_ownership_controls", "OwnershipControls"),
        "LifecycleConfiguration": _rules(of("get_bucket_lifecycle_configuration", "Rules")),
        "ReplicationConfiguration": of("get_bucket_replication", "ReplicationConfiguration"),
        "ObjectLockEnabled": bool(lock),
        "ObjectLockConfiguration": lock,
        "Tags": [tag for tag in of("get_bucket_tagging", "TagSet") if not tag["Key"].startswith("aws:")],
    }
    return {name: value for name, value in found.items() if value}


def has_policy(target: Target, name: str, owner: str) -> bool:
    return bucket_answer(target, "get_bucket_policy", name, owner) is not None


def _encryption(rules: Any) -> dict[str, Any]:
    written = [
        {
            "BucketKeyEnabled": rule.get("BucketKeyEnabled", False),
            "ServerSideEncryptionByDefault": rule["ApplyServerSideEncryptionByDefault"],
        }
        for rule in rules or ()
        if "ApplyServerSideEncryptionByDefault" in rule
    ]
    return {"ServerSideEncryptionConfiguration": written} if written else {}


def _rules(rules: Any) -> dict[str, Any]:
    return {"Rules": rules} if rules else {}
