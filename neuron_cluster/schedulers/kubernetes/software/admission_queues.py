"""Which ClusterQueues serve a queue of node groups, with their devices: one of the queue, and one for each team."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from local_kubernetes.model.names import EFA, NEURON
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.plan.node_group_plan import NodeGroupPlan
from neuron_cluster.plan.team import Team, scaled_quota
from neuron_cluster.schedulers.kubernetes.software.component_context import ComponentContext

Devices = Mapping[str, int]
"""Amounts by resource name."""


class FlavorQuota(Struct, frozen=True):
    """The quota of one ClusterQueue in a node group."""

    nominal: Devices
    borrowing: Devices | None = None
    """Beyond ``nominal`` at most; None: no limit, or nothing to borrow from."""
    lending: Devices | None = None
    """The part of ``nominal`` that others may borrow at most; None: all."""


class AdmissionQueue(Struct, frozen=True):
    """One ClusterQueue."""

    queue: str
    """The queue of the node groups; also the name of the LocalQueue in each of its namespaces."""
    groups: tuple[NodeGroupPlan, ...]
    namespaces: tuple[str, ...]
    team: Team | None = None
    """None: for the namespaces that belong to no team."""
    shares_cohort: bool = False
    """Whether teams have devices of the same groups: then each borrows what the others leave idle."""

    @property
    def name(self) -> str:
        """Name of the ClusterQueue."""
        return self.queue if self.team is None else self.team.cluster_queue(self.queue)


def admission_queues(context: ComponentContext) -> tuple[AdmissionQueue, ...]:
    """Returns the ClusterQueue of every queue in the order of the file, each followed by those of its teams."""
    names = dict.fromkeys(group.queue for group in context.node_groups if group.queue is not None)
    return tuple(each for name in names for each in _of_queue(name, context))


def _of_queue(queue: str, context: ComponentContext) -> tuple[AdmissionQueue, ...]:
    groups = tuple(group for group in context.node_groups if group.queue == queue)
    of_teams = tuple(
        AdmissionQueue(queue, groups, namespaces, team, shares_cohort=True)
        for team in context.teams
        if (namespaces := context.namespaces_of(queue, team.name))
    )
    rest = AdmissionQueue(queue, groups, context.namespaces_of(queue), shares_cohort=bool(of_teams))
    return (rest, *of_teams)


def flavor_quota(queue: AdmissionQueue, group: NodeGroupPlan, context: ComponentContext) -> FlavorQuota:
    """A team has its quota; the queue itself what no team has.

    The quota of a team is that at ``count.max``: at fewer nodes it is the same fraction of their devices, whatever the
    other teams have. So a team that is added or removed does not change the ClusterQueue of another one.
    """
    total = running_devices(group, context)
    if queue.team is None:
        of_teams = [_share(total, team, group, context) for team in context.teams]
        left = {name: count - sum(share[name] for share in of_teams) for name, count in total.items()}
        return FlavorQuota({name: max(0, count) for name, count in left.items()})
    quota = queue.team.quota_of(group.name)
    if quota is None:
        return FlavorQuota(dict.fromkeys(total, 0))
    return FlavorQuota(
        _fraction(total, quota.devices, group, context),
        _fraction(total, quota.borrow, group, context) if quota.borrow is not None else None,
        _fraction(total, quota.lend, group, context) if quota.lend is not None else None,
    )


def running_devices(group: NodeGroupPlan, context: ComponentContext) -> Devices:
    """Returns the devices of the nodes of ``count.desired``. Nothing adds others: a job on instances that do
    not run is evicted after ``waitForPodsReady``, again and again. With the DRA driver pods claim nodes of UltraServers
    whole: as one device.
    """
    row = context.catalog.instance_types.get(group.machine.instance_type)
    claimed_whole = row is not None and row.ultraserver is not None and context.has("neuron_dra_driver")
    devices = devices_of_node(group, context.catalog)
    found = {NEURON: (1 if devices and claimed_whole else devices) * group.desired}
    if group.machine.efa_interfaces:
        found[EFA] = group.machine.efa_interfaces * group.desired
    return found


def devices_of_node(group: NodeGroupPlan, catalog: Catalog) -> int:
    """Neuron devices of one node; 0 for a group without them."""
    row = catalog.instance_types.get(group.machine.instance_type)
    return (row.neuron_devices or 0) if row is not None and group.machine.is_neuron else 0


def _share(total: Devices, team: Team, group: NodeGroupPlan, context: ComponentContext) -> Devices:
    quota = team.quota_of(group.name)
    return _fraction(total, quota.devices if quota is not None else 0, group, context)


def _fraction(total: Devices, devices: int, group: NodeGroupPlan, context: ComponentContext) -> Devices:
    """The fraction of each resource that ``devices`` are of the Neuron devices at ``count.max``."""
    at_maximum = devices_of_node(group, context.catalog) * group.known_maximum
    return {name: scaled_quota(count, devices, at_maximum) for name, count in total.items()}
