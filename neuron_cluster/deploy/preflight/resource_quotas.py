"""Whether quotas of resources other than instances, such as Elastic IP addresses, allow the environment.

Source: https://docs.aws.amazon.com/servicequotas/latest/userguide/intro.html; codes and defaults are limits of the
catalog. A stack that meets a quota rolls back, in the middle of the deploy.
"""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.aws.cloudformation import resources
from neuron_cluster.aws.resource_counts import COUNTS
from neuron_cluster.aws.service_quotas import applied_quota
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.deploy.preflight.context import PreflightContext
from neuron_cluster.findings.finding import Finding
from neuron_cluster.plan.core_stacks import NETWORK
from neuron_cluster.plan.limit_use import LimitUse
from neuron_cluster.plan.scale import build_scale

WHAT = "quotas of addresses, networks, storage and clusters"
PERMISSIONS = (
    "servicequotas:GetServiceQuota",
    "ec2:DescribeVpcs",
    "ec2:DescribeAddresses",
    "ec2:DescribeNatGateways",
    "ec2:DescribeSubnets",
    "ec2:DescribeSecurityGroups",
    "ec2:DescribeNetworkInterfaces",
    "ec2:DescribeLaunchTemplates",
    "ec2:DescribeVolumes",
    "autoscaling:DescribeAutoScalingGroups",
    "cloudformation:DescribeStacks",
    "cloudformation:ListStackResources",
    "eks:ListClusters",
    "elasticfilesystem:DescribeFileSystems",
    "fsx:DescribeFileSystems",
)
GROWING = frozenset({"network_interfaces_per_region", "ebs_gp3_storage_per_region"})
"""Limits that an environment meets when groups grow to `count.max`, not when it is created."""


def check(context: PreflightContext) -> Iterator[Finding]:
    """E9581 where a quota does not allow what the deploy creates, W9582 for what groups reach later.

    Before the first deploy: afterwards the account holds what the environment has. Use per VPC, cluster or stack is
    compared without that of the account.
    """
    target = context.destination.target
    if resources(target, context.plan.stack_name(NETWORK.part)):
        return
    catalog = load_catalog()
    gateways = [zone.zone_id for zone in context.plan.network.zones if zone.has_nat_gateway]
    for use in build_scale(context.plan, catalog):
        row = catalog.limit(use.name)
        if not row.quota_code or not use.used:
            continue
        applied = applied_quota(target, row.quota_service, row.quota_code)
        limit = applied if applied is not None else float(use.limit)
        count = COUNTS.get(use.name)
        held = count(target, gateways) if count is not None else 0
        if held + use.used > limit:
            is_certain = use.name not in GROWING and "quota_code" not in row.doubt and applied is not None
            yield _finding(use, held, limit, context, finding_id="E9581" if is_certain else "W9582")


def _finding(use: LimitUse, held: int, limit: float, context: PreflightContext, *, finding_id: str) -> Finding:
    row, region = load_catalog().limit(use.name), context.destination.region
    message = (
        f"the quota of {use.unit} ({row.quota_code}) is {limit:,.0f} in {region}; the account has {held:,}, and "
        f"{use.used:,} more {'is' if use.used == 1 else 'are'} needed ({use.what})"
    )
    if doubt := row.doubt.get("quota_code", ""):
        message += f" (the code is in doubt: {doubt})"
    command = (
        f"aws service-quotas request-service-quota-increase --service-code {row.quota_service} "
        f"--quota-code {row.quota_code} --desired-value {held + use.used} --region {region}"
    )
    return Finding(
        finding_id, context.locate(use.path), message, f"`{command}`; or remove what the account does not use"
    )
