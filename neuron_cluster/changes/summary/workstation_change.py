"""Changes of workstations: instances that are added, removed or replaced, listed among the nodes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from local_aws.cloudformation.references import references
from local_aws.cloudformation.values import Address
from neuron_cluster.bootstrap.workstation_boot import HOME_PROGRAM
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.resource_name import workstation_name
from neuron_cluster.changes.stack_set import StackSet
from neuron_cluster.changes.summary.node_change import NodeChange, NodeChangeKind
from neuron_cluster.changes.summary.property_change import behind, property_changes, summarized

INSTANCE = "AWS::EC2::Instance"
WORKSTATION = "workstation "
"""The prefix of a workstation's name, among the names of groups."""


def workstation_changes(comparison: Comparison) -> list[NodeChange]:
    """Every workstation that does not stay as it is, by name: ``workstation alice``."""
    addresses = comparison.before.addresses() | comparison.after.addresses()
    machines = (address for address in addresses if comparison.type_of(address) == INSTANCE)
    found = (change for address in machines for change in _changes(comparison, address))
    return sorted(found, key=lambda change: change.group)


def _changes(comparison: Comparison, address: Address) -> Iterator[NodeChange]:
    if address in comparison.added:
        yield _change(comparison.after, address, NodeChangeKind.ADDED, "")
    elif address.stack in comparison.gone_stacks:
        stays = "its home stays" if _has_home(comparison.before, address) else "and all that is on it"
        yield _change(comparison.before, address, NodeChangeKind.REMOVED, f"with its stack {address.stack}; {stays}")
    elif address in comparison.removed:
        what = "its home stays" if _has_home(comparison.before, address) else "and all that is on it"
        yield _change(comparison.before, address, NodeChangeKind.REMOVED, what)
    elif address in comparison.replaced:
        why = summarized(behind(comparison, property_changes(comparison, address)))
        homes = (_has_home(stacks, address) for stacks in (comparison.before, comparison.after))
        moves = "its home moves over" if all(homes) else "with all that is on it"
        what = f"a new instance starts, the old one is terminated, {moves}, because of {why}"
        yield _change(comparison.before, address, NodeChangeKind.REPLACED, what)
    elif address in comparison.updated:
        why = summarized(property_changes(comparison, address))
        yield _change(comparison.before, address, NodeChangeKind.CHANGED, why)


def _change(stacks: StackSet, address: Address, kind: NodeChangeKind, what: str) -> NodeChange:
    properties = stacks.properties(address)
    description = what or instance_type_of(stacks, properties) or "an instance"
    count = None if kind is NodeChangeKind.CHANGED else 1
    return NodeChange(f"{WORKSTATION}{name_of(properties, address)}", kind, description, count, None)


def _has_home(stacks: StackSet, address: Address) -> bool:
    """Its user data attaches one."""
    templates = references(stacks.properties(address).get("LaunchTemplate"))
    return any(HOME_PROGRAM in str(stacks.properties(reference.target)) for reference in templates)


def name_of(properties: dict[str, Any], address: Address) -> str:
    """The user's name of a workstation."""
    return workstation_name(properties) or address.logical_id


def instance_type_of(stacks: StackSet, properties: dict[str, Any]) -> str:
    """The instance type in an instance's launch template; empty where the template has none."""
    for reference in references(properties.get("LaunchTemplate")):
        data: Any = stacks.properties(reference.target).get("LaunchTemplateData", {})
        if isinstance(data.get("InstanceType"), str):
            return str(data["InstanceType"])
    return ""
