from __future__ import annotations

from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class WorkstationLustreWithoutFileSystem(Rule):
    """A workstation mounts Lustre only where `storage.lustre` defines a file system (`workstations[].lustre`).

    Without this check AWS reports no error, and nothing is mounted on the workstation.
    """

    id = "E4100"
    source = "the design of this toolkit: file systems hold state, which is configured under storage"
    proposes = ("lustre", "storage", "availability_zone", "capacity_gib")

    def check(self, context: RuleContext) -> Violations:
        storage = context.environment.config.storage
        if storage is not None and storage.lustre is not None:
            return
        for workstation in context.environment.workstations:
            if workstation.spec.lustre:
                yield Violation(
                    (*workstation.path, "lustre"),
                    f"lustre of {workstation.name} is true, but storage.lustre is not set",
                    "remove lustre, or add the file system to storage: "
                    f"lustre: {{availability_zone: {workstation.zone_id}, capacity_gib: 1200}}",
                )
