"""Auto Scaling groups, whose tags go on to instances."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from typing import Any

from local_aws.resource_types.reader import ResourceReader, Row, Section, Source
from local_aws.resource_types.tags import RESERVED_PREFIX

SUBNETS = "VPCZoneIdentifier"


class AutoScalingGroupReader(ResourceReader):
    type_name = "AWS::AutoScaling::AutoScalingGroup"

    def sections(self, source: Source, physical_id: str, row: Row) -> Iterator[Section]:
        yield from super().sections(source, physical_id, row)
        yield Section(("Tags",), functools.partial(_tags, row))

    def to_property(self, name: str, value: Any) -> Any:
        return value.split(",") if name == SUBNETS else super().to_property(name, value)


def _tags(row: Row) -> dict[str, Any]:
    names = ("Key", "Value", "PropagateAtLaunch")
    return {"Tags": [{name: tag[name] for name in names} for tag in own_tags(row["Tags"])]}


def own_tags(tags: list[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Without those of AWS, and in one order."""
    own = (dict(tag) for tag in tags if not tag["Key"].startswith(RESERVED_PREFIX))
    return sorted(own, key=lambda tag: str(tag["Key"]))
