"""Tags as services return them, and as properties have them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from local_aws.resource_types.binding import TagCalls

RESERVED_PREFIX = "aws:"
"""Tags that a service puts on by itself; not shown here, and refused by the service to everybody else."""


def tag_list(tags: Mapping[str, str], key: str = "Key", value: str = "Value") -> list[dict[str, str]]:
    """CloudFormation's list of a map of tags, sorted; KMS calls the two members TagKey and TagValue."""
    return [{key: name, value: tags[name]} for name in sorted(tags)]


def shown_tags(tags: TagCalls, current: Mapping[str, str]) -> Any:
    """In the form of the property."""
    if tags.in_specifications:
        return [{"ResourceType": tags.specification, "Tags": tag_list(current)}] if current else []
    return dict(current) if tags.is_map else tag_list(current)


def tag_map(tags: Any) -> dict[str, str]:
    """The map of a service's tags, without its own."""
    if not isinstance(tags, Mapping):
        tags = {next(v for k, v in tag.items() if k.lower().endswith("key")): _value(tag) for tag in tags}
    return {key: value for key, value in tags.items() if not key.startswith(RESERVED_PREFIX)}


def _value(tag: Mapping[str, str]) -> str:
    return next((v for k, v in tag.items() if k.lower().endswith("value")), "")
