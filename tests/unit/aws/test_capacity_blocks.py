"""Offerings of capacity blocks: what EC2 is asked, and what is read from all pages."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
from botocore.stub import Stubber

from neuron_cluster.aws.capacity_blocks import OfferingQuestion, capacity_block_offerings
from neuron_cluster.aws.session import LocalTarget, client, close_clients

TARGET = LocalTarget("us-east-2", "111122223333", "http://127.0.0.1:9")
START, END = datetime(2026, 12, 1, 11, 30, tzinfo=UTC), datetime(2026, 12, 2, 11, 30, tzinfo=UTC)
ZONES = {"AvailabilityZones": [{"ZoneName": "us-east-2c", "ZoneId": "use2-az1"}]}


def offering(number: int, **changes: Any) -> dict[str, Any]:
    return {
        "CapacityBlockOfferingId": f"cb-{number:017}",
        "AvailabilityZone": "us-east-2c",
        "InstanceCount": 4,
        "StartDate": START,
        "EndDate": END,
        "UpfrontFee": "858.26",
        "CurrencyCode": "USD",
        **changes,
    }


@pytest.fixture
def stub() -> Iterator[Stubber]:
    with Stubber(client(TARGET, "ec2")) as stubber:
        yield stubber
        stubber.assert_no_pending_responses()
    close_clients(TARGET)


def test_all_pages_are_read_and_zones_are_told_by_id(stub: Stubber) -> None:
    asked = {
        "InstanceType": "trn2.48xlarge",
        "InstanceCount": 4,
        "CapacityDurationHours": 24,
        "StartDateRange": START,
        "EndDateRange": END,
    }
    call = "describe_capacity_block_offerings"
    stub.add_response(call, {"CapacityBlockOfferings": [offering(1)], "NextToken": "more"}, asked)
    elsewhere = offering(2, AvailabilityZone="us-east-2z")
    stub.add_response(call, {"CapacityBlockOfferings": [elsewhere]}, asked | {"NextToken": "more"})
    stub.add_response("describe_availability_zones", ZONES)
    question = OfferingQuestion(instance_type="trn2.48xlarge", count=4, hours=24, earliest_start=START, latest_end=END)
    first, second = capacity_block_offerings(TARGET, question)
    assert (first.zone_id, first.count, first.start, first.end) == ("use2-az1", 4, START, END)
    assert (first.upfront_fee, first.currency) == (Decimal("858.26"), "USD")
    assert (second.id, second.zone_id) == (f"cb-{2:017}", None)


def test_ultraservers_are_asked_and_counted_as_such(stub: Stubber) -> None:
    asked = {"UltraserverType": "u-trn2x64", "UltraserverCount": 2, "CapacityDurationHours": 24}
    sold = offering(1, UltraserverType="u-trn2x64", UltraserverCount=2, InstanceCount=8)
    stub.add_response("describe_capacity_block_offerings", {"CapacityBlockOfferings": [sold]}, asked)
    stub.add_response("describe_availability_zones", ZONES)
    (found,) = capacity_block_offerings(TARGET, OfferingQuestion(ultraserver_type="u-trn2x64", count=2, hours=24))
    assert found.count == 2


def test_zones_are_not_asked_when_nothing_is_offered(stub: Stubber) -> None:
    stub.add_response("describe_capacity_block_offerings", {"CapacityBlockOfferings": []})
    assert capacity_block_offerings(TARGET, OfferingQuestion(instance_type="trn2.48xlarge", count=1, hours=24)) == []
