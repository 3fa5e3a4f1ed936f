"""Tags whose keys are AWS's own: every service refuses to set them for a caller.

Source: by service in local_aws/seeds/reserved_tags.yaml, which says what is in doubt
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from moto.core.utils import get_service_model

from local_aws.contract import Call, ServiceError
from local_aws.registry import guard
from local_aws.services.seed_data import seed_data

RESERVED_PREFIX = "aws:"
TAGS = frozenset({"Tags", "tags", "TagSet"})
HOLDERS = frozenset({"TagSpecifications", "Tagging", "CreateBucketConfiguration", "LaunchTemplateData"})
"""Members of a request that hold tags of what it makes."""
KEYS = ("Key", "key", "TagKey")
SETS_NO_TAGS = re.compile(r"(Delete|Untag|Remove|Describe|Get|List)[A-Z]")


def tagging_operations(service: str) -> Iterator[str]:
    """The operations of a service that put tags on something."""
    model = get_service_model(service)
    for name in model.operation_names:
        if not SETS_NO_TAGS.match(name):
            shape = model.operation_model(name).input_shape
            if shape is not None and _takes_tags(shape):
                yield name


def _takes_tags(shape: Any) -> bool:
    if shape.type_name == "list":
        return _takes_tags(shape.member)
    if shape.type_name != "structure" or not (TAGS | HOLDERS).intersection(_member_names(shape)):
        return False
    return any(
        name in TAGS or (name in HOLDERS and _takes_tags(member))
        for name, member in shape.members.items()
        if member.type_name in ("list", "map", "structure")
    )


def _member_names(structure: Any) -> Iterable[str]:
    """Without making a shape of every member: a thousand operations are looked through at start."""
    names: Iterable[str] = structure._shape_model.get("members", ())  # noqa: SLF001 - botocore has no other way
    return names


def tag_keys(request: Any) -> Iterator[str]:
    """Keys of all tags that a request puts on something."""
    for part in request if isinstance(request, list) else [request]:
        for name, value in part.items():
            if name in TAGS:
                yield from value if isinstance(value, Mapping) else map(_key, value)
            elif name in HOLDERS and isinstance(value, Mapping | list):
                yield from tag_keys(value)


def _key(tag: Mapping[str, str]) -> str:
    return next((tag[name] for name in KEYS if name in tag), "")


def is_reserved(key: str) -> bool:
    """Whether AWS keeps the key for itself, in upper or lower case."""
    return key.lower().startswith(RESERVED_PREFIX)


def require_own_keys(call: Call) -> None:
    """Raises ServiceError, in the words of the service, for the first key that is reserved."""
    for key in filter(is_reserved, tag_keys(call.parameters)):
        row = seed_data("reserved_tags")[call.service]
        row = row.get("operations", {}).get(call.operation, row)
        raise ServiceError(row["code"], row["words"].format(key=key))


for _service in seed_data("reserved_tags"):
    guard(_service, *tagging_operations(_service))(require_own_keys)
