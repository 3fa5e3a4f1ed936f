"""Bucket policies: what cannot be judged here is kept and read back, not enforced."""

from __future__ import annotations

import json
from typing import Any

from moto.s3.models import FakeBucket

from local_aws.services.overrides import override

EVERYBODY = ("*", {"AWS": "*"}, {"AWS": ["*"]})


@override(FakeBucket, "get_permission")
def get_permission(original: Any, bucket: Any, action: str, resource: str) -> Any:
    """moto reads neither Condition nor Principal: the usual Deny of requests without TLS would refuse every call.

    There is no TLS, no VPC endpoint and no principal here, so that a statement about them neither allows nor
    denies; one about everybody, without a condition, does.
    """
    if not bucket.policy:
        return original(action, resource)
    stored = bucket.policy
    document = json.loads(stored)
    statements = document["Statement"] if isinstance(document["Statement"], list) else [document["Statement"]]
    evaluated = [each for each in statements if not each.get("Condition") and each.get("Principal") in EVERYBODY]
    bucket.policy = json.dumps({**document, "Statement": evaluated}).encode()
    try:
        return original(action, resource)
    finally:
        bucket.policy = stored
