"""Teams of the file, with what follows from their names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from neuron_cluster.config.environment_config import EnvironmentConfig
from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.config.team import Team as TeamSpec
from neuron_cluster.lock.model import Lock
from neuron_cluster.plan.bucket_access_plan import team_prefix
from neuron_cluster.plan.team import Team, TeamPrincipal, TeamQuota
from neuron_cluster.planning.build_budget import build_budget


def build_teams(config: EnvironmentConfig, lock: Lock | None) -> tuple[Team, ...]:
    """In the order of the file; the lock has the ARNs of the roles of permission sets."""
    roles = lock.permission_sets if lock is not None else {}
    has_bucket = config.storage is not None and config.storage.checkpoint_bucket is not None
    return tuple(
        _team(spec, ("teams", position), config.name, roles, has_bucket=has_bucket)
        for position, spec in enumerate(config.teams)
    )


def _team(
    spec: TeamSpec, path: KeyPath, environment: str, permission_set_roles: Mapping[str, str], *, has_bucket: bool
) -> Team:
    queues = {namespace.queue for namespace in spec.namespaces}
    return Team(
        spec.name,
        members=tuple(_members(spec, path, permission_set_roles)),
        permission_sets=tuple(spec.permission_sets),
        operators=tuple(_named(spec.operators, (*path, "operators"))),
        namespaces=tuple(namespace.name for namespace in spec.namespaces),
        queue=next(iter(queues)) if len(queues) == 1 else None,
        quota=tuple(
            TeamQuota((*path, "quota", number), each.node_group, each.devices, each.borrow, each.lend)
            for number, each in enumerate(spec.quota)
        ),
        prefixes=tuple(team_prefix(namespace.name) for namespace in spec.namespaces) if has_bucket else (),
        images=tuple(spec.images or ()),
        ebs_gib=spec.ebs_gib,
        weight=spec.weight,
        path=path,
        contact=spec.contact,
        cost_owner=spec.cost_owner,
        budget=(
            build_budget(spec.budget, spec.name, (*path, "budget"), environment) if spec.budget is not None else None
        ),
    )


def _members(spec: TeamSpec, path: KeyPath, permission_set_roles: Mapping[str, str]) -> Iterator[TeamPrincipal]:
    """A permission set that the lock does not have is none yet (rule W2080)."""
    yield from _named(spec.members, (*path, "members"))
    for position, name in enumerate(spec.permission_sets):
        if name in permission_set_roles:
            yield TeamPrincipal((*path, "permission_sets", position), permission_set_roles[name])


def _named(arns: Sequence[str], path: KeyPath) -> Iterator[TeamPrincipal]:
    return (TeamPrincipal((*path, position), arn) for position, arn in enumerate(arns))


def build_user_teams(config: EnvironmentConfig, lock: Lock | None) -> tuple[Team, ...]:
    """Teams as users of machines, without the values that only Kubernetes uses."""
    return tuple(
        replace(each, operators=(), namespaces=(), queue=None, quota=(), prefixes=(), images=())
        for each in build_teams(config, lock)
    )
