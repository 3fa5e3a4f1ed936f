"""Node groups and the cluster in `diff` and `deploy`."""

from __future__ import annotations

from collections.abc import Iterator

from local_aws.cloudformation.values import Address
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.group_changes import GroupChanges
from neuron_cluster.changes.stack_set import StackSet
from neuron_cluster.changes.summary.node_change import NodeChange
from neuron_cluster.protocol.resource_kind import ResourceKind
from neuron_cluster.providers.eks.changes.access import endpoints, principals
from neuron_cluster.providers.eks.changes.node_changes import node_group_changes
from neuron_cluster.providers.eks.changes.node_group_state import PROPERTIES, NodeGroupState
from neuron_cluster.providers.eks.changes.resource_kinds import EKS_RESOURCE_KINDS, NODE_GROUP_KIND
from neuron_cluster.providers.eks.changes.two_updates import VERSIONS, takes_two_updates


class EksChanges(GroupChanges):
    id = "eks"
    kind = NODE_GROUP_KIND
    group_properties = PROPERTIES
    second_update = "node groups get a new version in the second"

    def resource_kinds(self) -> tuple[ResourceKind, ...]:
        return EKS_RESOURCE_KINDS

    def node_changes(self, comparison: Comparison) -> Iterator[tuple[Address, NodeChange]]:
        return node_group_changes(comparison)

    def state(self, stacks: StackSet, address: Address) -> NodeGroupState:
        return NodeGroupState(stacks, address)

    def principals(self, stacks: StackSet) -> Iterator[tuple[str, str]]:
        return principals(stacks)

    def endpoints(self, stacks: StackSet) -> Iterator[tuple[str, str]]:
        return endpoints(stacks)

    def held_back(self, comparison: Comparison, address: Address) -> tuple[str, ...]:
        return VERSIONS if takes_two_updates(comparison, address) else ()
