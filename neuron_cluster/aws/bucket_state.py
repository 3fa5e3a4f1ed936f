"""The settings of a bucket on which the safety of its data depends, each read by its own call."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from neuron_cluster.aws.errors import AwsApiError, translated
from neuron_cluster.aws.reading import NotRead, reading
from neuron_cluster.aws.session import Target, client

MISSING = frozenset({"NoSuchBucket", "404"})
NONE_SET = frozenset({"NoSuchPublicAccessBlockConfiguration", "NoSuchLifecycleConfiguration"})


class BucketState(Struct, frozen=True):
    versioning: str | NotRead
    """``Enabled``, ``Suspended``, or empty where it was never on."""
    blocks_public_access: bool | NotRead
    """Whether all four public access blocks are set."""
    enabled_rules: tuple[str, ...] | NotRead
    """Ids of the enabled lifecycle rules."""


def bucket_state(target: Target, name: str) -> BucketState | None:
    """The bucket; None when S3 has none of this name."""
    try:
        return BucketState(
            versioning=reading("s3", lambda: str(_answer(target, "get_bucket_versioning", name).get("Status", ""))),
            blocks_public_access=reading("s3", lambda: _blocks_public_access(target, name)),
            enabled_rules=reading("s3", lambda: _enabled_rules(target, name)),
        )
    except _NoSuchBucket:
        return None


class _NoSuchBucket(Exception):
    """There is no bucket of this name."""


def _blocks_public_access(target: Target, name: str) -> bool:
    blocks = _answer(target, "get_public_access_block", name).get("PublicAccessBlockConfiguration", {})
    return bool(blocks) and all(blocks.values())


def _enabled_rules(target: Target, name: str) -> tuple[str, ...]:
    rules = _answer(target, "get_bucket_lifecycle_configuration", name).get("Rules", ())
    return tuple(str(rule.get("ID", "")) for rule in rules if rule.get("Status") == "Enabled")


def _answer(target: Target, operation: str, name: str) -> dict[str, Any]:
    """Raises ``_NoSuchBucket``, and ``AwsApiError`` where the caller may not read the setting."""
    try:
        with translated():
            return dict(getattr(client(target, "s3"), operation)(Bucket=name))
    except AwsApiError as error:
        if error.code in MISSING:
            raise _NoSuchBucket from error
        if error.code in NONE_SET:
            return {}
        raise
