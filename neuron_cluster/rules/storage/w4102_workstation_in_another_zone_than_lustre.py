from __future__ import annotations

from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class WorkstationInAnotherZoneThanLustre(Rule):
    """A workstation that mounts Lustre runs in the zone of the file system (`lustre`, `availability_zone`).

    Only a warning: a workstation that reads little may run in any zone of the network.

    Without this check AWS reports no error. Reads and writes are slower, and billed per gigabyte in both directions.
    """

    id = "W4102"
    source = "https://docs.aws.amazon.com/fsx/latest/LustreGuide/performance-tips.html"
    proposes = ("availability_zone",)

    def check(self, context: RuleContext) -> Violations:
        config = context.environment.config
        lustre = config.storage.lustre if config.storage is not None else None
        for workstation in context.environment.workstations:
            if lustre is None or not workstation.spec.lustre or lustre.availability_zone == workstation.zone_id:
                continue
            if not {lustre.availability_zone, workstation.zone_id} <= set(config.network.zone_ids):
                continue  # rules E3002 and E4003
            there = lustre.availability_zone + (", with a home there," if workstation.spec.home else "")
            yield Violation(
                (*workstation.path, "lustre"),
                f"{workstation.name} runs in {workstation.zone_id}, but Lustre is in {lustre.availability_zone}",
                f"set availability_zone: {there} if EC2 offers its type there; or remove lustre, and copy its files",
            )
