from __future__ import annotations

from neuron_cluster.findings.text import quoted
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.slurm.gres import gres_of
from neuron_cluster.schedulers.slurm.section import SlurmInFile, slurm_in
from neuron_cluster.schedulers.slurm.setting_places import DECIDED, SettingPlace, setting_places

GRES = "Gres"


class SettingDecidedByOtherKey(Rule):
    """Settings that another key of the file, or the toolkit, decides are not in `settings`.

    Gres follows from the instance type, Default from `default`, OverSubscribe and Exclusive from `whole_nodes`. Prolog,
    Epilog, TaskProlog and HealthCheckProgram are scripts that the toolkit installs on every node.

    Without this check the value would be replaced silently; a Gres that differs from the devices drains every node.
    """

    id = "E2111"
    source = "https://docs.aws.amazon.com/pcs/latest/userguide/"

    def check(self, context: RuleContext) -> Violations:
        for slurm in slurm_in(context.environment):
            for place in setting_places(slurm.path, slurm.section):
                yield from _violations(place, slurm)


def _violations(place: SettingPlace, slurm: SlurmInFile) -> Violations:
    for name, value in place.settings.items():
        by = DECIDED.get((place.level, name))
        if by is not None:
            made = _gres(place, slurm) if name == GRES else ""
            yield Violation(
                (*place.path, name),
                f"{name} is {quoted(value)}, but {by} decides it{made}",
                f"remove {name} from settings",
            )


def _gres(place: SettingPlace, slurm: SlurmInFile) -> str:
    """Returns the Gres of nodes of the group, ``: gpu:trainium:16 of trn1.32xlarge``; empty where it is not known."""
    row = next((group.instance_type for group in slurm.job_groups if group.path == place.path[:-1]), None)
    gres = gres_of(row) if row is not None else None
    return f": {gres.requested} of {row.name}" if row is not None and gres is not None else ""
