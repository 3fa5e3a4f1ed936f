"""An FSx for Lustre file system from its plan."""

from __future__ import annotations

import aws_cdk as cdk
from aws_cdk import aws_fsx as fsx
from constructs import Construct

from neuron_cluster.plan.storage_plan import LustrePlan


def lustre_file_system(
    scope: Construct,
    construct_id: str,
    plan: LustrePlan,
    *,
    name: str,
    subnet_id: str,
    security_group_id: str,
    key_arn: str,
    removal_policy: cdk.RemovalPolicy,
) -> tuple[str, str, str]:
    """Id, DNS name and mount name, as tokens. ``name`` is the tag Name."""
    file_system = fsx.CfnFileSystem(
        scope,
        construct_id,
        file_system_type="LUSTRE",
        file_system_type_version=plan.file_system_type_version,
        storage_type="SSD" if plan.tiering is None else "INTELLIGENT_TIERING",
        storage_capacity=plan.capacity_gib,
        subnet_ids=[subnet_id],
        security_group_ids=[security_group_id],
        kms_key_id=key_arn if plan.takes_key else None,
        lustre_configuration=fsx.CfnFileSystem.LustreConfigurationProperty(
            deployment_type=plan.deployment_type,
            per_unit_storage_throughput=plan.throughput_mbps_per_tib,
            data_compression_type=plan.data_compression,
            metadata_configuration=_metadata(plan),
            throughput_capacity=plan.tiering.throughput_mbps if plan.tiering is not None else None,
            data_read_cache_configuration=_read_cache(plan),
            weekly_maintenance_start_time=plan.maintenance_window,
        ),
        tags=[cdk.CfnTag(key="Name", value=name)],
    )
    file_system.apply_removal_policy(removal_policy)
    return file_system.ref, file_system.attr_dns_name, file_system.attr_lustre_mount_name


def _metadata(plan: LustrePlan) -> fsx.CfnFileSystem.MetadataConfigurationProperty | None:
    """Intelligent-Tiering requires IOPS; on SSD they grow with the capacity, or there is no configuration."""
    if plan.tiering is not None:
        return fsx.CfnFileSystem.MetadataConfigurationProperty(mode="USER_PROVISIONED", iops=plan.tiering.metadata_iops)
    mode = plan.metadata_mode
    return fsx.CfnFileSystem.MetadataConfigurationProperty(mode=mode) if mode is not None else None


def _read_cache(plan: LustrePlan) -> fsx.CfnFileSystem.DataReadCacheConfigurationProperty | None:
    """The SSD read cache of Intelligent-Tiering."""
    if plan.tiering is None:
        return None
    size = plan.tiering.read_cache_gib
    if size is None:
        mode = "PROPORTIONAL_TO_THROUGHPUT_CAPACITY"
        return fsx.CfnFileSystem.DataReadCacheConfigurationProperty(sizing_mode=mode)
    if size == 0:
        return fsx.CfnFileSystem.DataReadCacheConfigurationProperty(sizing_mode="NO_CACHE")
    return fsx.CfnFileSystem.DataReadCacheConfigurationProperty(sizing_mode="USER_PROVISIONED", size_gib=size)
