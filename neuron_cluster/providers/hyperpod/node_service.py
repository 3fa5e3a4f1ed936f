"""Nodes of a HyperPod cluster for `neuron-cluster node`, whichever orchestrator has them."""

from __future__ import annotations

from neuron_cluster.aws import hyperpod
from neuron_cluster.protocol.nodes import Node, NodeQuery, NodeService
from neuron_cluster.providers.hyperpod.node_actions import Reboot, Replace
from neuron_cluster.providers.hyperpod.plan.hyperpod_plan import HyperPodPlan, InstanceGroupPlan

KUBERNETES_NAME = "hyperpod-{id}"
"""Name of a node in Kubernetes. Source: awslabs/awsome-distributed-ai,
1.architectures/7.sagemaker-hyperpod-eks/terraform-modules/AGENTS.md"""


class HyperPodNodes(NodeService):
    section_key = "hyperpod"
    permissions = ("sagemaker:DescribeCluster", "sagemaker:ListClusterNodes")
    actions = (Replace(), Reboot())

    def nodes(self, query: NodeQuery) -> tuple[Node, ...] | None:
        """The zone is that of the group in the file: HyperPod has it for each node only in a call of its own."""
        plan = query.plan.provider(HyperPodPlan)
        target = query.access.target
        cluster = hyperpod.cluster(target, plan.name) if plan is not None else None
        if plan is None or cluster is None:
            return None
        planned = {group.physical_name: group for group in plan.instance_groups}
        order = list(planned)
        states = hyperpod.nodes(target, cluster.name, with_awaited=cluster.is_continuous)
        rows = sorted(states, key=lambda state: order.index(state.group) if state.group in planned else len(order))
        return tuple(_node(state, planned.get(state.group)) for state in rows)


def _node(state: hyperpod.NodeState, group: InstanceGroupPlan | None) -> Node:
    zones = group.zone_ids if group is not None else ()
    return Node(
        id=state.id or state.logical_id,
        group=group.name if group is not None else state.group,
        instance_type=state.instance_type,
        status=state.status,
        message=state.message,
        launched=state.launched if state.id else None,
        zone_id=zones[0] if len(zones) == 1 else "",
        has_instance=bool(state.id),
        other_names=(KUBERNETES_NAME.format(id=state.id),) if state.id else (),
    )
