"""Training plans of all Regions in one order; what SageMaker does not tell is in the result, with its reason."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from decimal import Decimal

import pytest
from botocore.stub import Stubber

from neuron_cluster.aws.session import LocalTarget, client, close_clients
from neuron_cluster.capacity.plan_offers import find_plans
from tests.recorded_plans import CALL, add_no_plan, add_plans

from .plan_samples import DAY, HYPERPOD, JOB, QUERY, ROW, START, a_block, a_plan_offer

TODAY = date(2026, 11, 21)
REGIONS = ("us-east-2", "ap-south-2")
TARGETS = [LocalTarget(region, "111122223333", "http://127.0.0.1:9") for region in REGIONS]


@pytest.fixture
def stubs() -> Iterator[list[tuple[Stubber, Stubber]]]:
    """SageMaker and EC2 of each Region."""
    found = [(Stubber(client(each, "sagemaker")), Stubber(client(each, "ec2"))) for each in TARGETS]
    for pair in found:
        for stub in pair:
            stub.activate()
    yield found
    for target in TARGETS:
        close_clients(target)


def test_offers_stand_by_target_and_price(stubs: list[tuple[Stubber, Stubber]]) -> None:
    add_plans(*stubs[0], HYPERPOD.name, "30", "10")
    add_plans(*stubs[0], JOB.name, "5")
    add_plans(*stubs[1], HYPERPOD.name, "20")
    add_no_plan(stubs[1][0])
    said: list[str] = []
    found = find_plans(QUERY, TARGETS, TODAY, said.append)
    assert [(each.target, each.region, each.offering.id) for each in found.offers] == [
        (HYPERPOD, "us-east-2", "tpo-10"),
        (HYPERPOD, "ap-south-2", "tpo-20"),
        (HYPERPOD, "us-east-2", "tpo-30"),
        (JOB, "us-east-2", "tpo-5"),
    ]
    assert [each.offering.id for each in found.of(JOB)] == ["tpo-5"]
    assert found.unread == ()
    assert said[0] == "us-east-2: 2 offerings for hyperpod-cluster"
    assert said[-1] == "ap-south-2: 0 offerings for training-job"


def test_what_is_denied_is_named_and_the_rest_is_shown(stubs: list[tuple[Stubber, Stubber]]) -> None:
    stubs[0][0].add_client_error(CALL, "AccessDeniedException", "no policy allows it")
    add_plans(*stubs[0], JOB.name, "5")
    for _ in ROW.targets:
        stubs[1][0].add_client_error(CALL, "ResourceLimitExceeded", "the limit is 0")
    found = find_plans(QUERY, TARGETS, TODAY, lambda _: None)
    assert [each.offering.id for each in found.offers] == ["tpo-5"]
    denied, *limits = found.unread
    assert (denied.region, denied.target, "no policy allows it" in denied.message) == ("us-east-2", HYPERPOD.name, True)
    assert [(each.region, each.target) for each in limits] == [("ap-south-2", each.name) for each in ROW.targets]
    for each in limits:
        assert "L-867702E6 (Number of training plans per Region)" in each.hint
        assert "Number of ml.trn2.48xlarge instances in reserved capacity" in each.hint


def test_the_price_of_an_hour_is_that_of_the_blocks_without_the_gap() -> None:
    offer = a_plan_offer(a_block(), a_block(START + 3 * DAY, timedelta(hours=12)), fee="1440")
    assert (offer.start, offer.end) == (START, START + 3.5 * DAY)
    assert (offer.hours, offer.count, offer.per_instance_hour) == (Decimal(36), 4, Decimal(10))
    assert a_plan_offer(fee=None).per_instance_hour is None
