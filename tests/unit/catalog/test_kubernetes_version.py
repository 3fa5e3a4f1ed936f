"""Kubernetes versions: support dates, and layers that are the installed ones."""

import importlib.metadata

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.catalog.kubernetes_version import KubernetesVersion

CATALOG = load_catalog()

WITH_LAYER = [row for row in CATALOG.kubernetes_versions if row.kubectl_layer]


def test_versions_follow_each_other_without_a_gap() -> None:
    minors = [int(name.removeprefix("1.")) for name in CATALOG.kubernetes_versions.names]
    assert minors == list(range(minors[0], minors[-1] + 1))


def test_support_ends_in_the_order_of_the_versions() -> None:
    ends = [row.standard_support_ends for row in CATALOG.kubernetes_versions]
    assert ends == sorted(ends)


def test_versions_before_the_first_layer_have_none() -> None:
    assert [row.name for row in WITH_LAYER] == ["1.33", "1.34", "1.35", "1.36"]


@pytest.mark.parametrize("row", WITH_LAYER, ids=lambda row: row.name)
def test_the_layer_is_of_the_version_and_is_what_is_installed(row: KubernetesVersion) -> None:
    layer = row.kubectl_layer
    assert layer is not None
    assert layer.suffix == "v" + row.name.removeprefix("1.")
    assert layer.kubectl_version.startswith(f"{row.name}.")
    try:
        installed = importlib.metadata.version(layer.package)
    except importlib.metadata.PackageNotFoundError:
        pytest.skip(f"{layer.package} is not installed")
    assert layer.package_version == installed


@pytest.mark.parametrize("row", WITH_LAYER, ids=lambda row: row.name)
def test_the_layer_s_module_and_class_exist(row: KubernetesVersion) -> None:
    layer = row.kubectl_layer
    assert layer is not None
    try:
        files = importlib.metadata.files(layer.package) or []
    except importlib.metadata.PackageNotFoundError:
        pytest.skip(f"{layer.package} is not installed")
    (module,) = (file for file in files if str(file) == layer.module.replace(".", "/") + "/__init__.py")
    assert f"class {layer.class_name}(" in module.read_text()


def test_what_is_inferred_says_so() -> None:
    newest = CATALOG.kubernetes_versions.get("1.36")
    assert newest is not None
    assert newest.doubt_about("extended_support_ends")
