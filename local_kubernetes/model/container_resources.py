"""Resource requests and limits of containers, and kinds of resource names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from local_kubernetes.model.fields import at, inside
from local_kubernetes.model.pod_templates import PodTemplate

HUGEPAGES = "hugepages-"
NATIVE = ("cpu", "memory", "ephemeral-storage")
EXTENDED_SOURCE = (
    "https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/#extended-resources; "
    "https://kubernetes.io/docs/tasks/manage-gpus/scheduling-gpus/ (only in limits, or in both and equal)"
)


class ContainerResources(Struct, frozen=True):
    """``resources`` of one container, or of a pod as a whole."""

    path: str
    requests: Mapping[str, Any]
    limits: Mapping[str, Any]

    def place(self, part: str, name: str) -> str:
        """Path of one amount; ``part`` is ``requests`` or ``limits``."""
        return inside(f"{self.path}.{part}", name)

    def amounts(self) -> Iterator[tuple[str, str, Any]]:
        """Path, resource and amount of each."""
        for part, amounts in (("requests", self.requests), ("limits", self.limits)):
            for name, amount in amounts.items():
                yield self.place(part, name), name, amount


def container_resources(template: PodTemplate) -> Iterator[ContainerResources]:
    """The requests and limits of every container that sets some, and of the pod as a whole."""
    holders = [(container.path, container.body) for container in template.containers]
    for path, body in [*holders, (template.spec_path, template.spec)]:
        requests, limits = (at(body, "resources", part) for part in ("requests", "limits"))
        if isinstance(requests, Mapping) or isinstance(limits, Mapping):
            yield ContainerResources(f"{path}.resources", _by_name(requests), _by_name(limits))


def _by_name(amounts: Any) -> dict[str, Any]:
    """Names are converted to strings, as kubectl does: a number is then not a valid resource name (E8806)."""
    return {str(name): amount for name, amount in amounts.items()} if isinstance(amounts, Mapping) else {}


def is_extended(name: str) -> bool:
    """Whether it is an extended resource: a name with a domain that is not Kubernetes' own."""
    domain, slash, _ = name.partition("/")
    return bool(slash) and domain != "kubernetes.io" and not domain.endswith(".kubernetes.io")


def is_hugepages(name: str) -> bool:
    return name.startswith(HUGEPAGES)
