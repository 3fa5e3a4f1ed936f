"""Both ends of the driver check: hosts with what decides their driver, and runtimes with what brings them."""

import itertools
from pathlib import Path

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.catalog.driver_conflict import DriverWindow
from neuron_cluster.catalog.version import is_within
from neuron_cluster.lock.model import Lock, LockedAmiRelease
from tests.unit.resolved.resolved_file import software_of

CATALOG = load_catalog()
RELEASE = "eks.node_groups[1].ami_release"
JAX = "jax-training-neuronx:0.10.0-neuronx-py313-sdk2.32.0-ubuntu24.04"
OLD_JAX = "jax-training-neuronx:0.9.0-neuronx-py313-sdk2.30.0-ubuntu24.04"
VLLM = "pytorch-inference-vllm-neuronx:0.24.0.1.1.0-neuronx-py313-sdk2.32.0-ubuntu24.04"


def locked(release: str) -> Lock:
    images = {"AL2023_x86_64_NEURON": LockedAmiRelease(release, "ami-0123456789abcdef0")}
    return Lock("train-trn1", "111122223333", "us-west-2", "1.35", images)


def test_the_release_of_the_file_precedes_the_lock_and_the_lock_the_newest_image(tmp_path: Path) -> None:
    pinned = {RELEASE: "1.35.6-20260625"}
    (file,) = software_of(tmp_path, "train-trn1", pinned, locked("1.35.6-20260714")).hosts
    (lock,) = software_of(tmp_path, "train-trn1", {}, locked("1.35.6-20260714")).hosts
    (none,) = software_of(tmp_path, "train-trn1", {}).hosts
    assert (file.driver, file.image) == ("2.28.0.0", "ami_release 1.35.6-20260625")
    assert (lock.driver, lock.image) == ("2.29.0.0", "ami_release 1.35.6-20260714 of the lock")
    assert (none.driver, none.is_newest) == (None, True)
    assert not file.is_newest
    assert not lock.is_newest


def test_a_release_without_a_source_has_no_driver_and_is_not_the_newest(tmp_path: Path) -> None:
    (host,) = software_of(tmp_path, "train-trn1", {RELEASE: "1.35.6-20260817"}).hosts
    assert (host.driver, host.is_newest) == (None, False)


def test_hosts_are_the_machines_with_a_neuron_chip(tmp_path: Path) -> None:
    box = {"name": "bob", "instance_type": "inf2.xlarge", "dlami": "base_ubuntu_24_04"}
    hosts = software_of(tmp_path, "train-trn1", {"workstations": [box, box | {"instance_type": "m7i.large"}]}).hosts
    assert [(host.name, host.is_workstation, host.path) for host in hosts] == [
        ("trn1", False, ("eks", "node_groups", 1, "ami_release")),
        ("bob", True, ("workstations", 0, "dlami")),
    ]


def test_a_workstation_has_the_driver_of_the_sdk_of_its_image(tmp_path: Path) -> None:
    (host,) = software_of(tmp_path, "workstation", {"workstations[0].dlami": "vllm_0_16_ubuntu_24_04"}).hosts
    sdk = CATALOG.neuron_sdks.get("2.31.1")
    assert sdk is not None
    assert (host.driver, host.driver_doubt) == (sdk.driver, None)


def test_a_pinned_image_of_a_workstation_leaves_its_driver_in_doubt(tmp_path: Path) -> None:
    edits = {"workstations[0].dlami": "vllm_0_16_ubuntu_24_04", "workstations[0].ami_id": "ami-0123456789abcdef0"}
    (host,) = software_of(tmp_path, "workstation", edits).hosts
    assert "ami-0123456789abcdef0" in (host.driver_doubt or "")


@pytest.mark.parametrize("dlami", ["no_such_kind", "base"])
def test_a_workstation_with_an_unknown_image_has_no_driver(dlami: str, tmp_path: Path) -> None:
    (host,) = software_of(tmp_path, "workstation", {"workstations[0].dlami": dlami}).hosts
    assert (host.driver, host.dlami) == (None, None)


