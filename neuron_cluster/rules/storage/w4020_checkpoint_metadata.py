"""Metadata IOPS that are too few for the files of a checkpoint."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.findings.text import time_text
from neuron_cluster.plan.checkpoint_storage import checkpoint_storage
from neuron_cluster.rules.base import PlanRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.plan.cluster_plan import ClusterPlan

LONGEST_SECONDS, LEAST_RATIO = 30, 10
"""The stall, or the write where that is longer, takes so many times as long."""


class CheckpointMetadata(PlanRule):
    """The files of a checkpoint are created in a small part of a save (`storage.checkpoints.framework`).

    That is a tenth of the stall, or of the write where it is longer, and 30 seconds at most.

    A file system creates two files a second for each of its metadata IOPS, which grow with the capacity. NeuronX
    Distributed with use_xser writes a file for each tensor and rank: 187,000 for a model of 70 billion parameters.

    Without this check AWS reports no error. All ranks wait for the metadata server.
    """

    id = "W4020"
    source = "https://docs.aws.amazon.com/fsx/latest/LustreGuide/managing-metadata-performance.html"

    def check(self, plan: ClusterPlan, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        found = checkpoint_storage(plan.storage, plan.region)
        if found is None or found.given is None:
            return
        assessment, spec = found.given.assessment, found.spec
        if assessment.creates <= min(LONGEST_SECONDS, max(spec.stall, assessment.write) / LEAST_RATIO):
            return
        yield Violation(
            ("storage", "checkpoints", "framework"),
            f"{spec.layout.name} writes {spec.files:,} files, which {assessment.file_system} creates in "
            f"{time_text(assessment.creates)}",
            "raise capacity_gib, or choose a framework with fewer files: dcp writes one for each rank",
        )
