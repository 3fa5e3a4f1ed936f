"""A team: the people and workloads that share instances of an environment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.plan.budget_plan import BudgetPlan

if TYPE_CHECKING:
    from neuron_cluster.plan.cluster_plan import ClusterPlan

TEAM_TAG = "neuron-cluster:team"
"""Tag of the instances of a team."""
GROUP_PREFIX = "neuron-cluster:"
"""Prefix of the Kubernetes groups of teams."""


class TeamQuota(Struct, frozen=True):
    """Neuron devices of one node group at its maximum number of nodes."""

    path: KeyPath
    node_group: str
    devices: int
    borrow: int | None = None
    """Devices beyond the quota at most; None: no limit."""
    lend: int | None = None
    """Devices of the quota that others may use at most; None: all."""


class TeamPrincipal(Struct, frozen=True):
    """An IAM role with access to the namespaces of a team."""

    path: KeyPath
    arn: str


class Team(Struct, frozen=True):
    """Groups and workstations refer to it by its name; ``teams`` of the file has the rest.

    A team that only the key ``team`` of groups and workstations names has the defaults.
    """

    name: str
    members: tuple[TeamPrincipal, ...] = ()
    """Those of the file, then those of its permission sets that the lock has."""
    permission_sets: tuple[str, ...] = ()
    """Names of permission sets of IAM Identity Center, for the lock."""
    operators: tuple[TeamPrincipal, ...] = ()
    """People who operate its namespaces, and nothing else of the cluster."""
    namespaces: tuple[str, ...] = ()
    """Kubernetes namespaces of its workloads."""
    queue: str | None = None
    """Queue that admits its jobs; None where its groups serve none, or several."""
    quota: tuple[TeamQuota, ...] = ()
    prefixes: tuple[str, ...] = ()
    """Prefixes of the checkpoint bucket that are its own."""
    images: tuple[str, ...] = ()
    """What its pods may run, by repository, folder or reference; empty: any image."""
    ebs_gib: int = 0
    """Size of all EBS volumes that claims of one of its namespaces may create, in GiB."""
    weight: int = 1
    """Share of idle devices relative to other teams."""
    path: KeyPath = ()
    """In the file; empty where it is not in ``teams``."""
    contact: str | None = None
    """Who answers questions, in a line of text."""
    cost_owner: str | None = None
    """Who answers for its costs, likewise."""
    budget: BudgetPlan | None = None
    """None: no notification of its cost."""

    @property
    def principals(self) -> tuple[str, ...]:
        """ARNs of the IAM roles of its members."""
        return tuple(each.arn for each in self.members)

    @property
    def group(self) -> str:
        """The Kubernetes group of its members."""
        return f"{GROUP_PREFIX}{self.name}"

    @property
    def operator_group(self) -> str:
        """The Kubernetes group of its operators; no name of a team has a colon, so it is the group of no other team."""
        return f"{self.group}:operators"

    def cluster_queue(self, queue: str) -> str:
        """Name of the ClusterQueue for its jobs in a queue; a contract, since its jobs refer to it."""
        return f"{self.name}-{queue}"

    def quota_of(self, node_group: str) -> TeamQuota | None:
        """None where it has no devices of this group of its own."""
        return next((each for each in self.quota if each.node_group == node_group), None)


def scaled_quota(running: int, devices: int, at_maximum: int) -> int:
    """Units of those that run for a quota of ``devices``: the fraction that it is of the devices at ``count.max``.

    Rounded down; 0 for a group without devices.
    """
    return running * devices // at_maximum if at_maximum else 0


def declared_teams(plan: ClusterPlan) -> tuple[Team, ...]:
    """Returns the teams of ``teams``, in the order of the file: the same in the plan of each cluster that they use."""
    return next((each.teams for each in plan.providers if each.teams), ())


def teams_of(plan: ClusterPlan) -> tuple[Team, ...]:
    """Returns the teams of ``teams``, then those that only groups or workstations name, in the order of the file."""
    declared = {team.name: team for team in declared_teams(plan)}
    queues: dict[str, set[str]] = {}
    for group in plan.compute_groups:
        if group.team is not None:
            queues.setdefault(group.team, set()).update({group.queue} if group.queue is not None else ())
    named = (Team(name, queue=next(iter(found)) if len(found) == 1 else None) for name, found in queues.items())
    return (*declared.values(), *(team for team in named if team.name not in declared))


def team_tags(team: str | None) -> dict[str, str]:
    """Tags of an instance of this team; none without a team."""
    return {TEAM_TAG: team} if team is not None else {}
