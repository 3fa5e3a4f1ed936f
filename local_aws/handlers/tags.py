"""Tags of a resource: the stack's, overruled by its own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from botocore.exceptions import ParamValidationError

from local_aws.engine.provider import Properties, ResourceContext

RESERVED_PREFIX = "aws:"
"""Tags that a service puts on by itself; not shown here, and refused by the service to everybody else."""


def desired_tags(context: ResourceContext, properties: Properties) -> dict[str, str]:
    """What the resource should carry; ``Tags`` may be CloudFormation's list or, for some types, a map."""
    own = properties.get("Tags") or {}
    if not isinstance(own, Mapping):
        for tag in own:
            if set(tag) != {"Key", "Value"}:
                raise ParamValidationError(report=f"Tags: {tag} is not made of Key and Value")
        own = {tag["Key"]: tag["Value"] for tag in own}
    return {**context.stack_tags, **{str(key): str(value) for key, value in own.items()}}


def tag_list(tags: Mapping[str, str], key: str = "Key", value: str = "Value") -> list[dict[str, str]]:
    """CloudFormation's list of a map of tags, sorted; KMS calls the two members TagKey and TagValue."""
    return [{key: name, value: tags[name]} for name in sorted(tags)]


def tag_map(tags: Iterable[Mapping[str, Any]], key: str = "Key", value: str = "Value") -> dict[str, str]:
    """The map of a service's list of tags, without its own."""
    return {tag[key]: tag[value] for tag in tags if not tag[key].startswith(RESERVED_PREFIX)}


def tag_changes(now: Mapping[str, str], wanted: Mapping[str, str]) -> tuple[dict[str, str], list[str]]:
    """What to set and which keys to take off, so that ``now`` becomes ``wanted``."""
    return {k: v for k, v in wanted.items() if now.get(k) != v}, sorted(set(now) - set(wanted))
