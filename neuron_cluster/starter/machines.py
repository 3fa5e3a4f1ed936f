"""The node group or workstation of a template that options about instances change."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.errors import ToolkitError
from neuron_cluster.starter.purchase_options import ON_DEMAND
from neuron_cluster.starter.template import Template

OTHER_TEMPLATES = "choose another one: `neuron-cluster init --list-templates`"


class Machines(Struct, frozen=True, kw_only=True):
    """Instances of one type. ``purchase_option``: a kind of ``capacity``."""

    instance_type: str
    count: int
    purchase_option: str = ON_DEMAND


def path_of_machines(template: Template) -> KeyPath:
    """Where the text of the template has them. Raises ``ToolkitError`` when its row names none, or a base has them."""
    place = _place(_row(template), template.values[0])
    if template.bases or place is None:
        message = f"the instances of template {template.name} are in its base, which other environments extend too"
        raise ToolkitError(message, hint=OTHER_TEMPLATES)
    return place


def machines_of_template(template: Template) -> Machines:
    """Returns the machines of the template and its bases. Raises ``ToolkitError`` when its row names none."""
    given: dict[KeyPath, str] = {}
    for values in reversed(template.values):
        place = _place(_row(template), values)
        if place is not None:
            given |= {key[len(place) :]: value for key, value in values.items() if key[: len(place)] == place}
    return Machines(
        instance_type=given[("instance_type",)],
        count=int(given.get(("count", "max"), "1")),
        purchase_option=given.get(("capacity", "kind"), ON_DEMAND),
    )


def _row(template: Template) -> str:
    if template.row.machines is None:
        message = f"template {template.name} has no instances to size or to buy in another way"
        raise ToolkitError(message, hint=OTHER_TEMPLATES)
    return template.row.machines


def _place(machines: str, values: Mapping[KeyPath, str]) -> KeyPath | None:
    """Path of the item that ``machines`` names: keys of a list, then the ``name`` of its item."""
    *section, name = machines.split(".")
    items = (
        path[:-1]
        for path, value in values.items()
        if path[:-2] == tuple(section) and path[-1] == "name" and value == name
    )
    return next(items, None)
