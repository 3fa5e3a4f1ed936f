"""Pods with devices that no queue admits: in namespaces of teams as the policy judges (``software.team_queue_policy``).

Elsewhere they start at once on nodes of a queue, and Kueue admits jobs for the same devices.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from local_kubernetes.model.names import GROUP_LABEL, NEURON, NEURON_CORE, QUEUE_NAME_LABEL
from local_kubernetes.model.neuron_devices import cores_per_device, requested_devices
from local_kubernetes.model.scheduling.evaluation import SchedulingResult
from local_kubernetes.model.scheduling.node import NodeInfo
from local_kubernetes.model.scheduling.pod import PodInfo
from neuron_cluster.findings.finding import Finding, Location
from neuron_cluster.findings.text import listed
from neuron_cluster.plan.kubernetes_plan import KubernetesPlan
from neuron_cluster.plan.team import Team
from neuron_cluster.schedulers.kubernetes.software.team_nodes import TeamNodes, nodes_of_team
from neuron_cluster.schedulers.kubernetes.software.team_queue_policy import DEVICES, REPLICA_SET

WITHOUT_QUEUE = "W9309"
PODS_OF_NO_OWNER = (REPLICA_SET, "ReplicationController", "DaemonSet")
"""Kinds that Kueue does not manage, so that it manages their pods, by the label of these."""


def unlabelled_findings(
    source: str, result: SchedulingResult, namespace: str, nodes: Sequence[NodeInfo], cluster: KubernetesPlan
) -> Iterator[Finding]:
    """W9309, for pods of an object without the label of a queue. ``nodes`` are empty ones."""
    pod = result.pod
    if not (pod.claims or any(pod.requests.get(name) for name in DEVICES)):
        return
    team = next((each for each in cluster.teams if namespace in each.namespaces), None)
    usable = _usable(team, cluster)
    fitting = {each.group for each in result.fitting}
    queued = {
        group.name: queue
        for queue, groups in cluster.queues.items()
        for group in groups
        if group.name in fitting and (not cluster.is_governed or team is None or cluster.may_use(team, queue))
    }
    if usable.selects_unqueued(pod.node_selector) or not (queued or team):
        return
    where = "it selects no node group without a queue"
    if queued:
        quota = (
            "in compute quotas" if cluster.is_governed else f"in the quota of {listed(dict.fromkeys(queued.values()))}"
        )
        where = f"the devices of {listed(queued)} are {quota}"
    effect = "no member may create it" if team else "Kueue admits jobs for the devices that it uses"
    message = f"{pod.workload} has no label {QUEUE_NAME_LABEL}, and {where}: {effect}"
    ways = [_label(result, namespace, nodes, cluster)] if queued or not usable.unqueued else []
    if own := [each.name for each in usable.unqueued]:
        ways.append(f"select a node group without a queue ({GROUP_LABEL}: {' or '.join(own)})")
    yield Finding(WITHOUT_QUEUE, Location(source), message, ", or ".join(ways))


def devices_of_pod(pod: PodInfo, result: SchedulingResult, nodes: Sequence[NodeInfo]) -> int:
    """Devices with the requested cores on the nodes that the pod fits on, else on any that has them."""
    fitting = {each.group for each in result.fitting}
    chosen = [node for node in nodes if node.group in fitting] or list(nodes)
    cores = next((found for node in chosen if (found := cores_per_device(node.allocatable))), 0)
    return requested_devices(pod.requests, cores)


def _usable(team: Team | None, cluster: KubernetesPlan) -> TeamNodes:
    if team is not None:
        return nodes_of_team(team, cluster.node_groups, cluster.namespaces)
    return TeamNodes(tuple(each for each in cluster.node_groups if each.team is None), ())


def _label(result: SchedulingResult, namespace: str, nodes: Sequence[NodeInfo], cluster: KubernetesPlan) -> str:
    pod, fitting = result.pod, {each.group for each in result.fitting}
    homes = [each for each in cluster.job_namespaces if each.name == namespace]
    of_fitting = [name for name, groups in cluster.queues.items() if any(each.name in fitting for each in groups)]
    usable = [name for name in of_fitting or cluster.queues if any(each.may_use(name) for each in homes)]
    where = " to the template of its pods" if pod.kind in PODS_OF_NO_OWNER else ""
    label = f"add the label {QUEUE_NAME_LABEL}: {usable[0]}{where}" if usable else "move it to a namespace with a queue"
    if pod.requests.get(NEURON_CORE):
        return f"request {devices_of_pod(pod, result, nodes)} {NEURON} instead of cores, and {label}"
    return label
