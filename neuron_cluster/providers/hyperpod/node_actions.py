"""Replacing and rebooting nodes of a HyperPod cluster.

Source of effects, statuses and error codes: botocore 1.44.5, sagemaker BatchReplaceClusterNodes and
BatchRebootClusterNodes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from neuron_cluster.aws import hyperpod
from neuron_cluster.aws.hyperpod import RejectedNode
from neuron_cluster.aws.session import Target
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.findings.text import listed
from neuron_cluster.protocol.nodes import Node, NodeAction, NodeQuery, NodeRejection, NodeWatch
from neuron_cluster.providers.hyperpod.node_watches import RebootWatch, ReplacementWatch
from neuron_cluster.providers.hyperpod.plan.hyperpod_plan import HyperPodGroupPlan, HyperPodPlan, InstanceGroupPlan

CHANGING = ("Pending", "ShuttingDown", "SystemUpdating")
"""Statuses of a change that goes on. The API rejects nodes in "a state that does not allow" the action, and names no
status; that it rejects these is inferred, and of DeepHealthCheckInProgress nothing is known: the API decides."""
NOT_FOUND = "InstanceIdNotFound"
WAIT = "wait until the change of the node is over, then run the command again for it"
HINTS = {
    NOT_FOUND: "HyperPod has replaced or deleted it meanwhile",
    "InstanceIdInUse": WAIT,
    "InternalServerError": "run the command again for this node",
}
"""Next steps by error code of a node."""


class HyperPodAction(NodeAction):
    """An action on nodes with a call of its own."""

    invalid_status_hint = WAIT

    def most(self, catalog: Catalog) -> int:
        return catalog.limits["hyperpod_repaired_nodes"].require_maximum()

    def obstacle(self, node: Node) -> str:
        if not node.has_instance:
            return "it has no instance yet"
        return f"it is {node.status}" if node.status in CHANGING else ""

    def request(self, query: NodeQuery, ids: Sequence[str]) -> Mapping[str, NodeRejection]:
        plan = query.plan.provider(HyperPodPlan)
        name = plan.name if plan is not None else query.plan.name
        rejected = self.call(query.access.target, name, ids)
        return {node.id: NodeRejection(node.code, node.message, self._hint(node.code)) for node in rejected}

    def look_closer(self, query: NodeQuery) -> str:
        return query.access.aws_command("sagemaker list-cluster-events", cluster_name=query.plan.name)

    def call(self, target: Target, cluster: str, ids: Sequence[str]) -> tuple[RejectedNode, ...]:
        """Makes the call of the API."""
        raise NotImplementedError

    def _hint(self, code: str) -> str:
        return HINTS.get(code, self.invalid_status_hint)


class Replace(HyperPodAction):
    verb, done = "replace", "replaced"
    permissions = ("sagemaker:BatchReplaceClusterNodes",)
    invalid_status_hint = f"{WAIT}; HyperPod never replaces a controller node"

    def effects(self, query: NodeQuery, nodes: Sequence[Node]) -> Iterator[str]:
        yield "HyperPod terminates the instances and starts others of the same type and AMI in their groups."
        yield "It does not drain them: pods and jobs on these nodes end. Save a checkpoint and stop them before."
        yield "All volumes of the instances, root volumes too, are deleted with what is on them."
        groups = _groups_of(query, nodes)
        if scarce := [group.name for group in groups if group.training_plan_arn is None]:
            yield f"Capacity of {listed(scarce)} is not reserved: until AWS has an instance, a group has fewer nodes."
        on_eks = [group for group in groups if isinstance(group, HyperPodGroupPlan)]
        if checked := [group.name for group in on_eks if group.deep_health_checks]:
            yield f"New nodes of {listed(checked)} pass deep health checks before pods run there."

    def call(self, target: Target, cluster: str, ids: Sequence[str]) -> tuple[RejectedNode, ...]:
        return hyperpod.replace_nodes(target, cluster, ids)

    def watch(self, query: NodeQuery, asked: Sequence[Node], before: Sequence[Node]) -> NodeWatch:
        del query
        return ReplacementWatch(asked, before)


class Reboot(HyperPodAction):
    verb, done = "reboot", "rebooted"
    permissions = ("sagemaker:BatchRebootClusterNodes",)

    def effects(self, query: NodeQuery, nodes: Sequence[Node]) -> Iterator[str]:
        del query, nodes
        yield "HyperPod reboots the instances; their ids and volumes stay."
        yield "It does not drain them: pods and jobs on these nodes end. Save a checkpoint and stop them before."

    def call(self, target: Target, cluster: str, ids: Sequence[str]) -> tuple[RejectedNode, ...]:
        return hyperpod.reboot_nodes(target, cluster, ids)

    def watch(self, query: NodeQuery, asked: Sequence[Node], before: Sequence[Node]) -> NodeWatch:
        del before
        return RebootWatch(asked, is_local=query.access.is_local)


def _groups_of(query: NodeQuery, nodes: Sequence[Node]) -> list[InstanceGroupPlan]:
    plan = query.plan.provider(HyperPodPlan)
    names = {node.group for node in nodes}
    return [group for group in plan.instance_groups if group.name in names] if plan is not None else []
