"""Third-party Helm charts: the pinned version, where it lies, which values it knows, which images it pulls."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from neuron_cluster.catalog.frozen_map import FrozenMap
from neuron_cluster.catalog.near_names import near_names
from neuron_cluster.catalog.source_data import DATA_DIRECTORY, read_rows
from neuron_cluster.catalog.sourced_row import SourcedRow


class Toleration(Struct, frozen=True, kw_only=True):
    """A Kubernetes toleration as the chart writes it."""

    key: str | None = None
    operator: Literal["Exists", "Equal"]
    value: str | None = None
    effect: Literal["NoSchedule", "PreferNoSchedule", "NoExecute"] | None = None


class ChartImage(Struct, frozen=True, kw_only=True):
    """An image of the chart. ``value_path`` is the key in the values that holds repository and tag.

    ``registry`` says where it comes from: ``public``, or ``eks_regional`` for the registry of EKS in the cluster's
    Region (``Region.eks_image_registry``); the repository is then a path inside that registry.
    """

    value_path: str
    registry: Literal["public", "eks_regional"]
    repository: str
    tag: str
    on_by_default: bool


class Chart(SourcedRow, frozen=True, kw_only=True):
    """One chart. ``repository`` is the whole OCI reference (``location: oci``) or the address of a chart repository.

    ``values`` maps each key that may be set, as a dotted path, to the kind of its value; ``mapping`` and ``list``
    hold free Kubernetes content. ``instance_types`` are the Neuron types that the chart's own affinity admits.
    """

    version: str
    app_version: str | None
    location: Literal["oci", "repository"]
    repository: str
    digest: str | None
    public_registry: bool
    namespace: str
    further_namespaces: tuple[str, ...]
    instance_types: tuple[str, ...]
    default_tolerations: FrozenMap[str, tuple[Toleration, ...]]
    values: FrozenMap[str, str]
    images: tuple[ChartImage, ...]

    def value_kind(self, path: str) -> str | None:
        """The kind of value that the chart expects at this dotted path; None when it has no such key."""
        return self.values.get(path)

    def near_values(self, path: str) -> list[str]:
        """Known dotted paths that look like ``path``."""
        return near_names(path, self.values)

    def contradictions(self) -> Iterator[tuple[str, str]]:
        if self.repository.startswith("oci://") != (self.location == "oci"):
            yield "repository", "does not fit location"
        for path in self.default_tolerations:
            if self.values.get(path) != "list":
                yield f"default_tolerations.{path}", "is no list in values"
        for image in self.images:
            if self.values.get(f"{image.value_path}.tag") != "string":
                yield "images", f"{image.value_path}.tag is not in values"


@functools.cache
def charts() -> FrozenMap[str, Chart]:
    """All charts by name."""
    return read_rows(DATA_DIRECTORY / "charts.yaml", Chart)


def chart(name: str) -> Chart | None:
    """The chart of this name, or None."""
    return charts().get(name)


def near_charts(name: str) -> list[str]:
    """Known charts whose names look like ``name``."""
    return near_names(name, charts())
