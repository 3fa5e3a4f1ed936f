"""Teams as users of a Slurm cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from neuron_cluster.planning.build_teams import build_teams

if TYPE_CHECKING:
    from neuron_cluster.config.environment_config import EnvironmentConfig
    from neuron_cluster.lock.model import Lock
    from neuron_cluster.plan.team import Team


def slurm_teams(config: EnvironmentConfig, lock: Lock | None) -> tuple[Team, ...]:
    """Returns the teams without the values that only Kubernetes uses."""
    return tuple(
        replace(each, operators=(), namespaces=(), queue=None, quota=(), prefixes=(), images=())
        for each in build_teams(config, lock)
    )
