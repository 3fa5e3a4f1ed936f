"""The query for the capacity block of a compute group."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime

from msgspec import Struct

from neuron_cluster.capacity.block_unit import unit_of_type
from neuron_cluster.capacity.offerings import BlockOffer
from neuron_cluster.capacity.query import BlockSpan, CapacityBlockQuery, hours_that_hold, max_instances
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.compute_group_plan import ComputeGroupPlan
from neuron_cluster.plan.environment_tag import ENVIRONMENT_TAG
from neuron_cluster.plan.machine_plan import PurchaseOptionPlan
from neuron_cluster.plan.team import team_tags


class GroupCapacityQuery(Struct, frozen=True):
    """One compute group, and the capacity block for its maximum size."""

    group: str
    noun: str
    """The noun of the provider for such a group."""
    zone_ids: tuple[str, ...]
    block: CapacityBlockQuery
    note: str | None
    """Set where one block is smaller than count.max."""
    tags: Mapping[str, str]
    """The tags of the reservation, which budgets count its price by."""

    def fits(self, offer: BlockOffer) -> bool:
        """Whether the offer is in a zone of the group."""
        return offer.offering.zone_id in self.zone_ids


class QueryTime(Struct, frozen=True):
    """The duration and the days to query: those of the command line, else of the file."""

    today: date
    usual_hours: int
    """The duration where neither the command line nor the file sets one."""
    hours: int | None = None
    span: BlockSpan = BlockSpan()

    def of(self, purchase: PurchaseOptionPlan, catalog: Catalog) -> tuple[int, BlockSpan]:
        """The duration and the days to query: those of this, else those of ``starts`` and ``ends`` in the file.

        Days of the file that have begun are not queried: EC2 offers no block for them.
        """
        starts, ends = (datetime.fromisoformat(text) if text else None for text in (purchase.starts, purchase.ends))
        in_file = hours_that_hold(ends - starts, catalog) if starts is not None and ends is not None else None
        hours, span = self.hours or in_file or self.usual_hours, self.span
        if starts is not None and ends is not None and in_file == hours and span == BlockSpan():
            span = BlockSpan(starts.date(), ends.date()) if starts.date() > self.today else span
        span.require_length(hours, self.today)
        return hours, span


def group_queries(plan: ClusterPlan, time: QueryTime, catalog: Catalog) -> list[GroupCapacityQuery]:
    """A query for each group of a provider that runs in capacity blocks.

    Raises ``ToolkitError`` for a type without capacity blocks, and for days in which no block of the duration fits.
    """
    on_blocks = (group for group in plan.cluster_groups if group.machine.purchase.is_block)
    return [_group_query(group, plan.name, time, catalog) for group in on_blocks]


def _group_query(group: ComputeGroupPlan, environment: str, time: QueryTime, catalog: Catalog) -> GroupCapacityQuery:
    unit = unit_of_type(group.machine.instance_type, catalog)
    wanted = max_instances(catalog) if group.scaling.maximum is None else group.scaling.maximum
    maximum = wanted if unit.is_ultraserver else min(wanted, max_instances(catalog))
    hours, span = time.of(group.machine.purchase, catalog)
    query = CapacityBlockQuery(unit, maximum // unit.instances, hours, span)  # rule E3046: UltraServers are whole
    note = (
        f"count.max is {wanted}, a block holds {query.instances} at most: the query is for one; make another "
        "group for another block"
    )
    return GroupCapacityQuery(
        group=group.name,
        noun=group.noun,
        zone_ids=group.zone_ids,
        block=query,
        note=note if query.instances < wanted else None,
        tags={ENVIRONMENT_TAG: environment, **team_tags(group.team)},
    )
