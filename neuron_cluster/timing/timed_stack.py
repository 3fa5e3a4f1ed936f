"""Stacks that are to be created, with the time that CloudFormation takes for each resource."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from local_aws.cloudformation.dependencies import creation_order, dependencies
from local_aws.cloudformation.template import as_template
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.resource_duration import SecondsRange

NOT_COUNTED = SecondsRange(low=0, high=0)


class TimedResource(Struct, frozen=True):
    """One resource. ``after`` has the logical ids that it waits for."""

    logical_id: str
    type: str
    after: tuple[str, ...]
    create: SecondsRange | None
    """None where the catalog has no figure for its type: it counts as no time."""
    is_doubtful: bool = False

    @property
    def seconds(self) -> SecondsRange:
        return self.create or NOT_COUNTED


class TimedStack(Struct, frozen=True):
    """One stack. ``after`` has the names of the stacks that it waits for."""

    name: str
    after: tuple[str, ...]
    resources: tuple[TimedResource, ...]
    """Each after those that it waits for."""


def timed_stack(name: str, after: Sequence[str], template: Mapping[str, Any], catalog: Catalog) -> TimedStack:
    """Raises ``TemplateError`` for references that the template does not have, or that form a circle."""
    found = as_template(template)
    needed = dependencies(found, found.resources)
    resources = []
    for logical_id in creation_order(needed):
        type_name = found.resources[logical_id].type
        row = catalog.durations.get(type_name)
        create = row.create if row is not None else None
        is_doubtful = row is not None and row.doubt_about("create") is not None
        resources.append(TimedResource(logical_id, type_name, needed[logical_id], create, is_doubtful))
    return TimedStack(name, tuple(after), tuple(resources))
