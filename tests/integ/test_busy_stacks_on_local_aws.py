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
from hint_commands import command_error, commands_in

from local_aws.server import LocalAws
from neuron_cluster.aws.session import LocalTarget, client
from neuron_cluster.deploy.busy_stacks import require_updatable, wait_for_changes, wait_for_deletions
from neuron_cluster.deploy.cdk_cli import CdkRun
from neuron_cluster.deploy.deployment import DeployError, raise_failure
from neuron_cluster.deploy.destination import Destination, local_destination
from neuron_cluster.deploy.existing import read_existing
from neuron_cluster.deploy.health import health_findings
from neuron_cluster.deploy.only_command import only_command
from neuron_cluster.deploy.progress import StackWatch
from neuron_cluster.pipeline import check_environment
from neuron_cluster.plan.cluster_plan import ClusterPlan

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


def here(target: LocalTarget) -> Destination:
    return local_destination(target.endpoint, ACCOUNT, REGION)


@pytest.fixture(scope="module")
def plan(project: Path) -> ClusterPlan:
    return check_environment(project / "environments" / "small.yaml").require_plan()


@pytest.fixture
def cloudformation(target: LocalTarget) -> Iterator[Any]:
    """The service, without a stack of the environment before and after."""
    service = client(target, "cloudformation")
    yield service
    service.delete_stack(StackName="small-network")
    service.get_waiter("stack_delete_complete").wait(StackName="small-network", WaiterConfig={"Delay": 0.1})


@pytest.mark.hints("E9531")
def test_a_stack_that_something_else_changes_is_not_destroyed(
    command: Command, cloudformation: Any, local_aws: LocalAws
) -> None:
    """As another machine's deploy looks from here."""
    with local_aws.faults.slow("create", "AWS::EC2::VPC") as fault:
        cloudformation.create_stack(StackName="small-network", TemplateBody=ONE_VPC)
        assert fault.reached.wait(30)
        ran = command("destroy", "--local", "small")
        (finding,) = [each for each in ran.document["findings"] if each["severity"] == "error"]
        assert (ran.status, finding["id"]) == (1, "E9531")
        assert "small-network is CREATE_IN_PROGRESS" in finding["message"]
        assert finding["hint"].startswith("wait until it has ended, then run the command again")
    cloudformation.get_waiter("stack_create_complete").wait(StackName="small-network", WaiterConfig={"Delay": 0.1})
    assert command("destroy", "--local", "small").status == 0


def test_a_deploy_waits_for_what_an_earlier_one_began_and_says_what_that_does(
    cloudformation: Any, local_aws: LocalAws, target: LocalTarget, plan: ClusterPlan
) -> None:
    said: list[str] = []
    with local_aws.faults.slow("create", "AWS::EC2::VPC") as fault:
        cloudformation.create_stack(StackName="small-network", TemplateBody=ONE_VPC)
        assert fault.reached.wait(30)

        def goes_on(line: str) -> None:
            said.append(line)
            fault.released.set()

        wait_for_changes(plan, here(target), goes_on)
    began, ended = said
    assert began.startswith("small-network is CREATE_IN_PROGRESS, for an earlier command that was interrupted")
    assert began.endswith("Waiting until CloudFormation has ended; in progress: Vpc (AWS::EC2::VPC).")
    assert ended == "small-network is CREATE_COMPLETE; the deploy continues."
    wait_for_changes(plan, here(target), said.append)
    assert len(said) == 2


def test_a_failure_without_a_cause_of_its_own_names_what_else_is_at_work(
    cloudformation: Any, local_aws: LocalAws, target: LocalTarget
) -> None:
    """A deploy that lost against another machine's once only showed the log of the CDK command."""
    with local_aws.faults.slow("create", "AWS::EC2::VPC") as fault:
        cloudformation.create_stack(StackName="small-network", TemplateBody=ONE_VPC)
        assert fault.reached.wait(30)
        watch = StackWatch(target, {"small-network": 1})
        with pytest.raises(DeployError, match="No export named") as caught:
            raise_failure(
                CdkRun(1, "No export named small-network:Vpc found"), watch, "the deploy failed", here(target)
            )
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
    (mistyped,) = command("destroy", "--local", "small", "--delete-data", "smal").document["findings"]
    assert mistyped["hint"] == "to delete the data of this environment: --delete-data small"
    assert command("destroy", "--local", "small", "--delete-data", "small").status == 0


