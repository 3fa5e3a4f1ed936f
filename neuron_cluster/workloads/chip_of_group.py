"""The Neuron chip of a node group."""

from __future__ import annotations

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.chip import Chip
from neuron_cluster.plan.cluster_plan import NodeGroupPlan


def chip_of(group: NodeGroupPlan, catalog: Catalog) -> Chip:
    """Raises ``LookupError`` for a group without Neuron devices: rules and choice see to it that there is none."""
    row = catalog.instance_type(group.machine.instance_type)
    chip = catalog.chip(row.chip) if row is not None and row.chip is not None else None
    if chip is None:
        raise LookupError(f"{group.machine.instance_type} has no Neuron chip")
    return chip
