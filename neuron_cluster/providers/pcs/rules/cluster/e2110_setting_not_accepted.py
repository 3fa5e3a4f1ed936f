from __future__ import annotations

from neuron_cluster.providers.pcs.config.cluster import Slurm
from neuron_cluster.providers.pcs.setting_names import remedy, shown
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.slurm.setting_places import setting_places


class SettingNotAccepted(Rule):
    """PCS accepts each Slurm setting at its level, with the Slurm version of the file (`settings`).

    TaskEpilog and other scripts are settings of the cluster alone.

    Without this check PCS rejects the cluster, group or queue with a ValidationException, and the stack rolls back.
    """

    id = "E2110"
    source = "https://docs.aws.amazon.com/pcs/latest/userguide/slurm-custom-settings-cluster.html"

    def check(self, context: RuleContext) -> Violations:
        slurm = context.environment.config.section(Slurm)
        if slurm is None:
            return
        for place in setting_places(("slurm",), slurm):
            level = context.catalog.slurm_settings[place.level]
            known = level.settings
            for name in place.settings:
                path = (*place.path, name)
                if not level.accepts(name):
                    yield Violation(
                        path,
                        f"PCS does not accept {shown(name)} in settings of a {place.level}",
                        f"{remedy(name, place.level, slurm.version, context.catalog)}; "
                        "`neuron-cluster catalog settings` lists all",
                    )
                elif slurm.version < known.get(name, slurm.version):
                    yield Violation(
                        path,
                        f"PCS accepts {name} from Slurm {known[name]} on, and version is {slurm.version}",
                        f"set version: {known[name]} or newer, or remove {name}",
                    )
