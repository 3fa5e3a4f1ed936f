"""Whether the quotas of SageMaker allow the instances of each type, by the names of the quotas.

Source: https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-hyperpod-prerequisites.html. Their values are often 0
in a new account or Region; a cluster beyond one fails with ResourceLimitExceeded, after the EKS cluster.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from neuron_cluster.aws.sagemaker_quotas import PERMISSIONS, increase_command, listing_command, small_quotas
from neuron_cluster.findings.finding import Finding
from neuron_cluster.protocol.preflight import PreflightQuery
from neuron_cluster.providers.hyperpod.plan.hyperpod_plan import HyperPodPlan

__all__ = ("PERMISSIONS", "WHAT", "check", "subjects")

WHAT = "quotas of SageMaker for instances of HyperPod"


def subjects(context: PreflightQuery) -> list[str]:
    """Returns the names of the quotas."""
    return list(_needed(context))


def check(context: PreflightQuery) -> Iterator[Finding]:
    """E9587 for a quota that is too small, W9588 for one that Service Quotas does not list."""
    needed, plan = _needed(context), context.plan.provider(HyperPodPlan)
    if plan is None or not needed:
        return
    for small in small_quotas(context.destination.target, needed):
        place, region = context.locate((*plan.path, "groups")), context.plan.region
        if small.quota is None:
            message = f"Service Quotas does not list {small.name} in {region}: it was not checked"
            yield Finding("W9588", place, message, f"`{listing_command(region)}` shows all quotas of SageMaker")
        else:
            message = f"{small.name} allows {small.quota.value:,.0f} in {region}; the environment has {small.needed:,}"
            request = increase_command(small.quota, small.needed, region)
            hint = f"`{request}`, which AWS grants in minutes or days; or lower count.desired"
            yield Finding("E9587", place, message, hint)


def _needed(context: PreflightQuery) -> Counter[str]:
    """Instances by the name of their quota; those of training plans were counted when the plan was made."""
    plan, types = context.plan.provider(HyperPodPlan), context.destination.catalog.hyperpod_types
    needed: Counter[str] = Counter()
    for group in plan.instance_groups if plan is not None else ():
        row = types.get(group.machine.instance_type)
        if row is not None and group.training_plan_arn is None and group.desired:
            needed[row.spot_quota if group.is_spot else row.quota] += group.desired
    return needed
