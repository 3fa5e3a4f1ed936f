"""Slurm settings that another key, or the toolkit, decides."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.orchestrators.slurm.config.cluster import Slurm
from neuron_cluster.orchestrators.slurm.setting_places import DECIDED, setting_places
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


class SettingDecidedByOtherKey(ConfigRule):
    """Settings that another key of the file, or the toolkit, decides are not in `settings`.

    Gres follows from the instance type, Default from `default`, OverSubscribe and Exclusive from `whole_nodes`. Prolog,
    Epilog, TaskProlog and HealthCheckProgram are scripts that the toolkit installs on every node.

    Without this check the value would be replaced silently; a Gres that differs from the devices drains every node.
    """

    id = "E2111"
    source = "https://docs.aws.amazon.com/pcs/latest/userguide/"

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        slurm = environment.config.section(Slurm)
        if slurm is None:
            return
        for place in setting_places(slurm):
            for name in place.settings:
                by = DECIDED.get((place.level, name))
                if by is not None:
                    yield Violation((*place.path, name), f"{by} decides {name}", f"remove {name} from settings")
