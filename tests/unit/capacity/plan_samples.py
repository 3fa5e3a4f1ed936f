"""Offers of training plans to try things with."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal

from neuron_cluster.aws.training_plans import PlanCapacity, TrainingPlanOffering
from neuron_cluster.capacity.plan_offers import PlanOffer
from neuron_cluster.capacity.plan_query import PlanQuery
from neuron_cluster.catalog.catalog import load_catalog

ROW = load_catalog().training_plan_types["ml.trn2.48xlarge"]
HYPERPOD, JOB = ROW.targets
START = datetime(2026, 12, 1, 11, 30, tzinfo=UTC)
DAY = timedelta(days=1)
QUERY = PlanQuery(ROW, 4, 48)
ID = f"tpo-{'0123456789abcdef' * 4}"


def a_block(start: datetime = START, length: timedelta = DAY, zone_id: str | None = "use2-az3") -> PlanCapacity:
    return PlanCapacity(zone_id, 4, start, start + length)


def a_plan_offer(
    *blocks: PlanCapacity, fee: str | None = "858.26", region: str = "us-east-2", offering_id: str = ID
) -> PlanOffer:
    amount = Decimal(fee) if fee is not None else None
    offering = TrainingPlanOffering(offering_id, blocks or (a_block(),), amount, "USD")
    return PlanOffer(region, ROW, JOB, offering)
