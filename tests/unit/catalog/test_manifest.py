"""Manifests: pinned, and of software that has no chart."""

import re
from pathlib import Path

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.catalog.manifest import Manifest

CATALOG = load_catalog()

EVERY_MANIFEST = pytest.mark.parametrize("row", CATALOG.manifests.rows, ids=lambda row: row.name)


@EVERY_MANIFEST
def test_nothing_floats(row: Manifest) -> None:
    assert not row.image.endswith(":latest")
    assert not re.search(r"/(main|master|HEAD)/", row.address)
    assert row.sha256 is None or re.fullmatch(r"[0-9a-f]{64}", row.sha256)


@EVERY_MANIFEST
def test_what_has_a_chart_is_no_manifest(row: Manifest) -> None:
    assert row.name not in CATALOG.charts


def test_mpi_jobs_come_with_the_mpi_operator() -> None:
    row = CATALOG.manifests.get("mpi-operator")
    assert row is not None
    assert [str(kind) for kind in row.provides] == ["kubeflow.org/v2beta1 MPIJob"]


def test_the_page_installs_the_manifest_of_the_catalog_and_checks_it() -> None:
    row, page = CATALOG.manifests.get("mpi-operator"), (Path(__file__).parents[3] / "docs" / "software.md").read_text()
    assert row is not None
    assert f"curl -fsSLo mpi-operator.yaml {row.address}\n" in page
    assert f'echo "{row.sha256}  mpi-operator.yaml" | sha256sum --check' in page
    assert f"kubectl -n {row.namespace} rollout status deployment/mpi-operator" in page


def test_a_manifest_is_found_by_its_whole_name_alone() -> None:
    assert CATALOG.manifests.get("mpi-opperator") is None
