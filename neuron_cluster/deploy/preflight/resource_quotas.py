"""Whether quotas of resources other than instances, such as Elastic IP addresses, allow the environment.

Source: https://docs.aws.amazon.com/servicequotas/latest/userguide/intro.html; codes and defaults are limits of the
catalog. A stack that meets a quota rolls back, in the middle of the deploy.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from neuron_cluster.aws.resource_counts import COUNTS, nat_gateways_by_zone
from neuron_cluster.aws.service_quotas import applied_quota
from neuron_cluster.deploy.deployment import deployed_templates
from neuron_cluster.deploy.preflight import quota_requests
from neuron_cluster.deploy.preflight.context import PreflightContext
from neuron_cluster.deploy.preflight.deployed_use import USES, Templates, nat_gateway_zones
from neuron_cluster.findings.finding import Finding
from neuron_cluster.plan.limit_use import LimitUse
from neuron_cluster.plan.scale import build_scale
from neuron_cluster.plan.stack_table import stack_keys_of_deploy

WHAT = "quotas of addresses, networks, storage and clusters"
PERMISSIONS = (
    "servicequotas:GetServiceQuota",
    quota_requests.PERMISSION,
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
    "cloudformation:GetTemplate",
    "eks:ListClusters",
    "elasticfilesystem:DescribeFileSystems",
    "fsx:DescribeFileSystems",
)
GROWING = frozenset({"network_interfaces_per_region", "ebs_gp3_storage_per_region"})
"""Limits that an environment meets when groups grow to `count.max`, not when it is created."""
NAT_GATEWAYS = "nat_gateways_per_zone"


class Need(Struct, frozen=True):
    """Resources that a deploy adds to those that count against a limit."""

    held: int | None
    """The number that the account has; None for a limit of one VPC or cluster, of which ``added`` is all."""
    added: int


def subjects(context: PreflightContext) -> list[str]:
    """Returns what is compared: only quotas of which the deploy needs more are queried."""
    return [f"what a deploy adds in {context.destination.region}"]


def check(context: PreflightContext) -> Iterator[Finding]:
    """E9581 where a quota does not allow what the deploy creates, W9582 for what groups reach later.

    What is deployed is in the number of the account, so that an edit needs the difference. Of limits that no resource
    of a template counts, such as routes of a table, nothing is compared after the first deploy.
    """
    target, plan, catalog = context.destination.target, context.plan, context.catalog
    deployed = deployed_templates(target, [plan.stack_name(stack_key) for stack_key in stack_keys_of_deploy()])
    for use in build_scale(plan, catalog):
        row = catalog.limits[use.name]
        need = _need(use, deployed, context) if row.quota_code else None
        if need is None:
            continue
        applied = applied_quota(target, row.quota_service, row.quota_code)
        limit = applied if applied is not None else float(use.limit)
        if (need.held or 0) + need.added > limit:
            is_certain = use.name not in GROWING and "quota_code" not in row.doubt and applied is not None
            yield _finding(use, need, limit, context, finding_id="E9581" if is_certain else "W9582")


def _need(use: LimitUse, deployed: Templates, context: PreflightContext) -> Need | None:
    """None where the deploy adds nothing."""
    target = context.destination.target
    if use.name == NAT_GATEWAYS:
        planned = {zone.zone_id for zone in context.plan.network.zones if zone.has_nat_gateway}
        new = planned - nat_gateway_zones(deployed)
        by_zone = nat_gateways_by_zone(target) if new else {}
        return Need(max(by_zone.get(each, 0) for each in new), use.used) if new else None
    counted_use = USES.get(use.name)
    if deployed and counted_use is None:
        return None
    added = use.used - (counted_use(deployed) if counted_use is not None else 0)
    if added <= 0:
        return None
    count = COUNTS.get(use.name)
    return Need(count(target), added) if count is not None else Need(None, use.used)


def _finding(use: LimitUse, need: Need, limit: float, context: PreflightContext, *, finding_id: str) -> Finding:
    row, region = context.catalog.limits[use.name], context.destination.region
    message = f"the quota of {use.unit} ({row.quota_code}) is {limit:,.0f} in {region}; "
    if need.held is None:
        message += f"{use.what} needs {need.added:,}"
    else:
        where = "a zone" if use.name == NAT_GATEWAYS else "the account"
        message += f"{where} has {need.held:,}, and the deploy needs {need.added:,} more ({use.what})"
    if doubt := row.doubt.get("quota_code", ""):
        message += f" (the code is in doubt: {doubt})"
    total = (need.held or 0) + need.added
    increase = quota_requests.increase_hint(
        context.destination, row.quota_service, row.quota_code, needed=total, desired=total
    )
    return Finding(
        finding_id, context.locate(use.path), message, f"{increase}; or remove what the account does not use"
    )
