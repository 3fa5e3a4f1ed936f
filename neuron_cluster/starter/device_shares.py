"""Neuron devices of a node group, divided among teams."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from neuron_cluster.catalog.catalog import Catalog


class Devices(Struct, frozen=True):
    """Neuron devices of ``nodes`` instances of one type; ``connected``: numbers of devices that a pod can have, where
    the type restricts them."""

    nodes: int
    of_node: int
    connected: tuple[int, ...] = ()

    @property
    def all(self) -> int:
        return self.nodes * self.of_node

    def unit(self, teams: int) -> int:
        """The most devices of which each of so many teams can have one unit, and pods use all: 1 where none is."""
        sizes = sorted({self.of_node, *self.connected, 1}, reverse=True)
        return next((size for size in sizes if self.all // size >= teams), 1)


def devices_of(instance_type: str, nodes: int, catalog: Catalog) -> Devices:
    """Without devices for a type that has none."""
    row = catalog.instance_types.get(instance_type)
    of_node = (row.neuron_devices if row is not None else None) or 0
    return Devices(nodes, of_node, catalog.pod_device_counts.of_instance_type(instance_type))


def equal_shares(teams: tuple[str, ...], devices: Devices) -> dict[str, int]:
    """Devices by team, in equal units; the first team has what is left. 0 for each of more teams than devices."""
    unit = devices.unit(len(teams))
    share, rest = divmod(devices.all // unit, len(teams))
    return {team: unit * (share + (rest if share and at == 0 else 0)) for at, team in enumerate(teams)}


def same_shares(shares: Mapping[str, int], before: int, devices: Devices) -> dict[str, int]:
    """Devices by team, each in the proportion of its share of the devices ``before``.

    Each team has a unit where there are enough, and the sum is at most in the same proportion.
    """
    unit = devices.unit(len(shares))
    units = sum(shares.values()) * devices.all // before // unit
    given = dict.fromkeys(shares, 0)
    for at in range(units):
        waiting = list(shares)[at : at + 1] or sorted(shares, key=lambda team: _missing(team, shares, given))[:1]
        given[waiting[0]] += 1
    return {team: unit * count for team, count in given.items()}


def _missing(team: str, shares: Mapping[str, int], given: Mapping[str, int]) -> float:
    """Below 0 by the units that a team lacks; the first of equal ones gets the next unit."""
    return given[team] - shares[team] * (1 + sum(given.values())) / sum(shares.values())
