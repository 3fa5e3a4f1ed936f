"""The proposal of a finding works, and nothing that works is nearer."""

from pathlib import Path

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.compatibility.driver_clash import driver_clashes
from neuron_cluster.compatibility.nearest_software import (
    nearest_ami_release,
    nearest_container,
    nearest_sdk,
    nearest_that_fits,
    works,
)
from neuron_cluster.rules.driver_clash import clash_violation
from tests.unit.resolved.resolved_file import software_of

CATALOG = load_catalog()
RELEASE = "eks.node_groups[1].ami_release"
OF_1_35 = {row.driver: row.release_version("1.35") for row in CATALOG.ami_releases if row.release_version("1.35")}
"""One release for each driver."""
KNOWN = [row.name for row in CATALOG.neuron_sdks if row.runtime is not None]


def test_nearest_counts_from_the_present_one_and_prefers_the_first_of_two() -> None:
    letters = list("abcdef")
    assert nearest_that_fits(letters, "c", lambda each: each in "aef") == "a"
    assert nearest_that_fits(letters, "c", lambda each: each in "bd") == "b"
    assert nearest_that_fits(letters, "f", lambda each: each in "ad") == "d"
    assert nearest_that_fits(letters, None, lambda each: each in "df") == "d"
    assert nearest_that_fits(letters, "z", lambda each: each == "f") == "f"
    assert nearest_that_fits(letters, "c", lambda each: each == "z") is None


@pytest.mark.parametrize("sdk", KNOWN)
def test_what_is_proposed_for_any_release_and_image_ends_the_clash(sdk: str, tmp_path: Path) -> None:
    for pinned in OF_1_35.values():
        edits = {RELEASE: pinned, "neuron.sdk": sdk}
        asked = software_of(tmp_path, "train-trn1", edits)
        for clash in driver_clashes(asked, CATALOG):
            assert "set ami_release of trn1 to 1.35." in clash_violation(clash, asked, CATALOG).hint
            release = nearest_ami_release(clash.hosts[0], [clash.runtime.sdk], "1.35", CATALOG)
            assert release is not None
            other = edits | {RELEASE: release.release_version("1.35")}
            assert list(driver_clashes(software_of(tmp_path, "train-trn1", other), CATALOG)) == []
            assert clash.runtime.sdk is not None
            row = nearest_sdk(clash.runtime.sdk, clash.hosts[:1], CATALOG)
            assert row is not None
            other = edits | {"neuron.sdk": row.name}
            assert list(driver_clashes(software_of(tmp_path, "train-trn1", other), CATALOG)) == []


def test_an_image_for_two_runtimes_fits_both(tmp_path: Path) -> None:
    images = [
        "jax-training-neuronx:0.9.0-neuronx-py313-sdk2.30.0-ubuntu24.04",
        "jax-training-neuronx:0.10.0-neuronx-py313-sdk2.32.0-ubuntu24.04",
    ]
    edits = {RELEASE: "1.35.6-20260714", "neuron.containers": images}
    asked = software_of(tmp_path, "train-trn1", edits)
    release = nearest_ami_release(asked.hosts[0], [each.sdk for each in asked.runtimes], "1.35", CATALOG)
    assert release is not None
    assert all(works(each.sdk, release.driver, CATALOG) for each in asked.runtimes)


def test_the_nearest_container_is_of_the_same_line_and_works_on_the_hosts(tmp_path: Path) -> None:
    asked = software_of(tmp_path, "train-trn1", {RELEASE: "1.35.6-20260714"})
    old = CATALOG.containers.get("jax-training-neuronx:0.7-neuronx-py312-sdk2.28.0-ubuntu24.04")
    assert old is not None
    found = nearest_container(old, asked.hosts, CATALOG)
    assert found is not None
    assert (found.repository, found.framework) == (old.repository, old.framework)
    assert works(CATALOG.neuron_sdks.get(found.neuron_sdk), "2.29.0.0", CATALOG)


def test_what_nobody_knows_does_not_count_as_working() -> None:
    assert not works(None, "2.29.0.0", CATALOG)
    assert not works(CATALOG.neuron_sdks.get("2.33.1"), "2.29.0.0", CATALOG)
    assert not works(CATALOG.neuron_sdks.get("2.32.0"), None, CATALOG)


def test_the_release_of_an_inf1_group_still_drives_its_chip(tmp_path: Path) -> None:
    edits = {"eks.version": "1.34", "eks.node_groups[1].instance_type": "inf1.xlarge", RELEASE: "1.34.9-20260714"}
    (host,) = software_of(tmp_path, "dev-inf2", edits).hosts
    release = nearest_ami_release(host, (), "1.34", CATALOG)
    assert release is not None
    assert release.driver == "2.24.7.0"


def test_no_release_is_proposed_that_left_the_chip_behind(tmp_path: Path) -> None:
    """serve-inf1 with a newer release: the last one for Inferentia, not one between."""
    asked = software_of(tmp_path, "serve-inf1", {"neuron.sdk": "2.32.0"})
    (clash, *_) = driver_clashes(asked, CATALOG)
    assert clash.runtime.sdk is not None
    row = nearest_sdk(clash.runtime.sdk, clash.hosts, CATALOG)
    assert row is not None
    assert row.name == CATALOG.chips.get("inferentia").last_sdk
