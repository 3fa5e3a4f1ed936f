"""The command `status`: text, exit status, and what it does without an answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

import neuron_cluster.cli.status as command_module
from neuron_cluster.aws.session import AwsTarget, close_clients
from neuron_cluster.cli.main import main
from tests.json_outputs import accepted_mutations

from .conftest import Deployed, Environment, Read

pytestmark = pytest.mark.slow
NAME = "workstation"


@pytest.fixture(scope="module")
def environment(deployed: Deployed) -> Environment:
    return deployed(NAME)


def test_watch_reads_again_until_it_is_interrupted(
    environment: Environment, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []

    def wait(seconds: float) -> None:
        waits.append(seconds)
        if len(waits) == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(command_module, "wait_for_next", wait)
    assert main(["status", "--local", NAME, "--watch", "--project", str(environment.project)]) == 130
    assert capsys.readouterr().out.count(f"{NAME} in the local AWS") == 2
    assert waits == [60, 60]


def test_watch_prints_no_json(environment: Environment, capsys: pytest.CaptureFixture[str]) -> None:
    given = ["status", "--local", NAME, "--watch", "--format", "json", "--project", str(environment.project)]
    assert main(given) == 1
    assert "--watch prints text for people" in capsys.readouterr().out


def test_a_line_that_is_not_healthy_has_cause_time_and_command(
    environment: Environment, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    with environment.aws.faults.access_denied("cloudformation", "DescribeStacks"):
        assert main(["status", "--local", NAME, "--project", str(environment.project)]) == 1
    text = capsys.readouterr().out
    assert "not read  Stacks            stacks\n" in text
    assert "          cloudformation:DescribeStacks: access denied: DescribeStacks (User:" in text
    assert "          next: aws sts get-caller-identity --region us-west-2 --endpoint-url http://127" in text
    assert "not read  Environment file  findings\n" in text
    assert "healthy   Stacks" not in text


def test_a_lost_connection_is_not_read(environment: Environment, command: Read) -> None:
    with environment.aws.faults.dropped_connection("ec2", "DescribeNatGateways"):
        status = command(NAME)
    (line,) = status.others
    assert (status.exit, line.subject, line.verdict) == (1, "NAT gateways", "not_read")


def test_throttling_is_not_read_and_leads_to_another_try(environment: Environment, command: Read) -> None:
    with environment.aws.faults.throttling("kms", "DescribeKey", times=1):
        status = command(NAME)
    (line,) = status.others
    assert (status.exit, line.verdict) == (1, "not_read")
    assert line.cause == "kms:DescribeKey: AWS throttled DescribeKey"
    assert line.command == f"neuron-cluster status --local {NAME}"


def test_the_document_has_no_property_that_its_schema_lacks(environment: Environment, command: Read) -> None:
    assert accepted_mutations("status", command(NAME).document) == []


@pytest.fixture
def credentials(environment: Environment, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """From now on the local AWS plays AWS, and the user's credentials are those of this account."""
    region = environment.plan.region

    def use(account: str) -> None:
        close_clients(AwsTarget(region))
        monkeypatch.setattr(environment.aws.store, "is_named", False)
        for name, value in environment.aws.environment(account, region).items():
            monkeypatch.setenv(name, value)

    yield use
    close_clients(AwsTarget(region))


def test_on_aws_it_reads_the_account_of_the_file_and_no_other(
    environment: Environment, credentials: Callable[[str], None], capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["status", NAME, "--project", str(environment.project)]
    credentials(environment.plan.account)
    assert main(given) == 0
    assert f"{NAME} in AWS account {environment.plan.account}, us-west-2" in capsys.readouterr().out
    credentials("444455556666")
    assert main(given) == 1
    captured = capsys.readouterr()
    assert (captured.out, "E9501" in captured.err) == ("", True)
