"""The LeaderWorkerSet controller: groups of a leader and its workers, which start again together.

Source: kubernetes-sigs/lws@060ab4d, pkg/controllers/pod_controller.go (handleRestartPolicy), pkg/utils/pod/pod_utils.go
(AddLWSVariables); in Kueue each group is a Workload: kubernetes-sigs/kueue@ff69552,
pkg/controller/jobs/leaderworkerset.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from local_kubernetes.model.fields import at, items, text_pairs, whole_number
from neuron_cluster.rehearsal.cluster.objects import Pod
from neuron_cluster.rehearsal.cluster.world import World
from neuron_cluster.rehearsal.timeline import Source

LABELS = "leaderworkerset.sigs.k8s.io/"
RECREATE, LEADER_READY = "RecreateGroupOnPodRestart", "LeaderReady"


@dataclass(eq=False, kw_only=True)
class Group:
    """One replica. ``is_suspended``: Kueue has not admitted it; its pods would be gated."""

    set_name: str
    index: int
    namespace: str
    spec: Mapping[str, Any]
    labels: Mapping[str, str]
    is_suspended: bool = False
    made: list[Pod] = field(default_factory=list)
    """Pods since it was last started, also those that are gone."""

    @property
    def name(self) -> str:
        return f"{self.set_name}-{self.index}"

    @property
    def size(self) -> int:
        return whole_number(at(self.spec, "leaderWorkerTemplate", "size")) or 1

    @property
    def body(self) -> Mapping[str, Any]:
        """As a set of this group alone."""
        metadata = {"name": self.name, "namespace": self.namespace, "labels": dict(self.labels)}
        spec = {**self.spec, "replicas": 1}
        return {
            "apiVersion": "leaderworkerset.x-k8s.io/v1",
            "kind": "LeaderWorkerSet",
            "metadata": metadata,
            "spec": spec,
        }

    @property
    def outcome(self) -> None:
        """A server has no end."""

    @property
    def pod_owners(self) -> frozenset[str]:
        return frozenset({f"group/{self.name}"})

    def has_ready_pods(self, pods: Collection[Pod]) -> bool:
        return len(pods) == self.size and all(pod.is_ready for pod in pods)


@dataclass
class LeaderWorkerSetController:
    """All LeaderWorkerSets of the rehearsal."""

    world: World
    groups: list[Group] = field(default_factory=list)

    def create(self, body: Mapping[str, Any], namespace: str) -> list[Group]:
        """The groups of a set."""
        replicas = whole_number(at(body, "spec", "replicas"))
        made = [
            Group(
                set_name=str(at(body, "metadata", "name")),
                index=index,
                namespace=namespace,
                spec=at(body, "spec") or {},
                labels=text_pairs(at(body, "metadata", "labels")),
            )
            for index in range(1 if replicas is None else replicas)
        ]
        self.groups += made
        return made

    def are_ready(self) -> bool:
        return all(group.has_ready_pods(self.world.pods_of_any(group.pod_owners)) for group in self.groups)

    def reconcile(self) -> None:
        for group in self.groups:
            pods = self.world.pods_of_any(group.pod_owners)
            for pod in pods:
                if pod.is_terminal:
                    self.world.forget_pod(pod)
            if not any(not pod.is_gone for pod in group.made):
                group.made = []
            why = self._why_recreated(group)
            if group.is_suspended or why:
                self._delete(group, [pod for pod in pods if pod.deletes_at is None and not pod.is_gone], why)
            else:
                self._keep_running(group, pods)

    def _why_recreated(self, group: Group) -> str:
        """Empty where the group goes on. A container has restarted once its back-off is over."""
        if at(group.spec, "leaderWorkerTemplate", "restartPolicy") != RECREATE:
            return ""
        restarted = (
            pod.name for pod in group.made if any(each.restarts and each.exit_code is None for each in pod.containers)
        )
        deleted = (pod.name for pod in group.made if pod.deletes_at is not None or pod.is_gone)
        for what, names in (("a container restarted", restarted), ("deleted", deleted)):
            if (name := next(names, None)) is not None:
                return f"{name}: {what}"
        return ""

    def _delete(self, group: Group, pods: list[Pod], why: str) -> None:
        if pods and why:
            self.world.timeline.record(Source.LEADER_WORKER_SET, group.name, "RecreateGroup", why)
        for pod in pods:
            self.world.delete_pod(pod)

    def _keep_running(self, group: Group, pods: list[Pod]) -> None:
        present = {pod.index for pod in pods}
        waits = at(group.spec, "startupPolicy") == LEADER_READY
        leads = any(pod.is_ready for pod in pods if pod.host_name == group.name)
        for place in range(group.size if not waits or leads else 1):
            if group.index * group.size + place not in present:
                group.made.append(self._pod(group, place))
                self.world.pods.append(group.made[-1])

    def _pod(self, group: Group, place: int) -> Pod:
        """``place`` 0 is the leader."""
        templates = at(group.spec, "leaderWorkerTemplate")
        worker = at(templates, "workerTemplate")
        template = (at(templates, "leaderTemplate") or worker) if place == 0 else worker
        name = f"{group.name}-{place}" if place else group.name
        spec = {**(at(template, "spec") or {}), "subdomain": group.set_name}
        for kind in ("containers", "initContainers"):
            spec[kind] = [_with_variables(each, group, place) for each in items(spec.get(kind))]
        places = {f"{LABELS}name": group.set_name, f"{LABELS}group-index": str(group.index)}
        return Pod(
            name=name,
            uid=f"{name}-{self.world.number():05x}",
            namespace=group.namespace,
            info=self.world.info_of(name, group.namespace, spec),
            spec=spec,
            labels={**text_pairs(at(template, "metadata", "labels")), **places, f"{LABELS}worker-index": str(place)},
            annotations={**text_pairs(at(template, "metadata", "annotations")), f"{LABELS}size": str(group.size)},
            owner=f"group/{group.name}",
            host_name=name,
            index=group.index * group.size + place,
        )


def _with_variables(container: Mapping[str, Any], group: Group, place: int) -> Mapping[str, Any]:
    """First, so that the container's own can refer to them."""
    variables = {
        "LWS_LEADER_ADDRESS": f"{group.name}.{group.set_name}.{group.namespace}",
        "LWS_GROUP_SIZE": str(group.size),
        "LWS_WORKER_INDEX": str(place),
    }
    own = items(container.get("env"))
    return {**container, "env": [*({"name": name, "value": value} for name, value in variables.items()), *own]}


def unmodelled(body: Mapping[str, Any]) -> Iterator[str]:
    """Features of a set that have no effect here."""
    if f"{LABELS}exclusive-topology" in text_pairs(at(body, "metadata", "annotations")):
        yield "exclusive topology of the groups"
    if at(body, "spec", "leaderWorkerTemplate", "subGroupPolicy") is not None:
        yield "subgroups"
