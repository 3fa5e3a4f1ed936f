"""Reservations that end by themselves."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

Refused = Callable[..., tuple[str, str]]
WISH = {
    "InstanceType": "trn1.32xlarge",
    "InstancePlatform": "Linux/UNIX",
    "InstanceCount": 1,
    "AvailabilityZoneId": "usw2-az4",
    "EndDateType": "limited",
}


@pytest.fixture
def ec2(client: Callable[[str], Any]) -> Any:
    return client("ec2")


def test_a_reservation_with_an_end_is_told_with_it(ec2: Any) -> None:
    end = datetime.now(UTC).replace(microsecond=0) + timedelta(days=3)
    made = ec2.create_capacity_reservation(**WISH, EndDate=end)["CapacityReservation"]
    (reported,) = ec2.describe_capacity_reservations()["CapacityReservations"]
    assert {(row["State"], row["EndDate"]) for row in (made, reported)} == {("active", end)}


def test_a_reservation_does_not_end_before_it_begins(ec2: Any, refused: Refused) -> None:
    yesterday = datetime.now(UTC) - timedelta(days=1)
    code, message = refused(ec2.create_capacity_reservation, **WISH, EndDate=yesterday)
    assert (code, "in the future" in message) == ("InvalidParameterValue", True)
    assert ec2.describe_capacity_reservations()["CapacityReservations"] == []
