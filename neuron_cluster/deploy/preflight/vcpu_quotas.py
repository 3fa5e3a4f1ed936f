"""Whether the quotas of EC2 allow the instances of the environment.

Source: https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ec2-on-demand-instances.html and using-spot-limits.html. A
launch beyond a quota ends in VcpuLimitExceeded, and half an hour later the stack of the group rolls back.
"""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.aws.service_quotas import ec2_quota
from neuron_cluster.deploy.preflight.context import PreflightContext
from neuron_cluster.findings.finding import Finding
from neuron_cluster.findings.text import listed
from neuron_cluster.plan.vcpu_use import VcpuUse

WHAT = "vCPU quotas of EC2"
PERMISSIONS = ("servicequotas:GetServiceQuota",)


def check(context: PreflightContext) -> Iterator[Finding]:
    """E9550 where a quota is below what the deploy starts, W9551 where it is below the largest sizes."""
    for use in context.vcpus:
        limit = ec2_quota(context.destination.target, use.code) if use.code else None
        if limit is None:
            yield _unknown(use, context)
        elif use.desired > limit or use.largest_machine > limit:
            yield Finding("E9550", context.locate(use.path), _message(use, limit, context), _hint(use, context))
        elif use.maximum > limit:
            yield Finding("W9551", context.locate(use.path), _message(use, limit, context), _hint(use, context))


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


def _hint(use: VcpuUse, context: PreflightContext) -> str:
    region = context.destination.region
    request = (
        "aws service-quotas request-service-quota-increase --service-code ec2 "
        f"--quota-code {use.code} --desired-value {use.maximum} --region {region}"
    )
    history = f"aws service-quotas list-requested-service-quota-change-history --service-code ec2 --region {region}"
    return f"`{request}`, which AWS grants in minutes or days (`{history}` shows its status); or lower `count`"


def _unknown(use: VcpuUse, context: PreflightContext) -> Finding:
    region = context.destination.region
    message = f"no quota of EC2 is known for {use.name}: whether the account may run them was not checked"
    if use.code:
        message = f"Service Quotas does not know {use.name} ({use.code}) in {region}: it was not checked"
    listing = 'aws service-quotas list-service-quotas --service-code ec2 --query "Quotas[].[QuotaCode,QuotaName,Value]"'
    hint = f"`{listing} --region {region}` shows all; {listed(use.machines)} need {use.maximum:,} vCPUs"
    return Finding("W9556", context.locate(use.path), message, hint)
