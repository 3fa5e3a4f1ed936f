"""Edits that take two updates: of a node group, and of a log group that a custom resource adopts.

EKS takes first the settings of a node group, then its version. CloudFormation refuses them in one: "Version and
ReleaseVersion updates cannot be combined with other updates", a new version of the launch template included.
Source: aws/containers-roadmap#1258, eksctl-io/eksctl#2565. Log groups: ``handed_over_logs``.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from local_aws.cloudformation.values import Address
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.handed_over_logs import retained
from neuron_cluster.changes.stack_set import Template
from neuron_cluster.changes.summary.node_group_state import NODE_GROUP
from neuron_cluster.changes.summary.property_change import property_changes

VERSIONS = ("Version", "ReleaseVersion")
SECOND_UPDATE = "in a second update, because EKS changes the version in an update of its own"


def takes_two_updates(comparison: Comparison, address: Address) -> bool:
    """Whether the group stays, and both its version and something else of it change."""
    if address not in comparison.updated or comparison.type_of(address) != NODE_GROUP:
        return False
    changed = {change.path.split("/")[0] for change in property_changes(comparison, address)}
    return bool(changed & set(VERSIONS)) and bool(changed - set(VERSIONS))


def first_update(deployed: Mapping[str, Template], new: Mapping[str, Template]) -> dict[str, dict[str, Any]]:
    """The templates of the first of two updates, by stack.

    They are the new ones: such node groups at the version that they have, such log groups still in their stack.

    Empty where one update does it all.
    """
    comparison = Comparison(deployed, new)
    found: dict[str, dict[str, Any]] = {}
    for address in sorted(comparison.updated):
        if not takes_two_updates(comparison, address):
            continue
        template = found.setdefault(address.stack, copy.deepcopy(dict(new[address.stack])))
        properties = template["Resources"][address.logical_id]["Properties"]
        before = deployed[address.stack]["Resources"][address.logical_id]["Properties"]
        for name in VERSIONS:
            properties.pop(name, None)
            if name in before:
                properties[name] = before[name]
    for address in comparison.handed_over:
        group = retained(deployed[address.stack], address.logical_id)
        if group is not None:
            template = found.setdefault(address.stack, copy.deepcopy(dict(new[address.stack])))
            template["Resources"][address.logical_id] = group
    return found


def second_update_lines(comparison: Comparison) -> list[str]:
    """What changes in the second update, one line for each kind of it."""
    groups = sorted({each.stack for each in comparison.updated if takes_two_updates(comparison, each)})
    lines = [f"in two updates: {', '.join(groups)}; node groups get a new version in the second"] if groups else []
    return lines + [
        f"in two updates: {address.stack}; the log group {name} leaves the stack and stays, with all its entries"
        for address, name in comparison.handed_over.items()
    ]
