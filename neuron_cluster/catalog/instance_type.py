"""EC2 instance types: the hardware, where it is offered, how it is bought, what it costs."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Literal

from neuron_cluster.catalog.frozen_map import FrozenMap
from neuron_cluster.catalog.near_names import near_names
from neuron_cluster.catalog.source_data import DATA_DIRECTORY, read_rows
from neuron_cluster.catalog.sourced_row import SourcedRow

PurchaseMode = Literal["on_demand", "spot", "capacity_block"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceQuota:
    """A quota in Service Quotas (service ``ec2``), counted in vCPUs."""

    name: str
    code: str


@dataclass(frozen=True, slots=True, kw_only=True)
class InstanceType(SourcedRow):
    """One instance type. Devices and cores are two fields, always: a device is a chip, a core is a part of it.

    ``neuron_cores`` counts physical cores of the whole instance; ``logical_nc_configs`` maps each logical
    NeuronCore configuration to the number of cores that software then sees. Storage sizes are in GB or GiB as
    the field's name says, prices in USD for an hour of Linux on shared tenancy, for reference only.
    """

    family: str
    launchable: bool
    chip: str | None
    vcpus: int
    memory_gib: int
    neuron_devices: int
    neuron_cores: int
    default_logical_nc_config: int | None
    logical_nc_configs: FrozenMap[int, int]
    device_memory_gib: int
    network_cards: int
    interfaces_per_card: int
    ipv4_per_interface: int
    efa_interfaces: int
    local_disk_count: int
    local_storage_gb: int
    boot_modes: tuple[str, ...]
    purchase_modes: tuple[PurchaseMode, ...]
    eks_ami_type: str
    root_volume_minimum_gib: int | None
    root_volume_minimum_source: str | None
    on_demand_quota: ServiceQuota | None
    spot_quota: ServiceQuota | None
    zone_ids: FrozenMap[str, tuple[str, ...]]
    zone_ids_as_of: date
    on_demand_usd_hour: FrozenMap[str, float]
    on_demand_usd_hour_source: str | None
    on_demand_usd_hour_as_of: date | None
    cfn_lint_regions: tuple[str, ...] | None = None

    @property
    def network_interfaces(self) -> int:
        """How many network interfaces the type can carry on all its network cards."""
        return self.network_cards * self.interfaces_per_card

    @property
    def max_pods(self) -> int:
        """Pods that the VPC CNI can address without prefix delegation (it uses network card 0 only)."""
        return self.interfaces_per_card * (self.ipv4_per_interface - 1) + 2

    def neuron_cores_at(self, logical_nc_config: int) -> int | None:
        """NeuronCores that software sees at this configuration; None when the type does not allow it."""
        return self.logical_nc_configs.get(logical_nc_config)

    def offered_zone_ids(self, region: str) -> tuple[str, ...]:
        """Zone ids of the Region that offered the type on ``zone_ids_as_of``; empty when none is recorded."""
        return self.zone_ids.get(region, ())

    def on_demand_price(self, region: str) -> float | None:
        """Reference price in USD an hour; None when no source has one."""
        return self.on_demand_usd_hour.get(region)

    def missing_in_cfn_lint(self, region: str) -> bool:
        """Whether cfn-lint's table (rule E3628) lacks the type in this Region although EC2 has the type."""
        return self.cfn_lint_regions is not None and region not in self.cfn_lint_regions

    def contradictions(self) -> Iterator[tuple[str, str]]:
        yield from self._neuron_contradictions()
        yield from self._host_contradictions()
        yield from self._missing_sources()

    def _neuron_contradictions(self) -> Iterator[tuple[str, str]]:
        if self.chip is None and (self.neuron_devices or self.neuron_cores or self.device_memory_gib):
            yield "chip", "is empty, but the type has Neuron devices, cores or device memory"
        if self.chip is not None and not self.neuron_devices:
            yield "neuron_devices", f"is 0, but the type has the chip {self.chip}"
        if self.neuron_devices and self.neuron_cores % self.neuron_devices:
            yield "neuron_cores", f"{self.neuron_cores} is not a multiple of neuron_devices ({self.neuron_devices})"
        if self.chip is not None and self.default_logical_nc_config not in self.logical_nc_configs:
            yield "default_logical_nc_config", "is not one of logical_nc_configs"
        for size, cores in self.logical_nc_configs.items():
            if cores * size != self.neuron_cores:
                yield (
                    f"logical_nc_configs.{size}",
                    f"{cores} cores of {size} are not {self.neuron_cores} physical cores",
                )

    def _host_contradictions(self) -> Iterator[tuple[str, str]]:
        for field in ("vcpus", "memory_gib", "network_cards", "interfaces_per_card", "ipv4_per_interface"):
            if getattr(self, field) < 1:
                yield field, "must be at least 1"
        if self.efa_interfaces > self.network_cards:
            yield "efa_interfaces", f"{self.efa_interfaces} is more than network_cards ({self.network_cards})"
        if bool(self.local_disk_count) != bool(self.local_storage_gb):
            yield "local_storage_gb", "disks and their size must both be given or both be 0"

    def _missing_sources(self) -> Iterator[tuple[str, str]]:
        if self.on_demand_usd_hour and not (self.on_demand_usd_hour_source and self.on_demand_usd_hour_as_of):
            yield "on_demand_usd_hour_source", "a price needs its source and date"
        if bool(self.root_volume_minimum_gib) != bool(self.root_volume_minimum_source):
            yield "root_volume_minimum_source", "a minimum needs its source, and a source its minimum"


@functools.cache
def instance_types() -> FrozenMap[str, InstanceType]:
    """All instance types by name."""
    return read_rows(DATA_DIRECTORY / "instance_types.yaml", InstanceType)


def instance_type(name: str) -> InstanceType | None:
    """The instance type of this name, or None."""
    return instance_types().get(name)


def near_instance_types(name: str) -> list[str]:
    """Known instance types whose names look like ``name``."""
    return near_names(name, instance_types())
