from __future__ import annotations

from neuron_cluster.findings.suggestions import did_you_mean_one_of
from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class UnknownHome(Rule):
    """The home of a workstation is defined in `storage.homes` (`workstations[].home`).

    Without this check the workstation has no volume to mount, and synthesis fails.
    """

    id = "E7004"
    source = "the design of this toolkit: homes hold state, which is configured under storage"
    proposes = ("availability_zone", "homes", "storage")

    def check(self, context: RuleContext) -> Violations:
        config = context.environment.config
        homes = [home.name for home in config.storage.homes] if config.storage is not None else []
        for workstation in context.environment.workstations:
            name = workstation.spec.home
            if name is not None and workstation.home is None:
                item = f"{{name: {name}, availability_zone: {workstation.zone_id}, size_gib: 200}}"
                yield Violation(
                    (*workstation.path, "home"),
                    f"home is {name}, but storage.homes defines {listed(homes)}",
                    did_you_mean_one_of(name, homes) + f"add it to storage.homes: {item}",
                )
