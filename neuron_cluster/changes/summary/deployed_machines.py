"""The instances that templates ask for: node groups and workstations, with counts that are known."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from neuron_cluster.changes.source import change_sources
from neuron_cluster.changes.stack_set import StackSet, Template
from neuron_cluster.changes.summary.workstation_change import INSTANCE, WORKSTATION, instance_type_of, name_of


class DeployedMachines(Struct, frozen=True):
    """One node group, or one workstation (``workstation alice``)."""

    name: str
    instance_type: str
    desired: int | None
    """Instances at the desired count; None where the template does not have it as a number."""
    maximum: int | None
    capacity_type: str = "ON_DEMAND"
    """``ON_DEMAND``, ``SPOT`` or ``CAPACITY_BLOCK``: how it is bought."""

    @property
    def description(self) -> str:
        """``trn1: 16 x trn1.32xlarge``."""
        return f"{self.name}: {'?' if self.desired is None else self.desired} x {self.instance_type}"


def deployed_machines(templates: Mapping[str, Template]) -> tuple[DeployedMachines, ...]:
    """The node groups and workstations of these stacks, by name."""
    stacks = StackSet(templates)
    found = [machines for source in change_sources() for machines in source.machines(stacks)]
    for address in sorted(stacks.addresses()):
        kind = stacks.resource(address)["Type"]
        if kind == INSTANCE:
            properties = stacks.properties(address)
            name, kind_of_machine = name_of(properties, address), instance_type_of(stacks, properties)
            found.append(DeployedMachines(f"{WORKSTATION}{name}", kind_of_machine, 1, 1))
    return tuple(sorted(found, key=lambda machines: machines.name))
