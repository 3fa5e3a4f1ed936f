"""Failed resources as text: place in the file, known cause and way out of the first one."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hint_commands import command_error, commands_in

from neuron_cluster.aws.cloudformation import StackEvent
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.changes.source_key import key_of_resource
from neuron_cluster.deploy.destination import aws_destination
from neuron_cluster.deploy.failed_resources import failure_lines, way_out

AWS = aws_destination("210987654321", "eu-north-1")
GOLDEN = Path(__file__).parents[2] / "golden"
SCARCE = "InsufficientInstanceCapacity - We currently do not have sufficient trn1.32xlarge capacity"
TAKEN = "The maximum number of addresses has been reached. (Error Code: AddressLimitExceeded)"


def failed(logical_id: str, type_name: str, reason: str) -> tuple[str, StackEvent]:
    at = datetime(2026, 11, 29, tzinfo=UTC)
    return "train-nodes", StackEvent(logical_id, at, logical_id, type_name, "CREATE_FAILED", reason)


GROUP = failed("GroupTrn1", "AWS::EKS::Nodegroup", SCARCE)
ADDRESS = failed("Eip", "AWS::EC2::EIP", TAKEN)
OTHER = failed("Vpc", "AWS::EC2::VPC", "nobody has seen these words")


def test_the_first_resource_has_its_place_and_its_cause_below_it() -> None:
    lines = failure_lines([GROUP, OTHER], AWS, lambda stack, logical_id: f"key of {stack}/{logical_id}")
    assert lines == [
        f"train-nodes: GroupTrn1 (AWS::EKS::Nodegroup): {SCARCE}",
        "  in the file: key of train-nodes/GroupTrn1",
        "  known cause: EC2 has not enough machines of this type in the Availability Zone",
        "train-nodes: Vpc (AWS::EC2::VPC): nobody has seen these words",
    ]


def test_without_a_known_cause_the_words_of_the_service_stand_alone() -> None:
    assert failure_lines([OTHER], AWS) == ["train-nodes: Vpc (AWS::EC2::VPC): nobody has seen these words"]
    assert way_out([OTHER, GROUP], AWS) == ""


def test_a_row_in_doubt_is_a_possible_cause() -> None:
    association = failed("Sync", "AWS::FSx::DataRepositoryAssociation", "no permission to access the bucket")
    (_, line) = failure_lines([association], AWS)
    assert line.startswith("  possible cause: FSx may not use the bucket")


def test_nothing_failed_has_no_lines() -> None:
    assert (failure_lines([], AWS), way_out([], AWS)) == ([], "")


def test_the_way_out_names_a_command_for_this_account() -> None:
    words = way_out([ADDRESS], AWS)
    (command,) = commands_in(words)
    assert command == "aws ec2 describe-addresses --region eu-north-1"
    assert command_error(command) == ""
    assert words.startswith("release addresses that nothing uses")


@pytest.mark.parametrize(
    ("part", "resource", "key"),
    [
        ("nodes", "AWS::EKS::Nodegroup", "eks.node_groups (trn1)"),
        ("cluster", "AWS::EKS::Cluster", "eks"),
        ("network", "AWS::EC2::NatGateway", "network"),
        ("storage", "AWS::FSx::FileSystem", "storage.lustre"),
    ],
)
def test_a_resource_is_traced_to_its_key_in_the_file(part: str, resource: str, key: str) -> None:
    stack = f"train-trn1-{part}"
    template = json.loads((GOLDEN / "train-trn1" / f"{stack}.template.json").read_text(encoding="utf-8"))
    logical_id = next(name for name, each in template["Resources"].items() if each["Type"] == resource)
    assert key_of_resource({stack: template}, stack, logical_id, load_catalog()) == key


def test_a_resource_that_no_template_has_is_traced_nowhere() -> None:
    assert key_of_resource({"train-nodes": {"Resources": {}}}, "train-nodes", "Gone", load_catalog()) == ""
