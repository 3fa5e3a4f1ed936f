"""The programs for the cluster of an environment: those of the kubectl layer of its version."""

from __future__ import annotations

from pathlib import Path

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.errors import ToolkitError
from neuron_cluster.kube.helm import Helm
from neuron_cluster.kube.project_tools import project_helm, project_kubectl
from neuron_cluster.plan.kubernetes_plan import KubernetesPlan


def helm_of(cluster: KubernetesPlan, catalog: Catalog, project: Path) -> Helm:
    """Returns the helm that CDK's kubectl function runs, unpacked once below ``.local/`` of the project."""
    return project_helm(project, _layer_of(cluster, catalog), catalog)


def kubectl_of(cluster: KubernetesPlan, catalog: Catalog, project: Path) -> Path:
    """Returns the kubectl of the same layer."""
    return project_kubectl(project, _layer_of(cluster, catalog), catalog)


def _layer_of(cluster: KubernetesPlan, catalog: Catalog) -> str:
    version = catalog.kubernetes_versions.get(cluster.version)
    if version is None or version.kubectl_layer is None:  # rules E2001 and E2002 ran before
        raise ToolkitError(f"the catalog has no kubectl layer for Kubernetes {cluster.version}")
    return version.kubectl_layer.package
