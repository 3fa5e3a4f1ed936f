"""What tells one Kubernetes object from another."""

from __future__ import annotations

from collections.abc import Mapping
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
