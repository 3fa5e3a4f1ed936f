"""Prices of instances that are deployed, of which only templates are known."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.changes.summary.deployed_machines import DeployedMachines
from neuron_cluster.changes.summary.workstation_change import WORKSTATION
from neuron_cluster.report.machine_price import machine_price
from neuron_cluster.report.price import EnvironmentPrice, GroupPrice, summed_price


def machine_prices(machines: Iterable[DeployedMachines], region: str, catalog: Catalog) -> list[GroupPrice]:
    """One for each group and workstation."""
    return [
        machine_price(
            each.name, (each.instance_type, each.capacity_type), (each.desired, each.maximum), region, catalog
        )
        for each in machines
    ]


def deployed_price(machines: Iterable[DeployedMachines], region: str, catalog: Catalog) -> EnvironmentPrice | None:
    """None where no instance is deployed."""
    prices = machine_prices(machines, region, catalog)
    stations = [each for each in prices if each.name.startswith(WORKSTATION)]
    groups = tuple(each for each in prices if each not in stations)
    named = (msgspec.structs.replace(each, name=each.name.removeprefix(WORKSTATION)) for each in stations)
    return summed_price(groups, tuple(named)) if prices else None
