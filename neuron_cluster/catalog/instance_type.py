"""EC2 instance types: hardware, zones, purchase options, prices."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from typing import Literal

from msgspec import Struct

from neuron_cluster.catalog.frozen_map import FrozenMap
from neuron_cluster.catalog.instance_type_contradictions import contradictions_of
from neuron_cluster.catalog.sourced_row import SourcedRow

GENERATION = re.compile(r"[a-z]+\d+")
"""The prefix of a name in lower case, which is the name of its data file."""

PurchaseMode = Literal["on_demand", "spot", "capacity_block", "ultraserver_block"]
"""``capacity_block``: blocks of instances. ``ultraserver_block``: blocks of whole UltraServers."""
Status = Literal["available", "announced", "named", "ultraserver"]
"""``available``: EC2's API has the type. ``announced``: AWS's software has its size, no Region offers it.
``named``: software has the name and nothing else. ``ultraserver``: a unit of several instances, not a type."""


class ServiceQuota(Struct, frozen=True, kw_only=True):
    """A quota in Service Quotas (service ``ec2``), counted in vCPUs."""

    name: str
    code: str


class UltraServer(Struct, frozen=True, kw_only=True):
    """Several instances with a common NeuronLink domain. ``capacity_type`` is EC2's name in capacity blocks.

    ``sizes`` are the numbers of instances that one job can span; empty when no source has them.
    """

    name: str
    capacity_type: str | None
    instances: int
    chips: int
    sizes: tuple[int, ...]
    interconnect: str


class InstanceType(SourcedRow, frozen=True, kw_only=True):
    """One instance type. Devices and cores are two fields, always: a device has one or more cores.

    ``neuron_cores`` counts physical cores of the whole instance; ``logical_nc_configs`` maps each logical
    NeuronCore configuration to the number of cores that software then sees. Storage sizes are in GB or GiB as
    in the field's name, prices in USD for an hour of Linux on shared tenancy, for reference only.
    ``kubernetes_resources`` are what a node offers with the device plugins at the default configuration.
    None means that no source states it: never 0, and never a guess.
    """

    family: str
    status: Status
    launchable: bool
    launch_note: str | None = None
    """Why the type cannot be launched, and what is known; None for a type that EC2 has."""
    chip: str | None
    vcpus: int | None
    memory_gib: int | None
    neuron_devices: int | None
    neuron_cores: int | None
    default_logical_nc_config: int | None
    logical_nc_configs: FrozenMap[int, int | None] | None
    device_memory_gib: int | None
    network_cards: int | None
    interfaces_per_card: int | None
    ipv4_per_interface: int | None
    efa_interfaces: int | None
    local_disk_count: int | None
    local_storage_gb: int | None
    boot_modes: tuple[str, ...] | None
    purchase_modes: tuple[PurchaseMode, ...] | None
    kubernetes_resources: FrozenMap[str, int] | None
    eks_ami_type: str | None
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
    ultraserver: UltraServer | None = None
    """The unit that the type is a part of, or that the row is."""
    suggested_for_system_pods: bool = False
    """Whether hints suggest it: small, without Neuron devices, and large enough for the cluster's own software."""
    notes: tuple[str, ...] = ()

    @property
    def can_be_planned(self) -> bool:
        """Whether the facts for a launch template are known: Neuron devices, EFA interfaces and the image."""
        counted = self.neuron_devices is not None and self.efa_interfaces is not None
        return self.status != "ultraserver" and counted and self.eks_ami_type is not None

    @property
    def network_interfaces(self) -> int | None:
        """Maximum number of network interfaces on all network cards."""
        if self.network_cards is None or self.interfaces_per_card is None:
            return None
        return self.network_cards * self.interfaces_per_card

    @property
    def max_pods(self) -> int | None:
        """Pods that the VPC CNI can address without prefix delegation (it uses network card 0 only)."""
        if self.interfaces_per_card is None or self.ipv4_per_interface is None:
            return None
        return self.interfaces_per_card * (self.ipv4_per_interface - 1) + 2

    def selected_logical_nc_config(self, config: int | None) -> int | None:
        """The value of NEURON_LOGICAL_NC_CONFIG where the type has several; None where there is nothing to select.

        It is set for the default and for 1 too: the compiler has a default of its own, 2 on Trn2 and later
        (https://awsdocs-neuron.readthedocs-hosted.com/en/latest/compiler/error-codes/EVRF066.html).
        """
        return config if config and self.logical_nc_configs and len(self.logical_nc_configs) > 1 else None

    def neuron_cores_at(self, logical_nc_config: int) -> int | None:
        """NeuronCores that software sees at this configuration; None when it is not allowed or not known."""
        return self.logical_nc_configs.get(logical_nc_config) if self.logical_nc_configs is not None else None

    def offered_zone_ids(self, region: str) -> tuple[str, ...]:
        """Zone ids of the Region that offered the type on ``zone_ids_as_of``; empty when none is recorded."""
        return self.zone_ids.get(region, ())

    def on_demand_price(self, region: str) -> float | None:
        """Reference price in USD an hour; None when no source has one."""
        return self.on_demand_usd_hour.get(region)

    def contradictions(self) -> Iterator[tuple[str, str]]:
        return contradictions_of(self)


def generation_of(name: str) -> str:
    """``trn1`` of ``trn1.32xlarge``: the name of its data file; empty for a text that begins otherwise."""
    found = GENERATION.match(name.lower())
    return found[0] if found is not None else ""
