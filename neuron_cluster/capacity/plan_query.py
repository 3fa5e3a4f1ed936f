"""A query for SageMaker training plans, derived from a query for capacity blocks."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta

from msgspec import Struct

from neuron_cluster.aws.training_plans import PlanQuestion
from neuron_cluster.capacity.query import HOURS_A_DAY, LAST_SECOND, BlockSpan, CapacityBlockQuery, in_days
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.training_plan_type import PlanTarget, TrainingPlanType


class PlanQuery(Struct, frozen=True):
    """One query for every Region and every target."""

    row: TrainingPlanType
    count: int
    """Instances."""
    hours: int
    span: BlockSpan = BlockSpan()

    @property
    def summary(self) -> str:
        return f"{self.count} x {self.row.name} for {in_days(self.hours)}"

    @property
    def impossible(self) -> str | None:
        """Why no plan is like this, as a sentence; None where one may be."""
        days = self.hours // HOURS_A_DAY
        if self.count not in self.row.counts:
            return (
                f"Training plans of SageMaker were not queried: a plan has {', '.join(map(str, self.row.counts))} "
                f"instances, not {self.count}."
            )
        if not self.row.fewest_days <= days <= self.row.most_days:
            return (
                f"Training plans of SageMaker were not queried: a plan has {self.row.fewest_days} to "
                f"{self.row.most_days} days, not {days}."
            )
        return None

    def is_beyond_offers(self, today: date) -> bool:
        """Whether the first day is later than SageMaker is known to offer plans."""
        return self.span.first is not None and self.span.first > today + timedelta(days=self.row.most_days_ahead)

    def request(self, target: PlanTarget, today: date) -> PlanQuestion:
        """The request of the API for one target. A first day that has begun is not sent."""
        first, last = self.span.first, self.span.last
        return PlanQuestion(
            instance_type=self.row.name,
            count=self.count,
            hours=self.hours,
            target=target.name,
            earliest_start=datetime.combine(first, time(), UTC) if first is not None and first > today else None,
            latest_end=datetime.combine(last, LAST_SECOND) if last is not None else None,
        )


def plan_query(blocks: CapacityBlockQuery, catalog: Catalog) -> PlanQuery | None:
    """The query for plans of the same instances; None for a type that is in no plan."""
    row = catalog.training_plan_types.of_instance_type(blocks.unit.name)
    return PlanQuery(row, blocks.count, blocks.hours, blocks.span) if row is not None else None
