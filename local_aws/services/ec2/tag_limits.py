"""Tags of one resource: each key once, and values of the allowed length, which moto checks in CreateTags alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from local_aws.api_errors import api_error
from local_aws.service import Call, guard
from local_aws.services.reserved_tags import tagging_operations

LONGEST_VALUE = 256


@guard("ec2", *tagging_operations("ec2"))
def require_valid_tags(call: Call) -> None:
    for tags in _tag_lists(call.parameters):
        keys = Counter(tag.get("Key", "") for tag in tags)
        for key, number in keys.items():
            if number > 1:
                raise api_error("ec2.tag_key_twice", key=key)
        if any(len(tag.get("Value", "")) > LONGEST_VALUE for tag in tags):
            raise api_error("ec2.tag_value")


def _tag_lists(request: Mapping[str, Any]) -> Iterator[list[Mapping[str, str]]]:
    """The tags of each resource that the request is about."""
    yield request.get("Tags", [])
    for holder in (request, request.get("LaunchTemplateData", {})):
        yield from (each.get("Tags", []) for each in holder.get("TagSpecifications", []))
