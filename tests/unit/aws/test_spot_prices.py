"""Spot prices by zone, from answers in the form that the API documents."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from botocore.stub import Stubber

from neuron_cluster.aws.session import LocalTarget, client, close_clients
from neuron_cluster.aws.spot_prices import spot_usd_hour

LOCAL = LocalTarget("us-east-2", "111122223333", "http://127.0.0.1:9")
AT = datetime(2026, 11, 27, 12, tzinfo=UTC)


@pytest.fixture
def stub():
    with Stubber(client(LOCAL, "ec2")) as stubber:
        yield stubber
    close_clients(LOCAL)


def row(instance_type: str, zone: str, usd: str) -> dict[str, object]:
    return {
        "AvailabilityZone": f"us-east-2{zone}",
        "AvailabilityZoneId": f"use2-az{ord(zone) - 96}",
        "InstanceType": instance_type,
        "ProductDescription": "Linux/UNIX",
        "SpotPrice": usd,
        "Timestamp": AT,
    }


def test_prices_of_one_time_are_read_from_all_pages_by_zone_id(stub) -> None:
    given = {
        "InstanceTypes": ["trn1.32xlarge", "trn2.48xlarge"],
        "ProductDescriptions": ["Linux/UNIX"],
        "StartTime": AT,
        "EndTime": AT,
    }
    first = {"SpotPriceHistory": [row("trn1.32xlarge", "a", "2.150000")], "NextToken": "more"}
    second = {"SpotPriceHistory": [row("trn1.32xlarge", "c", "2.9"), row("trn2.48xlarge", "c", "14.56")]}
    stub.add_response("describe_spot_price_history", first, given)
    stub.add_response("describe_spot_price_history", second, given | {"NextToken": "more"})
    assert spot_usd_hour(LOCAL, {"trn2.48xlarge", "trn1.32xlarge"}, AT) == {
        "trn1.32xlarge": {"use2-az1": 2.15, "use2-az3": 2.9},
        "trn2.48xlarge": {"use2-az3": 14.56},
    }
    stub.assert_no_pending_responses()
