"""Tags in calls as E8704 sees them: which operations take tags, and under which keys."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from moto.core.utils import get_service_model

from local_aws.enforcement.subject import Subject
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.template_rules.base import ResourceRule
from neuron_cluster.template_rules.discover import all_template_rules
from neuron_cluster.template_rules.look_up import LookUp

LAW = "E8704"
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


def reserved_keys(keys: list[str], region: str) -> list[str]:
    """Those of the keys that the rule keeps for AWS."""
    rule = next(each for each in all_template_rules() if each.id == LAW and isinstance(each, ResourceRule))
    found = []
    for key in keys:
        subject = Subject(rule.operation, "", {"Tags": [{"Key": key}]})
        look_up = LookUp({LAW: subject.template()}, region)
        found += [key for _ in rule.check(next(look_up.resources()), look_up, load_catalog())]
    return found
