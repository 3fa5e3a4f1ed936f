"""All objects that are installed together, with queries."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from local_kubernetes.model.api_resources import is_cluster_scoped
from local_kubernetes.model.fields import at, text
from local_kubernetes.model.names import POD_SECURITY_LABEL
from local_kubernetes.model.objects import KubernetesObject, labels_of
from local_kubernetes.model.pod_security.control import NEWEST
from local_kubernetes.model.pod_templates import PodTemplate, pod_templates

VERSION = re.compile(r"v1\.(\d+)")
NAMESPACES_OF_KUBERNETES = ("default", "kube-system", "kube-public", "kube-node-lease")


class Release:
    """The objects of one release.

    ``namespace`` is the release's own, which helm or the caller creates; ``namespaces`` are further existing ones.
    ``pod_security`` is the level (``privileged``, ``baseline``, ``restricted``) of namespaces without a label, and
    ``minor`` the minor version of its policy.
    """

    def __init__(
        self,
        objects: Iterable[Mapping[str, Any]],
        *,
        namespace: str,
        namespaces: Iterable[str] = (),
        pod_security: str = "baseline",
        minor: int = NEWEST,
    ) -> None:
        self.objects = tuple(_placed(body, namespace) for body in objects)
        self.namespaces = {*NAMESPACES_OF_KUBERNETES, namespace, *namespaces}
        self.namespaces |= {made.name for made in self.of_kind("Namespace")}
        self._pod_security, self._minor = pod_security, minor
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
        return self._label_of(namespace, POD_SECURITY_LABEL) or self._pod_security

    def pod_security_minor(self, namespace: str) -> int:
        """The minor version of the policy that the namespace enforces."""
        found = VERSION.fullmatch(self._label_of(namespace, f"{POD_SECURITY_LABEL}-version") or "")
        return int(found[1]) if found is not None else self._minor

    def _label_of(self, namespace: str, label: str) -> str | None:
        made = self.find("Namespace", "", namespace)
        return labels_of(made.body).get(label) if made is not None else None


def _placed(body: Mapping[str, Any], namespace: str) -> KubernetesObject:
    value = text(at(body, "metadata", "namespace"))
    where = "" if is_cluster_scoped(body) else value or namespace
    return KubernetesObject(body, where)
