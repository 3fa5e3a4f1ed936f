"""Contradictions in a row of an instance type, each with the field and the reason."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from neuron_cluster.catalog.instance_type import InstanceType

AT_LEAST_ONE = ("vcpus", "memory_gib", "network_cards", "interfaces_per_card", "ipv4_per_interface")


def contradictions_of(row: InstanceType) -> Iterator[tuple[str, str]]:
    """Numbers that are not known contradict nothing; a type that EC2 has must have them all."""
    yield from _of_status(row)
    yield from _of_ultraserver(row)
    yield from _of_neuron_devices(row)
    yield from _of_logical_cores(row)
    yield from _of_host(row)
    yield from _of_sources(row)


def _of_status(row: InstanceType) -> Iterator[tuple[str, str]]:
    if row.launchable != (row.status == "available"):
        yield "launchable", f"must be true for a type that EC2 has, and only then; status is {row.status}"
    if row.launchable == (row.launch_note is not None):
        yield "launch_note", "is required if the type cannot be launched, and not allowed if it can"
    if row.can_be_planned != (row.status in ("available", "announced")):
        yield "status", f"is {row.status}, which contradicts the known Neuron devices, EFA interfaces and image"


def _of_ultraserver(row: InstanceType) -> Iterator[tuple[str, str]]:
    unit = row.ultraserver
    if row.status == "ultraserver" and unit is None:
        yield "ultraserver", "is missing in the row of a unit"
    if "ultraserver_block" in (row.purchase_modes or ()) and (unit is None or unit.capacity_type is None):
        yield "purchase_modes", "has ultraserver_block, but capacity_type of the UltraServer is unknown"
    if unit is not None and row.neuron_devices is not None:
        parts = 1 if row.status == "ultraserver" else unit.instances
        if unit.chips != row.neuron_devices * parts:
            yield "ultraserver.chips", f"{unit.chips} are not {parts} x {row.neuron_devices} devices"


def _of_neuron_devices(row: InstanceType) -> Iterator[tuple[str, str]]:
    devices, cores = row.neuron_devices, row.neuron_cores
    if row.chip is None and (devices or cores or row.device_memory_gib):
        yield "chip", "is empty, but the type has Neuron devices, cores or device memory"
    if row.chip is not None and devices == 0:
        yield "neuron_devices", f"is 0, but `chip` is {row.chip}"
    if devices and (cores is None or cores % devices):
        yield "neuron_cores", f"{cores} is not a multiple of neuron_devices ({devices})"


def _of_logical_cores(row: InstanceType) -> Iterator[tuple[str, str]]:
    configs = row.logical_nc_configs
    if configs is None:
        return
    if row.chip is not None and row.default_logical_nc_config not in configs:
        yield "default_logical_nc_config", "is not one of logical_nc_configs"
    for size, seen in configs.items():
        if (None if seen is None else seen * size) != row.neuron_cores:
            yield f"logical_nc_configs.{size}", f"{seen} cores of {size} are not {row.neuron_cores} physical cores"


def _of_host(row: InstanceType) -> Iterator[tuple[str, str]]:
    for field in AT_LEAST_ONE:
        value = getattr(row, field)
        if value is None and row.launchable:
            yield field, "must be known of a type that EC2 has"
        if value is not None and value < 1:
            yield field, "must be at least 1"
    if row.efa_interfaces is not None and row.network_cards is not None and row.efa_interfaces > row.network_cards:
        yield "efa_interfaces", f"{row.efa_interfaces} is more than network_cards ({row.network_cards})"
    if bool(row.local_disk_count) != bool(row.local_storage_gb):
        yield "local_storage_gb", "disks and their size must both be given or both be 0"


def _of_sources(row: InstanceType) -> Iterator[tuple[str, str]]:
    if row.on_demand_usd_hour and not (row.on_demand_usd_hour_source and row.on_demand_usd_hour_as_of):
        yield "on_demand_usd_hour_source", "a price needs its source and date"
    if bool(row.root_volume_minimum_gib) != bool(row.root_volume_minimum_source):
        yield "root_volume_minimum_source", "a minimum needs its source, and a source its minimum"
