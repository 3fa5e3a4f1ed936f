"""Kinds of Deep Learning AMI agree with the rest of the catalog."""

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.catalog.dlami import Dlami

CATALOG = load_catalog()
every_kind = pytest.mark.parametrize("row", CATALOG.dlamis.rows, ids=lambda row: row.name)


@every_kind
def test_a_kind_names_its_operating_system_and_a_known_sdk_and_regions(row: Dlami) -> None:
    assert row.name.endswith(row.operating_system.lower().replace(" ", "_").replace(".", "_"))
    assert CATALOG.neuron_sdks.get(row.neuron_sdk) is not None
    assert all(CATALOG.regions.get(name) is not None for name in row.regions_without_parameter)


@every_kind
def test_virtual_environments_are_folders_and_the_first_is_the_default(row: Dlami) -> None:
    assert all(folder.startswith("/opt/aws_neuronx_venv_") for folder in row.virtual_environments.values())
    assert row.default_virtual_environment == next(iter(row.virtual_environment_names), None)


def test_every_family_that_can_be_launched_has_an_image_unless_its_chip_was_dropped() -> None:
    dropped = {row.name for row in CATALOG.chips if row.last_sdk is not None}
    families = {row.family for row in CATALOG.instance_types if row.chip not in (None, *dropped) and row.launchable}
    assert families <= {family for row in CATALOG.dlamis for family in row.families}


def test_amazon_linux_has_no_vllm() -> None:
    """It needs a newer C library. Source: Neuron SDK release notes, DLAMIs."""
    rows = [row for row in CATALOG.dlamis if row.operating_system.startswith("Amazon Linux")]
    assert rows
    assert not any("vllm" in name for row in rows for name in row.virtual_environments)


def test_a_misspelt_kind_finds_its_neighbours() -> None:
    assert CATALOG.dlamis.similar("base_ubuntu_25_04")[0] in ("base_ubuntu_24_04", "base_ubuntu_22_04")
    assert CATALOG.dlamis.get("base_ubuntu_25_04") is None


@pytest.mark.parametrize(
    ("name", "release"),
    [
        ("Deep Learning AMI Neuron (Ubuntu 24.04) 20260126", "2.27.1"),
        ("Deep Learning AMI Neuron (Ubuntu 24.04) 20260227", "2.28.0"),
        ("Deep Learning AMI Neuron (Ubuntu 24.04) 20260410", "2.29.0"),
        ("Deep Learning AMI Neuron (Ubuntu 24.04) 20260708", "2.31.0"),
        ("Deep Learning AMI Neuron (Ubuntu 24.04) 20260818", "2.32.0"),
        ("Deep Learning AMI Neuron (Ubuntu 24.04)", None),
        ("Deep Learning AMI Neuron (Ubuntu 24.04) 20190101", None),
        ("own-image-120260227", None),
    ],
)
def test_the_date_in_the_name_of_an_image_tells_its_release(name: str, release: str | None) -> None:
    """Names and releases: READMEs of public repositories that ran on these images."""
    dlami = CATALOG.dlamis.get("multi_framework_ubuntu_24_04")
    assert dlami is not None
    assert dlami.release_in(name, CATALOG.neuron_sdks) == release


def test_an_image_of_a_retired_kind_keeps_its_last_release() -> None:
    dlami = CATALOG.dlamis.get("jax_0_9_ubuntu_24_04")
    assert dlami is not None
    assert (
        dlami.release_in("Deep Learning AMI Neuron JAX 0.9 (Ubuntu 24.04) 20261101", CATALOG.neuron_sdks)
        == dlami.neuron_sdk
    )
