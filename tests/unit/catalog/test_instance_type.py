"""Questions about instance types."""

import pytest

from neuron_cluster.catalog.instance_type import InstanceType, instance_type


def known(name: str) -> InstanceType:
    found = instance_type(name)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("name", "devices", "cores", "cards", "efa"),
    [
        ("trn1.32xlarge", 16, 32, 8, 8),
        ("trn1n.32xlarge", 16, 32, 16, 16),
        ("trn2.48xlarge", 16, 128, 16, 16),
        ("trn2.3xlarge", 1, 8, 1, 1),
        ("inf2.48xlarge", 12, 24, 1, 0),
        ("m7i.large", 0, 0, 1, 0),
    ],
)
def test_devices_cores_cards_and_efa_are_those_of_the_documents(name, devices, cores, cards, efa) -> None:
    row = known(name)
    assert (row.neuron_devices, row.neuron_cores, row.network_cards, row.efa_interfaces) == (devices, cores, cards, efa)


def test_logical_cores_follow_the_configuration() -> None:
    row = known("trn2.48xlarge")
    assert row.default_logical_nc_config == 2
    assert (row.neuron_cores_at(2), row.neuron_cores_at(1), row.neuron_cores_at(4)) == (64, 128, None)
    assert known("trn1.32xlarge").neuron_cores_at(2) is None


@pytest.mark.parametrize(
    ("name", "interfaces", "pods"),
    [("trn1.32xlarge", 40, 247), ("trn2.48xlarge", 32, 100), ("inf2.xlarge", 4, 58), ("m7i.large", 3, 29)],
)
def test_interfaces_and_pods_are_those_of_the_vpc_cni_s_table(name, interfaces, pods) -> None:
    assert (known(name).network_interfaces, known(name).max_pods) == (interfaces, pods)


def test_zones_and_prices_are_asked_by_region() -> None:
    row = known("trn1.32xlarge")
    assert row.offered_zone_ids("us-west-2") == ("usw2-az1", "usw2-az4")
    assert row.offered_zone_ids("eu-west-1") == ()
    assert row.on_demand_price("us-west-2") == 21.5
    assert row.on_demand_price("ap-south-1") is None


def test_doubtful_facts_say_so() -> None:
    assert known("trn2.48xlarge").doubt_about("device_memory_gib")
    assert known("trn2.3xlarge").doubt_about("purchase_modes")
    assert known("trn1.32xlarge").doubt_about("neuron_devices") is None
