"""How large the starter jobs of a team are: as large as its quota, in parts that a job can use."""

from __future__ import annotations

from msgspec import Struct

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.plan.kubernetes_plan import KubernetesPlan
from neuron_cluster.schedulers.kubernetes.team_pages.shares import GroupShare
from neuron_cluster.schedulers.kubernetes.workloads.group_selection import usable_efa_interfaces


class JobSize(Struct, frozen=True):
    """``nodes`` with ``devices`` of each. ``note`` is why it is smaller than the quota, or more; empty otherwise."""

    share: GroupShare
    nodes: int
    devices: int
    note: str = ""

    @property
    def is_whole(self) -> bool:
        """Whether it takes whole nodes."""
        return self.devices == self.share.node_devices


def starter_share(shares: tuple[GroupShare, ...]) -> GroupShare | None:
    """The group with the largest quota that runs, else the largest at all, else the one with the most to borrow."""
    return max(
        shares,
        key=lambda each: (each.running.quota, each.at_maximum.quota, each.running.borrowed, each.at_maximum.borrowed),
        default=None,
    )


def shell_share(shares: tuple[GroupShare, ...]) -> GroupShare | None:
    """The group with the smallest node of those in which the team has a quota, for jobs of one device.

    On a large node a shell keeps whole-node jobs out of it for hours. Without any quota it is ``starter_share``.
    """
    running = [each for each in shares if each.running.quota]
    owned = running or [each for each in shares if each.at_maximum.quota]
    return min(owned, key=lambda each: each.node_devices, default=starter_share(shares))


def training_size(share: GroupShare, cluster: KubernetesPlan, catalog: Catalog) -> JobSize:
    """Whole nodes of the quota, one where EFA does not connect them; of a smaller quota one device.

    Nothing guarantees that several devices of a part of a node are connected.
    """
    available, note = _available(share)
    nodes = available // share.node_devices
    if nodes == 0:
        of_part = "one device: nothing guarantees that several devices of a node, but not all, are connected"
        return JobSize(share, 1, 1, "; ".join(filter(None, (note, of_part if available > 1 else ""))))
    if nodes > 1 and not usable_efa_interfaces(share.group, cluster):
        return JobSize(share, 1, share.node_devices, "one node: EFA does not connect the nodes of the group")
    return JobSize(share, _together(nodes, share, catalog), share.node_devices, note)


def one_node(share: GroupShare) -> JobSize:
    """A whole node where the team may use one, else one device."""
    available, note = _available(share)
    return JobSize(share, 1, share.node_devices if available >= share.node_devices else 1, note or "one replica")


def one_device(share: GroupShare) -> JobSize:
    """The smallest job that has a device."""
    return JobSize(share, 1, 1, _available(share)[1] or "one device")


def _available(share: GroupShare) -> tuple[int, str]:
    """Devices for a starter job, and the reason where they are not the quota that runs."""
    if share.running.quota:
        return share.running.quota, ""
    if share.at_maximum.quota:
        waits = f"count.desired of {share.group.name} gives the team no device now: the job waits until nodes are added"
        return share.at_maximum.quota, waits
    idle = min(share.node_devices, share.running.borrowed or share.at_maximum.borrowed)
    if not idle:
        return 0, "the team has no devices and can borrow none: the job never starts"
    return idle, "the team has no quota: the job borrows idle devices, and is stopped when another team needs them"


def _together(nodes: int, share: GroupShare, catalog: Catalog) -> int:
    """Nodes of UltraServers work in the numbers that share one; others in any number."""
    row = catalog.instance_types.get(share.group.machine.instance_type)
    sizes = row.ultraserver.sizes if row is not None and row.ultraserver is not None else ()
    return max((size for size in sizes if size <= nodes), default=1) if sizes else nodes
