"""Questions about instance types."""

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.catalog.instance_type import InstanceType
from tests.every_case import every_case

CATALOG = load_catalog()

ALL = CATALOG.instance_types.by_name
FILES = set(CATALOG.instance_types.place.glob("*.yaml"))


def known(name: str) -> InstanceType:
    found = CATALOG.instance_types.get(name)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("name", "devices", "cores", "cards", "efa"),
    [
        ("trn1.32xlarge", 16, 32, 8, 8),
        ("trn1n.32xlarge", 16, 32, 16, 16),
        ("trn2.48xlarge", 16, 128, 16, 16),
        ("trn2.3xlarge", 1, 8, 1, 1),
        ("trn2u.48xlarge", 16, 128, 16, 16),
        ("inf1.24xlarge", 16, 64, 1, 1),
        ("trn3.48xlarge", 16, 128, None, 16),
        ("Trn3 Gen2 UltraServer", 144, 1152, None, None),
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


def test_every_row_stands_in_the_file_of_its_generation_and_no_file_is_empty() -> None:
    assert {CATALOG.instance_types.file_of(name) for name in ALL} == FILES
    assert [file.name for file in sorted(FILES)] == sorted({f"{generation(name)}.yaml" for name in ALL})


def generation(name: str) -> str:
    """``trn1`` of ``trn1n.32xlarge``: the letters and the number that a name begins with."""
    letters = name.lower()[: next(place for place, letter in enumerate(name) if letter.isdigit())]
    return letters + next(letter for letter in name if letter.isdigit())


@pytest.mark.parametrize("name", ["", "../trn1", "large", "9x", "/etc/passwd1"])
def test_a_name_that_begins_like_no_type_has_no_file(name: str) -> None:
    assert CATALOG.instance_types.file_of(name) is None
    assert CATALOG.instance_types.get(name) is None


@every_case("row", ALL.values(), ids=lambda row: row.name)
def test_what_can_be_planned_is_what_has_numbers(row: InstanceType) -> None:
    assert row.can_be_planned is (row.status in {"available", "announced"})
    assert row.launchable is bool(row.zone_ids)


@every_case("row", ALL.values(), ids=lambda row: row.name)
def test_kubernetes_resources_are_devices_logical_cores_and_efa_of_the_row(row: InstanceType) -> None:
    if not row.can_be_planned:
        assert row.kubernetes_resources is None
        return
    lnc = row.default_logical_nc_config
    counts = {
        "aws.amazon.com/neuron": row.neuron_devices,
        "aws.amazon.com/neuroncore": row.neuron_cores_at(lnc) if lnc is not None else 0,
        "vpc.amazonaws.com/efa": row.efa_interfaces if row.chip else 0,
    }
    assert row.kubernetes_resources == {name: count for name, count in counts.items() if count}


def test_unknown_numbers_stay_unknown() -> None:
    row = known("trn3.48xlarge")
    assert (row.vcpus, row.memory_gib, row.network_interfaces, row.max_pods) == (None, None, None, None)
    assert row.purchase_modes is None
    assert known("trn3n.48xlarge").logical_nc_configs == {1: None, 2: None}
    assert known("trn3n.48xlarge").neuron_cores_at(2) is None
    assert known("trn2-ac.24xlarge").neuron_cores_at(2) is None


def test_the_ultraserver_of_trn2u_has_four_of_them_and_its_spot_quota_is_none() -> None:
    row = known("trn2u.48xlarge")
    assert row.ultraserver is not None
    assert (row.family, row.ultraserver.capacity_type) == ("trn2", "u-trn2x64")
    assert (row.ultraserver.instances, row.ultraserver.chips, row.ultraserver.sizes) == (4, 64, (1, 2, 4))
    assert row.purchase_modes == ("on_demand", "ultraserver_block")
    assert row.spot_quota is None
