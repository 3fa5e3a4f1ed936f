"""The Deployment controller: as many pods as replicas, and rolling updates.

Source: Kubernetes documentation, Deployments (maxSurge, maxUnavailable; defaults 25 %).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil, floor
from typing import Any

from local_kubernetes.model.fields import at, text_pairs
from local_kubernetes.model.names import QUEUE_NAME_LABEL
from neuron_cluster.rehearsal.cluster.objects import Pod
from neuron_cluster.rehearsal.cluster.world import World
from neuron_cluster.rehearsal.timeline import Source

DEFAULT_SHARE = "25%"
REVISION = "pod-template-hash"


@dataclass(eq=False, kw_only=True)
class Deployment:
    """``revision`` counts its pod templates."""

    name: str
    namespace: str
    body: Mapping[str, Any]
    revision: int = 1

    @property
    def replicas(self) -> int:
        given = at(self.body, "spec", "replicas")
        return 1 if given is None else int(given)


class DeploymentController:
    """All Deployments of the rehearsal."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.deployments: list[Deployment] = []

    def create(self, deployment: Deployment) -> None:
        self.deployments.append(deployment)

    def update(self, deployment: Deployment) -> None:
        """Another pod template: an image, an argument."""
        deployment.revision += 1
        message = f"revision {deployment.revision}"
        self._world.timeline.record(Source.DEPLOYMENT, deployment.name, "RollingUpdate", message)

    def are_ready(self) -> bool:
        """Whether all replicas of the newest revision are Ready, and no others are left."""
        return all(
            [pod.is_ready for pod in self._pods(each) if self._is_current(each, pod)] == [True] * each.replicas
            and all(self._is_current(each, pod) for pod in self._pods(each))
            for each in self.deployments
        )

    def reconcile(self) -> None:
        for deployment in self.deployments:
            for pod in self._pods(deployment):
                if pod.is_terminal:
                    self._world.delete_pod(pod, grace_seconds=0)
                    self._world.forget_pod(pod)
            self._roll(deployment)

    def _roll(self, deployment: Deployment) -> None:
        """With strategy Recreate, pods of the new revision follow when those of the old one are gone."""
        former = [pod for pod in self._pods(deployment) if not self._is_current(deployment, pod)]
        if former and at(deployment.body, "spec", "strategy", "type") == "Recreate":
            for pod in former:
                self._replace(pod)
            return
        pods = [pod for pod in self._pods(deployment) if pod.is_active]
        current = [pod for pod in pods if self._is_current(deployment, pod)]
        old = [pod for pod in pods if pod not in current]
        most, least = self._bounds(deployment)
        for _ in range(min(deployment.replicas - len(current), most - len(pods))):
            self._world.pods.append(self._pod(deployment))
        spare = sum(pod.is_ready for pod in pods) - least
        for pod in sorted(old, key=lambda each: each.is_ready):
            if not pod.is_ready or spare > 0:
                spare -= pod.is_ready
                self._replace(pod)

    def _replace(self, pod: Pod) -> None:
        if pod.is_active:
            self._world.timeline.record(Source.DEPLOYMENT, pod.name, "ScaledDown", "replaced by a newer revision")
            self._world.delete_pod(pod)

    def _bounds(self, deployment: Deployment) -> tuple[int, int]:
        """Pods at most, and Ready pods at least, during an update."""
        update = at(deployment.body, "spec", "strategy", "rollingUpdate")
        surge, unavailable = at(update, "maxSurge"), at(update, "maxUnavailable")
        more = share_of(DEFAULT_SHARE if surge is None else surge, deployment.replicas, round_up=True)
        fewer = share_of(DEFAULT_SHARE if unavailable is None else unavailable, deployment.replicas, round_up=False)
        return deployment.replicas + more, deployment.replicas - (fewer or (0 if more else 1))

    def _pods(self, deployment: Deployment) -> list[Pod]:
        return self._world.pods_of(_owner(deployment))

    def _is_current(self, deployment: Deployment, pod: Pod) -> bool:
        return pod.labels[REVISION] == str(deployment.revision)

    def _pod(self, deployment: Deployment) -> Pod:
        template = at(deployment.body, "spec", "template") or {}
        spec = at(template, "spec") or {}
        name = f"{deployment.name}-{deployment.revision}-{self._world.number():05x}"
        return Pod(
            name=name,
            namespace=deployment.namespace,
            info=self._world.info_of(name, deployment.namespace, spec),
            spec=spec,
            labels={**_labels(deployment), REVISION: str(deployment.revision)},
            annotations=text_pairs(at(template, "metadata", "annotations")),
            owner=_owner(deployment),
            host_name=name,
        )


def _labels(deployment: Deployment) -> dict[str, str]:
    """Returns the labels of its pods, with the name of its queue, which Kueue's webhook copies."""
    own = text_pairs(at(deployment.body, "metadata", "labels"))
    queue = {key: value for key, value in own.items() if key == QUEUE_NAME_LABEL}
    return {**text_pairs(at(deployment.body, "spec", "template", "metadata", "labels")), **queue}


def _owner(deployment: Deployment) -> str:
    return f"deployment/{deployment.name}"


def share_of(value: int | str, replicas: int, *, round_up: bool) -> int:
    """A number, or a percentage of the replicas."""
    if isinstance(value, str) and value.endswith("%"):
        exact = int(value[:-1]) * replicas / 100
        return ceil(exact) if round_up else floor(exact)
    return int(value)
