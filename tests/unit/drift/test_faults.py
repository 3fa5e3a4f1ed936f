"""Faults in the middle of `drift`: what was not read is named with its reason, and the exit status is 1, never 0."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from botocore.client import BaseClient
from botocore.exceptions import ClientError

from neuron_cluster.aws.cloudformation import create_stack
from neuron_cluster.aws.session import AwsTarget, close_clients
from neuron_cluster.cli.main import main
from neuron_cluster.deploy.environment_drift import descriptions
from neuron_cluster.drift.environment_drift import DeployedEnvironment, read_drift
from neuron_cluster.drift.records import COULD_NOT_LOOK, EnvironmentDrift, Severity, Uncompared

from .conftest import AT, CATALOG, CHECKOUT, Deployed, Environment
from .small_stack import small_environment

pytestmark = pytest.mark.slow
NAME = "dev-inf2"
NETWORK, OBSERVABILITY = f"{NAME}-network", f"{NAME}-observability"


@pytest.fixture(scope="module")
def environment(deployed: Deployed) -> Environment:
    return small_environment(deployed)


def only_reason(found: EnvironmentDrift) -> Uncompared:
    assert (found.drifts, found.exit_status(Severity.ERROR)) == ((), COULD_NOT_LOOK)
    (part,) = found.uncompared
    return part


def test_throttling_is_not_read_with_its_reason(environment: Environment) -> None:
    with environment.aws.faults.throttling("logs", "DescribeLogGroups", times=1000):
        part = only_reason(environment.drift())
    assert (part.call, part.reason) == ("logs:DescribeLogGroups", "AWS throttled DescribeLogGroups")
    assert not part.is_denied


def test_a_lost_connection_is_not_read(environment: Environment) -> None:
    with environment.aws.faults.dropped_connection("logs", "DescribeLogGroups"):
        found = environment.drift()
    assert (found.drifts, found.exit_status(Severity.ERROR)) == ((), COULD_NOT_LOOK)
    assert {part.call for part in found.uncompared} == {"AWS"}


@pytest.mark.parametrize("made_before", [8, 14])
def test_credentials_that_expire_end_the_calls(
    made_before: int, environment: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []
    call = BaseClient._make_api_call

    def expiring(client: Any, operation: str, parameters: Any) -> Any:
        made.append(operation)
        if len(made) > made_before:
            raise ClientError({"Error": {"Code": "ExpiredToken", "Message": "expired"}}, operation)
        return call(client, operation, parameters)

    monkeypatch.setattr(BaseClient, "_make_api_call", expiring)
    found = environment.drift()
    assert (found.drifts, found.exit_status(Severity.ERROR)) == ((), COULD_NOT_LOOK)
    assert "your AWS credentials have expired" in " ".join(part.reason for part in found.uncompared)
    assert len(made) <= made_before + 4, "those that ran at the same time"


def test_a_deletion_that_failed_half_way_leaves_no_resource_unchanged(environment: Environment) -> None:
    """The last test with the network, but for those of other stacks."""
    cloudformation = environment.client("cloudformation")
    whole = environment.drift().resources
    cloudformation.update_termination_protection(EnableTerminationProtection=False, StackName=NETWORK)
    with environment.aws.faults.failing("delete", "AWS::EC2::VPC"):
        cloudformation.delete_stack(StackName=NETWORK)
        environment.aws.engine.wait()
    found = environment.drift()
    assert 0 < found.resources < whole
    reasons = [part for part in found.uncompared if part.reason == f"{NETWORK} is DELETE_FAILED and does not have it"]
    (part,) = reasons
    assert len(part.resources) >= whole - found.resources
    assert found.exit_status(Severity.ERROR) == COULD_NOT_LOOK


def create_topic(environment: Environment, stack: str, description: str) -> None:
    template = {"Description": description, "Resources": {"Topic": {"Type": "AWS::SNS::Topic"}}}
    create_stack(environment.target, stack, json.dumps(template), {})


def test_a_stack_of_another_tool_with_our_name_is_not_compared(environment: Environment) -> None:
    create_topic(environment, OBSERVABILITY, "Alarms of the web shop")
    own = descriptions(environment.plan)
    deployed = DeployedEnvironment(
        environment.target, environment.plan.account, [OBSERVABILITY], CATALOG, descriptions=own
    )
    part = only_reason(read_drift(NAME, deployed, AT))
    assert part.resources == (OBSERVABILITY,)
    assert part.reason.startswith("the stack is of something else")


@pytest.fixture
def as_aws(environment: Environment, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The local AWS plays AWS, with credentials of another account than the file's."""
    region = environment.plan.region
    close_clients(AwsTarget(region))
    monkeypatch.setattr(environment.aws.store, "is_named", False)
    for name, value in environment.aws.environment("444455556666", region).items():
        monkeypatch.setenv(name, value)
    yield
    close_clients(AwsTarget(region))


@pytest.mark.usefixtures("as_aws")
def test_credentials_of_another_account_read_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["drift", NAME, "--project", str(CHECKOUT)]) == 1
    captured = capsys.readouterr()
    assert (captured.out, "E9501" in captured.err) == ("", True)


def test_a_first_deploy_that_was_rolled_back_is_not_deployed(environment: Environment) -> None:
    template = {"Resources": {"Group": {"Type": "AWS::Logs::LogGroup", "Properties": {"RetentionInDays": 2}}}}
    with environment.aws.faults.failing("create", "AWS::Logs::LogGroup"):
        environment.client("cloudformation").create_stack(StackName=f"{NAME}-nodes", TemplateBody=json.dumps(template))
        environment.aws.engine.wait()
    status = environment.client("cloudformation").describe_stacks(StackName=f"{NAME}-nodes")["Stacks"][0]
    assert status["StackStatus"] == "ROLLBACK_COMPLETE"
    names = [f"{NAME}-nodes"]
    assert DeployedEnvironment(environment.target, environment.plan.account, names, CATALOG).stacks == {}
