"""Homes in templates, the workstations that mount one, and other resources with data in their stack."""

from __future__ import annotations

from msgspec import Struct

from local_aws.cloudformation.references import references
from local_aws.cloudformation.values import Address
from neuron_cluster.changes.guards.state import holds_state
from neuron_cluster.changes.resource_name import home_name, resource_name
from neuron_cluster.changes.source_key import HOME
from neuron_cluster.changes.stack_set import StackSet
from neuron_cluster.changes.summary.workstation_change import INSTANCE


class Home(Struct, frozen=True):
    """The volume of a home, as a template has it."""

    name: str
    stack: str
    logical_id: str


def homes_in(stacks: StackSet) -> list[Home]:
    """Returns the homes by stack and logical id."""
    volumes = (each for each in sorted(stacks.addresses()) if stacks.resource(each)["Type"] == HOME)
    found = (Home(home_name(stacks.properties(each)), each.stack, each.logical_id) for each in volumes)
    return [home for home in found if home.name]


def mounted_by(stacks: StackSet, home: Home) -> list[str]:
    """Workstations whose launch template, and so their instance, names the volume: ``the workstation alice``."""
    volume = Address(home.stack, home.logical_id)
    templates = {each for each in stacks.addresses() if _names_one_of(stacks, each, {volume})}
    machines = (each for each in sorted(stacks.addresses()) if stacks.resource(each)["Type"] == INSTANCE)
    return [resource_name(stacks, each) for each in machines if _names_one_of(stacks, each, templates)]


def data_beside_homes(stacks: StackSet, stack: str) -> list[str]:
    """Returns names of other resources that a stack keeps when it is deleted: ``the checkpoint bucket``."""
    homes = {Address(home.stack, home.logical_id) for home in homes_in(stacks)}
    rest = (each for each in sorted(stacks.addresses() - homes) if each.stack == stack)
    return [resource_name(stacks, each) for each in rest if holds_state(stacks, each)]


def _names_one_of(stacks: StackSet, address: Address, targets: set[Address]) -> bool:
    return any(reference.target in targets for reference in references(stacks.properties(address)))