def test_without_containers_the_runtime_is_that_of_the_environment(tmp_path: Path) -> None:
    (runtime,) = software_of(tmp_path, "train-trn1", {"neuron.sdk": "2.30.0"}).runtimes
    assert (runtime.path, runtime.name, runtime.version) == (("neuron", "sdk"), "Neuron SDK 2.30.0", "2.32.31.0")


def test_with_containers_the_runtimes_are_theirs(tmp_path: Path) -> None:
    edits = {"neuron.containers": [OLD_JAX, "registry.example.com/mine:1", JAX]}
    runtimes = software_of(tmp_path, "train-trn1", edits).runtimes
    assert [(runtime.path[-1], runtime.version) for runtime in runtimes] == [(0, "2.32.31.0"), (2, "2.34.10.0")]


def test_where_no_container_is_known_the_environment_s_sdk_stands_in(tmp_path: Path) -> None:
    (runtime,) = software_of(tmp_path, "train-trn1", {"neuron.containers": ["registry.example.com/mine:1"]}).runtimes
    assert runtime.container is None


def test_an_unknown_sdk_has_no_runtime_to_check(tmp_path: Path) -> None:
    assert software_of(tmp_path, "train-trn1", {"neuron.sdk": "9.9.9"}).runtimes == ()


@pytest.mark.parametrize(
    ("image", "instance_type", "runs"),
    [
        (JAX, "trn1n.32xlarge", True),  # the list of images says trn1: the same chip
        (JAX, "trn2u.48xlarge", True),
        (JAX, "inf1.xlarge", False),
        (VLLM, "trn2.3xlarge", True),
        (VLLM, "trn1.32xlarge", False),
        (VLLM, "m7i.large", False),
    ],
)
def test_an_image_runs_on_the_chips_of_its_families(image: str, instance_type: str, runs: bool) -> None:
    container, row = CATALOG.containers.get(image), CATALOG.instance_types.get(instance_type)
    assert container is not None
    assert row is not None
    assert CATALOG.container_runs_on(container, row) == runs


@pytest.mark.parametrize(
    ("name", "is_one"),
    [
        (JAX, True),
        (f"public.ecr.aws/neuron/{JAX}", True),
        (f"111122223333.dkr.ecr.us-west-2.amazonaws.com/neuron/{JAX}", False),
        ("public.ecr.aws/neuron/sub/x:1", False),
    ],
)
def test_an_image_of_the_gallery_is_known_by_its_place(name: str, is_one: bool) -> None:
    assert CATALOG.containers.is_of_gallery(name) == is_one


@pytest.mark.parametrize(
    ("window", "text"),
    [
        (DriverWindow("2.27", "2.29"), "driver 2.27 or newer, below 2.29"),
        (DriverWindow("2.27", None), "driver 2.27 or newer"),
        (DriverWindow(None, "2.29"), "a driver below 2.29"),
        (DriverWindow(None, None), "any driver"),
    ],
)
def test_a_window_is_read_aloud(window: DriverWindow, text: str) -> None:
    assert window.description == text


def test_the_window_that_is_named_holds_exactly_the_drivers_without_a_conflict() -> None:
    runtimes = {row.runtime for row in CATALOG.neuron_sdks if row.runtime is not None}
    drivers = {row.driver for row in (*CATALOG.neuron_sdks, *CATALOG.ami_releases) if row.driver is not None}
    assert len(runtimes) * len(drivers) > 100
    for runtime, driver in itertools.product(runtimes, drivers):
        window = CATALOG.driver_conflicts.window(runtime)
        fits = is_within(driver, window.at_least, window.below)
        assert fits == (CATALOG.driver_conflicts.between(runtime, driver) == ()), (runtime, driver)
