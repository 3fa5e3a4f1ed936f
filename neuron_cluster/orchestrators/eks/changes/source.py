"""Node groups and the cluster in `diff` and `deploy`."""

from __future__ import annotations

from collections.abc import Iterator

from local_aws.cloudformation.values import Address
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.source import ChangeSource
from neuron_cluster.changes.stack_set import StackSet
from neuron_cluster.changes.summary.deployed_machines import DeployedMachines
from neuron_cluster.changes.summary.node_change import NodeChange
from neuron_cluster.orchestrators.eks.changes.access import endpoints, principals
from neuron_cluster.orchestrators.eks.changes.node_changes import node_group_changes
from neuron_cluster.orchestrators.eks.changes.node_group_state import NODE_GROUP, NodeGroupState
from neuron_cluster.orchestrators.eks.changes.two_updates import VERSIONS, takes_two_updates


class EksChanges(ChangeSource):
    id = "eks"
    second_update = "node groups get a new version in the second"

    def node_changes(self, comparison: Comparison) -> Iterator[tuple[Address, NodeChange]]:
        return node_group_changes(comparison)

    def machines(self, stacks: StackSet) -> Iterator[DeployedMachines]:
        for address in sorted(stacks.addresses()):
            if stacks.resource(address)["Type"] == NODE_GROUP:
                group = NodeGroupState(stacks, address)
                maximum = int(group.counts[2]) if group.counts[2].isdigit() else None
                yield DeployedMachines(group.name, group.instance_type, group.desired, maximum, group.capacity_type)

    def principals(self, stacks: StackSet) -> Iterator[tuple[str, str]]:
        return principals(stacks)

    def endpoints(self, stacks: StackSet) -> Iterator[tuple[str, str]]:
        return endpoints(stacks)

    def held_back(self, comparison: Comparison, address: Address) -> tuple[str, ...]:
        return VERSIONS if takes_two_updates(comparison, address) else ()
