"""All objects that are installed together, with queries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from local_kubernetes.model.api_resources import is_cluster_scoped
from local_kubernetes.model.fields import at, text
from local_kubernetes.model.names import POD_SECURITY_LABEL
from local_kubernetes.model.objects import KubernetesObject, labels_of
from local_kubernetes.model.pod_templates import PodTemplate, pod_templates

NAMESPACES_OF_KUBERNETES = ("default", "kube-system", "kube-public", "kube-node-lease")


class Release:
    """The objects of one release.

    ``namespace`` is the release's own, which helm or the caller creates; ``namespaces`` are further existing ones.
    ``pod_security`` is the level (``privileged``, ``baseline``, ``restricted``) of namespaces without a label.
    """

    def __init__(
        self,
        objects: Iterable[Mapping[str, Any]],
        *,
        namespace: str,
        namespaces: Iterable[str] = (),
        pod_security: str = "baseline",
    ) -> None:
        self.objects = tuple(_placed(body, namespace) for body in objects)
        self.namespaces = {*NAMESPACES_OF_KUBERNETES, namespace, *namespaces}
        self.namespaces |= {made.name for made in self.of_kind("Namespace")}
        self._pod_security = pod_security
        self._templates = {id(one): tuple(pod_templates(one)) for one in self.objects}

    def of_kind(self, *kinds: str) -> Iterator[KubernetesObject]:
        for one in self.objects:
            if one.kind in kinds:
                yield one

    def find(self, kind: str, namespace: str, name: Any) -> KubernetesObject | None:
        """The object of this name, or None: it may exist in the cluster already."""
        for one in self.of_kind(kind):
            if (one.namespace, one.name) == (namespace, name):
                return one
        return None

    def pods(self, namespace: str | None = None) -> Iterator[PodTemplate]:
        """Every pod template, or those whose pods run in this namespace."""
        for one in self.objects:
            if namespace in (None, one.namespace):
                yield from self.templates_of(one)

    def templates_of(self, one: KubernetesObject) -> tuple[PodTemplate, ...]:
        """The pod templates inside one of the objects."""
        return self._templates[id(one)]

    def pod_security(self, namespace: str) -> str:
        """The Pod Security level that the namespace enforces."""
        made = self.find("Namespace", "", namespace)
        value = labels_of(made.body).get(POD_SECURITY_LABEL) if made is not None else None
        return value or self._pod_security


def _placed(body: Mapping[str, Any], namespace: str) -> KubernetesObject:
    value = text(at(body, "metadata", "namespace"))
    where = "" if is_cluster_scoped(body) else value or namespace
    return KubernetesObject(body, where)
