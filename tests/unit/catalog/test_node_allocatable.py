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


def test_hyperpod_has_the_numbers_of_al2023_as_estimates() -> None:
    hyperpod = CATALOG.node_allocatables.of_ami_type("hyperpod")
    assert hyperpod is not None
    assert AL2023 is not None
    numbers = [field for field in AL2023.__struct_fields__ if isinstance(getattr(AL2023, field), int)]
    assert len(numbers) == 7
    for field in (*numbers, "cpu_reserved"):
        assert getattr(hyperpod, field) == getattr(AL2023, field), field
        assert "HyperPod" in (hyperpod.doubt_about(field) or ""), field


def test_labels_of_hyperpod_nodes_have_their_health_and_no_node_group_of_eks() -> None:
    hyperpod = CATALOG.node_allocatables["hyperpod"]
    assert hyperpod.labels["sagemaker.amazonaws.com/node-health-status"] == "Schedulable"
    assert hyperpod.labels_of_plan["node.kubernetes.io/instance-type"] == "instance_type"
    assert not [key for key in {**hyperpod.labels, **hyperpod.labels_of_plan} if key.startswith("eks.amazonaws.com/")]
