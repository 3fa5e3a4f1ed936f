"""The configuration of the cluster and of its AMI as ParallelCluster reads them."""

from __future__ import annotations

import re
from typing import Any

from neuron_cluster.bootstrap.mounts import NODE_LUSTRE, access_point_folder
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.parallelcluster import ParallelClusterRelease
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.schedulers.slurm.cluster import SlurmCluster
from neuron_cluster.schedulers.slurm.parallelcluster.ids import (
    AMI,
    EFS,
    ENVIRONMENT_TAG,
    LUSTRE_GROUP,
    NODE_GROUP,
    PARENT,
    access_point,
    lustre_id,
    placeholder,
    subnet_id,
)
from neuron_cluster.schedulers.slurm.parallelcluster.queues import (
    ordered_queues,
    queue_configuration,
    root_volume_gib,
)
from neuron_cluster.schedulers.slurm.parallelcluster.settings import is_memory_scheduled, kept_settings

Configuration = dict[str, Any]
SECONDS_OF_MINUTE = 60


def cluster_configuration(
    plan: ClusterPlan, slurm: SlurmCluster, release: ParallelClusterRelease, catalog: Catalog
) -> Configuration:
    """``pcluster create-cluster --cluster-configuration``. Raises ``LookupError`` for an unknown operating system."""
    groups = security_groups(plan)
    storage = _shared_storage(plan)
    return {
        "Region": plan.region,
        "Image": {"Os": operating_system(slurm, release, catalog), "CustomAmi": placeholder(AMI)},
        "Imds": {"ImdsSupport": "v2.0"},
        "HeadNode": _head_node(plan, slurm, groups),
        "LoginNodes": {"Pools": [_login_pool(plan, slurm, groups)]},
        "Scheduling": {
            "Scheduler": "slurm",
            "SlurmSettings": _slurm_settings(slurm, release),
            "SlurmQueues": [
                queue_configuration(queue, slurm, plan, release, groups) for queue in ordered_queues(slurm)
            ],
        },
        **({"SharedStorage": storage} if storage else {}),
        "Tags": [{"Key": key, "Value": value} for key, value in kept_tags(plan, release).items()],
    }


def image_configuration(plan: ClusterPlan, slurm: SlurmCluster) -> Configuration:
    """``pcluster build-image --image-configuration``, in the default VPC: packages come over HTTP too.

    The parent has the Neuron driver; NVIDIA's is not installed.
    """
    return {
        "Region": plan.region,
        "Image": {"RootVolume": {"Size": root_volume_gib(slurm)}},
        "Build": {
            "InstanceType": slurm.login.machine.instance_type,
            "ParentImage": slurm.parent_ami or placeholder(PARENT),
            "UpdateOsPackages": {"Enabled": False},
            "Installation": {"NvidiaSoftware": {"Enabled": False}, "LustreClient": {"Enabled": True}},
            "Imds": {"ImdsSupport": "v2.0"},
        },
    }


def operating_system(slurm: SlurmCluster, release: ParallelClusterRelease, catalog: Catalog) -> str:
    """Value of ``Image/Os``. Raises ``LookupError`` for one that ParallelCluster does not support."""
    dlami = catalog.dlamis.get(slurm.login.image.family)
    if dlami is None:
        raise LookupError(f"the catalog has no DLAMI {slurm.login.image.family}")
    return release.operating_systems[dlami.operating_system]


def security_groups(plan: ClusterPlan) -> tuple[str, ...]:
    """Returns the security groups that endpoints and file systems admit; ParallelCluster makes others."""
    lustre = (placeholder(LUSTRE_GROUP),) if lustre_id(plan) is not None else ()
    return (placeholder(NODE_GROUP), *lustre)


def all_tags(plan: ClusterPlan) -> dict[str, str]:
    """Returns the tags of every resource of the environment."""
    return {ENVIRONMENT_TAG: plan.name, **plan.tags}


def kept_tags(plan: ClusterPlan, release: ParallelClusterRelease) -> dict[str, str]:
    """Returns the tags of the environment without those that ParallelCluster rejects."""
    return {
        key: value
        for key, value in all_tags(plan).items()
        if re.fullmatch(release.tag_value, value) and not key.startswith(release.reserved_tags)
    }


def _slurm_settings(slurm: SlurmCluster, release: ParallelClusterRelease) -> Configuration:
    kept = kept_settings(slurm, "cluster", slurm.settings, release)
    return {
        "ScaledownIdletime": max((slurm.idle_seconds or 0) // SECONDS_OF_MINUTE, 1),
        "EnableMemoryBasedScheduling": is_memory_scheduled(slurm),
        **({"CustomSlurmSettings": [{name: value} for name, value in kept.items()]} if kept else {}),
    }


def _head_node(plan: ClusterPlan, slurm: SlurmCluster, groups: tuple[str, ...]) -> Configuration:
    """Returns the head node, with the type of the login nodes: the environment has no controller instance."""
    login = slurm.login
    return {
        "InstanceType": login.machine.instance_type,
        "Networking": {"SubnetId": subnet_id(plan, login.zone_ids[0]), "AdditionalSecurityGroups": [*groups]},
        "Ssh": {"AllowedIps": plan.network.cidr},
        "LocalStorage": {"RootVolume": {"VolumeType": "gp3", "Size": root_volume_gib(slurm), "Encrypted": True}},
        "Iam": _sessions(plan),
    }


def _login_pool(plan: ClusterPlan, slurm: SlurmCluster, groups: tuple[str, ...]) -> Configuration:
    login = slurm.login
    return {
        "Name": login.name,
        "InstanceType": login.machine.instance_type,
        "Count": login.max,
        "Networking": {
            "SubnetIds": [subnet_id(plan, login.zone_ids[0])],
            "AdditionalSecurityGroups": [*groups],
        },
        "Ssh": {"AllowedIps": plan.network.cidr},
        "Iam": _sessions(plan),
    }


def _sessions(plan: ClusterPlan) -> Configuration:
    """Session Manager: no key pair is needed."""
    return {"AdditionalIamPolicies": [{"Policy": f"arn:{plan.partition}:iam::aws:policy/AmazonSSMManagedInstanceCore"}]}


def _shared_storage(plan: ClusterPlan) -> list[Configuration]:
    found: list[Configuration] = []
    lustre = lustre_id(plan)
    if lustre is not None:
        found.append(
            {
                "MountDir": NODE_LUSTRE.folder,
                "Name": "lustre",
                "StorageType": "FsxLustre",
                "FsxLustreSettings": {"FileSystemId": lustre},
            }
        )
    if plan.storage is not None and plan.storage.efs is not None:
        found += [_access_point(point.name) for point in plan.storage.efs.access_points]
    return found


def storage_name(access_point: str) -> str:
    """Name of the shared storage of an access point."""
    return f"efs-{access_point}"


def _access_point(name: str) -> Configuration:
    """Returns the settings of one access point: the policy of the file system admits only access points, over TLS."""
    settings = {"FileSystemId": placeholder(EFS), "AccessPointId": access_point(name), "EncryptionInTransit": True}
    return {
        "MountDir": access_point_folder(name),
        "Name": storage_name(name),
        "StorageType": "Efs",
        "EfsSettings": settings,
    }
