"""Edits of a node group that take two updates: first its settings, then its version.

CloudFormation rejects them in one: "Version and ReleaseVersion updates cannot be combined with other updates", a new
version of the launch template included. Source: aws/containers-roadmap#1258, eksctl-io/eksctl#2565.
"""

from __future__ import annotations

from local_aws.cloudformation.values import Address
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.summary.property_change import property_changes
from neuron_cluster.providers.eks.changes.node_group_state import NODE_GROUP

VERSIONS = ("Version", "ReleaseVersion")
SECOND_UPDATE = "in a second update, because EKS changes the version in an update of its own"


def takes_two_updates(comparison: Comparison, address: Address) -> bool:
    """Whether the group stays, and both its version and something else of it change."""
    if address not in comparison.updated or comparison.type_of(address) != NODE_GROUP:
        return False
    changed = {change.path.split("/")[0] for change in property_changes(comparison, address)}
    return bool(changed & set(VERSIONS)) and bool(changed - set(VERSIONS))
