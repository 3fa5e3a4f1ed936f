"""The instances of a node group that quotas of teams guarantee, for the cost of each team."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from msgspec import structs

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.cost.model import DIGITS, BlockCost, CostLine, Quantities, TeamPart
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.compute_group_plan import ComputeGroupPlan
from neuron_cluster.plan.node_group_plan import NodeGroupPlan
from neuron_cluster.plan.team import scaled_quota

QUANTITY_DIGITS = 9
"""Decimal places of a part of the instances of a group: more than a sum in USD needs."""
DRA = "dra"
Divisible = TypeVar("Divisible", CostLine, BlockCost)


def team_parts(group: ComputeGroupPlan, plan: ClusterPlan, catalog: Catalog) -> tuple[TeamPart, ...]:
    """In the order of ``teams``; none of a group that the key ``team`` makes the group of one team."""
    row = catalog.instance_types.get(group.machine.instance_type)
    if plan.kubernetes is None or not isinstance(group, NodeGroupPlan) or group.team is not None or row is None:
        return ()
    devices = row.neuron_devices if group.machine.is_neuron else None
    if not devices or not group.known_maximum:
        return ()
    claimed_whole = row.ultraserver is not None and DRA in plan.kubernetes.device_management.ways
    unit, at_maximum = 1 if claimed_whole else devices, devices * group.known_maximum

    def part(nodes: int, quota: int) -> float:
        running = nodes * unit
        return scaled_quota(running, quota, at_maximum) / running if running else 0.0

    counts = (group.min, group.desired, group.known_maximum)
    return tuple(
        TeamPart(team.name, Quantities(*(part(nodes, quota.devices) for nodes in counts)))
        for team in plan.kubernetes.teams
        if (quota := team.quota_of(group.name)) is not None
    )


def divided_lines(lines: Sequence[CostLine]) -> Iterator[CostLine]:
    """A line for each team that has a part of it, then what is left; others as they are."""
    for line in lines:
        yield from _divided_line(line) if line.parts else (line,)


def divided_blocks(blocks: Sequence[BlockCost]) -> Iterator[BlockCost]:
    """As lines, by the quotas at ``count.max``: a block is paid for whole. ``instances`` stay those of the block."""
    for block in blocks:
        if not block.parts:
            yield block
            continue
        parts = [(part.team, part.of.maximum or 0.0) for part in block.parts]
        left = 1 - sum(of for _, of in parts)
        for team, of in (*parts, (None, left)):
            usd = round(block.usd * of, DIGITS) if block.usd is not None else None
            if round(of, QUANTITY_DIGITS):
                yield structs.replace(block, team=team, usd=usd, parts=())


def _divided_line(line: CostLine) -> Iterator[CostLine]:
    of_teams = [(part.team, part.of.all) for part in line.parts]
    scenarios = zip(*(of for _, of in of_teams), strict=True)
    left = tuple(1 - sum(each or 0.0 for each in scenario) for scenario in scenarios)
    for team, of in (*of_teams, (None, left)):
        quantities = Quantities(*map(_part, line.quantities.all, of))
        if any(each != 0 for each in quantities.all):
            yield structs.replace(line, team=team, quantities=quantities, parts=())


def _part(units: float | None, of: float | None) -> float | None:
    """None where nothing bounds the units."""
    return None if units is None or of is None else round(units * of, QUANTITY_DIGITS)
