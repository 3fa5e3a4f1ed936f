"""Lustre of a Slurm cluster whose maintenance window FSx chooses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.providers.pcs.config.cluster import Slurm
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


class LustreWithoutMaintenanceWindow(ConfigRule):
    """A Slurm cluster knows when its Lustre file system is maintained (`storage.lustre.maintenance_window`).

    During maintenance the file system does not respond for some minutes: jobs wait and go on, nodes on which it takes
    longer than the checks wait are drained until it responds again, and no job starts there. Only a warning.

    Without this check FSx chooses the time, which may be that of the longest job.
    """

    id = "W2129"
    source = "https://docs.aws.amazon.com/fsx/latest/LustreGuide/maintenance-windows.html"
    proposes = ("maintenance_window",)

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        storage = environment.config.storage
        lustre = storage.lustre if storage is not None else None
        if environment.config.section(Slurm) is None or lustre is None or lustre.existing is not None:
            return
        if lustre.maintenance_window is None:
            yield Violation(
                ("storage", "lustre"),
                "FSx chooses the weekly maintenance window, in which Slurm nodes may be drained for some minutes",
                'set maintenance_window to a time with few jobs, such as "7:03:00": 03:00 UTC on Sunday',
            )
