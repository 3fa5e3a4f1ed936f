"""The objects of our own charts as a cluster gets them: rendered by the helm of its Kubernetes version."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from neuron_cluster.errors import ToolkitError

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.kube.helm import Helm
    from neuron_cluster.plan.addon_plan import ChartPlan
    from neuron_cluster.plan.cluster_plan import EksPlan

Objects = tuple[Mapping[str, Any], ...]


def helm_of(eks: EksPlan, catalog: Catalog, project: Path) -> Helm:
    """The helm that CDK's kubectl function runs for this cluster, unpacked below ``.local/`` of the project once."""
    from neuron_cluster.kube.helm import Helm
    from neuron_cluster.kube.kubectl_layer import HELM, program_of_layer

    version = catalog.kubernetes_version(eks.version)
    if version is None or version.kubectl_layer is None:  # rules E2001 and E2002 ran before
        raise ToolkitError(f"the catalog has no kubectl layer for Kubernetes {eks.version}")
    return Helm(program_of_layer(version.kubectl_layer.package, HELM, project / ".local" / "kubectl-layers"))


def rendered_charts(eks: EksPlan, catalog: Catalog, project: Path) -> Iterator[tuple[ChartPlan, Objects]]:
    """Each chart of ours that the cluster gets, with its objects. Starts helm only when there is one.

    Helm tests are left out: nothing runs them when a chart is installed.
    """
    from neuron_cluster.manifest_law.manifest_object import ManifestObject

    own = [chart for chart in eks.charts if chart.folder is not None]
    helm = helm_of(eks, catalog, project) if own else None
    for chart in own:
        if helm is not None and chart.folder is not None:
            folder = project / "charts" / chart.folder
            objects = helm.template(folder, chart.release, chart.namespace, chart.values, eks.version)
            yield chart, tuple(each for each in objects if "test" not in ManifestObject(each, chart.namespace).hooks)
