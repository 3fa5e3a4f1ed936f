"""Offerings of training plans: what SageMaker is asked, and what is read from its answer."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
from botocore.stub import Stubber

from neuron_cluster.aws.errors import AwsApiError
from neuron_cluster.aws.session import LocalTarget, client, close_clients
from neuron_cluster.aws.training_plans import PlanQuestion, training_plan_offerings

TARGET = LocalTarget("us-east-2", "111122223333", "http://127.0.0.1:9")
START, BREAK = datetime(2026, 12, 1, 11, 30, tzinfo=UTC), datetime(2026, 12, 2, 11, 30, tzinfo=UTC)
AGAIN, END = datetime(2026, 12, 5, 11, 30, tzinfo=UTC), datetime(2026, 12, 6, 11, 30, tzinfo=UTC)
ZONES = {"AvailabilityZones": [{"ZoneName": "us-east-2c", "ZoneId": "use2-az1"}]}
QUESTION = PlanQuestion(instance_type="ml.trn2.48xlarge", count=4, hours=48, target="training-job")
ASKED = {
    "InstanceType": "ml.trn2.48xlarge",
    "InstanceCount": 4,
    "DurationHours": 48,
    "TargetResources": ["training-job"],
}
CALL = "search_training_plan_offerings"


def capacity(zone: str, start: datetime, end: datetime) -> dict[str, Any]:
    row = {"InstanceType": "ml.trn2.48xlarge", "InstanceCount": 4, "AvailabilityZone": zone}
    return {**row, "StartTime": start, "EndTime": end}


def answer(*offerings: dict[str, Any]) -> dict[str, Any]:
    row = {"TargetResources": ["training-job"]}
    return {"TrainingPlanOfferings": [{**row, "TrainingPlanOfferingId": "tpo-1", **each} for each in offerings]}


@pytest.fixture
def stubs() -> Iterator[dict[str, Stubber]]:
    found = {service: Stubber(client(TARGET, service)) for service in ("sagemaker", "ec2")}
    for stub in found.values():
        stub.activate()
    yield found
    for stub in found.values():
        stub.assert_no_pending_responses()
    close_clients(TARGET)


def test_blocks_of_capacity_have_their_zones_by_id(stubs: dict[str, Stubber]) -> None:
    capacities = [capacity("us-east-2c", START, BREAK), capacity("us-east-2z", AGAIN, END)]
    offered = {"UpfrontFee": "858.26", "CurrencyCode": "USD", "ReservedCapacityOfferings": capacities}
    asked = {**ASKED, "StartTimeAfter": START, "EndTimeBefore": END}
    stubs["sagemaker"].add_response(CALL, answer(offered), asked)
    stubs["ec2"].add_response("describe_availability_zones", ZONES)
    question = PlanQuestion(
        instance_type=QUESTION.instance_type,
        count=4,
        hours=48,
        target="training-job",
        earliest_start=START,
        latest_end=END,
    )
    (found,) = training_plan_offerings(TARGET, question)
    assert (found.id, found.upfront_fee, found.currency) == ("tpo-1", Decimal("858.26"), "USD")
    first, second = found.capacities
    assert (first.zone_id, first.count, first.start, first.end) == ("use2-az1", 4, START, BREAK)
    assert (second.zone_id, second.start, second.end) == (None, AGAIN, END)


def test_a_price_that_is_absent_is_not_zero(stubs: dict[str, Stubber]) -> None:
    stubs["sagemaker"].add_response(CALL, answer({"ReservedCapacityOfferings": []}), ASKED)
    stubs["ec2"].add_response("describe_availability_zones", ZONES)
    (found,) = training_plan_offerings(TARGET, QUESTION)
    assert (found.upfront_fee, found.capacities) == (None, ())


def test_zones_are_not_asked_when_nothing_is_offered(stubs: dict[str, Stubber]) -> None:
    stubs["sagemaker"].add_response(CALL, answer(), ASKED)
    assert training_plan_offerings(TARGET, QUESTION) == []


def test_an_account_without_quota_is_told_by_the_code(stubs: dict[str, Stubber]) -> None:
    stubs["sagemaker"].add_client_error(CALL, "ResourceLimitExceeded", "0 plans")
    with pytest.raises(AwsApiError) as failed:
        training_plan_offerings(TARGET, QUESTION)
    assert failed.value.code == "ResourceLimitExceeded"
