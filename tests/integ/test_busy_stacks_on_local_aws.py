"""Stacks that something else changes, or whose last change failed, when a command begins and when it ends."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.aws.session import LocalTarget, client
from neuron_cluster.deploy.busy_stacks import wait_for_deletions
from neuron_cluster.deploy.cdk_cli import CdkRun
from neuron_cluster.deploy.deployment import DeployError, raise_failure
from neuron_cluster.deploy.destination import local_destination
from neuron_cluster.deploy.only_command import only_command
from neuron_cluster.deploy.progress import StackWatch
from neuron_cluster.line import check_environment
from neuron_cluster.local_aws.server import LocalAws

pytestmark = pytest.mark.slow
ACCOUNT, REGION = "111122223333", "us-west-2"
SMALL = """
schema: 1
name: small
account: 111122223333
region: us-west-2
lifecycle: ephemeral
neuron: {sdk: 2.32.0}
network:
  cidr: 10.50.0.0/16
  availability_zones: [usw2-az1]
"""
ONE_VPC = json.dumps({"Resources": {"Vpc": {"Type": "AWS::EC2::VPC", "Properties": {"CidrBlock": "10.60.0.0/16"}}}})
Command = Callable[..., Any]


@pytest.fixture(scope="module")
def project(project: Path) -> Path:
    (project / "environments" / "small.yaml").write_text(SMALL)
    return project


@pytest.fixture
def cloudformation(target: LocalTarget) -> Iterator[Any]:
    """The service, without a stack of the environment before and after."""
    service = client(target, "cloudformation")
    yield service
    service.delete_stack(StackName="small-network")
    service.get_waiter("stack_delete_complete").wait(StackName="small-network", WaiterConfig={"Delay": 0.1})


def test_a_stack_that_something_else_changes_is_left_alone(
    command: Command, cloudformation: Any, local_aws: LocalAws
) -> None:
    """As another machine's deploy looks from here."""
    with local_aws.faults.slow("create", "AWS::EC2::VPC") as fault:
        cloudformation.create_stack(StackName="small-network", TemplateBody=ONE_VPC)
        assert fault.reached.wait(30)
        for verb in ("deploy", "destroy"):
            ran = command(verb, "--local", "small")
            (finding,) = [each for each in ran.document["findings"] if each["severity"] == "error"]
            assert (ran.status, finding["id"]) == (1, "E9531")
            assert "small-network is CREATE_IN_PROGRESS" in finding["message"]
    cloudformation.get_waiter("stack_create_complete").wait(StackName="small-network", WaiterConfig={"Delay": 0.1})


def test_a_failure_without_a_cause_of_its_own_names_what_else_is_at_work(
    cloudformation: Any, local_aws: LocalAws, target: LocalTarget
) -> None:
    """What a deploy that lost against another machine's showed was the log of the CDK command alone."""
    with local_aws.faults.slow("create", "AWS::EC2::VPC") as fault:
        cloudformation.create_stack(StackName="small-network", TemplateBody=ONE_VPC)
        assert fault.reached.wait(30)
        watch = StackWatch(target, {"small-network": 1})
        with pytest.raises(DeployError, match="No export named") as caught:
            raise_failure(CdkRun(1, "No export named small-network:Vpc found"), watch, "the deploy failed")
        assert "small-network is CREATE_IN_PROGRESS" in caught.value.hint
    cloudformation.get_waiter("stack_create_complete").wait(StackName="small-network", WaiterConfig={"Delay": 0.1})


