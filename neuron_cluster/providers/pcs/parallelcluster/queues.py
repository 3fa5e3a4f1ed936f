"""Queues and compute resources of ParallelCluster."""

from __future__ import annotations

from typing import Any

from neuron_cluster.catalog.parallelcluster import ParallelClusterRelease
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.team import team_tags
from neuron_cluster.providers.pcs.parallelcluster.ids import subnet_id
from neuron_cluster.providers.pcs.parallelcluster.settings import kept_settings
from neuron_cluster.providers.pcs.plan.slurm_plan import SlurmGroupPlan, SlurmPlan, SlurmQueuePlan

WEIGHT = "Weight"


def ordered_queues(slurm: SlurmPlan) -> tuple[SlurmQueuePlan, ...]:
    """The default queue first: ParallelCluster makes the first one the default."""
    return tuple(sorted(slurm.queues, key=lambda queue: not queue.is_default))


def groups_of(queue: SlurmQueuePlan, slurm: SlurmPlan) -> tuple[SlurmGroupPlan, ...]:
    return tuple(group for group in slurm.groups if group.name in queue.groups)


def root_volume_gib(slurm: SlurmPlan) -> int:
    """Of the AMI and every node: no volume may be smaller than its AMI, and a group needs its own size at least."""
    return max(group.machine.root_volume.size_gib for group in slurm.compute_groups)


def instance_counts(group: SlurmGroupPlan) -> tuple[int, int]:
    """Minimum and maximum; in a capacity block both are all of it, as ParallelCluster requires."""
    return (group.max, group.max) if group.machine.purchase.is_block else (group.min, group.max)


def queue_configuration(
    queue: SlurmQueuePlan,
    slurm: SlurmPlan,
    plan: ClusterPlan,
    release: ParallelClusterRelease,
    security_groups: tuple[str, ...],
) -> dict[str, Any]:
    """Groups without findings share purchase option and zones."""
    groups = groups_of(queue, slurm)
    volumes, custom = (
        [group.machine.root_volume for group in groups],
        kept_settings(slurm, "queue", queue.settings, release),
    )
    return {
        "Name": queue.name,
        "CapacityType": groups[0].purchase_option,
        "Networking": {
            "SubnetIds": [subnet_id(plan, zone_id) for zone_id in groups[0].zone_ids],
            "AdditionalSecurityGroups": [*security_groups],
        },
        "ComputeSettings": {
            "LocalStorage": {
                "RootVolume": {
                    "VolumeType": "gp3",
                    "Size": root_volume_gib(slurm),
                    "Iops": max(volume.iops for volume in volumes),
                    "Throughput": max(volume.throughput_mibps for volume in volumes),
                    "Encrypted": True,
                }
            }
        },
        "JobExclusiveAllocation": queue.has_whole_nodes,
        **({"CustomSlurmSettings": custom} if custom else {}),
        "ComputeResources": [_compute_resource(group, slurm, release) for group in groups],
    }


def _compute_resource(group: SlurmGroupPlan, slurm: SlurmPlan, release: ParallelClusterRelease) -> dict[str, Any]:
    least, most = instance_counts(group)
    custom = kept_settings(slurm, "group", group.settings, release)
    weight, tags = group.settings.get(WEIGHT), team_tags(group.team)
    priority = {} if weight is None else {"StaticNodePriority": int(weight), "DynamicNodePriority": int(weight)}
    return {
        "Name": group.name,
        "InstanceType": group.machine.instance_type,
        "MinCount": least,
        "MaxCount": most,
        "DisableSimultaneousMultithreading": True,  # as PCS: a node has half as many CPUs as vCPUs
        **_network(group),
        **_reservation(group),
        **priority,
        **({"Tags": [{"Key": key, "Value": value} for key, value in tags.items()]} if tags else {}),
        **({"CustomSlurmSettings": custom} if custom else {}),
    }


def _network(group: SlurmGroupPlan) -> dict[str, Any]:
    """With EFA the placement group must be explicit; a capacity block has its own."""
    if not group.machine.efa_interfaces:
        return {}
    placed = {"PlacementGroup": {"Enabled": group.machine.placement_strategy is not None}}
    return {"Efa": {"Enabled": True}, **({} if group.machine.purchase.is_block else {"Networking": placed})}


def _reservation(group: SlurmGroupPlan) -> dict[str, Any]:
    purchase = group.machine.purchase
    if purchase.reservation_id is not None:
        return {"CapacityReservationTarget": {"CapacityReservationId": purchase.reservation_id}}
    if purchase.resource_group_arn is not None:
        return {"CapacityReservationTarget": {"CapacityReservationResourceGroupArn": purchase.resource_group_arn}}
    return {}
