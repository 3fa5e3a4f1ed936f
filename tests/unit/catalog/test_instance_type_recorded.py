"""The numbers agree with what AWS answered when others asked, or the row says why they do not.

moto has recorded answers of EC2, botocore the types that EC2's API names, cfn-lint a table of types by Region.
"""

import gzip
import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.catalog.instance_type import InstanceType
from tests.every_case import every_case

CATALOG = load_catalog()

NEURON_PREFIXES = ("inf", "trn")
"""Prefixes of the names of Neuron types. Other types are in the catalog only as hosts that somebody needed."""


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


ROWS = CATALOG.instance_types.rows
every_type = every_case("row", ROWS, ids=lambda row: row.name)
every_ec2_type = every_case("row", [row for row in ROWS if row.launchable], ids=lambda row: row.name)
every_neuron_type = every_case("row", [row for row in ROWS if row.launchable and row.chip], ids=lambda row: row.name)


def agree_or_doubted(row: InstanceType, answers: dict[str, Any]) -> None:
    """Each field equals the recorded answer, unless the row doubts that very field. The doubts are read, not listed."""
    for field, answer in answers.items():
        assert getattr(row, field) == answer or row.doubt_about(field), f"{row.name}: {field}, recorded: {answer}"


def test_the_catalog_has_each_neuron_type_of_ec2_and_no_other_launchable_one(recorded) -> None:
    """Fails when a newer botocore or a newer recording brings a type that the catalog lacks."""
    model = json.loads(gzip.decompress(package_file("botocore", "data/ec2/2016-11-15/service-2.json.gz").read_bytes()))
    named = {name for name in model["shapes"]["InstanceType"]["enum"] if name.startswith(NEURON_PREFIXES)}
    assert named
    assert named | {name for name in recorded if name.startswith(NEURON_PREFIXES)} == {
        row.name for row in ROWS if row.launchable and row.chip
    }


@every_ec2_type
def test_the_host_agrees(row: InstanceType, recorded) -> None:
    answer = recorded[row.name]
    storage = answer.get("InstanceStorageInfo", {"TotalSizeInGB": 0, "Disks": []})
    agree_or_doubted(
        row,
        {
            "vcpus": answer["VCpuInfo"]["DefaultVCpus"],
            "memory_gib": answer["MemoryInfo"]["SizeInMiB"] / 1024,
            "local_storage_gb": storage["TotalSizeInGB"],
            "local_disk_count": sum(disk["Count"] for disk in storage["Disks"]),
        },
    )
    assert sorted(row.boot_modes or ()) == sorted(answer["SupportedBootModes"])


@every_ec2_type
def test_the_ways_to_buy_agree(row: InstanceType, recorded) -> None:
    modes = sorted(mode.replace("_", "-") for mode in row.purchase_modes or ())
    assert modes == sorted(recorded[row.name]["SupportedUsageClasses"]) or row.doubt_about("purchase_modes")


@every_ec2_type
def test_the_network_agrees(row: InstanceType, recorded) -> None:
    network = recorded[row.name]["NetworkInfo"]
    (on_each_card,) = {card["MaximumNetworkInterfaces"] for card in network["NetworkCards"]}
    agree_or_doubted(
        row,
        {
            "network_cards": network["MaximumNetworkCards"],
            "interfaces_per_card": on_each_card,
            "network_interfaces": network["MaximumNetworkInterfaces"],
            "ipv4_per_interface": network["Ipv4AddressesPerInterface"],
            "efa_interfaces": network.get("EfaInfo", {}).get("MaximumEfaInterfaces", 0),
        },
    )


@every_neuron_type
def test_the_neuron_devices_agree(row: InstanceType, recorded) -> None:
    devices = recorded[row.name].get("NeuronInfo", {}).get("NeuronDevices", [])
    (name,) = {device["Name"].lower() for device in devices} or {row.chip}
    assert row.chip == name
    agree_or_doubted(
        row,
        {
            "neuron_devices": sum(device["Count"] for device in devices),
            "neuron_cores": sum(device["Count"] * device["CoreInfo"]["Count"] for device in devices),
            "device_memory_gib": sum(device["Count"] * device["MemoryInfo"]["SizeInMiB"] for device in devices) / 1024,
        },
    )


@every_neuron_type
def test_no_number_of_the_hardware_is_doubted_without_need(row: InstanceType, recorded) -> None:
    """A doubt about devices, cores or device memory is there because the recorded answer differs or is missing."""
    info = recorded[row.name].get("NeuronInfo", {})
    doubted = {"neuron_devices", "neuron_cores", "device_memory_gib"} & set(row.doubt)
    if "NeuronDevices" in info:
        differs = row.device_memory_gib != info["TotalNeuronDeviceMemoryInMiB"] / 1024
        assert doubted == ({"device_memory_gib"} if differs else set())
    else:
        assert len(doubted) == 3


@every_type
def test_the_zones_agree(row: InstanceType, offered) -> None:
    zones: dict[str, tuple[str, ...]] = {}
    for region, offers in offered.items():
        found = tuple(sorted(offer["Location"] for offer in offers if offer["InstanceType"] == row.name))
        if found:
            zones[region] = found
    assert row.zone_ids == zones


def test_the_regions_zones_agree_or_the_row_doubts_them(offered) -> None:
    assert set(CATALOG.regions.names) == set(offered)
    for row in CATALOG.regions:
        recorded_zones = {offer["Location"] for offer in offered[row.name]}
        assert recorded_zones <= set(row.zone_ids)
        assert (set(row.zone_ids) == recorded_zones) is (row.doubt_about("zone_ids") is None), row.name


@every_type
def test_what_cfn_lint_lacks_is_said_and_nothing_else(row: InstanceType) -> None:
    path = package_file("cfnlint", "data/schemas/extensions/aws_ec2_instance/instancetype_enum.json")
    table = {region: entry for region, entry in json.loads(path.read_text()).items() if isinstance(entry, dict)}
    known_in = {region for region, entry in table.items() if row.name in entry["enum"]}
    if row.cfn_lint_regions is None:
        assert set(row.zone_ids) <= known_in
    else:
        assert set(row.cfn_lint_regions) == known_in
