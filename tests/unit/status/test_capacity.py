"""Capacity blocks and reservations of compute groups: scheduled, active, about to end, ended, gone."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from botocore.stub import Stubber
from hint_commands import command_error
from hinted_command import run_aws

from local_aws.clock import CLOCK
from neuron_cluster.cli.main import main
from neuron_cluster.status.capacity import capacity_section

from .conftest import Deployed, Environment, Line, Read, query_of

pytestmark = pytest.mark.slow
NAME, ZONE = "train-trn2", "use2-az3"
PLACEHOLDER = "cr-0123456789abcdef0"


@pytest.fixture
def environment(deployed: Deployed, project: Path) -> Iterator[Environment]:
    file = project / "environments" / f"{NAME}.yaml"
    text = file.read_text()
    yield deployed(NAME, ())
    file.write_text(text)
    CLOCK.reset()


def bought(environment: Environment, days_ahead: int) -> dict[str, Any]:
    """The reservation of a block of two days in the zone of the file, which the file then names."""
    ec2 = environment.client("ec2")
    (zone,) = [
        each["ZoneName"] for each in ec2.describe_availability_zones()["AvailabilityZones"] if each["ZoneId"] == ZONE
    ]
    wish = {"InstanceType": "trn2.48xlarge", "InstanceCount": 2, "CapacityDurationHours": 48}
    offered = ec2.describe_capacity_block_offerings(**wish)["CapacityBlockOfferings"]
    of_zone = sorted((each for each in offered if each["AvailabilityZone"] == zone), key=lambda each: each["StartDate"])
    offering = of_zone[0] if not days_ahead else of_zone[-1]
    block: dict[str, Any] = ec2.purchase_capacity_block(
        CapacityBlockOfferingId=offering["CapacityBlockOfferingId"], InstancePlatform="Linux/UNIX"
    )["CapacityReservation"]
    file = environment.project / "environments" / f"{NAME}.yaml"
    file.write_text(file.read_text().replace(PLACEHOLDER, block["CapacityReservationId"]))
    return block


def capacity(read: Read) -> Line:
    (line,) = [line for line in read(NAME).lines if line.section == "Capacity"]
    return line


def test_an_active_block_is_healthy_until_its_last_day(environment: Environment, read: Read) -> None:
    block = bought(environment, 0)
    line = capacity(read)
    assert (line.subject, line.verdict) == (f"trn2 in {block['CapacityReservationId']}", "healthy")
    assert line.cause.startswith("active, 2 of 2 instances free, ends ")


def test_a_block_that_has_not_begun_is_a_warning(environment: Environment, read: Read) -> None:
    block = bought(environment, 1)
    line = capacity(read)
    assert line.verdict == "warning"
    assert line.cause.startswith(f"the capacity block begins {block['StartDate']:%Y-%m-%d %H:%M} UTC, in ")
    assert command_error(line.command or "") == ""


def test_a_block_that_has_ended_is_an_error_with_the_offers(environment: Environment, read: Read) -> None:
    block = bought(environment, 0)
    ends: datetime = block["EndDate"]
    CLOCK.set(ends + timedelta(hours=3))
    line = capacity(read)
    assert (line.verdict, line.command) == ("error", f"neuron-cluster capacity offers --local {NAME}")
    assert line.cause.startswith("the capacity block is expired")
    assert command_error(line.command or "") == ""


@pytest.mark.exhaustive
def test_the_offers_of_an_ended_block_lead_to_one_that_is_healthy(
    environment: Environment, read: Read, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command of the line shows the purchase, and a person carries it out and names the block in the file."""
    ended = bought(environment, 0)
    CLOCK.set(ended["EndDate"] + timedelta(hours=3))
    command = capacity(read).command
    assert command is not None
    capsys.readouterr()
    assert main([*shlex.split(command)[1:], "--project", str(environment.project)]) == 0
    printed = capsys.readouterr().out
    purchase = re.search(r"^ *(aws ec2 purchase-capacity-block .*?[^\\])$", printed, re.MULTILINE | re.DOTALL)
    assert purchase is not None, printed
    untagged = re.sub(r" --tag-specifications \S+", "", purchase[1].replace("\\\n", " "))
    row = run_aws(untagged, environment.target)["CapacityReservation"]
    CLOCK.set(row["StartDate"] + timedelta(minutes=1))
    file = environment.project / "environments" / f"{NAME}.yaml"
    file.write_text(file.read_text().replace(ended["CapacityReservationId"], row["CapacityReservationId"]))
    assert capacity(read).verdict in ("healthy", "warning")
    assert row["CapacityReservationId"] in capacity(read).subject


def test_a_reservation_that_does_not_exist_is_an_error(environment: Environment, read: Read) -> None:
    line = capacity(read)
    assert (line.subject, line.verdict) == (f"trn2 in {PLACEHOLDER}", "error")
    assert "does not exist in this account, or is no longer shared" in line.cause


def test_instances_of_a_block_that_failed_a_check_are_an_error(environment: Environment, read: Read) -> None:
    """The local AWS has no broken instance, so EC2's answer is one that its API documents."""
    ec2 = environment.client("ec2")
    row = {"CapacityReservationId": PLACEHOLDER, "TotalCapacity": 2, "TotalUnavailableCapacity": 1}
    with Stubber(ec2) as stub:
        stub.add_response("describe_capacity_reservations", {"CapacityReservations": []})
        statuses = {"CapacityBlockStatuses": [{"CapacityBlockId": "cb-1", "CapacityReservationStatuses": [row]}]}
        stub.add_response("describe_capacity_block_status", statuses)
        lines = capacity_section(query_of(environment)).lines
    found = {line.subject: line.cause for line in lines}
    assert found["instances of trn2"] == "1 instance of the capacity block failed a system check of EC2"
