"""Teams of the file, with what follows from their names."""

from __future__ import annotations

from collections.abc import Sequence

from neuron_cluster.config.team import Team as TeamSpec
from neuron_cluster.plan.bucket_access_plan import team_prefix
from neuron_cluster.plan.team import Team, TeamQuota
from neuron_cluster.planning.build_budget import build_budget


def build_teams(specs: Sequence[TeamSpec], environment: str, *, has_bucket: bool) -> tuple[Team, ...]:
    """In the order of the file; ``environment`` is its name."""
    return tuple(_team(spec, position, environment, has_bucket=has_bucket) for position, spec in enumerate(specs))


def _team(spec: TeamSpec, position: int, environment: str, *, has_bucket: bool) -> Team:
    path = ("teams", position)
    queues = {namespace.queue for namespace in spec.namespaces}
    return Team(
        spec.name,
        principals=tuple(spec.members),
        namespaces=tuple(namespace.name for namespace in spec.namespaces),
        queue=next(iter(queues)) if len(queues) == 1 else None,
        quota=tuple(
            TeamQuota((*path, "quota", number), each.node_group, each.devices, each.borrow, each.lend)
            for number, each in enumerate(spec.quota)
        ),
        prefixes=tuple(team_prefix(namespace.name) for namespace in spec.namespaces) if has_bucket else (),
        weight=spec.weight,
        path=path,
        contact=spec.contact,
        cost_owner=spec.cost_owner,
        budget=(
            build_budget(spec.budget, spec.name, (*path, "budget"), environment) if spec.budget is not None else None
        ),
    )
