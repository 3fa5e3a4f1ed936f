"""The objects of a cluster as the commands of custom resources leave them: applied, pruned, patched, deleted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from local_aws.contract import Store
from local_aws.custom_resources.command_log import WAITS_FOR, RanCommand
from local_aws.custom_resources.kubernetes_object import Identity, identity

STATE = "recorded.objects"

PRUNED = frozenset(
    {
        *(("", kind) for kind in ("ConfigMap", "Endpoints", "Namespace", "PersistentVolume", "PersistentVolumeClaim")),
        *(("", kind) for kind in ("Pod", "ReplicationController", "Secret", "Service")),
        *(("batch", kind) for kind in ("CronJob", "Job")),
        *(("apps", kind) for kind in ("DaemonSet", "Deployment", "ReplicaSet", "StatefulSet")),
        ("networking.k8s.io", "Ingress"),
    }
)
"""Kinds that ``kubectl apply --prune`` deletes without ``--prune-allowlist``: no custom resource is among them.

Source: kubernetes/kubectl, pkg/util/prune/prune.go, GetRESTMappings.
"""
WITHOUT_NAMESPACE = frozenset({("", "Namespace"), ("", "PersistentVolume")})


@dataclass
class ClusterObject:
    """One object of a cluster."""

    live: dict[str, Any]
    applied: Mapping[str, Any] | None = None
    """The manifest that was applied last (annotation kubectl.kubernetes.io/last-applied-configuration)."""
    is_terminating: bool = False
    """Deleted, and kept by a finalizer."""


@dataclass
class ClusterState:
    """All objects of one cluster that were not made by a chart."""

    objects: dict[Identity, ClusterObject] = field(default_factory=dict)
    terminating_kinds: set[str] = field(default_factory=set)
    """Kinds whose definition is deleted and stays, since an object has a finalizer: no new object of them is made."""

    def of_kind(self, group: str, kind: str) -> dict[str, ClusterObject]:
        """Returns the objects of one kind, by name; a namespaced one as NAMESPACE/NAME."""
        found = {key: each for key, each in self.objects.items() if key[:2] == (group, kind)}
        return {_name(each.live): each for each in found.values()}

    def carry_out(self, command: RanCommand) -> None:
        """Applies a ``kubectl`` command that succeeded, or that waits for a finalizer."""
        asked = command.asked
        understood = asked["command"]
        match understood["verb"]:
            case "create" | "apply":
                for each in asked["objects"]:
                    self._apply(each)
                if understood["prunes"]:
                    self._prune(understood["label"], asked["objects"])
            case "delete":
                held = [tuple(each) for each in asked[WAITS_FOR]]
                for each in asked["objects"]:
                    self._delete(identity(each), is_kept=identity(each) in held)
            case "patch" if understood["identity"] is not None:
                group, kind, namespace, name = understood["identity"]
                found = self.objects[group, kind, namespace, name]
                found.live = merge_patched(found.live, asked["patch"])

    def put(self, live: dict[str, Any]) -> None:
        """An object that the cluster has made itself."""
        self.objects[identity(live)] = ClusterObject(live)

    def _delete(self, key: Identity, *, is_kept: bool) -> None:
        if is_kept and key in self.objects:
            self.objects[key].is_terminating = True
        else:
            self.objects.pop(key, None)

    def _apply(self, manifest: Mapping[str, Any]) -> None:
        key = identity(manifest)
        known = self.objects.get(key)
        if known is None:
            self.objects[key] = ClusterObject(merge_patched({}, manifest), manifest)
        else:
            known.live = _applied(known.live, known.applied or {}, manifest)
            known.applied = manifest

    def _prune(self, label: str, manifests: Iterable[Mapping[str, Any]]) -> None:
        """Objects with the label that were applied once and are not in the file, in the namespaces that it names."""
        retained = {identity(each) for each in manifests}
        visited = {key[2] for key in retained}
        for key, each in list(self.objects.items()):
            group, kind, namespace, _ = key
            is_looked_at = (group, kind) in PRUNED and ((group, kind) in WITHOUT_NAMESPACE or namespace in visited)
            labels = each.live.get("metadata", {}).get("labels", {})
            if is_looked_at and key not in retained and each.applied is not None and label in labels:
                del self.objects[key]


def state_of(store: Store, account: str, region: str, cluster: str) -> ClusterState:
    """The objects of a cluster, empty for one that was never asked for any."""
    state: ClusterState = store.table(account, region, STATE).setdefault(cluster, ClusterState())
    return state


def objects_in(store: Store, account: str, region: str, cluster: str) -> list[dict[str, Any]]:
    """Returns the present objects of a cluster of the local AWS: those that were applied and not deleted since."""
    return [each.live for each in state_of(store, account, region, cluster).objects.values()]


def merge_patched(target: Any, patch: Any) -> Any:
    """RFC 7386: a JSON merge patch."""
    if not isinstance(patch, Mapping):
        return patch
    merged = dict(target) if isinstance(target, Mapping) else {}
    for key, value in patch.items():
        if value is None:
            merged.pop(key, None)
        else:
            merged[key] = merge_patched(merged.get(key), value)
    return merged


def _applied(live: Mapping[str, Any], last: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """``kubectl apply``: what left the manifest leaves the object; what others have set stays."""
    merged = {key: value for key, value in live.items() if key in new or key not in last}
    for key, value in new.items():
        if isinstance(value, Mapping):
            before, known = merged.get(key), last.get(key)
            of_live = before if isinstance(before, Mapping) else {}
            merged[key] = _applied(of_live, known if isinstance(known, Mapping) else {}, value)
        else:
            merged[key] = value
    return merged


def _name(live: Mapping[str, Any]) -> str:
    metadata = live["metadata"]
    return f"{metadata['namespace']}/{metadata['name']}" if "namespace" in metadata else str(metadata["name"])
