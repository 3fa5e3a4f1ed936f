"""The node group or workstation of a template that options about instances change."""

from __future__ import annotations

from msgspec import Struct

from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.errors import ToolkitError
from neuron_cluster.starter.template import Template
from neuron_cluster.upgrade.file_edit import scalar_values

ON_DEMAND = "on_demand"
RESERVED = ("reservation", "capacity_block")
PURCHASE_OPTIONS = (ON_DEMAND, "spot", *RESERVED)
"""Of ``--purchase-option``. Whole UltraServers have a template of their own."""


class Machines(Struct, frozen=True, kw_only=True):
    """Instances of one type. ``purchase_option``: a kind of ``capacity``."""

    instance_type: str
    count: int
    purchase_option: str = ON_DEMAND


def path_of_machines(template: Template) -> KeyPath:
    """Where the template has them. Raises ``ToolkitError`` when its row names none."""
    if template.row.machines is None:
        message = f"template {template.name} has no instances to size or to buy in another way"
        raise ToolkitError(message, hint="choose another one: `neuron-cluster init --list-templates`")
    *section, name = template.row.machines.split(".")
    values = scalar_values(template.text)
    return next(
        path[:-1]
        for path, value in values.items()
        if path[:-2] == tuple(section) and path[-1] == "name" and value == name
    )


def machines_of_template(template: Template) -> Machines:
    """What the template has. Raises ``ToolkitError`` when its row names none."""
    values, path = scalar_values(template.text), path_of_machines(template)
    return Machines(
        instance_type=values[(*path, "instance_type")],
        count=int(values.get((*path, "count", "max"), "1")),
        purchase_option=values.get((*path, "capacity", "kind"), ON_DEMAND),
    )
