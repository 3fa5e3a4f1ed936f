"""Whether nodes can use the key that EBS encrypts their volumes with by default.

Source: https://docs.aws.amazon.com/autoscaling/ec2/userguide/key-policy-requirements-EBS-encryption.html. Launch
templates name no key, so that the account's default one is used; nodes are started by Auto Scaling's own role.
"""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.aws.ebs import AWS_KEY, DefaultKey, default_key
from neuron_cluster.deploy.preflight.context import PreflightContext
from neuron_cluster.findings.finding import Finding
from neuron_cluster.resolved.scaling import ScalingKind

WHAT = "the default encryption key of EBS"
PERMISSIONS = ("ec2:GetEbsDefaultKmsKeyId", "kms:DescribeKey", "kms:GetKeyPolicy", "kms:ListGrants")

ROLE = "AWSServiceRoleForAutoScaling"
ROLE_PATH = "role/aws-service-role/autoscaling.amazonaws.com/"
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
"""Of the grant in AWS's page on Auto Scaling and encrypted volumes."""


def check(context: PreflightContext) -> Iterator[Finding]:
    """E9555 for a key of the customer that is not enabled, or that Auto Scaling may not use."""
    groups = context.plan.compute_groups
    if not groups:
        return
    is_scaled = any(group.scaling.kind is ScalingKind.RANGE for group in groups)
    key, region = default_key(context.destination.target), context.destination.region
    if key is None:
        return
    place, named = context.locate(("region",)), f"the default encryption key of EBS in {region}, {key.arn}"
    reset = f"`aws ec2 reset-ebs-default-kms-key-id --region {region}` sets {AWS_KEY} again for new volumes"
    if key.state != "Enabled":
        message = f"{named}, is {key.state}: EC2 cannot create volumes with it"
        yield Finding("E9555", place, message, f"`aws kms enable-key --key-id {key.arn} --region {region}`, or {reset}")
    elif is_scaled and not _may_use(key):
        message = (
            f"Auto Scaling may not use {named}: neither its key policy nor a grant names {ROLE}, and nodes end at "
            "launch with Client.InvalidKMSKey.InvalidState"
        )
        yield Finding("E9555", place, message, f"`{_grant(key, context)}`, or {reset}")


def _may_use(key: DefaultKey) -> bool:
    """A statement for all principals is accepted: its conditions are not evaluated."""
    everybody = '"AWS": "*"' in key.policy or '"Principal": "*"' in key.policy
    return everybody or ROLE in key.policy or any(ROLE in each for each in key.grantees)


def _grant(key: DefaultKey, context: PreflightContext) -> str:
    role = f"arn:{context.plan.partition}:iam::{context.plan.account}:{ROLE_PATH}{ROLE}"
    operations = " ".join(OPERATIONS)
    return (
        f"aws kms create-grant --key-id {key.arn} --grantee-principal {role} --operations {operations} "
        f"--region {context.destination.region}"
    )
