"""AMIs that `image build` has built, and images of Image Builder, which are records of builds: no stack has them."""

from __future__ import annotations

import contextlib

from neuron_cluster.aws.cloudformation import resources
from neuron_cluster.aws.imagebuilder import ImageBuild, pipeline_builds
from neuron_cluster.aws.images import own_images
from neuron_cluster.deploy.destination import Destination
from neuron_cluster.deploy.destruction import Destruction
from neuron_cluster.deploy.image_build import cancel_command
from neuron_cluster.deploy.left_over_item import LeftOver
from neuron_cluster.errors import ToolkitError
from neuron_cluster.plan.environment_tag import ENVIRONMENT_TAG
from neuron_cluster.protocol.registry import registered_operations

PIPELINE = "AWS::ImageBuilder::ImagePipeline"


class BuildRunsError(ToolkitError):
    """The pipeline to be deleted builds an AMI."""

    finding_id = "E9567"


def require_no_build(destruction: Destruction, destination: Destination) -> None:
    """Raises ``BuildRunsError`` where a pipeline that is deleted has a build that runs, as far as AWS answers."""
    builds = [build for build in _builds(destruction, destination) if build.is_running]
    if builds:
        cancel = " and ".join(f"`{cancel_command(destination, build)}`" for build in builds)
        shown = ", ".join(f"{build.arn} is {build.status}" for build in builds)
        hint = f"wait until it has ended, or run {cancel}; then run the command again"
        raise BuildRunsError(f"an AMI is built, on an instance in the network of the environment: {shown}", hint=hint)


def built_images(destruction: Destruction, destination: Destination) -> list[LeftOver]:
    """AMIs and records of builds where their pipeline is deleted, as far as AWS answers: a role may delete stacks and
    not describe AMIs."""
    if not _pipelines(destruction):
        return []
    amis: list[LeftOver] = []
    with contextlib.suppress(ToolkitError):
        amis = [
            LeftOver(
                f"AMI {each.id} ({each.name})",
                f"{destination.aws_command('ec2 deregister-image', image_id=each.id)} --delete-associated-snapshots",
            )
            for each in own_images(destination.target, ENVIRONMENT_TAG, destruction.plan.name)
        ]
    return [
        *amis,
        *(
            LeftOver(
                f"image {build.arn} of Image Builder, a record without cost",
                destination.aws_command("imagebuilder delete-image", image_build_version_arn=build.arn),
            )
            for build in _builds(destruction, destination)
        ),
    ]


def _builds(destruction: Destruction, destination: Destination) -> list[ImageBuild]:
    """Returns the builds of the pipelines that are deleted; none where AWS does not answer."""
    with contextlib.suppress(ToolkitError):
        held = [each for name in _pipelines(destruction) for each in resources(destination.target, name)]
        arns = [each.physical_id for each in held if each.type == PIPELINE and each.physical_id]
        return [build for arn in arns for build in pipeline_builds(destination.target, arn)]
    return []


def _pipelines(destruction: Destruction) -> list[str]:
    """Names of stacks with pipelines that are deleted."""
    builders = (each.image_builder for each in registered_operations())
    names = {destruction.plan.stack_name(builder.stack_key) for builder in builders if builder is not None}
    return [stack.name for stack in destruction.deletes if stack.name in names]
