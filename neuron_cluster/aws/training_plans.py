"""Training plans of SageMaker, and offerings of them (read-only)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any

from msgspec import Struct

from neuron_cluster.aws.errors import translated
from neuron_cluster.aws.session import Target, client
from neuron_cluster.aws.zone_ids import zone_ids_by_name


class PlanCapacity(Struct, frozen=True):
    """One block of reserved capacity of a plan."""

    zone_id: str | None
    """None when SageMaker returns no zone, or one that DescribeAvailabilityZones does not list."""
    count: int
    """Instances."""
    start: datetime | None
    end: datetime | None
    """None when SageMaker returns none."""


class TrainingPlan(Struct, frozen=True, kw_only=True):
    """A plan that was bought."""

    name: str
    status: str
    """``Pending``, ``Scheduled``, ``Active``, ``Expired`` or ``Failed``."""
    start: datetime | None
    end: datetime | None
    targets: tuple[str, ...]
    """``hyperpod-cluster``, ``training-job`` and others."""
    count: int
    """Instances."""
    available: int
    """Instances that no cluster and no job uses."""
    instance_types: frozenset[str]
    zone_ids: frozenset[str]
    """Empty when SageMaker returns none."""


class TrainingPlanOffering(Struct, frozen=True):
    """One offering. Between two blocks of reserved capacity there can be a gap."""

    id: str
    capacities: tuple[PlanCapacity, ...]
    upfront_fee: Decimal | None
    """None when SageMaker returns no price."""
    currency: str


class PlanQuestion(Struct, frozen=True, kw_only=True):
    """The request of SearchTrainingPlanOfferings for one target."""

    instance_type: str
    """SageMaker's name, ``ml.trn2.48xlarge``."""
    count: int
    hours: int
    target: str
    """``hyperpod-cluster`` or ``training-job``."""
    earliest_start: datetime | None = None
    latest_end: datetime | None = None


def training_plan(target: Target, arn: str) -> TrainingPlan | None:
    """Returns the plan; None when the account has none of this ARN. Requires sagemaker:DescribeTrainingPlan."""
    sagemaker = client(target, "sagemaker")
    with translated():
        try:
            row = sagemaker.describe_training_plan(TrainingPlanName=arn)
        except sagemaker.exceptions.ResourceNotFound:
            return None
    capacities = row.get("ReservedCapacitySummaries", ())
    return TrainingPlan(
        name=row["TrainingPlanName"],
        status=row["Status"],
        start=row.get("StartTime"),
        end=row.get("EndTime"),
        targets=tuple(row.get("TargetResources", ())),
        count=row.get("TotalInstanceCount", 0),
        available=row.get("AvailableInstanceCount", 0),
        instance_types=frozenset(each["InstanceType"] for each in capacities),
        zone_ids=frozenset(each["AvailabilityZoneId"] for each in capacities if each.get("AvailabilityZoneId")),
    )


def training_plan_offerings(target: Target, question: PlanQuestion) -> list[TrainingPlanOffering]:
    """The offerings of the Region: SageMaker returns three at most, without pages.

    Requires sagemaker:SearchTrainingPlanOfferings and ec2:DescribeAvailabilityZones.
    """
    with translated():
        rows = client(target, "sagemaker").search_training_plan_offerings(**_parameters(question))
    offered = rows["TrainingPlanOfferings"]
    zone_ids = zone_ids_by_name(target) if offered else {}
    return [
        TrainingPlanOffering(
            id=row["TrainingPlanOfferingId"],
            capacities=tuple(_capacity(each, zone_ids) for each in row.get("ReservedCapacityOfferings", ())),
            upfront_fee=Decimal(row["UpfrontFee"]) if row.get("UpfrontFee") else None,
            currency=row.get("CurrencyCode", ""),
        )
        for row in offered
    ]


def _capacity(row: Mapping[str, Any], zone_ids: Mapping[str, str]) -> PlanCapacity:
    zone_id = zone_ids.get(row.get("AvailabilityZone", ""))
    return PlanCapacity(zone_id, row["InstanceCount"], row.get("StartTime"), row.get("EndTime"))


def _parameters(question: PlanQuestion) -> Mapping[str, Any]:
    given = {
        "InstanceType": question.instance_type,
        "InstanceCount": question.count,
        "DurationHours": question.hours,
        "TargetResources": [question.target],
        "StartTimeAfter": question.earliest_start,
        "EndTimeBefore": question.latest_end,
    }
    return {name: value for name, value in given.items() if value is not None}
