"""The replication rules of a bucket as S3 reports them."""

from __future__ import annotations

from msgspec import Struct

from neuron_cluster.aws.errors import AwsApiError, translated
from neuron_cluster.aws.session import Target, client

NONE_SET = "ReplicationConfigurationNotFoundError"
ENABLED = "Enabled"


class ReplicationRule(Struct, frozen=True):
    id: str
    is_enabled: bool
    prefix: str
    """The prefix of the objects that are copied; empty for all."""
    bucket: str
    """Name of the bucket with the copies."""


def replication_rules(target: Target, bucket: str) -> list[ReplicationRule]:
    """The rules of the bucket; none without a configuration. Raises ``AwsApiError``, also where there is no bucket."""
    try:
        with translated():
            found = client(target, "s3").get_bucket_replication(Bucket=bucket)["ReplicationConfiguration"]
    except AwsApiError as error:
        if error.code == NONE_SET:
            return []
        raise
    return [
        ReplicationRule(
            id=rule.get("ID", ""),
            is_enabled=rule["Status"] == ENABLED,
            prefix=rule.get("Filter", {}).get("Prefix", rule.get("Prefix", "")),
            bucket=rule["Destination"]["Bucket"].rpartition(":")[2],
        )
        for rule in found["Rules"]
    ]
