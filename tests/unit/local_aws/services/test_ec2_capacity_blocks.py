"""Blocks of UltraServers, and what is told of blocks that were bought."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest

from local_aws.clients import local_client
from local_aws.server import LocalAws

Refused = Callable[..., tuple[str, str]]
REGION = "ap-south-2"
"""One that offers trn2u.48xlarge."""
ULTRASERVERS = {"UltraserverType": "u-trn2x64", "UltraserverCount": 2, "CapacityDurationHours": 24}


@pytest.fixture
def ec2(local_aws: LocalAws, account: str) -> Any:
    return local_client("ec2", local_aws.endpoint, account, REGION)


@pytest.fixture
def buy(ec2: Any) -> Callable[..., Any]:
    """Buys the first offering that starts now, or later."""

    def purchase(*, now: bool = True, **wish: Any) -> Any:
        offered = ec2.describe_capacity_block_offerings(**(wish or ULTRASERVERS))["CapacityBlockOfferings"]
        moment = dt.datetime.now(dt.UTC)
        found = next(each for each in offered if (each["StartDate"] <= moment) is now)
        offering_id = found["CapacityBlockOfferingId"]
        return ec2.purchase_capacity_block(CapacityBlockOfferingId=offering_id, InstancePlatform="Linux/UNIX")

    return purchase


def test_ultraservers_are_offered_whole(ec2: Any) -> None:
    offered = ec2.describe_capacity_block_offerings(**ULTRASERVERS)["CapacityBlockOfferings"]
    units = {(each["UltraserverType"], each["UltraserverCount"]) for each in offered}
    machines = {(each["InstanceType"], each["InstanceCount"]) for each in offered}
    assert (units, machines) == ({("u-trn2x64", 2)}, {("trn2u.48xlarge", 8)})
    instances = {"InstanceType": "trn2.48xlarge", "InstanceCount": 8, "CapacityDurationHours": 24}
    alone = ec2.describe_capacity_block_offerings(**instances)["CapacityBlockOfferings"]
    assert {each["UpfrontFee"] for each in offered} == {each["UpfrontFee"] for each in alone}
    assert not any("UltraserverType" in each for each in alone)


def test_a_block_of_ultraservers_is_told_by_what_was_bought(ec2: Any, buy: Any) -> None:
    answer = buy()
    (block,) = answer["CapacityBlocks"]
    row = answer["CapacityReservation"]
    assert (row["InstanceType"], row["TotalInstanceCount"], row["State"]) == ("trn2u.48xlarge", 8, "active")
    assert block["CapacityReservationIds"] == [row["CapacityReservationId"]]
    assert block["CapacityBlockId"] == row["CapacityBlockId"]
    (actual,) = ec2.describe_capacity_blocks(CapacityBlockIds=[block["CapacityBlockId"]])["CapacityBlocks"]
    assert (actual["UltraserverType"], actual["State"], actual["EndDate"]) == (
        "u-trn2x64",
        "active",
        row["EndDate"],
    )
    assert actual["AvailabilityZoneId"] == row["AvailabilityZoneId"]


def test_the_room_of_a_block_is_told(ec2: Any, buy: Any) -> None:
    block = buy()["CapacityBlocks"][0]
    (status,) = ec2.describe_capacity_block_status(CapacityBlockIds=[block["CapacityBlockId"]])["CapacityBlockStatuses"]
    assert (status["TotalCapacity"], status["TotalAvailableCapacity"], status["InterconnectStatus"]) == (8, 8, "ok")
    (inside,) = status["CapacityReservationStatuses"]
    assert inside["CapacityReservationId"] == block["CapacityReservationIds"][0]


def test_blocks_are_found_by_filters_and_in_pages(ec2: Any, buy: Any, refused: Refused) -> None:
    now, later = buy(), buy(now=False, InstanceType="trn2.48xlarge", InstanceCount=1, CapacityDurationHours=24)
    ids = [answer["CapacityBlocks"][0]["CapacityBlockId"] for answer in (now, later)]
    describe = ec2.describe_capacity_blocks

    def found(name: str, value: str) -> list[str]:
        rows = describe(Filters=[{"Name": name, "Values": [value]}])["CapacityBlocks"]
        return [row["CapacityBlockId"] for row in rows]

    assert [found("state", "active"), found("state", "scheduled")] == [[ids[0]], [ids[1]]]
    assert found("ultraserver-type", "u-trn2x64") == [ids[0]]
    first = describe(MaxResults=1)
    second = describe(MaxResults=1, NextToken=first["NextToken"])
    assert [page["CapacityBlocks"][0]["CapacityBlockId"] for page in (first, second)] == ids
    code, message = refused(describe, Filters=[{"Name": "colour", "Values": ["red"]}])
    assert (code, "'colour'" in message) == ("InvalidParameterValue", True)
    assert refused(describe, NextToken="7")[0] == "InvalidNextToken"
    assert refused(ec2.describe_capacity_block_status, NextToken="7")[0] == "InvalidNextToken"


def test_a_block_that_was_not_bought_is_not_found(ec2: Any, refused: Refused) -> None:
    for call in (ec2.describe_capacity_blocks, ec2.describe_capacity_block_status):
        code, message = refused(call, CapacityBlockIds=["cb-0123456789abcdef0"])
        assert (code, "cb-0123456789abcdef0" in message) == ("InvalidCapacityBlockId.NotFound", True)


@pytest.mark.parametrize(
    ("wish", "code", "text"),
    [
        ({"UltraserverType": "u-trn9x64"}, "InvalidParameterValue", "UltraServer type u-trn9x64 is not offered"),
        ({"UltraserverCount": 0}, "InvalidParameterValue", "UltraServer count 0 is not offered"),
        ({"InstanceType": "trn2.48xlarge"}, "InvalidParameterCombination", "not both"),
        ({"CapacityDurationHours": 25}, "InvalidParameterValue", "25 hours is not offered"),
    ],
)
def test_ultraservers_that_are_not_sold(ec2: Any, refused: Refused, wish: Any, code: str, text: str) -> None:
    answered = refused(ec2.describe_capacity_block_offerings, **{**ULTRASERVERS, **wish})
    assert (answered[0], text in answered[1]) == (code, True)


def test_the_instances_of_an_ultraserver_are_not_sold_alone(ec2: Any, refused: Refused) -> None:
    wish = {"InstanceType": "trn2u.48xlarge", "InstanceCount": 4, "CapacityDurationHours": 24}
    code, message = refused(ec2.describe_capacity_block_offerings, **wish)
    assert (code, "not offered in capacity blocks" in message) == ("InvalidParameterValue", True)
