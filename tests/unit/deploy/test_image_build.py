"""A build of Image Builder: which one is used, how it is followed, and how it fails."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import Any

import pytest
from botocore.stub import Stubber
from hint_commands import command_error, commands_in
from msgspec.structs import replace

from neuron_cluster.aws.cloudformation import Stack
from neuron_cluster.aws.imagebuilder import ImageBuild
from neuron_cluster.aws.session import client, close_clients
from neuron_cluster.deploy.built_images import built_images
from neuron_cluster.deploy.destination import Destination, local_destination
from neuron_cluster.deploy.destruction import Destruction
from neuron_cluster.deploy.image_build import Built, ImageBuildError, await_build, pipeline_arn, started_build
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.protocol.operations import ImageRecipe

RECIPE = ImageRecipe(
    name="train-slurm",
    version="1.0.7",
    parent="ami-0123456789abcdef0",
    parent_kind="base_ubuntu_24_04",
    instance_type="m7i.xlarge",
    contents=[],
    missing=[],
)
PIPELINE = "arn:aws:imagebuilder:us-west-2:111122223333:image-pipeline/train-slurm"
ARN = "arn:aws:imagebuilder:us-west-2:111122223333:image/train-slurm/1.0.7"
AMI = "ami-0123456789abcdef1"


@pytest.fixture
def destination() -> Iterator[Destination]:
    made = local_destination("http://127.0.0.1:9", "111122223333", "us-west-2")
    yield made
    close_clients(made.target)


@pytest.fixture
def builder(destination: Destination) -> Iterator[Stubber]:
    with Stubber(client(destination.target, "imagebuilder")) as stub:
        yield stub


@pytest.fixture
def ec2(destination: Destination) -> Iterator[Stubber]:
    with Stubber(client(destination.target, "ec2")) as stub:
        yield stub


def row(number: int, status: str, *, version: str = "1.0.7", ami: str = "", reason: str = "") -> dict[str, Any]:
    amis = [{"region": "us-east-1", "image": "ami-00000000000000000"}, {"region": "us-west-2", "image": ami}]
    return {
        "arn": f"{ARN}/{number}",
        "version": version,
        "state": {"status": status, **({"reason": reason} if reason else {})},
        "dateCreated": dt.datetime(2026, 11, number, tzinfo=dt.UTC).isoformat(),
        **({"outputResources": {"amis": amis}} if ami else {}),
    }


def list_builds(builder: Stubber, *rows: dict[str, Any]) -> None:
    expected = {"imagePipelineArn": PIPELINE}
    builder.add_response("list_image_pipeline_images", {"imageSummaryList": list(rows)}, expected)


def get_build(builder: Stubber, number: int, found: dict[str, Any]) -> None:
    builder.add_response("get_image", {"image": found}, {"imageBuildVersionArn": f"{ARN}/{number}"})


def describe_images(ec2: Stubber, *ids: str) -> None:
    ec2.add_response("describe_images", {"Images": [{"ImageId": each} for each in ids]})


@pytest.fixture
def plan(training: ClusterPlan) -> ClusterPlan:
    return replace(training, name="train")


def test_the_arn_of_the_pipeline_is_that_of_its_name(plan: ClusterPlan) -> None:
    assert pipeline_arn(plan, RECIPE) == PIPELINE


def test_a_build_that_runs_is_followed_and_none_is_started(
    plan: ClusterPlan, destination: Destination, builder: Stubber
) -> None:
    list_builds(builder, row(1, "AVAILABLE", ami=AMI), row(2, "BUILDING"))
    built = started_build(plan, RECIPE, destination, again=True)
    assert (built.build.arn, built.is_new) == (f"{ARN}/2", True)
    builder.assert_no_pending_responses()


def test_the_newest_ami_of_the_recipe_is_used_again(
    plan: ClusterPlan, destination: Destination, builder: Stubber, ec2: Stubber
) -> None:
    newer, failed = "ami-0123456789abcdef2", row(3, "FAILED")
    list_builds(builder, row(1, "AVAILABLE", ami=AMI), row(2, "AVAILABLE", ami=newer), failed)
    describe_images(ec2, AMI, newer)
    built = started_build(plan, RECIPE, destination, again=False)
    assert (built.build.image_id, built.is_new) == (newer, False)


@pytest.mark.parametrize("case", ["of another recipe", "deregistered", "again"])
def test_another_build_is_started(
    case: str, plan: ClusterPlan, destination: Destination, builder: Stubber, ec2: Stubber
) -> None:
    list_builds(builder, row(1, "AVAILABLE", ami=AMI, version="1.0.6" if case == "of another recipe" else "1.0.7"))
    if case == "deregistered":
        describe_images(ec2)
    started = {"imageBuildVersionArn": f"{ARN}/2", "requestId": "r", "clientToken": "t" * 8}
    builder.add_response("start_image_pipeline_execution", started)
    built = started_build(plan, RECIPE, destination, again=case == "again")
    assert (built.build.arn, built.build.status, built.is_new) == (f"{ARN}/2", "PENDING", True)
    builder.assert_no_pending_responses()


def test_each_state_is_reported_until_the_ami_is_there(destination: Destination, builder: Stubber) -> None:
    for found in (row(1, "BUILDING"), row(1, "TESTING"), row(1, "AVAILABLE", ami=AMI)):
        get_build(builder, 1, found)
    states: list[str] = []
    pending = Built(ImageBuild(f"{ARN}/1", "1.0.7", "PENDING", "", ""), is_new=True)
    built = await_build(pending, RECIPE, destination, lambda build, _: states.append(build.status))
    assert states == ["PENDING", "BUILDING", "TESTING", "AVAILABLE"]
    assert built.build.image_id == AMI, "that of the Region"


@pytest.mark.hints("E9562")
@pytest.mark.parametrize("status", ["FAILED", "CANCELLED", "AVAILABLE"])
def test_a_build_that_ends_without_an_ami_is_an_error(status: str, destination: Destination, builder: Stubber) -> None:
    get_build(builder, 1, row(1, status, reason="the step Run of agent failed"))
    pending = Built(ImageBuild(f"{ARN}/1", "1.0.7", "BUILDING", "", ""), is_new=True)
    with pytest.raises(ImageBuildError) as caught:
        await_build(pending, RECIPE, destination, lambda *_: None)
    error = caught.value
    assert error.message == f"the build {ARN}/1 is {status}: the step Run of agent failed; the lock is unchanged"
    (command,) = commands_in(error.hint)
    assert command_error(command) == ""
    assert "--log-group-name /aws/imagebuilder/train-slurm" in command


def test_destroy_has_a_command_for_each_ami_and_each_record_of_a_build(
    plan: ClusterPlan, destination: Destination, builder: Stubber, ec2: Stubber
) -> None:
    resource = {
        "LogicalResourceId": "Pipeline",
        "PhysicalResourceId": PIPELINE,
        "ResourceType": "AWS::ImageBuilder::ImagePipeline",
        "ResourceStatus": "CREATE_COMPLETE",
        "LastUpdatedTimestamp": dt.datetime(2026, 11, 1, tzinfo=dt.UTC),
    }
    image = {"ImageId": AMI, "Name": "train-slurm 1", "OwnerId": plan.account}
    stack = Stack("arn", f"{plan.name}-image", "CREATE_COMPLETE", "", is_protected=False)
    with Stubber(client(destination.target, "cloudformation")) as stacks:
        ec2.add_response("describe_images", {"Images": [image]})
        stacks.add_response("list_stack_resources", {"StackResourceSummaries": [resource]})
        list_builds(builder, row(1, "AVAILABLE", ami=AMI), row(2, "FAILED"))
        destruction = Destruction(plan, deletes=(stack,), keeps=(), data=None, with_data=False)
        found = built_images(destruction, destination)
    assert [each.what.split()[1] for each in found] == [AMI, f"{ARN}/2", f"{ARN}/1"]
    assert [command_error(each.command) for each in found] == [""] * 3
    assert found[1].command.startswith("aws imagebuilder delete-image ")
    assert found[1].command.endswith(f"--image-build-version-arn {ARN}/2")
