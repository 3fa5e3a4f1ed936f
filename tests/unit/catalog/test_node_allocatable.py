"""The allocatable of a node, by the arithmetic of nodeadm."""

import pytest

from neuron_cluster.catalog.catalog import load_catalog

CATALOG = load_catalog()

AL2023 = CATALOG.node_allocatables.of_ami_type("AL2023_x86_64_NEURON")


@pytest.mark.parametrize(("vcpus", "reserved"), [(1, 60), (2, 70), (4, 80), (8, 90), (96, 310), (192, 550)])
def test_processors_are_kept_in_falling_shares(vcpus: int, reserved: int) -> None:
    """60 of the first 1000 millicores, 10 of the second, 5 of each of the next two, 2.5 of all others."""
    assert AL2023 is not None
    assert AL2023.millicores(vcpus) == vcpus * 1000 - reserved


def test_memory_is_kept_for_each_pod_and_for_eviction() -> None:
    assert AL2023 is not None
    assert AL2023.max_memory_bytes(8, 29) == (8 * 1024 - 255 - 11 * 29 - 100) * 1024**2
    assert AL2023.memory_bytes(8, 29, 0) == AL2023.max_memory_bytes(8, 29) - 8 * 1024**3 * 75 // 1000
    assert AL2023.memory_bytes(8, 29, 0) - AL2023.memory_bytes(8, 29, 10) == 20 * 1024**2


def test_a_tenth_of_the_disk_and_a_gib_are_kept() -> None:
    assert AL2023 is not None
    assert AL2023.storage_bytes(100 * 1024**3) == 89 * 1024**3


def test_nothing_is_recorded_of_other_images() -> None:
    assert CATALOG.node_allocatables.of_ami_type("BOTTLEROCKET_x86_64") is None
