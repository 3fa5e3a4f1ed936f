from __future__ import annotations

from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class EfsWithoutClientPackage(Rule):
    """The operating system of a workstation that mounts EFS has a package of the mount helper (`efs`, `dlami`).

    An access point is mounted by the helper of amazon-efs-utils alone, which its project builds from source for other
    distributions.

    Without this check AWS reports no error, and the access points are not mounted on the workstation.
    """

    id = "W4063"
    source = "https://docs.aws.amazon.com/efs/latest/ug/installing-amazon-efs-utils.html"
    proposes = ("efs",)

    def check(self, context: RuleContext) -> Violations:
        catalog = context.catalog
        for workstation in context.environment.workstations:
            dlami = workstation.dlami
            if not workstation.spec.efs or dlami is None or dlami.efs_client is not None:
                continue
            family = workstation.instance_type.family if workstation.instance_type is not None else ""
            fitting = [each.name for each in catalog.dlamis if each.efs_client is not None and family in each.families]
            other = f"use a DLAMI with it ({listed(fitting, 'or')}), or " if fitting else ""
            yield Violation(
                (*workstation.path, "efs"),
                f"{dlami.operating_system} has no package of the EFS mount helper, so {workstation.name} does not "
                f"mount {listed(workstation.spec.efs)}",
                f"{other}remove efs and build amazon-efs-utils from source on the instance",
            )
