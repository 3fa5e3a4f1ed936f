from __future__ import annotations

from collections.abc import Container

from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.slurm.section import slurm_in
from neuron_cluster.schedulers.slurm.setting_places import SettingPlace, setting_places


class SettingWithoutAccounting(Rule):
    """Settings that refer to accounts or QOS are used with accounting alone (`slurm.accounting`).

    Without this check PCS rejects the setting, or accepts it and slurmctld stops at its next start.
    """

    id = "E2112"
    source = "https://docs.aws.amazon.com/pcs/latest/userguide/slurm-versions_release-notes.html"
    proposes = ("accounting",)

    def check(self, context: RuleContext) -> Violations:
        for slurm in slurm_in(context.environment):
            if not slurm.section.accounting:
                for place in setting_places(slurm.path, slurm.section):
                    yield from _violations(place, context.catalog.slurm_settings[place.level].need_accounting)


def _violations(place: SettingPlace, needing: Container[str]) -> Violations:
    for name in place.settings:
        if name in needing:
            yield Violation(
                (*place.path, name),
                f"{name} refers to the database of accounting, and accounting is false",
                f"set accounting: true, or remove {name}",
            )
