"""Whether EC2 offers the instance type of each group in its zones, to this account.

Source: https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_DescribeInstanceTypeOfferings.html. Without an offer
every launch fails, after the stacks of network and cluster.
"""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.aws.instance_types import offered_zone_ids
from neuron_cluster.deploy.preflight.context import PreflightContext
from neuron_cluster.findings.finding import Finding
from neuron_cluster.findings.text import listed
from neuron_cluster.plan.compute_group_plan import ComputeGroupPlan

WHAT = "offers of instance types in zones"
PERMISSIONS = ("ec2:DescribeInstanceTypeOfferings",)


def subjects(context: PreflightContext) -> list[str]:
    """Returns the instance types with their zones."""
    return list(
        dict.fromkeys(f"{group.machine.instance_type} in {listed(group.zone_ids)}" for group in _starting(context))
    )


def check(context: PreflightContext) -> Iterator[Finding]:
    """E9583 for a group with a zone that does not offer its instance type."""
    groups = _starting(context)
    types = {group.machine.instance_type for group in groups}
    offered = offered_zone_ids(context.destination.target, types) if types else {}
    for group in groups:
        zones = offered.get(group.machine.instance_type, ())
        missing = [zone_id for zone_id in group.zone_ids if zone_id not in zones]
        if missing:
            yield _finding(group, missing, zones, context)


def _starting(context: PreflightContext) -> list[ComputeGroupPlan]:
    """Groups that start instances: of the others W3003 of `validate` is enough."""
    return [group for group in context.plan.ec2_groups if group.desired]


def _finding(group: ComputeGroupPlan, missing: list[str], zones: tuple[str, ...], context: PreflightContext) -> Finding:
    name, region = group.machine.instance_type, context.destination.region
    place = context.locate((*group.path, "instance_type"))
    show = (
        "`aws ec2 describe-instance-type-offerings --location-type availability-zone-id "
        f"--filters Name=instance-type,Values={name} --region {region}`"
    )
    if not zones:
        message = f"EC2 offers {name} in no zone of {region} to account {context.plan.account}"
        return Finding("E9583", place, message, f"use another instance type or Region; {show} shows the zones")
    message = f"EC2 offers {name} in {listed(zones)}, not in {listed(missing)}, where {group.name} may start instances"
    in_network = [zone_id for zone_id in zones if context.plan.network.zone(zone_id) is not None]
    wanted = listed(in_network or zones, "or")
    also = "" if in_network else ", also in the zones of the network"
    return Finding("E9583", place, message, f"set availability_zone: {wanted}{also}; {show} shows the zones")
