"""Whether the training plans of the file are there, and fit the groups that start in them.

Source: https://docs.aws.amazon.com/sagemaker/latest/dg/training-plan-utilization-for-hyperpod.html.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime

from neuron_cluster.aws import hyperpod
from neuron_cluster.aws.training_plans import TrainingPlan, training_plan
from neuron_cluster.findings.finding import Finding, Location
from neuron_cluster.findings.text import counted, listed
from neuron_cluster.plan.machine_plan import PurchaseOptionPlan
from neuron_cluster.protocol.preflight import PreflightQuery
from neuron_cluster.providers.hyperpod.plan.hyperpod_plan import HyperPodPlan, InstanceGroupPlan

WHAT = "training plans"
PERMISSIONS = ("sagemaker:DescribeTrainingPlan", "sagemaker:DescribeCluster")
TARGET = "hyperpod-cluster"
SCHEDULED, ACTIVE = "Scheduled", "Active"
"""SageMaker gives a plan to a group in these states alone."""


def subjects(context: PreflightQuery) -> list[str]:
    """Returns each group with its training plan."""
    return [f"{group.name}: {arn}" for arn, groups in _groups_by_plan(context).items() for group in groups]


def check(context: PreflightQuery) -> Iterator[Finding]:
    """E9592 for a plan that is not there, is over or does not fit; W9596 for one that is late or has other dates."""
    for arn, groups in _groups_by_plan(context).items():
        found = training_plan(context.destination.target, arn)
        names, place = listed([group.name for group in groups]), _place(context, groups[0])
        if found is None:
            message = f"the account has no training plan {arn} in {context.plan.region}, which {names} has"
            yield Finding("E9592", place, message, _hint(context))
            continue
        if reasons := [*_of_plan(found, arn, groups, context), *_of_size(found, arn, groups, context)]:
            message = f"nodes of {names} cannot start in the training plan {found.name}: {'; '.join(reasons)}"
            yield Finding("E9592", place, message, _hint(context))
        for group in groups:
            yield from _of_group(found, group, context)


def _groups_by_plan(context: PreflightQuery) -> dict[str, list[InstanceGroupPlan]]:
    plan = context.plan.provider(HyperPodPlan)
    found = defaultdict[str, list[InstanceGroupPlan]](list)
    for group in plan.instance_groups if plan is not None else ():
        if group.training_plan_arn is not None:
            found[group.training_plan_arn].append(group)
    return found


def _of_plan(
    found: TrainingPlan, arn: str, groups: Sequence[InstanceGroupPlan], context: PreflightQuery
) -> Iterator[str]:
    """A group without nodes keeps a plan that is over: the step between two plans."""
    if found.status not in (SCHEDULED, ACTIVE):
        deployed = {group.name for group in _deployed_groups(arn, context)}
        if any(group.desired or group.physical_name not in deployed for group in groups):
            yield f"it is {found.status}, and SageMaker accepts it only when it is {SCHEDULED} or {ACTIVE}"
    if TARGET not in found.targets:
        yield f"its target is {listed(found.targets) or 'not known'}, not {TARGET}"


def _of_size(
    found: TrainingPlan, arn: str, groups: Sequence[InstanceGroupPlan], context: PreflightQuery
) -> Iterator[str]:
    """The groups of a plan share its instances, and those that the deployed cluster has are among them."""
    desired = sum(group.desired for group in groups)
    if desired > found.count:
        yield f"it has {counted(found.count, 'instance')}, but count.desired is {desired}"
    elif found.status == ACTIVE and desired > found.available:
        usable = found.available + sum(group.target for group in _deployed_groups(arn, context))
        if desired > usable:
            yield f"{usable} of its {found.count} instances are free, but count.desired is {desired}"


def _deployed_groups(arn: str, context: PreflightQuery) -> list[hyperpod.InstanceGroupState]:
    """Returns the groups of the deployed cluster that have this plan."""
    plan = context.plan.provider(HyperPodPlan)
    cluster = hyperpod.cluster(context.destination.target, plan.name) if plan is not None else None
    return [group for group in cluster.groups if group.training_plan == arn] if cluster is not None else []


def _of_group(found: TrainingPlan, group: InstanceGroupPlan, context: PreflightQuery) -> Iterator[Finding]:
    place, named = _place(context, group), f"the training plan {found.name} of {group.name}"
    if found.instance_types and group.machine.instance_type not in found.instance_types:
        message = (
            f"{named} has {listed(sorted(found.instance_types))}, but instance_type is {group.machine.instance_type}"
        )
        yield Finding("E9592", place, message, _hint(context))
    if found.zone_ids and not found.zone_ids & set(group.zone_ids):
        zones = sorted(found.zone_ids)
        message = f"{named} is in {listed(zones)}, but the group is in {listed(group.zone_ids)}"
        yield Finding("E9592", place, message, f"set availability_zone: {listed(zones, 'or')}, or {_hint(context)}")
    if found.status == SCHEDULED and group.desired:
        message = f"{named} is {found.status}{_beginning(found)}: no node starts before"
        yield Finding("W9596", place, message, "keep count.desired at 0 until it is Active; then set it and deploy")
    yield from _of_dates(found, group, context)


def _of_dates(found: TrainingPlan, group: InstanceGroupPlan, context: PreflightQuery) -> Iterator[Finding]:
    """W9596 for a date of the file that is not the plan's: rules on time compare with what the file has."""
    purchase: PurchaseOptionPlan = group.machine.purchase
    for key, written, own in (("starts", purchase.starts, found.start), ("ends", purchase.ends, found.end)):
        if written is not None and own is not None and datetime.fromisoformat(written) != own:
            right = f"{own:%Y-%m-%dT%H:%M:%SZ}"
            message = f"{key} of {group.name} is {written}, but its training plan {found.name} has {right}"
            yield Finding("W9596", context.locate((*group.path, "capacity", key)), message, f"set {key}: {right}")


def _place(context: PreflightQuery, group: InstanceGroupPlan) -> Location:
    return context.locate((*group.path, "capacity", "plan_arn"))


def _beginning(found: TrainingPlan) -> str:
    return f" and begins {found.start:%Y-%m-%d %H:%M} UTC" if found.start is not None else ""


def _hint(context: PreflightQuery) -> str:
    columns = (
        "TrainingPlanSummaries[].[TrainingPlanArn,Status,TargetResources,TotalInstanceCount,AvailableInstanceCount,"
        "StartTime,EndTime]"
    )
    listing = f'aws sagemaker list-training-plans --query "{columns}" --region {context.plan.region}'
    return f"correct plan_arn, instance_type or count by what `{listing}` shows"
