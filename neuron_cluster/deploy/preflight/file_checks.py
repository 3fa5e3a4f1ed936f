"""Checks that need the file and its lock: pinned AMIs and digests, the name of the environment, its stacks."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.deploy.busy_stacks import require_idle, require_updatable
from neuron_cluster.deploy.environment_identity import identity_findings
from neuron_cluster.deploy.pinned_checks import digest_subjects, image_subjects, pinned_digests, pinned_images
from neuron_cluster.deploy.preflight.check import Stage
from neuron_cluster.deploy.preflight.context import PreflightContext
from neuron_cluster.errors import InvalidEnvironment
from neuron_cluster.findings.finding import Finding
from neuron_cluster.findings.text import counted
from neuron_cluster.lock.paths import as_argument
from neuron_cluster.plan.stack_table import stack_keys_of_deploy
from neuron_cluster.protocol.preflight import Part


def _groups(context: PreflightContext) -> list[str]:
    return [group.name for group in context.plan.compute_groups]


def _check_built(context: PreflightContext) -> Iterator[Finding]:
    """E9563 for nodes whose AMI is not built yet."""
    try:
        context.environment.require_images()
    except InvalidEnvironment as error:
        yield from error.findings


def _images(context: PreflightContext) -> list[str]:
    return image_subjects(context.environment)


def _check_images(context: PreflightContext) -> Iterator[Finding]:
    yield from pinned_images(context.environment, context.destination)


def _digests(context: PreflightContext) -> list[str]:
    return digest_subjects(context.environment, context.destination)


def _check_digests(context: PreflightContext) -> Iterator[Finding]:
    yield from pinned_digests(context.environment, context.destination)


def _name(context: PreflightContext) -> list[str]:
    regions = "" if context.destination.is_local else ", and in Regions that the credentials may use"
    return [f"{context.plan.name} in {context.destination.region}{regions}"]


def _check_name(context: PreflightContext) -> Iterator[Finding]:
    yield from identity_findings(context.environment, context.destination, context.accepted_name)


def _stacks(context: PreflightContext) -> list[str]:
    return [counted(len([each for each in stack_keys_of_deploy() if each in context.plan.stacks]), "stack")]


def _check_idle(context: PreflightContext) -> Iterator[Finding]:
    """Raises ``InProgressError`` for a stack that is being changed."""
    require_idle(context.plan, context.destination)
    yield from ()


def _check_updatable(context: PreflightContext) -> Iterator[Finding]:
    """Raises ``StuckError`` for a stack that CloudFormation does not update."""
    require_updatable(context.plan, context.destination, as_argument(context.environment.file.display_name))
    yield from ()


DESCRIBE_STACKS = ("cloudformation:DescribeStacks",)
READ_STACKS = (*DESCRIBE_STACKS, "cloudformation:ListStackResources", "cloudformation:GetTemplate")
READ_IMAGES = ("ec2:DescribeImages", "ssm:GetParameter")
ROWS = (
    (Part.IMAGES, Stage.PINS, "AMIs of nodes", (), _groups, _check_built),
    (Part.IMAGES, Stage.PINS, "owners and releases of pinned AMIs", READ_IMAGES, _images, _check_images),
    (Part.IMAGES, Stage.PINS, "digests of charts and images in the lock", (), _digests, _check_digests),
    (Part.STACKS, Stage.NAME, "environments of this file", READ_STACKS, _name, _check_name),
    (Part.STACKS, Stage.STACKS, "changes of stacks in progress", DESCRIBE_STACKS, _stacks, _check_idle),
    (Part.STACKS, Stage.STACKS, "stacks that can be updated", DESCRIBE_STACKS, _stacks, _check_updatable),
)
"""Part, stage, subject, IAM actions, function of the subjects, and the check."""
