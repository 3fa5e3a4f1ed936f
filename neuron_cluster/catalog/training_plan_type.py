"""Instance types that SageMaker training plans reserve, and what a plan can be."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from neuron_cluster.catalog.sourced_row import SourcedRow
from neuron_cluster.catalog.table import Table


class PlanTarget(Struct, frozen=True, kw_only=True):
    """One use of plans. A plan for one target is of no use for the other."""

    name: str
    """The name in the API: ``hyperpod-cluster``, ``training-job``."""
    ends_early_minutes: int
    """Minutes before the end of reserved capacity from which SageMaker takes its instances back."""
    has_single_zone: bool
    """Whether all reserved capacity of a plan is in one Availability Zone."""


class TrainingPlanType(SourcedRow, frozen=True, kw_only=True):
    """One type; rows have SageMaker's name, ``ml.trn2.48xlarge``."""

    instance_type: str
    """EC2's name of the type."""
    counts: tuple[int, ...]
    """The numbers of instances that a plan can have."""
    fewest_days: int
    most_days: int
    """Days of a plan, in steps of one day."""
    most_days_ahead: int
    """Days from now within which plans start."""
    lead_minutes: int
    """Minutes from the search to the earliest start of a plan."""
    targets: tuple[PlanTarget, ...]
    plans_quota: str
    """The name of the quota in Service Quotas (service ``sagemaker``) that counts plans."""
    plans_quota_code: str
    type_quota: str
    """The name of the quota that counts the instances of this type in plans."""

    def contradictions(self) -> Iterator[tuple[str, str]]:
        if list(self.counts) != sorted(set(self.counts)):
            yield "counts", "numbers of instances are in ascending order"
        if self.fewest_days > self.most_days:
            yield "fewest_days", f"{self.fewest_days} is more than most_days ({self.most_days})"


class TrainingPlanTypeTable(Table[TrainingPlanType]):
    def of_instance_type(self, name: str) -> TrainingPlanType | None:
        """The row of EC2's type; None for a type that is in no plan."""
        return next((row for row in self if row.instance_type == name), None)
