"""Findings after a deploy: CloudFormation waits for no new nodes, and sends no size that has not changed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.findings.finding import Finding, Location
from neuron_cluster.protocol.aws_access import AwsAccess
from neuron_cluster.providers.eks.plan.eks_plan import EksPlan

if TYPE_CHECKING:
    from neuron_cluster.plan.cluster_plan import ClusterPlan
    from neuron_cluster.providers.eks.existing import ExistingEks

ACTIVE = "ACTIVE"
BLOCK = "CAPACITY_BLOCK"


def eks_findings(existing: ExistingEks, plan: ClusterPlan, access: AwsAccess) -> list[Finding]:
    """E9523 for a node group that is not ACTIVE, E9532 for one of another size than the file's, W9505 for the rest."""
    return [
        *_of_groups(existing, access),
        *_of_sizes(existing, plan, access),
        *_of_addons(existing, access),
    ]


def _of_groups(existing: ExistingEks, access: AwsAccess) -> Iterator[Finding]:
    for found in existing.node_groups:
        group = found.group
        finding_id, state = ("W9505", ACTIVE) if group.status == ACTIVE else ("E9523", f"{group.status}, not {ACTIVE}")
        command = f"`{_describing(existing, access, 'nodegroup', nodegroup_name=group.name)}`"
        for issue in group.issues:
            hint = (
                "correct what the issue names (count, zone, reservation or quota) and deploy again; EKS keeps trying, "
                f"and {command} shows the result"
            )
            yield Finding(finding_id, Location(group.name), f"the node group is {state}. Issue: {issue}", hint)
        if not group.issues and group.status != ACTIVE:
            message = f"the node group is {state}, and EKS reports no issue of it"
            hint = f"{command} shows its status, and issues as EKS finds them; deploy again when they are corrected"
            yield Finding(finding_id, Location(group.name), message, hint)


def _of_sizes(existing: ExistingEks, plan: ClusterPlan, access: AwsAccess) -> Iterator[Finding]:
    """CloudFormation sends a size that has changed in the template; what EKS or a person has set since stays."""
    section = plan.provider(EksPlan)
    planned = {group.physical_name: group.desired for group in section.managed_groups} if section is not None else {}
    (cluster,) = existing.clusters or (None,)
    for found in existing.node_groups:
        group, desired = found.group, planned.get(found.group.name)
        if cluster is None or group.status != ACTIVE or desired is None or desired == group.desired:
            continue
        because = ": EKS scales a group to 0 before its capacity block ends" if group.capacity_type == BLOCK else ""
        size = f"minSize={min(group.min, desired)},maxSize={group.max},desiredSize={desired}"
        command = access.aws_command(
            "eks update-nodegroup-config",
            cluster_name=cluster.name,
            nodegroup_name=group.name,
            scaling_config=size,
        )
        yield Finding(
            "E9532",
            Location(group.name),
            f"the node group runs with desired {group.desired}, but desired in the file is {desired}{because}",
            f"`{command}` sets the size of the file; or set count.desired to {group.desired} and deploy again",
        )


def _of_addons(existing: ExistingEks, access: AwsAccess) -> Iterator[Finding]:
    for addon in existing.addons:
        if addon.status != ACTIVE:
            command = _describing(existing, access, "addon", addon_name=addon.name)
            hint = f"`{command}` shows the cause, mostly no node that its pods can run on"
            yield Finding("W9505", Location(addon.name), f"the managed add-on is {addon.status}", hint)


def _describing(existing: ExistingEks, access: AwsAccess, what: str, **name: str) -> str:
    """The command that shows the state of a part of the cluster, of which an environment has one."""
    (cluster,) = existing.clusters
    return access.aws_command(f"eks describe-{what}", cluster_name=cluster.name, **name)
