"""Queues and compute resources of ParallelCluster."""

from __future__ import annotations

from typing import Any

from neuron_cluster.catalog.parallelcluster import ParallelClusterRelease
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.team import team_tags
from neuron_cluster.schedulers.slurm.cluster import SlurmCluster, SlurmNodesPlan, SlurmQueuePlan
from neuron_cluster.schedulers.slurm.parallelcluster.ids import subnet_id
from neuron_cluster.schedulers.slurm.parallelcluster.settings import kept_settings

WEIGHT = "Weight"
CAPACITY_TYPES = {"on_demand": "ONDEMAND", "spot": "SPOT", "capacity_block": "CAPACITY_BLOCK"}
"""Source: https://docs.aws.amazon.com/parallelcluster/latest/ug/Scheduling-v3.html (``CapacityType``)."""


def ordered_queues(slurm: SlurmCluster) -> tuple[SlurmQueuePlan, ...]:
    """The default queue first: ParallelCluster makes the first one the default."""
    return tuple(sorted(slurm.queues, key=lambda queue: not queue.is_default))


def groups_of(queue: SlurmQueuePlan, slurm: SlurmCluster) -> tuple[SlurmNodesPlan, ...]:
    return tuple(group for group in slurm.groups if group.name in queue.groups)


def capacity_type(group: SlurmNodesPlan) -> str:
    """Value of ``CapacityType``."""
    return CAPACITY_TYPES[group.machine.purchase.kind]


def root_volume_gib(slurm: SlurmCluster) -> int:
    """Returns the size of the AMI and of every node in GiB.

    No volume may be smaller than its AMI, and a group needs its own size at least.
    """
    return max(group.machine.require_root_volume().size_gib for group in slurm.compute_groups)


def instance_counts(group: SlurmNodesPlan) -> tuple[int, int]:
    """Minimum and maximum; in a capacity block both are all of it, as ParallelCluster requires."""
    return (group.max, group.max) if group.machine.purchase.is_block else (group.min, group.max)


def queue_configuration(
    queue: SlurmQueuePlan,
    slurm: SlurmCluster,
    plan: ClusterPlan,
    release: ParallelClusterRelease,
    security_groups: tuple[str, ...],
) -> dict[str, Any]:
    """Groups without findings share purchase option and zones."""
    groups = groups_of(queue, slurm)
    volumes, custom = (
        [group.machine.require_root_volume() for group in groups],
        kept_settings(slurm, "queue", queue.settings, release),
    )
    return {
        "Name": queue.name,
        "CapacityType": capacity_type(groups[0]),
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


def _compute_resource(group: SlurmNodesPlan, slurm: SlurmCluster, release: ParallelClusterRelease) -> dict[str, Any]:
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


def _network(group: SlurmNodesPlan) -> dict[str, Any]:
    """Returns EFA and placement group, which must be explicit with EFA; a capacity block has its own."""
    if not group.machine.efa_interfaces:
        return {}
    placed = {"PlacementGroup": {"Enabled": group.machine.placement_strategy is not None}}
    return {"Efa": {"Enabled": True}, **({} if group.machine.purchase.is_block else {"Networking": placed})}


def _reservation(group: SlurmNodesPlan) -> dict[str, Any]:
    purchase = group.machine.purchase
    if purchase.reservation_id is not None:
        return {"CapacityReservationTarget": {"CapacityReservationId": purchase.reservation_id}}
    if purchase.resource_group_arn is not None:
        return {"CapacityReservationTarget": {"CapacityReservationResourceGroupArn": purchase.resource_group_arn}}
    return {}
