from __future__ import annotations

from neuron_cluster.providers.pcs.config.cluster import Slurm
from neuron_cluster.providers.pcs.setting_places import setting_places
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class SettingWithoutAccounting(Rule):
    """Settings that refer to accounts or QOS are used with accounting alone (`slurm.accounting`).

    Without this check PCS rejects the setting, or accepts it and slurmctld stops at its next start.
    """

    id = "E2112"
    source = "https://docs.aws.amazon.com/pcs/latest/userguide/slurm-versions_release-notes.html"
    proposes = ("accounting",)

    def check(self, context: RuleContext) -> Violations:
        catalog = context.catalog
        slurm = context.environment.config.section(Slurm)
        if slurm is None or slurm.accounting:
            return
        for place in setting_places(slurm):
            needed = [name for name in place.settings if name in catalog.slurm_settings_of(place.level).need_accounting]
            for name in needed:
                yield Violation(
                    (*place.path, name),
                    f"{name} refers to the database of accounting, and accounting is false",
                    f"set accounting: true, or remove {name}",
                )