@pytest.mark.hints("E9529")
def test_a_first_deploy_that_went_back_counts_for_nothing(
    command: Command, cloudformation: Any, local_aws: LocalAws, project: Path
) -> None:
    """Its stack is ROLLBACK_COMPLETE and holds nothing, so that every edit may follow."""
    file = project / "environments" / "small.yaml"
    with local_aws.faults.failing("create", "AWS::EC2::InternetGateway"):
        failed = command("deploy", "--local", "small")
    error = failed.document["findings"][-1]
    assert (failed.status, error["id"]) == (1, "E9529")
    assert error["hint"] == "correct the first of these; then run the command again, which continues from here"
    stack = cloudformation.describe_stacks(StackName="small-network")["Stacks"][0]
    assert stack["StackStatus"] == "ROLLBACK_COMPLETE"
    file.write_text(SMALL.replace("10.50.0.0/16", "10.51.0.0/16"))
    ran = command("deploy", "--local", "small")
    file.write_text(SMALL)
    assert ran.status == 0, ran.document
    assert {each["status"] for each in ran.document["stacks"]} == {"CREATE_COMPLETE"}


@pytest.mark.hints("E9529")
def test_a_failure_names_its_place_in_the_file_its_cause_and_the_way_out(
    command: Command, cloudformation: Any, local_aws: LocalAws
) -> None:
    """And the next deploy continues with the stack that went back."""
    with local_aws.faults.access_denied("ec2", "CreateInternetGateway"):
        failed = command("deploy", "--local", "small")
    error = failed.document["findings"][-1]
    first, place, cause = error["message"].splitlines()[1:4]
    assert (failed.status, error["id"]) == (1, "E9529")
    assert first.startswith("  small-network: ")
    assert "(AWS::EC2::InternetGateway)" in first
    assert (place, cause[:35]) == ("    in the file: network", "    known cause: the role in the me")
    assert error["hint"].startswith("grant the action in the message to that role")
    assert cloudformation.describe_stacks(StackName="small-network")["Stacks"][0]["StackStatus"] == "ROLLBACK_COMPLETE"
    assert command("deploy", "--local", "small").status == 0


def refusal(command: Command) -> Any:
    """The one error of a deploy, which ends before any template is made."""
    ran = command("deploy", "--local", "small")
    (finding,) = [each for each in ran.document["findings"] if each["severity"] == "error"]
    assert ran.status == 1
    return finding


def with_failing_part(name: str, cidr: str) -> str:
    """A template of two VPCs, the second of which a fault can strike."""
    properties = {"CidrBlock": cidr}
    other = {"Type": "AWS::EC2::VPC", "Properties": properties}
    part = {"Type": "AWS::EC2::InternetGateway", "DependsOn": "Vpc", "Properties": {}}
    return json.dumps({"Resources": {"Vpc": other, name: part}})


@pytest.mark.hints("E9522", "E9524")
def test_a_change_that_stopped_half_way_goes_back_by_the_commands_of_the_hint(
    command: Command,
    cloudformation: Any,
    local_aws: LocalAws,
    plan: ClusterPlan,
    target: LocalTarget,
    run_aws: Callable[[str], None],
) -> None:
    """A creation and an update without rollback, which no command of the toolkit makes."""
    name = "small-network"

    def status() -> str:
        return str(cloudformation.describe_stacks(StackName=name)["Stacks"][0]["StackStatus"])

    def goes_back(before: str, after: str) -> None:
        (unfinished,) = health_findings(read_existing(target, [name]), plan, here(target))
        assert unfinished.id == "E9522"
        run_aws(*commands_in(unfinished.hint))
        finding = refusal(command)
        assert (finding["id"], f"{name} is {before}" in finding["message"]) == ("E9524", True)
        for line in commands_in(finding["hint"]):
            assert command_error(line) == ""
            run_aws(line)
        local_aws.engine.wait()
        assert status() == after
        require_updatable(plan, here(target), "small")

    with local_aws.faults.failing("create", "AWS::EC2::InternetGateway"):
        cloudformation.create_stack(
            StackName=name, TemplateBody=with_failing_part("Other", "10.60.0.0/16"), DisableRollback=True
        )
        goes_back("CREATE_FAILED", "ROLLBACK_COMPLETE")
    cloudformation.delete_stack(StackName=name)
    cloudformation.get_waiter("stack_delete_complete").wait(StackName=name, WaiterConfig={"Delay": 0.1})
    cloudformation.create_stack(StackName=name, TemplateBody=ONE_VPC)
    cloudformation.get_waiter("stack_create_complete").wait(StackName=name, WaiterConfig={"Delay": 0.1})
    with local_aws.faults.failing("create", "AWS::EC2::InternetGateway"):
        cloudformation.update_stack(
            StackName=name, TemplateBody=with_failing_part("Other", "10.60.0.0/16"), DisableRollback=True
        )
        goes_back("UPDATE_FAILED", "UPDATE_ROLLBACK_COMPLETE")
    assert health_findings(read_existing(target, [name]), plan, here(target)) == []


