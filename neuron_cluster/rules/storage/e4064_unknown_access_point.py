from __future__ import annotations

from neuron_cluster.findings.suggestions import did_you_mean_one_of
from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class UnknownAccessPoint(Rule):
    """The access points that a workstation mounts are defined in `storage.efs` (`workstations[].efs`).

    Without this check there is no access point to mount, and synthesis fails.
    """

    id = "E4064"
    source = "the design of this toolkit: file systems hold state, which is configured under storage"
    proposes = ("access_points", "efs", "storage")

    def check(self, context: RuleContext) -> Violations:
        storage = context.environment.config.storage
        names = [each.name for each in storage.efs.access_points] if storage is not None and storage.efs else []
        for workstation in context.environment.workstations:
            for position, name in enumerate(workstation.spec.efs):
                if name not in names:
                    yield Violation(
                        (*workstation.path, "efs", position),
                        f"efs has {name}, but access_points of storage.efs has {listed(names)}",
                        did_you_mean_one_of(name, names)
                        + f"add it to access_points of storage.efs: {{name: {name}, path: /{name}}}",
                    )
