"""Parts of the configuration of a Lustre file system."""

from __future__ import annotations

from aws_cdk import aws_fsx as fsx

from neuron_cluster.plan.storage_plan import LustrePlan


def lustre_metadata(plan: LustrePlan) -> fsx.CfnFileSystem.MetadataConfigurationProperty | None:
    """Intelligent-Tiering requires IOPS; on SSD they grow with the capacity, or there is no configuration."""
    if plan.tiering is not None:
        return fsx.CfnFileSystem.MetadataConfigurationProperty(mode="USER_PROVISIONED", iops=plan.tiering.metadata_iops)
    mode = plan.metadata_mode
    return fsx.CfnFileSystem.MetadataConfigurationProperty(mode=mode) if mode is not None else None


def read_cache(plan: LustrePlan) -> fsx.CfnFileSystem.DataReadCacheConfigurationProperty | None:
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
