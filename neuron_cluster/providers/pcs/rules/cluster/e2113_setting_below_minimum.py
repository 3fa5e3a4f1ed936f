from __future__ import annotations

from neuron_cluster.providers.pcs.config.cluster import Slurm
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.slurm.setting_places import setting_places
from neuron_cluster.schedulers.slurm.setting_values import reads


class SettingBelowMinimum(Rule):
    """The value of a Slurm setting is at least the minimum of PCS (`settings`).

    Slurm itself accepts a smaller `MinJobAge`.

    Without this check PCS rejects the cluster with a ValidationException, and the stack rolls back.
    """

    id = "E2113"
    source = "https://docs.aws.amazon.com/pcs/latest/userguide/slurm-custom-settings-cluster.html"

    def check(self, context: RuleContext) -> Violations:
        slurm = context.environment.config.section(Slurm)
        if slurm is None:
            return
        for place in setting_places(("slurm",), slurm):
            level = context.catalog.slurm_settings[place.level]
            for name, value in place.settings.items():
                minimum = level.minimums.get(name)
                if minimum is not None and reads(level.values[name], value) and int(value) < minimum:  # else rule E2115
                    yield Violation(
                        (*place.path, name),
                        f"{name} is {value}, and PCS accepts {minimum} at least",
                        f"set {name}: {minimum}, or remove it",
                    )
