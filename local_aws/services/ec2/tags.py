"""Tags of one EC2 resource: found by its id, each key once, and with values of the allowed length."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from moto.ec2.models.core import TaggedEC2Resource
from moto.ec2.utils import EC2_PREFIX_TO_RESOURCE, get_prefix

from local_aws.api_errors import api_error
from local_aws.contract import Call
from local_aws.registry import guard
from local_aws.services.overrides import override
from local_aws.services.reserved_tags import tagging_operations


@override(TaggedEC2Resource, "get_tags")
def tags_of_its_id(_original: Any, resource: Any) -> list[dict[str, str]]:
    """The same answer. moto tries a pattern, compiled each time, on every tag of the Region: a tenth of what the server
    computed during a deploy.
    """
    own = resource.ec2_backend.tags.get(resource.id, {}) if resource.id else {}
    kind = EC2_PREFIX_TO_RESOURCE.get(get_prefix(resource.id), "") if own else ""
    return [{"resource_id": resource.id, "key": key, "value": own[key], "resource_type": kind} for key in list(own)]


LONGEST_VALUE = 256


@guard("ec2", *tagging_operations("ec2"))
def require_valid_tags(call: Call) -> None:
    """moto checks it in CreateTags alone."""
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
