"""Every add-on of the catalog has a version for every Kubernetes version, and says where it is from."""

from __future__ import annotations

import re
from typing import Any

import pytest

from local_aws.clients import local_client
from local_aws.server import LocalAws
from local_aws.services.seed_data import seed_data
from neuron_cluster.catalog.catalog import load_catalog

CATALOG = load_catalog()


@pytest.fixture(scope="module")
def eks(local_aws: LocalAws) -> Any:
    return local_client("eks", local_aws.endpoint, "630000000000", "us-west-2")


@pytest.mark.parametrize("version", [row.name for row in CATALOG.kubernetes_versions])
def test_every_addon_has_one_default_for_every_kubernetes_version(eks: Any, version: str) -> None:
    addons = eks.describe_addon_versions(kubernetesVersion=version)["addons"]
    defaults = {
        row["addonName"]: [
            each["addonVersion"]
            for each in row["addonVersions"]
            for fit in each["compatibilities"]
            if fit["clusterVersion"] == version and fit["defaultVersion"]
        ]
        for row in addons
    }
    assert set(defaults) == {row.name for row in CATALOG.managed_addons}
    assert {name: found for name, found in defaults.items() if len(found) != 1} == {}


def test_every_row_says_where_it_is_from() -> None:
    """An invented version may not look like a fact, nor a row name what the catalog has not."""
    rows = seed_data("eks_addons")
    assert set(rows) == {row.name for row in CATALOG.managed_addons}
    for name, row in rows.items():
        assert set(row) - {"doubt"} == {"evidence", "source", "versions"}, name
        assert row["evidence"] in {"documented", "seen", "invented"}, name
        assert set(row["versions"]) <= {"*", *(version.name for version in CATALOG.kubernetes_versions)}, name


def test_versions_stand_newest_first() -> None:
    """The first one is told as the default."""
    for name, row in seed_data("eks_addons").items():
        for versions in row["versions"].values():
            numbers = [[int(part) for part in re.findall(r"\d+", each)] for each in versions]
            assert numbers == sorted(numbers, reverse=True), name
