from __future__ import annotations

from neuron_cluster.plan.storage_plan import MetadataSource
from neuron_cluster.rules.base import Needs, Rule, RuleContext, Violation, Violations


class LustreWithoutMetadataConfiguration(Rule):
    """An FSx for Lustre file system that supports a metadata configuration has one (`storage.lustre.metadata`).

    The mode automatic costs nothing, and metadata IOPS then grow with the capacity. FSx sets the configuration when it
    creates the file system: a file system created without one cannot get it later, nor more metadata IOPS, nor EFA.

    Without this check AWS reports no error. Checkpoints of many files (NxD with xser writes one per tensor and rank)
    wait for the metadata server, however large the file system is.
    """

    id = "W4010"
    needs = Needs.PLAN
    source = "https://docs.aws.amazon.com/fsx/latest/LustreGuide/managing-metadata-performance.html"

    def check(self, context: RuleContext) -> Violations:
        lustre = context.plan.storage.lustre if context.plan.storage is not None else None
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
