from __future__ import annotations

from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.slurm.section import has_slurm


class LustreWithoutMaintenanceWindow(Rule):
    """A Slurm cluster knows when its Lustre file system is maintained (`storage.lustre.maintenance_window`).

    During maintenance the file system does not respond for some minutes: jobs wait and go on, nodes on which it takes
    longer than the checks wait are drained until it responds again, and no job starts there. Only a warning.

    Without this check FSx chooses the time, which may be that of the longest job.
    """

    id = "W2129"
    source = "https://docs.aws.amazon.com/fsx/latest/LustreGuide/maintenance-windows.html"
    proposes = ("maintenance_window",)

    def check(self, context: RuleContext) -> Violations:
        storage = context.environment.config.storage
        lustre = storage.lustre if storage is not None else None
        if lustre is None or lustre.existing is not None or lustre.maintenance_window is not None:
            return
        if has_slurm(context.environment):
            yield Violation(
                ("storage", "lustre"),
                "FSx chooses the weekly maintenance window, in which Slurm nodes may be drained for some minutes",
                'set maintenance_window to a time with few jobs, such as "7:03:00": 03:00 UTC on Sunday',
            )