def test_destroy_waits_for_a_deletion_that_goes_on(
    command: Command, cloudformation: Any, local_aws: LocalAws, project: Path, target: LocalTarget
) -> None:
    """As a killed `destroy` leaves it; the deletion may end between two looks."""
    cloudformation.create_stack(StackName="small-network", TemplateBody=ONE_VPC)
    cloudformation.get_waiter("stack_create_complete").wait(StackName="small-network", WaiterConfig={"Delay": 0.1})
    plan = check_environment(project / "environments" / "small.yaml").require_plan()
    said: list[str] = []
    with local_aws.faults.slow("delete", "AWS::EC2::VPC") as fault:
        cloudformation.delete_stack(StackName="small-network")
        assert fault.reached.wait(30)
        refused = command("deploy", "--local", "small")
        assert (refused.status, refused.ids[-1]) == (1, "E9531")

        def goes_on(line: str) -> None:
            said.append(line)
            fault.released.set()

        wait_for_deletions(plan, local_destination(target.endpoint, ACCOUNT, REGION), goes_on)
    assert said == ["small-network is being deleted already: waiting for that."]
    ran = command("destroy", "--local", "small")
    assert (ran.status, ran.document["deleted"]) == (0, [])


def test_a_first_deploy_that_went_back_counts_for_nothing(
    command: Command, cloudformation: Any, local_aws: LocalAws, project: Path
) -> None:
    """Its stack is ROLLBACK_COMPLETE and holds nothing, so that every edit may follow."""
    file = project / "environments" / "small.yaml"
    with local_aws.faults.failing("create", "AWS::EC2::InternetGateway"):
        assert command("deploy", "--local", "small").status == 1
    stack = cloudformation.describe_stacks(StackName="small-network")["Stacks"][0]
    assert stack["StackStatus"] == "ROLLBACK_COMPLETE"
    file.write_text(SMALL.replace("10.50.0.0/16", "10.51.0.0/16"))
    ran = command("deploy", "--local", "small")
    file.write_text(SMALL)
    assert ran.status == 0, ran.document
    assert {each["status"] for each in ran.document["stacks"]} == {"CREATE_COMPLETE"}


def test_a_stack_whose_deletion_failed_is_destroyed_first_as_the_hint_says(
    command: Command, cloudformation: Any, local_aws: LocalAws
) -> None:
    assert command("deploy", "--local", "small").status == 0
    with local_aws.faults.failing("delete", "AWS::EC2::VPC"):
        assert command("destroy", "--local", "small").status == 1
    ran = command("deploy", "--local", "small")
    (finding,) = [each for each in ran.document["findings"] if each["severity"] == "error"]
    assert (ran.status, finding["id"]) == (1, "E9524")
    assert "small-network is DELETE_FAILED" in finding["message"]
    assert "`neuron-cluster destroy --local small`" in finding["hint"]
    assert command("destroy", "--local", "small").status == 0
    assert command("deploy", "--local", "small").status == 0


@pytest.mark.parametrize("verb", ["deploy", "destroy"])
def test_a_second_command_of_the_checkout_is_refused(
    command: Command, project: Path, target: LocalTarget, verb: str
) -> None:
    plan = check_environment(project / "environments" / "small.yaml").require_plan()
    with only_command(project, plan, local_destination(target.endpoint, ACCOUNT, REGION), "deploy"):
        ran = command(verb, "--local", "small")
    assert (ran.status, ran.ids) == (1, ["E9520"])
    assert f"process {os.getpid()} of" in ran.document["findings"][0]["message"]


def test_a_deploy_outlives_the_reader_of_its_output(cloudformation: Any, project: Path) -> None:
    """`deploy NAME | head -1`: the stacks and the exit status count, not the pipe."""
    arguments = ["deploy", "--local", "small", "--project", str(project)]
    with subprocess.Popen(  # noqa: S603 - our own command
        [sys.executable, "-m", "neuron_cluster.cli.main", *arguments],
        env={**os.environ, "CDK_VALIDATION": "false"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as ran:
        assert ran.stdout is not None
        assert ran.stderr is not None
        assert ran.stdout.readline()
        ran.stdout.close()
        err = ran.stderr.read()
    assert ran.returncode == 0, err
    assert err.count("The reader of the output has gone. The deploy goes on") == 1
    assert "Traceback" not in err
    assert cloudformation.describe_stacks(StackName="small-network")["Stacks"][0]["StackStatus"] == "CREATE_COMPLETE"
