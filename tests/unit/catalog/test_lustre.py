"""FSx for Lustre: which sizes, tiers and metadata IOPS can be created."""

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.catalog.lustre import LustreDeploymentFacts

CATALOG = load_catalog()


@pytest.fixture
def persistent() -> LustreDeploymentFacts:
    found = CATALOG.lustre_deployments.get("PERSISTENT_2")
    assert found is not None
    return found


@pytest.mark.parametrize("capacity", [1200, 2400, 4800, 7200, 240000])
def test_allowed_capacities(persistent: LustreDeploymentFacts, capacity: int) -> None:
    assert persistent.allows_capacity(capacity)


@pytest.mark.parametrize("capacity", [0, -2400, 1, 1199, 1300, 3600, 4799])
def test_refused_capacities(persistent: LustreDeploymentFacts, capacity: int) -> None:
    assert not persistent.allows_capacity(capacity)


@pytest.mark.parametrize(
    ("capacity", "near"), [(0, (1200,)), (1300, (1200, 2400)), (3600, (2400, 4800)), (10000, (9600, 12000))]
)
def test_a_refused_capacity_is_answered_with_its_neighbours(persistent: LustreDeploymentFacts, capacity, near) -> None:
    assert persistent.nearest_capacities(capacity) == near


@pytest.mark.parametrize(
    ("iops", "allowed"),
    [(1500, True), (6000, True), (24000, True), (192000, True), (9000, False), (204000, False), (0, False)],
)
def test_metadata_iops(persistent: LustreDeploymentFacts, iops: int, allowed: bool) -> None:
    assert persistent.allows_metadata_iops(iops) is allowed


def test_the_newest_deployment_refuses_the_oldest_version(persistent: LustreDeploymentFacts) -> None:
    assert "2.10" not in persistent.versions
    assert persistent.recommended_version == "2.15"


def test_efa_sizes_are_multiples_of_the_step(persistent: LustreDeploymentFacts) -> None:
    assert all(step % persistent.capacity_step_gib == 0 for step in persistent.efa_capacity_step_gib.values())


def test_scratch_has_no_tier_and_no_metadata_iops() -> None:
    scratch = CATALOG.lustre_deployments.get("SCRATCH_2")
    assert scratch is not None
    assert scratch.throughput_tiers == ()
    assert not scratch.durable
    assert not scratch.allows_metadata_iops(1500)
