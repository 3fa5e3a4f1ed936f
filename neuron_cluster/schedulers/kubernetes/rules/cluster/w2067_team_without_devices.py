from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.findings.text import listed
from neuron_cluster.plan.kubernetes_plan import KubernetesPlan
from neuron_cluster.plan.team import Team
from neuron_cluster.plan.team_share import team_share
from neuron_cluster.rules.base import Needs, Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.software.admission_queues import devices_of_node


class TeamWithoutDevices(Rule):
    """A team has a quota of Neuron devices, or may borrow idle ones, at `count.max` (`teams[].quota`).

    Only a warning: quotas of the other teams may be lowered later. Teams whose namespaces use no queue with Neuron
    devices are not checked.

    Without this check AWS reports no error. Kueue admits no job of the team: each waits with "insufficient quota".
    """

    id = "W2067"
    needs = Needs.PLAN
    source = "https://kueue.sigs.k8s.io/docs/concepts/cluster_queue/#borrowinglimit"
    proposes = ("borrow", "devices", "lend")

    def check(self, context: RuleContext) -> Violations:
        cluster = context.plan.kubernetes
        if cluster is None:
            return
        for team in cluster.teams:
            groups = tuple(_groups(cluster, team, context.catalog))
            if groups and not any(_most(team, cluster.teams, group) for group in groups):
                yield _violation(team, cluster.teams, groups)


class _Group(Struct, frozen=True):
    """A node group whose queue the team may use."""

    name: str
    node_devices: int
    devices: int
    """At ``count.max``."""
    lends_rest: bool


def _groups(cluster: KubernetesPlan, team: Team, catalog: Catalog) -> Iterator[_Group]:
    homes = [each for each in cluster.namespaces if each.name in team.namespaces]
    for group in cluster.node_groups:
        devices = devices_of_node(group, catalog)
        queues = ((each, cluster.queue_of(group, each.name)) for each in homes)
        if devices and group.known_maximum and any(queue and each.may_use(queue) for each, queue in queues):
            yield _Group(group.name, devices, devices * group.known_maximum, group.lends_rest)


def _most(team: Team, teams: tuple[Team, ...], group: _Group) -> int:
    share = team_share(
        team,
        teams,
        group.name,
        total=group.devices,
        devices_at_maximum=group.devices,
        lends_rest=group.lends_rest,
    )
    return share.most


def _violation(team: Team, teams: tuple[Team, ...], groups: tuple[_Group, ...]) -> Violation:
    """At the quota of the first group, else at the team."""
    group, names = groups[0], listed((each.name for each in groups), "or")
    own, others = team.quota_of(group.name), tuple(each for each in teams if each is not team)
    without = replace(team, quota=())
    ways = [] if own is None or own.borrow is None else ["remove borrow"]
    if not _most(without, (*others, without), group):
        lenders = [each.name for each in others if (quota := each.quota_of(group.name)) and quota.lend is not None]
        ways.append(f"remove lend of {listed(lenders)}")
    free = group.devices - sum(quota.devices for each in others if (quota := each.quota_of(group.name)))
    write = f"write devices: {group.node_devices}, or " if own is not None and free >= group.node_devices else ""
    return Violation(
        (*own.path, "devices") if own is not None else team.path,
        f"{team.name} has no devices of {names} and can borrow none, so that its jobs never start",
        f"{write}{' and '.join(ways)}, so that it borrows devices that other teams leave idle",
    )
