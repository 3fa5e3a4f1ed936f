"""Every namespace for workloads that the file lists: those of the cluster, then those of teams."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from neuron_cluster.config.namespace import Namespace
from neuron_cluster.schedulers.kubernetes.section import kubernetes_in

if TYPE_CHECKING:
    from neuron_cluster.config.environment_config import EnvironmentConfig
    from neuron_cluster.config.source_map import KeyPath


class ListedNamespace(Struct, frozen=True):
    """A namespace with its place in the file."""

    path: KeyPath
    spec: Namespace
    team: str | None = None
    """Name of the team that it belongs to."""


def listed_namespaces(config: EnvironmentConfig) -> tuple[ListedNamespace, ...]:
    """In the order of the file; none without a cluster."""
    cluster = kubernetes_in(config)
    if cluster is None:
        return ()
    shared = (
        ListedNamespace((*cluster.path, "namespaces", position), namespace)
        for position, namespace in enumerate(cluster.section.namespaces)
    )
    of_teams = (
        ListedNamespace(("teams", number, "namespaces", position), each, team.name)
        for number, team in enumerate(config.teams)
        for position, each in enumerate(team.namespaces)
    )
    return (*shared, *of_teams)
