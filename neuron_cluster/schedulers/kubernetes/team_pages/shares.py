"""The devices of a team, by node group: its quota, what Kueue admits now, and what may be borrowed."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.plan.kubernetes_plan import KubernetesPlan
from neuron_cluster.plan.namespace_plan import WorkloadNamespacePlan
from neuron_cluster.plan.node_group_plan import NodeGroupPlan
from neuron_cluster.plan.team import Team, TeamQuota
from neuron_cluster.plan.team_share import TeamShare, team_share
from neuron_cluster.schedulers.kubernetes.software.admission_queues import devices_of_node


class GroupShare(Struct, frozen=True):
    """The share of a team in one node group. Amounts are Neuron devices."""

    queue: str | None
    """The LocalQueue that its jobs name; None for a group of the team alone without one."""
    cluster_queue: str
    group: NodeGroupPlan
    node_devices: int
    """Neuron devices of one node."""
    cores_per_device: int
    """Logical NeuronCores of a device at the LNC of the group; 0 where no source states the number."""
    given: TeamQuota | None
    """As the file has it; None for a group without a quota of the team."""
    running: TeamShare
    """With the nodes of ``count.desired``."""
    at_maximum: TeamShare
    """With the nodes of ``count.max``."""
    namespace: str
    """The first namespace of the team whose pods may run there."""

    @property
    def borrows_alone(self) -> bool:
        """Whether its jobs run on devices of others only."""
        return not self.at_maximum.quota


def team_namespaces(cluster: KubernetesPlan, team: Team) -> tuple[WorkloadNamespacePlan, ...]:
    """Returns the namespaces of the team, in the order of the file."""
    return tuple(each for each in cluster.namespaces if each.name in team.namespaces)


def group_shares(cluster: KubernetesPlan, team: Team, catalog: Catalog) -> tuple[GroupShare, ...]:
    """One for each node group with devices whose queue a namespace of the team may use, in the order of the file."""
    return tuple(_shares(cluster, team, catalog))


def own_groups(cluster: KubernetesPlan, team: Team, catalog: Catalog) -> tuple[GroupShare, ...]:
    """One for each node group with devices and the ``team``, without a queue, in the order of the file."""
    return tuple(
        GroupShare(
            queue=None,
            cluster_queue="",
            group=group,
            node_devices=devices,
            cores_per_device=(group.machine.neuroncores or 0) // devices,
            given=None,
            running=TeamShare(devices * group.desired, 0),
            at_maximum=TeamShare(devices * group.known_maximum, 0),
            namespace=team.namespaces[0],
        )
        for group in cluster.node_groups
        if group.team == team.name
        and group.queue is None
        and not group.is_governed
        and (devices := devices_of_node(group, catalog))
    )


def _shares(cluster: KubernetesPlan, team: Team, catalog: Catalog) -> Iterator[GroupShare]:
    for group in cluster.node_groups:
        devices = devices_of_node(group, catalog)
        own = [(each, cluster.queue_of(group, each.name)) for each in team_namespaces(cluster, team)]
        homes = [(each.name, queue) for each, queue in own if queue is not None and each.may_use(queue)]
        given = team.quota_of(group.name)
        if not devices or not homes or (group.is_governed and given is None):
            continue
        home, queue = homes[0]
        at_maximum = devices * group.known_maximum
        running, most = (
            team_share(
                team,
                cluster.teams,
                group.name,
                total=devices * nodes,
                devices_at_maximum=at_maximum,
                lends_rest=group.lends_rest,
            )
            for nodes in (group.desired, group.known_maximum)
        )
        yield GroupShare(
            queue=queue,
            cluster_queue=cluster.cluster_queue(team, queue),
            group=group,
            node_devices=devices,
            cores_per_device=(group.machine.neuroncores or 0) // devices,
            given=given,
            running=running,
            at_maximum=most,
            namespace=home,
        )
