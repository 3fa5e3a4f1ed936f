"""Known causes of failed resources: each row by the words that a source has of an event."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
import yaml
from hint_commands import command_error, commands_in

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.catalog.failure_cause import FailureCause

CAUSES = load_catalog().failure_causes
GROUP = "AWS::EKS::Nodegroup"
EVENTS = yaml.safe_load((Path(__file__).parents[2] / "fixtures" / "failure_events.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event["name"])
def test_the_words_of_an_event_have_their_cause(event: dict[str, str]) -> None:
    found = CAUSES.of(event["type"], event["reason"])
    assert found is not None
    assert found.name == event["name"]


def test_every_cause_has_an_event() -> None:
    assert [event["name"] for event in EVENTS] == list(CAUSES.names)


@pytest.mark.parametrize(
    ("type_name", "reason"),
    [
        (GROUP, "The service failed on request of a test."),
        ("AWS::EC2::VPC", "NodeCreationFailure"),
        ("AWS::EC2::Subnet", "The CIDR '10.0.0.0/24' conflicts with another subnet"),
        (GROUP, ""),
    ],
)
def test_other_words_have_no_known_cause(type_name: str, reason: str) -> None:
    assert CAUSES.of(type_name, reason) is None


@pytest.mark.parametrize("cause", CAUSES, ids=lambda cause: cause.name)
def test_a_way_out_has_only_commands_that_can_be_pasted(cause: FailureCause) -> None:
    commands = commands_in(cause.way_out) + ([f"aws {cause.look}"] if cause.look else [])
    assert [error for command in commands if (error := command_error(command))] == []


def test_an_expression_that_cannot_be_read_and_a_doubled_program_are_refused() -> None:
    row = FailureCause(
        name="a", source="s", checked_on=date(2026, 11, 29), reason="(", cause="c", way_out="w", look="aws ec2"
    )
    assert [field for field, _ in row.contradictions()] == ["reason", "look"]
