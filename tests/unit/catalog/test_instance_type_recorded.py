"""The numbers agree with what AWS answered when others asked: moto's recordings, and cfn-lint's table of types."""

import gzip
import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.catalog.instance_type import InstanceType, instance_types
from neuron_cluster.catalog.region import regions


def package_file(package: str, path: str) -> Path:
    """A file inside an installed package, without importing it."""
    found = importlib.util.find_spec(package)
    if found is None or not found.submodule_search_locations:
        pytest.skip(f"{package} is not installed")
    return Path(found.submodule_search_locations[0]) / path


@pytest.fixture(scope="module")
def recorded() -> dict[str, Any]:
    """Answers of DescribeInstanceTypes by type."""
    with gzip.open(package_file("moto", "ec2/resources/instance_types.json.gz")) as stream:
        answers: dict[str, Any] = json.load(stream)
    return answers


@pytest.fixture(scope="module")
def offered() -> dict[str, list[dict[str, str]]]:
    """Answers of DescribeInstanceTypeOfferings by Region, locations as zone ids."""
    folder = package_file("moto", "ec2/resources/instance_type_offerings/availability-zone-id")
    return {
        path.name.removesuffix(".json.gz"): json.loads(gzip.decompress(path.read_bytes())) for path in folder.iterdir()
    }


every_type = pytest.mark.parametrize("row", instance_types().values(), ids=lambda row: row.name)
every_neuron_type = pytest.mark.parametrize(
    "row", [row for row in instance_types().values() if row.chip], ids=lambda row: row.name
)


@every_type
def test_the_host_agrees(row: InstanceType, recorded) -> None:
    answer = recorded[row.name]
    storage = answer.get("InstanceStorageInfo", {"TotalSizeInGB": 0, "Disks": []})
    assert row.vcpus == answer["VCpuInfo"]["DefaultVCpus"]
    assert row.memory_gib * 1024 == answer["MemoryInfo"]["SizeInMiB"]
    assert sorted(row.boot_modes) == sorted(answer["SupportedBootModes"])
    assert sorted(mode.replace("_", "-") for mode in row.purchase_modes) == sorted(answer["SupportedUsageClasses"])
    assert row.local_storage_gb == storage["TotalSizeInGB"]
    assert row.local_disk_count == sum(disk["Count"] for disk in storage["Disks"])


@every_type
def test_the_network_agrees(row: InstanceType, recorded) -> None:
    network = recorded[row.name]["NetworkInfo"]
    assert row.network_cards == network["MaximumNetworkCards"]
    assert {card["MaximumNetworkInterfaces"] for card in network["NetworkCards"]} == {row.interfaces_per_card}
    assert row.network_interfaces == network["MaximumNetworkInterfaces"]
    assert row.ipv4_per_interface == network["Ipv4AddressesPerInterface"]
    assert row.efa_interfaces == network.get("EfaInfo", {}).get("MaximumEfaInterfaces", 0)


@every_neuron_type
def test_the_neuron_devices_agree(row: InstanceType, recorded) -> None:
    (devices,) = recorded[row.name]["NeuronInfo"]["NeuronDevices"]
    assert row.chip == devices["Name"].lower()
    assert row.neuron_devices == devices["Count"]
    assert row.neuron_cores == devices["Count"] * devices["CoreInfo"]["Count"]


@every_neuron_type
def test_the_device_memory_agrees_or_the_row_doubts_it(row: InstanceType, recorded) -> None:
    total = recorded[row.name]["NeuronInfo"]["TotalNeuronDeviceMemoryInMiB"]
    assert (row.device_memory_gib * 1024 == total) is (row.doubt_about("device_memory_gib") is None)


@every_type
def test_the_zones_agree(row: InstanceType, offered) -> None:
    zones: dict[str, tuple[str, ...]] = {}
    for region, offers in offered.items():
        found = tuple(sorted(offer["Location"] for offer in offers if offer["InstanceType"] == row.name))
        if found:
            zones[region] = found
    assert row.zone_ids == zones


def test_the_regions_zones_agree_or_the_row_doubts_them(offered) -> None:
    assert set(regions()) == set(offered)
    for row in regions().values():
        recorded_zones = {offer["Location"] for offer in offered[row.name]}
        assert recorded_zones <= set(row.zone_ids)
        assert (set(row.zone_ids) == recorded_zones) is (row.doubt_about("zone_ids") is None), row.name


@every_type
def test_what_cfn_lint_lacks_is_said_and_nothing_else(row: InstanceType) -> None:
    path = package_file("cfnlint", "data/schemas/extensions/aws_ec2_instance/instancetype_enum.json")
    table = {region: entry for region, entry in json.loads(path.read_text()).items() if isinstance(entry, dict)}
    known_in = {region for region, entry in table.items() if row.name in entry["enum"]}
    lacking = {region for region in row.zone_ids if row.missing_in_cfn_lint(region)}
    assert lacking == set(row.zone_ids) - known_in
    assert row.cfn_lint_regions is None or set(row.cfn_lint_regions) == known_in
