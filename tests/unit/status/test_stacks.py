"""Stacks that are missing, failed, rolled back or of something else; without a cluster nothing of it is healthy."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from hint_commands import command_error

from neuron_cluster.cli.main import main
from neuron_cluster.errors import ToolkitError
from neuron_cluster.protocol.status import Verdict
from tests.golden_stacks import GOLDEN, deploy_goldens, without_charts

from .conftest import Deployed, Environment, Read, Status

pytestmark = pytest.mark.slow
NAME = "dev-inf2"


def in_section(status: Status, title: str) -> dict[str, tuple[str, str]]:
    """Verdict and cause by subject."""
    return {line.subject: (line.verdict, line.cause) for line in status.lines if line.section == title}


def create_topic(environment: Environment, stack: str, description: str) -> None:
    """Creates a stack with one topic."""
    body = {"Description": description, "Resources": {"Topic": {"Type": "AWS::SNS::Topic"}}}
    environment.client("cloudformation").create_stack(StackName=stack, TemplateBody=json.dumps(body))


def test_nothing_deployed_is_an_error_of_each_stack(deployed: Deployed, read: Read) -> None:
    deployed("serve-inf1", ())
    status = read("serve-inf1")
    assert status.exit == 3
    assert set(in_section(status, "Stacks").values()) == {("error", "the stack does not exist")}
    assert {line.command for line in status.lines if line.section == "Stacks"} == {
        "neuron-cluster deploy --local serve-inf1"
    }
    assert status.healthy == []


def test_a_deploy_that_failed_half_way_is_not_healthy_and_continued_by_its_command(
    deployed: Deployed, read: Read
) -> None:
    environment = deployed(NAME, ("network",))
    with environment.aws.faults.failing("create", "AWS::EKS::Cluster"), pytest.raises(ToolkitError):
        deploy_goldens(environment.target, environment.plan, ("cluster",))
    status = read(NAME)
    assert status.exit == 3
    stacks = in_section(status, "Stacks")
    assert stacks[f"{NAME}-network"][0] == "healthy"
    verdict, cause = stacks[f"{NAME}-cluster"]
    assert (verdict, cause[:51]) == ("error", "ROLLBACK_COMPLETE: its first deploy made nothing; C")
    assert "ClusterEB0386A7 (AWS::EKS::Cluster): " in cause
    assert "The service failed on request of a test" in cause
    assert [stacks[f"{NAME}-{stack_key}"][0] for stack_key in ("system", "nodes", "software")] == ["error"] * 3
    (cluster,) = [line for line in status.lines if line.section == "Control plane"]
    assert (cluster.verdict, cluster.command) == ("error", f"neuron-cluster deploy --local {NAME}")
    assert {line.section for line in status.healthy} == {"Stacks", "Network", "Storage and keys"}


def test_a_failure_whose_cause_is_known_has_the_way_out(deployed: Deployed, read: Read) -> None:
    environment = deployed("train-west", ())
    with environment.aws.faults.access_denied("ec2", "CreateInternetGateway"), pytest.raises(ToolkitError):
        deploy_goldens(environment.target, environment.plan, ("network",))
    verdict, cause = in_section(read("train-west"), "Stacks")["train-west-network"]
    assert (verdict, "(AWS::EC2::InternetGateway): " in cause) == ("error", True)
    assert "; the role in the message lacks the permission: " in cause
    assert "grant the action in the message to that role" in cause


def test_an_update_that_was_rolled_back_is_a_warning_with_the_first_failure(deployed: Deployed, read: Read) -> None:
    environment = deployed("workstation")
    cloudformation, name = environment.client("cloudformation"), "workstation-network"
    template = without_charts(json.loads((GOLDEN / "workstation" / f"{name}.template.json").read_text()))
    subnets = [each for each in template["Resources"].values() if each["Type"] == "AWS::EC2::Subnet"]
    subnets[0]["Properties"]["MapPublicIpOnLaunch"] = True
    with environment.aws.faults.failing("update", "AWS::EC2::Subnet", times=1):
        cloudformation.update_stack(
            StackName=name, TemplateBody=json.dumps(template), Capabilities=["CAPABILITY_NAMED_IAM"]
        )
        cloudformation.get_waiter("stack_rollback_complete").wait(StackName=name, WaiterConfig={"Delay": 0.05})
    (line,) = read("workstation").others
    assert (line.subject, line.verdict) == (name, "warning")
    assert line.cause.startswith("UPDATE_ROLLBACK_COMPLETE: its last update failed, and it runs the template before; ")
    assert "The service failed on request of a test" in line.cause
    assert "RequestToken" not in line.cause
    assert line.command == "neuron-cluster deploy --local workstation"
    assert read("workstation", Verdict.ERROR).exit == 0


def test_a_stack_of_another_tool_with_our_name_is_an_error(deployed: Deployed, read: Read) -> None:
    environment = deployed("serve-trn2", ())
    create_topic(environment, "serve-trn2-network", "Network of the web shop")
    verdict, cause = in_section(read("serve-trn2"), "Stacks")["serve-trn2-network"]
    assert (verdict, cause[:34]) == ("error", "the stack is of something else: it")


def test_a_stack_that_the_file_does_not_have_any_more_is_a_warning(deployed: Deployed, read: Read) -> None:
    environment = deployed("train-east", ())
    create_topic(environment, "train-east-observability", "Neuron cluster train-east: observability")
    (line,) = [line for line in read("train-east").lines if line.subject == "train-east-observability"]
    assert (line.verdict, line.cause) == ("warning", "CREATE_COMPLETE: the file does not have this stack any more")
    assert command_error(line.command or "") == ""


def test_a_stack_of_image_build_is_judged_as_one_of_the_environment(deployed: Deployed, read: Read) -> None:
    environment = deployed("slurm-trn1", ())
    create_topic(environment, "slurm-trn1-image", "Neuron cluster slurm-trn1: image")
    assert in_section(read("slurm-trn1"), "Stacks")["slurm-trn1-image"] == ("healthy", "CREATE_COMPLETE")


def test_goldens_have_the_description_that_status_expects() -> None:
    for folder in GOLDEN.iterdir():
        for file in folder.glob("*.template.json"):
            name = file.name.removesuffix(".template.json")
            stack_key = name.removeprefix(f"{folder.name}-")
            assert json.loads(file.read_text())["Description"] == f"Neuron cluster {folder.name}: {stack_key}"


@pytest.mark.parametrize("verb", ["status", "drift"])
def test_without_a_local_aws_the_verb_could_not_look(
    verb: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    checkout = Path(__file__).parents[3]
    shutil.copy(checkout / "cdk.json", tmp_path / "cdk.json")
    shutil.copytree(checkout / "environments", tmp_path / "environments")
    assert main([verb, "--local", NAME, "--project", str(tmp_path)]) == 1
    assert "no local AWS runs for this project" in capsys.readouterr().err
