"""The cost of an environment: every line, the sums, capacity blocks, and what is in no sum."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from msgspec import Struct, structs

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.cost.blocks import block_cost
from neuron_cluster.cost.by_use import billed_by_use
from neuron_cluster.cost.machine_lines import instance_line, volume_lines
from neuron_cluster.cost.model import BlockCost, CostLine, Rate, Scenario, Sum, sum_of
from neuron_cluster.cost.own_prices import own_priced, own_priced_rate
from neuron_cluster.cost.service_lines import data_rates, extended_support, service_lines
from neuron_cluster.cost.storage_lines import storage_lines, storage_rates
from neuron_cluster.cost.team_parts import team_parts
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.compute_group_plan import ComputeGroupPlan
from neuron_cluster.plan.control_plane_price import ControlPlanePrice


class EnvironmentCost(Struct, frozen=True, kw_only=True):
    """The cost by reference prices of a day. ``lines`` has no instances of capacity blocks: these are in ``blocks``."""

    environment: str
    region: str
    on: date
    lines: tuple[CostLine, ...]
    blocks: tuple[BlockCost, ...]
    rates: tuple[Rate, ...]
    by_use: tuple[str, ...]
    extended_support: ControlPlanePrice | None = None
    """The price of the control plane after the end of standard support."""

    @property
    def blocks_usd(self) -> Sum:
        return sum_of([block.usd for block in self.blocks])


def hourly(lines: Sequence[CostLine], scenario: Scenario) -> Sum:
    """USD an hour of these lines."""
    return sum_of([line.hourly(scenario) for line in lines])


def monthly(lines: Sequence[CostLine], scenario: Scenario) -> Sum:
    """USD for 730 hours of these lines."""
    return sum_of([line.monthly(scenario) for line in lines])


def environment_cost(plan: ClusterPlan, catalog: Catalog, on: date) -> EnvironmentCost:
    """The price of a control plane depends on the day."""
    blocks = [group for group in plan.compute_groups if group.machine.purchase.is_block]
    lines = (
        *(_instances(each, plan, catalog) for each in plan.compute_groups if each not in blocks),
        *volume_lines(plan, catalog),
        *service_lines(plan, catalog, on),
        *storage_lines(plan, catalog),
    )
    return EnvironmentCost(
        environment=plan.name,
        region=plan.region,
        on=on,
        lines=tuple(own_priced(each, plan.prices) for each in lines),
        blocks=tuple(_block(group, plan, catalog) for group in blocks),
        rates=tuple(
            own_priced_rate(each, plan.prices) for each in (*data_rates(plan, catalog), *storage_rates(plan, catalog))
        ),
        by_use=tuple(billed_by_use(plan, catalog)),
        extended_support=extended_support(plan, catalog, on),
    )


def _instances(group: ComputeGroupPlan, plan: ClusterPlan, catalog: Catalog) -> CostLine:
    return structs.replace(instance_line(group, plan.region, catalog), parts=team_parts(group, plan, catalog))


def _block(group: ComputeGroupPlan, plan: ClusterPlan, catalog: Catalog) -> BlockCost:
    return structs.replace(block_cost(group, plan.region, catalog), parts=team_parts(group, plan, catalog))
