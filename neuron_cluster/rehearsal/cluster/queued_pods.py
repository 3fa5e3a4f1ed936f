"""Kueue for single pods: those of a Deployment with a queue name, not those of a job in the queue.

Each pod is a Workload of its own. It is not scheduled before it is admitted, and deleted when it is evicted: its
ReplicaSet makes another one, which is a new Workload, without a back-off.

Source: kubernetes-sigs/kueue@ff69552, pkg/controller/jobs/pod/pod_controller.go (Stop, PodsReady),
pkg/controller/jobs/pod/pod_webhook.go (FindAncestorJobManagedByKueue),
pkg/controller/jobs/deployment/deployment_webhook.go (the queue name in the pod template).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from local_kubernetes.model.names import QUEUE_NAME_LABEL
from neuron_cluster.rehearsal.cluster.objects import Pod
from neuron_cluster.rehearsal.cluster.queues import QueueController
from neuron_cluster.rehearsal.cluster.world import World

ENDED = "Ended"
NO_OWNERS: Collection[str] = frozenset()


@dataclass(eq=False)
class QueuedPod:
    """One pod as a job of the queue. ``was_admitted``: suspended after that, it is deleted."""

    pod: Pod
    is_suspended: bool = False
    was_admitted: bool = False

    @property
    def name(self) -> str:
        return self.pod.name

    @property
    def namespace(self) -> str:
        return self.pod.namespace

    @property
    def body(self) -> Mapping[str, Any]:
        metadata = {"name": self.name, "namespace": self.namespace, "labels": dict(self.pod.labels)}
        return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": self.pod.spec}

    @property
    def outcome(self) -> str | None:
        return ENDED if self.pod.is_gone or self.pod.is_terminal else None

    @property
    def pod_owners(self) -> Collection[str]:
        """None: no pod of an earlier admission is left, since there was none."""
        return NO_OWNERS

    def has_ready_pods(self, _pods: Collection[Pod]) -> bool:
        return self.pod.is_ready


class QueuedPods:
    """All pods of Deployments in a queue."""

    def __init__(self, world: World, queues: QueueController) -> None:
        self._world = world
        self._queues = queues
        self._queued: dict[Pod, QueuedPod] = {}

    def reconcile(self) -> None:
        """Before the scheduler: it must not see a new pod without its gate."""
        for pod in self._world.live_pods():
            if QUEUE_NAME_LABEL in pod.labels and pod not in self._queued and not self._queues.counts_owner(pod):
                self._queued[pod] = QueuedPod(pod)
                self._queues.watch(self._queued[pod])
        for pod, queued in self._queued.items():
            if queued.is_suspended and queued.was_admitted:
                self._world.delete_pod(pod)
            queued.was_admitted = queued.was_admitted or not queued.is_suspended
            pod.is_gated = queued.is_suspended
