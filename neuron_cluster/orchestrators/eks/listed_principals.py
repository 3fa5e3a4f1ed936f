"""Every IAM principal that the file gives access to the cluster: admins, viewers, then members of teams."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from neuron_cluster.orchestrators.eks.config.cluster import Eks

if TYPE_CHECKING:
    from neuron_cluster.config.environment_config import EnvironmentConfig
    from neuron_cluster.config.source_map import KeyPath


class ListedPrincipal(Struct, frozen=True):
    """An ARN with its place in the file."""

    path: KeyPath
    arn: str
    list_name: str
    """``admins``, ``viewers``, or ``members of research``."""
    team: str | None = None
    """Name of the team that it is a member of."""


def listed_principals(config: EnvironmentConfig) -> tuple[ListedPrincipal, ...]:
    """In the order of the lists; none without an EKS cluster."""
    eks = config.section(Eks)
    if eks is None:
        return ()
    of_cluster = (
        ListedPrincipal(("eks", "access", name, position), arn, name)
        for name, principals in (("admins", eks.access.admins), ("viewers", eks.access.viewers))
        for position, arn in enumerate(principals)
    )
    of_teams = (
        ListedPrincipal(("teams", number, "members", position), arn, f"members of {team.name}", team.name)
        for number, team in enumerate(config.teams)
        for position, arn in enumerate(team.members)
    )
    return (*of_cluster, *of_teams)
