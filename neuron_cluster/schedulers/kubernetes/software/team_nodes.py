"""Which node groups a team may use, and which taints keep it from those of others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from local_kubernetes.model.names import GROUP_LABEL, INSTANCE_TYPE_LABEL
from neuron_cluster.plan.namespace_plan import WorkloadNamespacePlan
from neuron_cluster.plan.node_group_plan import NodeGroupPlan, TaintPlan
from neuron_cluster.plan.team import Team


class TeamNodes(Struct, frozen=True):
    """Node groups as a team may use them."""

    usable: tuple[NodeGroupPlan, ...]
    """All but those of other teams whose queue, if they have one, its namespaces may not use; with task governance all
    instance groups of HyperPod."""
    foreign: tuple[NodeGroupPlan, ...]

    @property
    def unqueued(self) -> tuple[NodeGroupPlan, ...]:
        """Groups with devices that neither a queue nor a compute quota counts."""
        return tuple(
            each
            for each in self.usable
            if each.queue is None and not each.is_governed and (each.machine.is_neuron or each.machine.efa_interfaces)
        )

    @property
    def unqueued_types(self) -> frozenset[str]:
        """Instance types that only these have."""
        others = (each for each in (*self.usable, *self.foreign) if each not in self.unqueued)
        taken = {each.machine.instance_type for each in others}
        return frozenset(each.machine.instance_type for each in self.unqueued) - taken

    @property
    def unqueued_labels(self) -> Mapping[str, Sequence[str]]:
        """Values of labels of nodes that only these have."""
        return {
            GROUP_LABEL: [group.name for group in self.unqueued],
            INSTANCE_TYPE_LABEL: sorted(self.unqueued_types),
        }

    def selects_unqueued(self, selector: Mapping[str, str]) -> bool:
        """Whether a ``nodeSelector`` has one of these."""
        return any(selector.get(label) in values for label, values in self.unqueued_labels.items())


def nodes_of_team(
    team: Team, groups: Sequence[NodeGroupPlan], namespaces: Sequence[WorkloadNamespacePlan]
) -> TeamNodes:
    """``namespaces`` are all of the cluster."""
    homes = [each for each in namespaces if each.team == team.name]

    def is_usable(group: NodeGroupPlan) -> bool:
        queue = group.queue
        return (
            group.is_governed
            or group.team in (None, team.name)
            or (queue is not None and any(each.may_use(queue) for each in homes))
        )

    usable = tuple(filter(is_usable, groups))
    return TeamNodes(usable, tuple(each for each in groups if each not in usable))


def foreign_taints(nodes: TeamNodes) -> tuple[TaintPlan, ...]:
    """Taints of groups of other teams alone: no pod of the team needs to tolerate them."""
    needed = {taint for group in nodes.usable for taint in group.lasting_taints}
    return tuple(
        dict.fromkeys(taint for group in nodes.foreign for taint in group.lasting_taints if taint not in needed)
    )
