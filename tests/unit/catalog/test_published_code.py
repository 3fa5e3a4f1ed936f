"""Programs that may be run are those of the installed packages."""

from __future__ import annotations

import importlib.metadata
import sys
from pathlib import Path

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.catalog.published_code import LOG_GROUP_KEEPER

sys.path.insert(0, str(Path(__file__).parents[3] / "tools"))  # for the file's writer

from write_published_code import installed_code, installed_packages

CATALOG = load_catalog()


@pytest.mark.slow
def test_the_versions_are_those_of_the_installed_packages() -> None:
    known = {row.name: row.package_version for row in CATALOG.published_code if row.package_version}
    assert known == {name: importlib.metadata.version(name) for name in installed_packages()}


@pytest.mark.slow
@pytest.mark.parametrize(
    "are_all", [False, pytest.param(True, marks=pytest.mark.exhaustive)], ids=["newest layer", "all layers"]
)
def test_the_digests_are_those_of_the_installed_packages(are_all: bool) -> None:
    """Where this fails after an upgrade: run tools/write_published_code.py, and look at what has changed.

    To unpack a layer takes a second; ``program_of_layer`` compares the program of each with these digests.
    """
    function, *layers = installed_packages()
    packages = [function, *(layers if are_all else layers[-1:])]
    known = {row.name: (row.package_version, dict(row.files)) for row in CATALOG.published_code}
    found = {name: (version, files) for name, version, files in installed_code(packages)}
    assert found == {name: known[name] for name in [*packages, LOG_GROUP_KEEPER]}
    assert not are_all or found == known
