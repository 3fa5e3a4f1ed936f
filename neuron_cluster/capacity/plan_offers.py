"""The training plan offerings of one Region after another, for each target."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

from msgspec import Struct

from neuron_cluster.aws.errors import AwsApiError
from neuron_cluster.aws.session import Target
from neuron_cluster.aws.training_plans import TrainingPlanOffering, training_plan_offerings
from neuron_cluster.capacity.offerings import SECONDS_AN_HOUR
from neuron_cluster.capacity.plan_query import PlanQuery
from neuron_cluster.catalog.training_plan_type import PlanTarget, TrainingPlanType
from neuron_cluster.errors import ToolkitError
from neuron_cluster.findings.text import counted

NO_QUOTA = "ResourceLimitExceeded"
"""The error code of an account whose quota is 0 or used up."""
LATE = datetime.max.replace(tzinfo=UTC)


class PlanOffer(Struct, frozen=True):
    """One training plan offering of one Region."""

    region: str
    row: TrainingPlanType
    target: PlanTarget
    offering: TrainingPlanOffering

    @property
    def start(self) -> datetime | None:
        return min((each.start for each in self.offering.capacities if each.start is not None), default=None)

    @property
    def end(self) -> datetime | None:
        return max((each.end for each in self.offering.capacities if each.end is not None), default=None)

    @property
    def count(self) -> int:
        """Instances at the same time."""
        return max((each.count for each in self.offering.capacities), default=0)

    @property
    def hours(self) -> Decimal | None:
        """The hours of all reserved capacity, without gaps; None where SageMaker returns no times."""
        lengths = [
            each.end - each.start
            for each in self.offering.capacities
            if each.start is not None and each.end is not None
        ]
        in_all = sum(lengths, timedelta())
        return Decimal(in_all.total_seconds()) / SECONDS_AN_HOUR if in_all else None

    @property
    def per_instance_hour(self) -> Decimal | None:
        """The price of one instance for an hour, in the offering's currency; None where a part of it is not known."""
        fee, hours = self.offering.upfront_fee, self.hours
        return fee / (self.count * hours) if fee is not None and hours and self.count else None

    def sort_key(self) -> tuple[Decimal, datetime, str, str]:
        """The sort key: the lowest price for an hour first, then the earliest start; unknown values last."""
        price = self.per_instance_hour
        return Decimal("Infinity") if price is None else price, self.start or LATE, self.region, self.offering.id


class UnreadPlans(Struct, frozen=True):
    """A Region and a target whose plans were not read."""

    region: str
    target: str
    message: str
    hint: str


class PlanOfferings(Struct, frozen=True):
    """The offers of all Regions that returned a result, by target and the price of an instance-hour."""

    offers: tuple[PlanOffer, ...]
    unread: tuple[UnreadPlans, ...]

    def of(self, target: PlanTarget) -> tuple[PlanOffer, ...]:
        return tuple(offer for offer in self.offers if offer.target == target)


def find_plans(query: PlanQuery, targets: Iterable[Target], today: date, say: Callable[[str], None]) -> PlanOfferings:
    """Queries each Region for each target of plans. An error is in the result: the search for blocks is complete."""
    answers = [answer for aws in targets for answer in _answers(query, aws, today, say)]
    offers = [answer for answer in answers if isinstance(answer, PlanOffer)]
    unread = [answer for answer in answers if isinstance(answer, UnreadPlans)]
    places = {plan: place for place, plan in enumerate(query.row.targets)}
    offers.sort(key=lambda offer: (places[offer.target], *offer.sort_key()))
    return PlanOfferings(tuple(offers), tuple(unread))


def _answers(
    query: PlanQuery, aws: Target, today: date, say: Callable[[str], None]
) -> Iterator[PlanOffer | UnreadPlans]:
    for plan in query.row.targets:
        try:
            found = training_plan_offerings(aws, query.request(plan, today))
        except ToolkitError as error:
            say(f"{aws.region}: query for {plan.name} failed")
            yield UnreadPlans(aws.region, plan.name, error.message, _hint(error, query.row))
            continue
        say(f"{aws.region}: {counted(len(found), 'offering')} for {plan.name}")
        for offering in found:
            yield PlanOffer(aws.region, query.row, plan, offering)


def _hint(error: ToolkitError, row: TrainingPlanType) -> str:
    """The hint of the error; for a quota that is 0 or used up, the two that are possible."""
    if not isinstance(error, AwsApiError) or error.code != NO_QUOTA:
        return error.hint
    return (
        f"request an increase in Service Quotas, service sagemaker: {row.plans_quota_code} ({row.plans_quota}), or "
        f"the quota {row.type_quota!r}"
    )
