"""A team: the people and workloads that share instances of an environment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from neuron_cluster.plan.cluster_plan import ClusterPlan

TEAM_TAG = "neuron-cluster:team"
"""Tag of the instances of a team."""


class Team(Struct, frozen=True):
    """Groups and workstations refer to it by its name.

    The file has no key for a team of its own so far: a team is what the key ``team`` of groups and workstations names,
    and its queue is the one that its groups serve. Every other field has its default.
    """

    name: str
    principals: tuple[str, ...] = ()
    """IAM principals of its members."""
    namespaces: tuple[str, ...] = ()
    """Kubernetes namespaces of its workloads."""
    queue: str | None = None
    """Queue that admits its jobs; None where its groups serve none, or several."""
    quota: Mapping[str, int] = {}
    """Share of the queue by resource name."""
    prefixes: tuple[str, ...] = ()
    """Prefixes of the checkpoint bucket that are its own."""


def teams_of(plan: ClusterPlan) -> tuple[Team, ...]:
    """Every team that a group or workstation names, in the order of the file."""
    queues: dict[str, set[str]] = {}
    for group in plan.compute_groups:
        if group.team is not None:
            queues.setdefault(group.team, set()).update({group.queue} if group.queue is not None else ())
    return tuple(Team(name, queue=next(iter(found)) if len(found) == 1 else None) for name, found in queues.items())


def team_tags(team: str | None) -> dict[str, str]:
    """Tags of an instance of this team; none without a team."""
    return {TEAM_TAG: team} if team is not None else {}
