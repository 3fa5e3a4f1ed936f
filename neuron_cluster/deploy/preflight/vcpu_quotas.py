"""Whether the quotas of EC2 allow the instances of the environment.

Source: https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ec2-on-demand-instances.html and using-spot-limits.html. A
launch beyond a quota ends in VcpuLimitExceeded, and half an hour later the stack of the group rolls back.
"""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.aws.service_quotas import ec2_quota
from neuron_cluster.deploy.preflight import quota_requests
from neuron_cluster.deploy.preflight.context import PreflightContext
from neuron_cluster.findings.finding import Finding
from neuron_cluster.findings.text import listed
from neuron_cluster.plan.vcpu_use import VcpuUse

WHAT = "vCPU quotas of EC2"
PERMISSIONS = ("servicequotas:GetServiceQuota", quota_requests.PERMISSION)


def subjects(context: PreflightContext) -> list[str]:
    """Returns the quotas that instances of the environment count against."""
    return [f"{use.name} ({use.code})" if use.code else use.name for use in context.vcpus]


def check(context: PreflightContext) -> Iterator[Finding]:
    """E9550 where a quota is below what the deploy starts, W9551 where it is below the largest sizes."""
    for use in context.vcpus:
        limit = ec2_quota(context.destination.target, use.code) if use.code else None
        if limit is None:
            yield _unknown(use, context)
        elif use.desired > limit or use.largest_machine > limit:
            needed = max(use.desired, use.largest_machine)
            yield Finding("E9550", context.locate(use.path), _message(use, limit, context), _hint(use, needed, context))
        elif use.maximum > limit:
            hint = _hint(use, use.maximum, context)
            yield Finding("W9551", context.locate(use.path), _message(use, limit, context), hint)


def _message(use: VcpuUse, limit: float, context: PreflightContext) -> str:
    allowed = f"{use.name} ({use.code}) allows {limit:,.0f} vCPUs in {context.destination.region}"
    if use.desired > limit:
        needs = f"the deploy starts {use.desired:,} of them"
    elif use.largest_machine > limit:
        needs = f"one instance has {use.largest_machine:,}"
    else:
        needs = f"at its maximum sizes the environment has {use.maximum:,}"
    others = "; other instances of the account use the quota too and were not checked"
    return f"{allowed}; {needs}: {listed(use.machines)}{others}"


def _hint(use: VcpuUse, needed: int, context: PreflightContext) -> str:
    increase = quota_requests.increase_hint(context.destination, "ec2", use.code, needed=needed, desired=use.maximum)
    return f"{increase}; or lower `count`"


def _unknown(use: VcpuUse, context: PreflightContext) -> Finding:
    region = context.destination.region
    message = f"no quota of EC2 is known for {use.name}: whether the account may run them was not checked"
    if use.code:
        message = f"Service Quotas does not know {use.name} ({use.code}) in {region}: it was not checked"
    listing = 'aws service-quotas list-service-quotas --service-code ec2 --query "Quotas[].[QuotaCode,QuotaName,Value]"'
    hint = f"`{listing} --region {region}` shows all; {listed(use.machines)} need {use.maximum:,} vCPUs"
    return Finding("W9556", context.locate(use.path), message, hint)
