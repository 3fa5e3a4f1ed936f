"""Whether the account has the service-linked role of EC2 Spot, which EC2 Auto Scaling alone creates by itself.

Source: https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/service-linked-roles-spot-instance-requests.html
"""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.aws.iam import role_arns
from neuron_cluster.deploy.preflight.context import PreflightContext
from neuron_cluster.findings.finding import Finding
from neuron_cluster.findings.text import listed
from neuron_cluster.plan.compute_group_plan import ComputeGroupPlan
from neuron_cluster.resolved.scaling import ScalingKind

WHAT = "the service-linked role of EC2 Spot"
PERMISSIONS = ("iam:ListRoles",)
ROLE, SERVICE = "AWSServiceRoleForEC2Spot", "spot.amazonaws.com"


def subjects(context: PreflightContext) -> list[str]:
    """Returns the groups that need it."""
    return [group.name for group in _spot_groups(context)]


def check(context: PreflightContext) -> Iterator[Finding]:
    """W9606 for groups with Spot Instances that another service than Auto Scaling starts."""
    spot = _spot_groups(context)
    if not spot or role_arns(context.destination.target, f"/aws-service-role/{SERVICE}/"):
        return
    names = listed(group.name for group in spot)
    message = f"account {context.plan.account} has no role {ROLE}, without which {names} may get no Spot Instance"
    command = f"`aws iam create-service-linked-role --aws-service-name {SERVICE}`"
    yield Finding("W9606", context.locate((*spot[0].path, "capacity")), message, f"once for the account: {command}")


def _spot_groups(context: PreflightContext) -> list[ComputeGroupPlan]:
    groups = context.plan.ec2_groups
    return [
        each for each in groups if each.machine.purchase.kind == "spot" and each.scaling.kind is not ScalingKind.RANGE
    ]
