"""The lifecycle rules that a bucket has, and the policy that a directory bucket needs to run them."""

from __future__ import annotations

import json
from typing import Any

from msgspec import Struct

from neuron_cluster.aws.errors import AwsApiError, translated
from neuron_cluster.aws.s3 import DIRECTORY_BUCKET
from neuron_cluster.aws.session import Target, client

NONE_SET = frozenset({"NoSuchLifecycleConfiguration", "NoSuchBucketPolicy"})


class BucketRules(Struct, frozen=True):
    """``rules`` as GetBucketLifecycleConfiguration returns them."""

    rules: tuple[dict[str, Any], ...]
    is_directory: bool
    policy: dict[str, Any]
    """The policy of a directory bucket; empty without one, and for any other bucket."""


def bucket_rules(target: Target, name: str) -> BucketRules:
    """Raises ``ToolkitError`` where the caller may not read them."""
    is_directory = name.endswith(DIRECTORY_BUCKET)
    rules = _answer(target, "get_bucket_lifecycle_configuration", name).get("Rules", ())
    policy = json.loads(_answer(target, "get_bucket_policy", name).get("Policy", "{}")) if is_directory else {}
    return BucketRules(tuple(rules), is_directory, policy)


def _answer(target: Target, operation: str, name: str) -> dict[str, Any]:
    try:
        with translated():
            return dict(getattr(client(target, "s3"), operation)(Bucket=name))
    except AwsApiError as error:
        if error.code in NONE_SET:
            return {}
        raise
