"""Instance types of EC2, and the zones that offer them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from msgspec import Struct

from neuron_cluster.aws.errors import translated
from neuron_cluster.aws.session import Target, client

NAMES_IN_A_FILTER = 200
"""Maximum number of values in one filter of EC2."""


class DescribedType(Struct, frozen=True):
    """One result of DescribeInstanceTypes. Fields are None where the result does not contain them."""

    name: str
    vcpus: int
    memory_mib: int
    network_cards: int
    interfaces_per_card: int | None
    """None when the network cards differ."""
    ipv4_per_interface: int
    efa_interfaces: int
    local_disk_count: int
    local_storage_gb: int
    boot_modes: tuple[str, ...]
    usage_classes: tuple[str, ...]
    chip: str | None
    neuron_devices: int | None
    neuron_cores: int | None
    device_memory_mib: int | None


def described_types(target: Target, patterns: Sequence[str]) -> list[DescribedType]:
    """The types of the Region whose names match one of the patterns (``trn*``), by name."""
    with translated():
        pages = client(target, "ec2").get_paginator("describe_instance_types")
        named = [{"Name": "instance-type", "Values": list(patterns)}]
        rows = [row for page in pages.paginate(Filters=named) for row in page["InstanceTypes"]]
    return sorted(map(_described, rows), key=lambda described: described.name)


def _described(row: dict[str, Any]) -> DescribedType:
    network, storage = row["NetworkInfo"], row.get("InstanceStorageInfo", {})
    devices = row.get("NeuronInfo", {}).get("NeuronDevices")
    on_each_card = {card["MaximumNetworkInterfaces"] for card in network["NetworkCards"]}
    return DescribedType(
        name=row["InstanceType"],
        vcpus=row["VCpuInfo"]["DefaultVCpus"],
        memory_mib=row["MemoryInfo"]["SizeInMiB"],
        network_cards=network["MaximumNetworkCards"],
        interfaces_per_card=on_each_card.pop() if len(on_each_card) == 1 else None,
        ipv4_per_interface=network["Ipv4AddressesPerInterface"],
        efa_interfaces=network.get("EfaInfo", {}).get("MaximumEfaInterfaces", 0),
        local_disk_count=sum(disk["Count"] for disk in storage.get("Disks", ())),
        local_storage_gb=storage.get("TotalSizeInGB", 0),
        boot_modes=tuple(row["SupportedBootModes"]),
        usage_classes=tuple(row["SupportedUsageClasses"]),
        chip=devices[0]["Name"] if devices else None,
        neuron_devices=_total(devices, lambda _: 1),
        neuron_cores=_total(devices, lambda device: device["CoreInfo"]["Count"]),
        device_memory_mib=_total(devices, lambda device: device["MemoryInfo"]["SizeInMiB"]),
    )


def _total(devices: Sequence[dict[str, Any]] | None, of_one: Callable[[dict[str, Any]], int]) -> int | None:
    return sum(device["Count"] * of_one(device) for device in devices) if devices is not None else None


def offered_zone_ids(target: Target, names: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Zone ids of the Region that offer each of these types, without types that no zone offers."""
    wanted = sorted(names)
    found: dict[str, list[str]] = {}
    for start in range(0, len(wanted), NAMES_IN_A_FILTER):
        named = [{"Name": "instance-type", "Values": wanted[start : start + NAMES_IN_A_FILTER]}]
        with translated():
            pages = client(target, "ec2").get_paginator("describe_instance_type_offerings")
            for page in pages.paginate(LocationType="availability-zone-id", Filters=named):
                for offering in page["InstanceTypeOfferings"]:
                    found.setdefault(offering["InstanceType"], []).append(offering["Location"])
    return {name: tuple(sorted(zone_ids)) for name, zone_ids in sorted(found.items())}
