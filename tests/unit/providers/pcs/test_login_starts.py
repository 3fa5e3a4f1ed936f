"""Whether a deploy and `list` notice login nodes that do not start; EC2 and Systems Manager are stubs of botocore."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from botocore.stub import Stubber
from hint_commands import command_error, commands_in

from neuron_cluster.aws.pcs import PcsCluster
from neuron_cluster.aws.session import AwsTarget, client, close_clients
from neuron_cluster.deploy.destination import Destination, aws_destination, local_destination
from neuron_cluster.findings.finding import Severity
from neuron_cluster.providers.pcs.existing import ExistingSlurm
from neuron_cluster.providers.pcs.login_starts import LoginNode, read_login_nodes, start_findings
from neuron_cluster.providers.pcs.operations import SlurmOperations

NAME = "slurm-trn1/login"
FIRST, SECOND = "i-0123456789abcdef0", "i-0123456789abcdef1"
AWS = aws_destination("111122223333", "us-west-2")
LOCAL = local_destination("http://127.0.0.1:9", "111122223333", "us-west-2")
CLUSTER = PcsCluster("pcs_1", "slurm-trn1", "ACTIVE", "25.11", "SMALL", "STANDARD")


def node(id_: str = FIRST, state: str = "running", age: int = 3, *, is_online: bool = False) -> LoginNode:
    return LoginNode(id_, state, age, is_online)


def ids(nodes: list[LoginNode], access: Destination = AWS) -> list[str]:
    return [each.id for each in start_findings(NAME, nodes, access)]


@pytest.mark.parametrize(
    ("nodes", "expected"),
    [
        ([], ["W9568"]),
        ([node(state="pending", age=0)], ["W9568"]),
        ([node()], ["W9568"]),
        ([node(is_online=True)], []),
        ([node(state="terminated"), node(SECOND, is_online=True)], []),
        ([node(state="terminated", age=59), node(SECOND, state="terminated", age=40)], ["E9569"]),
        ([node(state="terminated", age=59), node("i-2", "shutting-down", 40), node(SECOND)], ["E9569"]),
        ([node(age=31)], ["E9569"]),
        ([node(state="terminated", age=9000), node("i-2", "terminated", 9000), node(SECOND)], ["W9568"]),
    ],
    ids=["none", "pending", "new", "ready", "replaced", "failed", "fails", "late", "update"],
)
def test_nodes_that_are_not_ready_are_a_warning_and_those_that_fail_an_error(
    nodes: list[LoginNode], expected: list[str]
) -> None:
    assert ids(nodes) == expected


def test_the_local_aws_starts_no_node_and_a_node_that_ends_there_is_noticed() -> None:
    assert ids([], LOCAL) == []
    assert ids([node(state="terminated"), node(SECOND, "terminated")], LOCAL) == ["E9569"]


@pytest.mark.hints("W9568", "E9569")
@pytest.mark.parametrize(
    "nodes", [[], [node()], [node(age=31)], [node(state="terminated"), node(SECOND, "terminated", 1)]]
)
def test_the_hint_shows_what_the_start_script_wrote(nodes: list[LoginNode]) -> None:
    (finding,) = start_findings(NAME, nodes, AWS)
    assert finding.severity is (Severity.WARNING if finding.id == "W9568" else Severity.ERROR)
    commands = commands_in(finding.hint)
    assert commands
    assert [command for command in commands if command_error(command)] == []
    assert any("get-console-output --latest" in each for each in commands) is bool(nodes)


def row(id_: str, state: str, minutes: int) -> dict[str, Any]:
    launched = datetime.now(UTC) - timedelta(minutes=minutes, seconds=1)
    return {"InstanceId": id_, "State": {"Name": state}, "LaunchTime": launched}


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """One login node has ended, the next one is online."""
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "testing")
    target = AwsTarget("us-west-2")
    ec2, ssm = client(target, "ec2"), client(target, "ssm")
    rows = [row(SECOND, "running", 4), row(FIRST, "terminated", 20)]
    with Stubber(ec2) as of_ec2, Stubber(ssm) as of_ssm:
        for _ in range(2):
            named = {"Filters": [{"Name": "tag:Name", "Values": [NAME]}]}
            of_ec2.add_response("describe_instances", {"Reservations": [{"Instances": rows}]}, named)
            online = [{"InstanceId": SECOND, "PingStatus": "Online"}]
            asked = {"Filters": [{"Key": "InstanceIds", "Values": [SECOND]}]}
            of_ssm.add_response("describe_instance_information", {"InstanceInformationList": online}, asked)
        yield
    close_clients(target)


@pytest.mark.usefixtures("answers")
def test_login_nodes_are_read_with_their_age_and_agent() -> None:
    found = read_login_nodes(AwsTarget("us-west-2"), NAME)
    assert found == (node(state="terminated", age=20), node(SECOND, age=4, is_online=True))
    asked = SlurmOperations().start_findings(AWS, "slurm-trn1", {"slurm-trn1-compute"})
    assert list(asked) == []


def test_a_deploy_without_the_permissions_to_ask_has_no_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "testing")
    target = AwsTarget("us-west-2")
    with Stubber(client(target, "ec2")) as of_ec2:
        of_ec2.add_client_error("describe_instances", "UnauthorizedOperation")
        assert read_login_nodes(target, NAME) is None
    close_clients(target)
    assert list(start_findings(NAME, None, AWS)) == []


def test_an_environment_without_a_slurm_cluster_is_not_asked_about() -> None:
    assert list(SlurmOperations().start_findings(AWS, "train", {"train-network"})) == []


def test_a_deploy_reports_nodes_that_fail(plan_of: Callable[..., Any]) -> None:
    failing = (node(state="terminated"), node(SECOND, "terminated"))
    existing = ExistingSlurm(slurm_clusters=(CLUSTER,), login_nodes=failing)
    assert [each.id for each in existing.findings(plan_of("slurm-trn1"), AWS)] == ["E9569"]
