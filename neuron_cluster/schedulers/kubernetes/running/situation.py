"""A release in its cluster, and the node groups of the environment: what causes are found in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from local_kubernetes.model.fields import at, text, text_pairs, whole_number
from neuron_cluster.plan.node_group_plan import NodeGroupPlan
from neuron_cluster.schedulers.kubernetes.running.cluster_state import ClusterState, Object, name_of
from neuron_cluster.schedulers.kubernetes.running.release import Release

PENDING, RUNNING, SUCCEEDED, FAILED = "Pending", "Running", "Succeeded", "Failed"


class EnvironmentGroups(Struct, frozen=True):
    """The node groups of the environment file. ``autoscaler`` starts nodes for pods that fit none; None without one."""

    environment: str
    key: str
    """The key of its node groups in the file."""
    groups: Mapping[str, NodeGroupPlan]
    autoscaler: str | None = None


class Situation(Struct, frozen=True):
    """``kubectl`` is how a command begins, with the context."""

    release: Release
    state: ClusterState
    environment: EnvironmentGroups
    kubectl: str

    @property
    def here(self) -> str:
        """How a command in the namespace begins."""
        return f"{self.kubectl} -n {self.release.namespace}"

    def events(self, kind: str, *reasons: str) -> Iterator[Object]:
        """Warnings and others about objects of this kind that are the release's, the last one first."""
        found = [
            event
            for event in self.state.of_kind("Event")
            if at(event, "involvedObject", "kind") == kind
            and event.get("reason") in reasons
            and self.release.is_of(text(at(event, "involvedObject", "name")) or "")
        ]
        return iter(sorted(found, key=lambda event: last_seen(event) or "", reverse=True))

    def event_about(self, body: Object, *reasons: str) -> Object | None:
        """The last event of these reasons about one object."""
        kind = str(body.get("kind"))
        return next((e for e in self.events(kind, *reasons) if at(e, "involvedObject", "name") == name_of(body)), None)


def last_seen(event: Object) -> str | None:
    """Returns the time at which an event was last seen; the API has four places for it."""
    places = (("series", "lastObservedTime"), ("lastTimestamp",), ("eventTime",), ("metadata", "creationTimestamp"))
    return next((found for place in places if (found := text(at(event, *place)))), None)


def event_words(event: Object) -> str:
    """``FailedMount: …``, with the number of times."""
    count = whole_number(event.get("count")) or 1
    times = f" ({count} times)" if count > 1 else ""
    return f"{event.get('reason')}{times}: {text(event.get('message')) or ''}"


def phase_of(pod: Object) -> str:
    return text(at(pod, "status", "phase")) or PENDING


def is_active(pod: Object) -> bool:
    """Whether it has containers that run or may start."""
    return phase_of(pod) not in (SUCCEEDED, FAILED)


def is_terminating(pod: Object) -> bool:
    return at(pod, "metadata", "deletionTimestamp") is not None


def node_of(pod: Object) -> str:
    """Empty for a pod without one."""
    return text(at(pod, "spec", "nodeName")) or ""


def selector_words(pod: Object) -> str:
    """``key=value,key=value`` of the pod's node selector, as ``kubectl -l`` reads it."""
    return ",".join(f"{key}={value}" for key, value in text_pairs(at(pod, "spec", "nodeSelector")).items())
