"""Whether nodes can use the key that EBS encrypts their volumes with by default.

Source: https://docs.aws.amazon.com/autoscaling/ec2/userguide/key-policy-requirements-EBS-encryption.html. Launch
templates name no key, so that the account's default one is used; nodes are started by a service's own role.
"""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.aws.ebs import AWS_KEY, DefaultKey, default_key
from neuron_cluster.deploy.preflight.context import PreflightContext
from neuron_cluster.findings.finding import Finding
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.protocol.launch_role import LaunchRole
from neuron_cluster.protocol.registry import registered_operations
from neuron_cluster.resolved.scaling import ScalingKind

WHAT = "the default encryption key of EBS"
PERMISSIONS = ("ec2:GetEbsDefaultKmsKeyId", "kms:DescribeKey", "kms:GetKeyPolicy", "kms:ListGrants")

AUTO_SCALING = LaunchRole("Auto Scaling", "AWSServiceRoleForAutoScaling", "autoscaling.amazonaws.com")
OPERATIONS = (
    "Encrypt",
    "Decrypt",
    "ReEncryptFrom",
    "ReEncryptTo",
    "GenerateDataKey",
    "GenerateDataKeyWithoutPlaintext",
    "DescribeKey",
    "CreateGrant",
)
"""Operations of the grant in AWS's page on Auto Scaling and encrypted volumes."""


def subjects(context: PreflightContext) -> list[str]:
    """Returns the Region whose default key encrypts volumes of nodes."""
    return [f"the key of {context.destination.region}"] if context.plan.ec2_groups else []


def check(context: PreflightContext) -> Iterator[Finding]:
    """E9555 for a key of the customer that is not enabled, or that a service which launches nodes may not use."""
    if not context.plan.ec2_groups:
        return
    key, region = default_key(context.destination.target), context.destination.region
    if key is None:
        return
    place, named = context.locate(("region",)), f"the default encryption key of EBS in {region}, {key.arn}"
    reset = f"`aws ec2 reset-ebs-default-kms-key-id --region {region}` sets {AWS_KEY} again for new volumes"
    if key.state != "Enabled":
        message = f"{named}, is {key.state}: EC2 cannot create volumes with it"
        usable = enabling(key.arn, key.state, context)
        yield Finding("E9555", place, message, f"{usable}, or {reset}" if usable else reset)
        return
    for role in _launch_roles(context.plan):
        if not _may_use(key, role):
            message = (
                f"{role.title} may not use {named}: neither its key policy nor a grant names {role.name}, and nodes "
                "end at launch with Client.InvalidKMSKey.InvalidState"
            )
            yield Finding("E9555", place, message, f"`{_grant(key, role, context)}`, or {reset}")


def enabling(arn: str, state: str, context: PreflightContext) -> str:
    """The commands that make a key usable again; empty where no command does.

    https://docs.aws.amazon.com/kms/latest/developerguide/key-state.html
    """
    verbs = {"Disabled": ("enable-key",), "PendingDeletion": ("cancel-key-deletion", "enable-key")}.get(state, ())
    return ", then ".join(f"`aws kms {verb} --key-id {arn} --region {context.destination.region}`" for verb in verbs)


def _launch_roles(plan: ClusterPlan) -> Iterator[LaunchRole]:
    if any(group.scaling.kind is ScalingKind.RANGE for group in plan.ec2_groups):
        yield AUTO_SCALING
    for operations in registered_operations():
        role = operations.launch_role(plan)
        if role is not None:
            yield role


def _may_use(key: DefaultKey, role: LaunchRole) -> bool:
    """A statement for all principals is accepted: its conditions are not evaluated."""
    everybody = '"AWS": "*"' in key.policy or '"Principal": "*"' in key.policy
    return everybody or role.name in key.policy or any(role.name in each for each in key.grantees)


def _grant(key: DefaultKey, role: LaunchRole, context: PreflightContext) -> str:
    principal, operations = role.arn(context.plan), " ".join(OPERATIONS)
    return (
        f"aws kms create-grant --key-id {key.arn} --grantee-principal {principal} --operations {operations} "
        f"--region {context.destination.region}"
    )
