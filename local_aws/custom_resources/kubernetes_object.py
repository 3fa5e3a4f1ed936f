"""Kubernetes objects: what tells one from another, and what of one no update changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

Identity = tuple[str, str, str, str]
"""API group, kind, namespace, name."""

NAMESPACES_OF_EKS = ("default", "kube-node-lease", "kube-public", "kube-system")
"""Namespaces that every EKS cluster has from the start (Kubernetes documentation, "Initial namespaces")."""


def identity(kubernetes_object: Mapping[str, Any]) -> Identity:
    """An object's identity; ``default`` stands for the namespace of one that names none, as for kubectl.

    Raises ``KeyError`` for an object without apiVersion, kind or name.
    """
    group, _, _ = kubernetes_object["apiVersion"].rpartition("/")
    metadata = kubernetes_object["metadata"]
    return group, kubernetes_object["kind"], metadata.get("namespace", "default"), metadata["name"]


def namespace_identity(name: str) -> Identity:
    return identity({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})


def is_meant(known: Identity, resource: str, namespace: str) -> bool:
    """Whether ``KINDS.GROUP/NAME`` of a command (or ``KIND.GROUP/NAME``) means this object."""
    named, _, name = resource.partition("/")
    kind, _, group = named.partition(".")
    return (group, namespace, name) == (known[0], known[2], known[3]) and kind in {
        known[1].lower(),
        f"{known[1].lower()}s",
    }


VOLUME, CLAIM, JOB = "PersistentVolume", "PersistentVolumeClaim", "Job"
FIXED = {("", VOLUME), ("", CLAIM), ("batch", JOB)}
"""API group and kind of the objects of which the API server lets no update change a part.

Source: kubernetes/kubernetes pkg/apis/core/validation/validation.go (ValidatePersistentVolumeUpdate,
ValidatePersistentVolumeClaimUpdate), pkg/apis/batch/validation/validation.go (ValidateJobSpecUpdate) and
plugin/pkg/admission/storage/persistentvolume/resize/admission.go.
"""
SOURCES = ("csi", "nfs", "hostPath", "local", "awsElasticBlockStore")
"""Where the data of a PersistentVolume is."""


def rejected_change(live: Mapping[str, Any], manifest: Mapping[str, Any]) -> str | None:
    """Returns the error of the API server for the manifest of an existing object; None where it accepts it."""
    kind, name = manifest["kind"], manifest["metadata"]["name"]
    old, new = live.get("spec", {}), manifest.get("spec", {})
    if kind == VOLUME and _differs(old, new, SOURCES):
        what = "spec.persistentvolumesource"
        return f'The {kind} "{name}" is invalid: {what}: Forbidden: {what} is immutable after creation'
    if kind == JOB and _differs(old, new, ("template", "selector", "completionMode")):
        return f'The {kind} "{name}" is invalid: spec.template: Invalid value: field is immutable'
    if kind != CLAIM:
        return None
    if _differs(old, new, set(new) - {"resources", "volumeAttributesClassName"}):
        return (
            f'The {kind} "{name}" is invalid: spec: Forbidden: spec is immutable after creation except '
            "resources.requests and volumeAttributesClassName for bound claims"
        )
    if _differs(old, new, ("resources",)) and old.get("storageClassName") == "":
        return (
            f'persistentvolumeclaims "{name}" is forbidden: only dynamically provisioned pvc can be resized and the '
            "storageclass that provisions the pvc must support resize"
        )
    return None


def _differs(old: Mapping[str, Any], new: Mapping[str, Any], keys: Iterable[str]) -> bool:
    return any(key in new and not _holds(old.get(key), new[key]) for key in keys)


def _holds(live: Any, wanted: Any) -> bool:
    """Whether the live value has all that is wanted: ``kubectl apply`` leaves what a manifest does not name."""
    if isinstance(live, Mapping) and isinstance(wanted, Mapping):
        return all(key in live and _holds(live[key], value) for key, value in wanted.items())
    return bool(live == wanted)
