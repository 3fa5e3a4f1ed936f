"""The DaemonSet controller: one pod for each node that fits, and rolling updates.

Source: Kubernetes documentation, DaemonSet and Perform a Rolling Update on a DaemonSet (maxUnavailable, default 1);
kubernetes/kubernetes, pkg/controller/daemon/daemon_controller.go (nodes and taints), util/daemonset_util.go
(tolerations).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from local_kubernetes.model.fields import at, items, text_pairs
from local_kubernetes.model.scheduling.filters import node_affinity, taint_toleration
from neuron_cluster.rehearsal.cluster.deployments import share_of
from neuron_cluster.rehearsal.cluster.objects import Node, NodeState, Pod
from neuron_cluster.rehearsal.cluster.world import World
from neuron_cluster.rehearsal.timeline import Source

REVISION = "controller-revision-hash"
ADDED_TOLERATIONS = (
    ("node.kubernetes.io/not-ready", "NoExecute"),
    ("node.kubernetes.io/unreachable", "NoExecute"),
    ("node.kubernetes.io/disk-pressure", "NoSchedule"),
    ("node.kubernetes.io/memory-pressure", "NoSchedule"),
    ("node.kubernetes.io/pid-pressure", "NoSchedule"),
    ("node.kubernetes.io/unschedulable", "NoSchedule"),
)
"""Without an end: its pods stay on nodes that are silent or cordoned."""
OF_HOST_NETWORK = ("node.kubernetes.io/network-unavailable", "NoSchedule")


@dataclass(eq=False, kw_only=True)
class DaemonSet:
    """``revision`` counts its pod templates."""

    name: str
    namespace: str
    body: Mapping[str, Any]
    revision: int = 1

    @property
    def owner(self) -> str:
        return f"daemonset/{self.name}"

    @property
    def pod_spec(self) -> Mapping[str, Any]:
        """With the tolerations that the controller adds."""
        spec = at(self.body, "spec", "template", "spec") or {}
        added = [*ADDED_TOLERATIONS, *([OF_HOST_NETWORK] if at(spec, "hostNetwork") else [])]
        tolerations = [{"key": key, "operator": "Exists", "effect": effect} for key, effect in added]
        return {**spec, "tolerations": [*items(at(spec, "tolerations")), *tolerations]}


class DaemonSetController:
    """All DaemonSets of the rehearsal."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.daemon_sets: list[DaemonSet] = []

    def create(self, daemon_set: DaemonSet) -> None:
        self.daemon_sets.append(daemon_set)

    def update(self, daemon_set: DaemonSet) -> None:
        """Another pod template: an image, a configuration."""
        daemon_set.revision += 1
        message = f"revision {daemon_set.revision}"
        self._world.timeline.record(Source.DAEMON_SET, daemon_set.name, "RollingUpdate", message)

    def why_not_ready(self) -> str | None:
        """None where every node that fits has a Ready pod of the newest revision, and there is such a node."""
        for daemon_set in self.daemon_sets:
            nodes = list(self._nodes(daemon_set))
            ready = {pod.only_node for pod in self._current(daemon_set) if pod.is_ready}
            missing = [node.name for node in nodes if node not in ready]
            if not nodes:
                return f"DaemonSet {daemon_set.name} has no pod: there is no node that it fits on"
            if missing:
                of_nodes = f"{len(missing)} of {len(nodes)} nodes have no Ready pod, such as {missing[0]}"
                return f"DaemonSet {daemon_set.name}: {of_nodes}"
        return None

    def fitting_nodes(self) -> int:
        """The pods that all DaemonSets are to have."""
        return sum(len(list(self._nodes(each))) for each in self.daemon_sets)

    def reconcile(self) -> None:
        for daemon_set in self.daemon_sets:
            for pod in self._pods(daemon_set):
                if pod.is_terminal:
                    self._world.delete_pod(pod, grace_seconds=0)
                    self._world.forget_pod(pod)
            self._update_some(daemon_set)
            taken = {pod.only_node for pod in self._pods(daemon_set)}
            for node in self._nodes(daemon_set):
                if node not in taken:  # one that still ends keeps the next one waiting
                    self._start_pod(daemon_set, node)

    def _update_some(self, daemon_set: DaemonSet) -> None:
        """Deletes old pods: those that are not Ready, and as many others as may be unavailable."""
        if at(daemon_set.body, "spec", "updateStrategy", "type") == "OnDelete":
            return
        nodes, current = list(self._nodes(daemon_set)), self._current(daemon_set)
        active = [pod for pod in self._pods(daemon_set) if pod.is_active and pod.only_node in nodes]
        most = at(daemon_set.body, "spec", "updateStrategy", "rollingUpdate", "maxUnavailable")
        spare = share_of(1 if most is None else most, len(nodes), round_up=True)
        spare -= len(nodes) - sum(pod.is_ready for pod in active)
        for pod in active:
            if pod in current or (pod.is_ready and spare <= 0):
                continue
            spare -= pod.is_ready
            self._world.timeline.record(Source.DAEMON_SET, pod.name, "Deleted", "replaced by a newer revision")
            self._world.delete_pod(pod)

    def _nodes(self, daemon_set: DaemonSet) -> Iterator[Node]:
        """Yields the nodes whose labels and taints let it in. A pod that does not fit there is Pending."""
        info = self._world.info_of(daemon_set.name, daemon_set.namespace, daemon_set.pod_spec)
        for node in self._world.present_nodes():
            has_joined = node.state is not NodeState.STARTING
            if has_joined and not [*node_affinity(info, node.info), *taint_toleration(info, node.info)]:
                yield node

    def _pods(self, daemon_set: DaemonSet) -> list[Pod]:
        return self._world.pods_of(daemon_set.owner)

    def _current(self, daemon_set: DaemonSet) -> list[Pod]:
        return [pod for pod in self._pods(daemon_set) if pod.labels[REVISION] == str(daemon_set.revision)]

    def _start_pod(self, daemon_set: DaemonSet, node: Node) -> None:
        template = at(daemon_set.body, "spec", "template") or {}
        name = f"{daemon_set.name}-{self._world.number():05x}"
        pod = Pod(
            name=name,
            namespace=daemon_set.namespace,
            info=self._world.info_of(name, daemon_set.namespace, daemon_set.pod_spec),
            spec=daemon_set.pod_spec,
            labels={**text_pairs(at(template, "metadata", "labels")), REVISION: str(daemon_set.revision)},
            annotations=text_pairs(at(template, "metadata", "annotations")),
            owner=daemon_set.owner,
            host_name=name,
            only_node=node,
        )
        self._world.pods.append(pod)
        self._world.timeline.record(Source.DAEMON_SET, name, "SuccessfulCreate", f"for {node.name}")
