"""Objects of a cluster at one moment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from local_kubernetes.model.fields import at, items, text, text_pairs
from neuron_cluster.kube.kubectl import Kubectl

Object = Mapping[str, Any]
RESOURCES: Mapping[str, tuple[str, ...]] = {
    "": ("pods", "events", "persistentvolumeclaims", "nodes"),
    "apps": ("deployments",),
    "batch": ("jobs", "cronjobs"),
    "jobset.x-k8s.io": ("jobsets",),
    "leaderworkerset.x-k8s.io": ("leaderworkersets",),
    "kubeflow.org": ("mpijobs", "pytorchjobs"),
    "kueue.x-k8s.io": ("workloads", "localqueues", "clusterqueues"),
    "keda.sh": ("scaledobjects",),
}
"""The resources that are read, by API group: other software serves resources of the same names in other groups."""
VERSIONS: Mapping[str, str] = {"mpijobs": "kubeflow.org/v2beta1", "pytorchjobs": "kubeflow.org/v1"}
"""The version in which the operator of a resource serves it, of a group that several operators serve parts of."""
WORKLOADS = "workloads.kueue.x-k8s.io"


class Condition(Struct, frozen=True):
    """An entry of ``status.conditions``."""

    type: str
    is_true: bool
    reason: str
    message: str
    since: str | None

    @property
    def text(self) -> str:
        """As one line: ``QuotaReserved is False (Pending): …``."""
        reason = f" ({self.reason})" if self.reason else ""
        return f"{self.type} is {self.is_true}{reason}" + (f": {self.message}" if self.message else "")


class ClusterState(Struct, frozen=True):
    """``forbidden`` are messages about what may not be read, ``groups`` the API groups that the cluster serves.

    ``others`` are Workloads of all namespaces: they use the same quota.
    """

    objects: tuple[Object, ...]
    now: datetime
    forbidden: tuple[str, ...] = ()
    groups: frozenset[str] = frozenset(RESOURCES)
    others: tuple[Object, ...] = ()

    def of_kind(self, *kinds: str) -> Iterator[Object]:
        return (body for body in self.objects if body.get("kind") in kinds)

    def named(self, kind: str, name: str) -> Object | None:
        return next((body for body in self.of_kind(kind) if name_of(body) == name), None)

    def may_read(self, plural: str) -> bool:
        """Whether an object that is not there does not exist."""
        return not any(message.startswith((f"{plural} ", f"{plural}.")) for message in self.forbidden)

    def seconds_since(self, moment: str | None) -> float:
        """0 for a time that is not known."""
        return (self.now - datetime.fromisoformat(moment)).total_seconds() if moment else 0.0


def read_state(kubectl: Kubectl, namespace: str | None, now: datetime) -> ClusterState:
    """Two calls to kubectl. Raises ``KubectlError``."""
    groups = kubectl.groups() | {""}
    served = [
        f"{plural}.{group}" if group else plural
        for group, found in RESOURCES.items()
        for plural in found
        if group in groups and VERSIONS.get(plural, group) in groups
    ]
    read = kubectl.get(served, namespace)
    return ClusterState(read.objects, now, read.forbidden, frozenset(groups))


def with_all_workloads(kubectl: Kubectl, state: ClusterState) -> ClusterState:
    """With the Workloads of all namespaces, as far as they may be read. Raises ``KubectlError``."""
    return replace(state, others=kubectl.get([WORKLOADS], None).objects)


def name_of(body: Any) -> str:
    return text(at(body, "metadata", "name")) or ""


def namespace_of(body: Any) -> str:
    return text(at(body, "metadata", "namespace")) or ""


def created_at(body: Any) -> str | None:
    return text(at(body, "metadata", "creationTimestamp"))


def place_of(body: Any) -> str:
    """``Pod llama-node-0-0``."""
    return f"{at(body, 'kind')} {name_of(body)}"


def owners_of(body: Any) -> list[tuple[str, str]]:
    """Kind and name of each owner."""
    return [(str(at(each, "kind")), str(at(each, "name"))) for each in items(at(body, "metadata", "ownerReferences"))]


def annotations_of(body: Any) -> dict[str, str]:
    return text_pairs(at(body, "metadata", "annotations"))


def conditions_of(body: Any) -> dict[str, Condition]:
    """Returns the conditions by type."""
    found = {}
    for each in items(at(body, "status", "conditions")):
        kind, since = str(at(each, "type")), text(at(each, "lastTransitionTime"))
        reason, message = text(at(each, "reason")) or "", text(at(each, "message")) or ""
        found[kind] = Condition(kind, at(each, "status") == "True", reason, message, since)
    return found


def holds(body: Any, condition: str) -> bool:
    """Whether the condition is there and True."""
    found = conditions_of(body).get(condition)
    return found is not None and found.is_true
