"""A dry run changes nothing, and is refused where the call would be by what is asked before it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from botocore.exceptions import ClientError

Refused = Callable[..., tuple[str, str]]
ANSWER = ("DryRunOperation", "Request would have succeeded, but DryRun flag is set.")
ZONE = "us-west-2a"


@pytest.fixture
def ec2(client: Callable[[str], Any]) -> Any:
    return client("ec2")


@pytest.mark.parametrize(
    ("ask", "given", "tell", "kind"),
    [
        ("create_vpc", {"CidrBlock": "10.0.0.0/16"}, "describe_vpcs", "Vpcs"),
        ("create_subnet", {"CidrBlock": "10.0.9.0/24", "AvailabilityZone": ZONE}, "describe_subnets", "Subnets"),
        ("create_placement_group", {"GroupName": "dry"}, "describe_placement_groups", "PlacementGroups"),
        ("create_volume", {"AvailabilityZone": ZONE, "Size": 1}, "describe_volumes", "Volumes"),
        (
            "create_capacity_reservation",
            {
                "InstanceType": "c7i.large",
                "InstancePlatform": "Linux/UNIX",
                "InstanceCount": 1,
                "AvailabilityZone": ZONE,
            },
            "describe_capacity_reservations",
            "CapacityReservations",
        ),
        (
            "run_instances",
            {"ImageId": "ami-1", "InstanceType": "c7i.large", "MinCount": 1, "MaxCount": 1},
            "describe_instances",
            "Reservations",
        ),
    ],
)
def test_a_dry_run_makes_nothing(
    *, ec2: Any, refused: Refused, ground: Any, ask: str, given: dict[str, Any], tell: str, kind: str
) -> None:
    before = getattr(ec2, tell)()[kind]
    here = {"VpcId": ground.vpc} if ask == "create_subnet" else {}
    assert refused(getattr(ec2, ask), **given, **here, DryRun=True) == ANSWER
    assert getattr(ec2, tell)()[kind] == before


def test_a_dry_run_buys_no_block(ec2: Any, refused: Refused) -> None:
    wish = {"InstanceType": "trn1.32xlarge", "InstanceCount": 1, "CapacityDurationHours": 24}
    offering = ec2.describe_capacity_block_offerings(**wish)["CapacityBlockOfferings"][0]["CapacityBlockOfferingId"]
    order = {"CapacityBlockOfferingId": offering, "InstancePlatform": "Linux/UNIX"}
    assert refused(ec2.purchase_capacity_block, **order, DryRun=True) == ANSWER
    assert ec2.describe_capacity_blocks()["CapacityBlocks"] == []
    assert ec2.purchase_capacity_block(**order)["CapacityBlocks"]  # it is still for sale


def test_a_dry_run_tells_nothing_either_and_has_a_status_of_its_own(ec2: Any) -> None:
    with pytest.raises(ClientError) as refused:
        ec2.describe_vpcs(DryRun=True)
    assert refused.value.response["Error"]["Code"] == "DryRunOperation"
    assert refused.value.response["ResponseMetadata"]["HTTPStatusCode"] == 412


def test_what_is_asked_before_the_operation_is_asked_of_a_dry_run(ec2: Any, refused: Refused) -> None:
    wish = {"ImageId": "ami-1", "InstanceType": "trn9.48xlarge", "MinCount": 1, "MaxCount": 1}
    assert refused(ec2.run_instances, **wish, DryRun=True)[0] == "InvalidParameterValue"


def test_a_dry_run_of_what_nobody_knows_is_not_known(ec2: Any, refused: Refused) -> None:
    assert (
        refused(ec2.modify_capacity_reservation_fleet, CapacityReservationFleetId="crf-1", DryRun=True)[0]
        == "NotImplemented"
    )
    assert ec2.describe_vpcs(DryRun=False)["Vpcs"]
