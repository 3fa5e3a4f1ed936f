"""Defaults of Lustre file systems of Intelligent-Tiering."""

from __future__ import annotations

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.config.lustre import Lustre, LustreStorageType
from neuron_cluster.plan.storage_plan import TieringPlan


def tiering_plan(spec: Lustre, catalog: Catalog) -> TieringPlan | None:
    """The smallest throughput and metadata IOPS where the file names none; None for a file system on SSD."""
    if spec.storage_type is not LustreStorageType.INTELLIGENT_TIERING:
        return None
    return TieringPlan(
        throughput_mbps=spec.throughput_mbps or catalog.limits["lustre_tiering_throughput"].require_minimum(),
        metadata_iops=spec.metadata_iops or catalog.limits["lustre_tiering_metadata_iops"].require_minimum(),
        read_cache_gib=spec.read_cache_gib,
    )
