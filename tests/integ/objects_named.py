"""Names of Kubernetes objects, and names that they refer to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Objects = list[dict[str, Any]]


def names(objects: Objects, kind: str) -> set[tuple[str, str]]:
    """Namespace and name of those of this kind."""
    return {
        (each["metadata"].get("namespace", ""), each["metadata"]["name"]) for each in objects if each["kind"] == kind
    }


def named_by(objects: Objects, namespace: str) -> Iterator[tuple[str, str, str]]:
    """Kind, namespace and name of everything that rendered objects say is in the cluster."""
    own = names(objects, "ServiceAccount")
    for each in objects:
        queue = each["metadata"].get("labels", {}).get("kueue.x-k8s.io/queue-name")
        if queue is not None:
            yield "LocalQueue", namespace, queue
        yield from _in_pods(each, namespace, own)


def _in_pods(tree: Any, namespace: str, own: set[tuple[str, str]]) -> Iterator[tuple[str, str, str]]:
    if isinstance(tree, list):
        for each in tree:
            yield from _in_pods(each, namespace, own)
    elif isinstance(tree, dict):
        if "claimName" in tree:
            yield "PersistentVolumeClaim", namespace, tree["claimName"]
        account = tree.get("serviceAccountName")
        if account is not None and account != "default" and account not in {name for _, name in own}:
            yield "ServiceAccount", namespace, account
        for each in tree.values():
            yield from _in_pods(each, namespace, own)
