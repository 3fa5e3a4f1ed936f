from __future__ import annotations

from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class WorkstationWithoutLustreClient(Rule):
    """The operating system of a workstation that mounts Lustre has a package of the client (`lustre`, `dlami`).

    Without this check AWS reports no error, and the file system is not mounted on the workstation.
    """

    id = "E4101"
    source = "https://docs.aws.amazon.com/fsx/latest/LustreGuide/install-lustre-client.html"
    proposes = ("lustre",)

    def check(self, context: RuleContext) -> Violations:
        systems = [row.name for row in context.catalog.lustre_clients if row.package is not None]
        for workstation in context.environment.workstations:
            dlami = workstation.dlami
            if not workstation.spec.lustre or dlami is None or dlami.operating_system in systems:
                continue
            family = workstation.instance_type.family if workstation.instance_type is not None else ""
            fitting = [
                row.name
                for row in context.catalog.dlamis
                if row.successor is None and row.operating_system in systems and family in row.families
            ]
            other = f"use a DLAMI with it ({listed(fitting, 'or')}), or " if fitting else ""
            yield Violation(
                (*workstation.path, "lustre"),
                f"{workstation.name} runs {dlami.operating_system}, for which FSx has no package of the Lustre client; "
                f"there are packages for {listed(systems)}",
                f"{other}remove lustre",
            )
