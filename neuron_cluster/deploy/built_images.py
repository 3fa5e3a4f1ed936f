"""AMIs that `image build` has built: no stack has them, and nothing deletes them."""

from __future__ import annotations

import contextlib

from neuron_cluster.aws.images import own_images
from neuron_cluster.deploy.destination import Destination
from neuron_cluster.deploy.destruction import Destruction
from neuron_cluster.deploy.left_over import LeftOver
from neuron_cluster.errors import ToolkitError
from neuron_cluster.orchestrators.registry import registered_operations
from neuron_cluster.plan.environment_tag import ENVIRONMENT_TAG


def built_images(destruction: Destruction, destination: Destination) -> list[LeftOver]:
    """Where their pipeline is deleted, as far as AWS answers: a role may delete stacks and not describe AMIs."""
    plan = destruction.plan
    builders = (each.image_builder for each in registered_operations())
    pipelines = {plan.stack_name(builder.part) for builder in builders if builder is not None}
    if pipelines.isdisjoint(stack.name for stack in destruction.deletes):
        return []
    with contextlib.suppress(ToolkitError):
        return [
            LeftOver(
                f"AMI {each.id} ({each.name})",
                f"{destination.aws_command('ec2 deregister-image', image_id=each.id)} --delete-associated-snapshots",
            )
            for each in own_images(destination.target, ENVIRONMENT_TAG, plan.name)
        ]
    return []