@pytest.mark.hints("E9524")
def test_the_command_of_the_hint_deletes_data_of_a_creation_whose_rollback_failed(
    command: Command, cloudformation: Any, local_aws: LocalAws, plan: ClusterPlan, target: LocalTarget
) -> None:
    resources = {
        "Data": {"Type": "AWS::S3::Bucket", "DeletionPolicy": "RetainExceptOnCreate"},
        "Other": {"Type": "AWS::EC2::InternetGateway", "DependsOn": "Data"},
    }
    with (
        local_aws.faults.failing("create", "AWS::EC2::InternetGateway"),
        local_aws.faults.failing("delete", "AWS::S3::Bucket"),
    ):
        cloudformation.create_stack(StackName="small-storage", TemplateBody=json.dumps({"Resources": resources}))
        local_aws.engine.wait()
    finding = refusal(command)
    assert (finding["id"], "small-storage is ROLLBACK_FAILED" in finding["message"]) == ("E9524", True)
    (line,) = commands_in(finding["hint"])
    assert line.endswith("/small.yaml --delete-data small")
    assert command(*line.split()[1:]).status == 0
    require_updatable(plan, here(target), "small")
    buckets = [bucket["Name"] for bucket in client(target, "s3").list_buckets()["Buckets"]]
    assert [name for name in buckets if name.startswith("small-storage")] == []


@pytest.mark.hints("E9524")
def test_a_stack_whose_deletion_failed_is_destroyed_first_as_the_hint_says(
    command: Command, cloudformation: Any, local_aws: LocalAws, plan: ClusterPlan, target: LocalTarget
) -> None:
    cloudformation.create_stack(StackName="small-network", TemplateBody=ONE_VPC)
    local_aws.engine.wait()
    with local_aws.faults.failing("delete", "AWS::EC2::VPC"):
        assert command("destroy", "--local", "small").status == 1
    ran = command("deploy", "--local", "small")
    (finding,) = [each for each in ran.document["findings"] if each["severity"] == "error"]
    assert (ran.status, finding["id"]) == (1, "E9524")
    assert "small-network is DELETE_FAILED" in finding["message"]
    (line,) = commands_in(finding["hint"])
    assert line.endswith("/small.yaml")
    assert command(*line.split()[1:]).status == 0
    require_updatable(plan, here(target), "small")


@pytest.mark.hints("E9520")
@pytest.mark.parametrize("verb", ["deploy", "destroy"])
def test_a_second_command_of_the_checkout_is_refused(
    command: Command, project: Path, target: LocalTarget, plan: ClusterPlan, verb: str
) -> None:
    with only_command(project, plan, local_destination(target.endpoint, ACCOUNT, REGION), "deploy"):
        ran = command(verb, "--local", "small")
    assert (ran.status, ran.ids) == (1, ["E9520"])
    assert f"process {os.getpid()} of" in ran.document["findings"][0]["message"]
    assert ran.document["findings"][0]["hint"].startswith("wait until it has ended, or end it with Ctrl-C")
    assert command("destroy", "--local", "small").status == 0


def test_a_deploy_outlives_the_reader_of_its_output(cloudformation: Any, project: Path) -> None:
    """`deploy NAME | head -1`: the stacks and the exit status count, not the pipe."""
    arguments = ["deploy", "--local", "small", "--project", str(project)]
    with subprocess.Popen(
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
    assert err.count("Standard output was closed. The deploy continues") == 1
    assert "Traceback" not in err
    assert cloudformation.describe_stacks(StackName="small-network")["Stacks"][0]["StackStatus"] == "CREATE_COMPLETE"
