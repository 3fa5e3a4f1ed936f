from __future__ import annotations

from neuron_cluster.findings.text import quoted
from neuron_cluster.providers.pcs.config.cluster import Slurm
from neuron_cluster.providers.pcs.groups import slurm_groups
from neuron_cluster.providers.pcs.setting_places import DECIDED, SettingPlace, setting_places
from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.slurm.gres import gres_of

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
        slurm = context.environment.config.section(Slurm)
        if slurm is None:
            return
        for place in setting_places(slurm):
            for name, value in place.settings.items():
                by = DECIDED.get((place.level, name))
                if by is not None:
                    made = _gres(place, context.environment) if name == GRES else ""
                    yield Violation(
                        (*place.path, name),
                        f"{name} is {quoted(value)}, but {by} decides it{made}",
                        f"remove {name} from settings",
                    )


def _gres(place: SettingPlace, environment: ResolvedEnvironment) -> str:
    """Returns the Gres of nodes of the group, ``: gpu:trainium:16 of trn1.32xlarge``; empty where it is not known."""
    row = next((group.instance_type for group in slurm_groups(environment) if group.path == place.path[:-1]), None)
    gres = gres_of(row) if row is not None else None
    return f": {gres.requested} of {row.name}" if row is not None and gres is not None else ""
