"""FSx for Lustre without a metadata configuration."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.plan.storage_plan import MetadataSource
from neuron_cluster.rules.base import PlanRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.plan.cluster_plan import ClusterPlan


class LustreWithoutMetadataConfiguration(PlanRule):
    """An FSx for Lustre file system that supports a metadata configuration has one (`storage.lustre.metadata`).

    The mode automatic costs nothing, and metadata IOPS then grow with the capacity. FSx sets the configuration when it
    creates the file system: a file system created without one cannot get it later, nor more metadata IOPS, nor EFA.

    Without this check AWS reports no error. Checkpoints of many files (NxD with xser writes one per tensor and rank)
    wait for the metadata server, however large the file system is.
    """

    id = "W4010"
    source = "https://docs.aws.amazon.com/fsx/latest/LustreGuide/managing-metadata-performance.html"

    def check(self, plan: ClusterPlan, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        lustre = plan.storage.lustre if plan.storage is not None else None
        if lustre is None or not lustre.takes_metadata or lustre.metadata_mode is not None:
            return
        is_recorded = lustre.metadata_source is MetadataSource.LOCK
        recorded = "the deployed file system was created without a metadata configuration, as the lock records"
        message = recorded if is_recorded else "metadata is none: the file system has no metadata configuration"
        move = "deploy a second environment, whose new file system gets one, and copy the data through `sync`"
        yield Violation(
            (*lustre.path, "metadata"),
            f"{message}, so its metadata IOPS do not grow with the capacity",
            f"accept the current metadata IOPS, or {move}"
            if is_recorded
            else f"remove metadata before the first deploy; after it, {move}",
        )
