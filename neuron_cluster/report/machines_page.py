"""Instances side by side: one column for each compute group, one row for each thing that is decided about it."""

from __future__ import annotations

from collections.abc import Sequence

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.instance_type import InstanceType
from neuron_cluster.plan.compute_group_plan import NO_LIMIT, ComputeGroupPlan
from neuron_cluster.plan.machine_plan import InterfacePlan, MachinePlan
from neuron_cluster.plan.node_group_plan import NodeGroupPlan
from neuron_cluster.plan.node_repair_plan import NodeRepairPlan
from neuron_cluster.report.marks import DEFAULT_MARK, LOCK_MARK, Marks
from neuron_cluster.report.price import EnvironmentPrice, GroupPrice, dollars
from neuron_cluster.report.purchase_option import describe_purchase_option
from neuron_cluster.table import Table

TITLES_WIDTH, GROUP_WIDTH = 22, 24
"""Columns of the terminal that the row titles and one group need."""
TITLES = (
    "instance type",
    "count min/desired/max",
    "zones",
    "subnets",
    "Neuron devices, each node",
    "NeuronCores, each",
    "Neuron devices at desired",
    "LNC",
    "neuroncore, each node",
    "image",
    "AMI type",
    "AMI release",
    "EFA",
    "placement group",
    "purchase option",
    "root volume",
    "local disks",
    "pods, each instance",
    "queue",
    "taints",
    "node repair",
    "price, each an hour",
    "price at desired",
    "price at max",
)
"""Rows, in their order."""


def machine_tables(
    groups: Sequence[ComputeGroupPlan], price: EnvironmentPrice, catalog: Catalog, marks: Marks, width: int
) -> list[Table]:
    """As many tables as it takes to show each group in a readable column."""
    columns = {
        group.name: machine_rows(group, group_price, catalog, marks)
        for group, group_price in zip(groups, price.groups, strict=True)
    }
    names, nouns = list(columns), {group.noun for group in groups}
    noun = nouns.pop() if len(nouns) == 1 else ComputeGroupPlan.noun
    beside = max(1, (width - TITLES_WIDTH) // GROUP_WIDTH)
    return [_table(noun, names[start : start + beside], columns) for start in range(0, len(names), beside)]


def _table(noun: str, names: Sequence[str], columns: dict[str, dict[str, str]]) -> Table:
    titles = [title for title in TITLES if any(columns[name].get(title) for name in names)]
    rows = tuple((title, *(columns[name].get(title) or "-" for name in names)) for title in titles)
    return Table("Instances", (noun, *names), rows)


def machine_rows(group: ComputeGroupPlan, price: GroupPrice, catalog: Catalog, marks: Marks) -> dict[str, str]:
    """Values by their titles; empty where a group has none."""
    machine = group.machine
    maximum = NO_LIMIT if group.scaling.maximum is None else group.max
    row = catalog.instance_types.get(machine.instance_type)
    chips = row.neuron_devices if row is not None else 0
    cores = row.neuron_cores if row is not None else 0
    chip = row.chip if row is not None else None
    return {
        "instance type": machine.instance_type,
        "count min/desired/max": f"{group.min} / {group.desired} / {maximum}",
        "zones": ", ".join(group.zone_ids) + marks.mark((*group.path, "availability_zone")),
        "Neuron devices, each node": f"{chips} x {chip}" if chips else "",
        "NeuronCores, each": str(cores) if cores else "",
        "Neuron devices at desired": f"{chips * group.desired:,}" if chips else "",
        "LNC": _lnc(machine, marks),
        "EFA": _efa(machine.interfaces) + marks.mark((*group.path, "efa")),
        "placement group": (machine.placement_strategy or "none") + marks.mark((*group.path, "placement")),
        "purchase option": describe_purchase_option(machine.purchase) + marks.mark((*group.path, "capacity")),
        "root volume": _root_volume(machine) + marks.mark((*group.path, "root_volume")),
        "local disks": _local_disks(machine, row, marks),
        "queue": ", ".join(group.queues),
        "price, each an hour": dollars(price.machine_usd) + (f": {price.why_not}" if price.why_not else ""),
        "price at desired": dollars(price.desired_usd),
        "price at max": dollars(price.max_usd),
        **(_node_rows(group, marks) if isinstance(group, NodeGroupPlan) else _image_rows(group)),
    }


def _image_rows(group: ComputeGroupPlan) -> dict[str, str]:
    return {"image": group.image.pinned or f"newest {group.image.family}"}


def _node_rows(group: NodeGroupPlan, marks: Marks) -> dict[str, str]:
    """Returns the rows of a node group in addition to those of its instances."""
    return {
        "subnets": "secondary" if group.in_secondary_subnets else "",
        "neuroncore, each node": str(group.machine.neuroncores) if group.machine.neuroncores is not None else "",
        "AMI type": group.image.family + DEFAULT_MARK,
        "AMI release": _ami_release(group, marks),
        "pods, each instance": _pods(group, marks),
        "taints": ", ".join(f"{taint.key}={taint.value} {taint.effect}" for taint in group.taints),
        "node repair": group.repaired_by or _node_repair(group.node_repair) + marks.mark((*group.path, "node_repair")),
    }


def _pods(group: NodeGroupPlan, marks: Marks) -> str:
    """Returns the planned pods, and the most with an address for each pod and with prefixes."""
    node = group.node_addresses
    if node is None:
        return "not known"
    planned = f"{node.pods} planned{marks.mark((*group.path, 'pods_per_node'))}"
    return f"{planned}, {node.pods_without_prefixes} at most ({node.pods_with_prefixes} with eks.prefix_delegation)"


def _ami_release(group: NodeGroupPlan, marks: Marks) -> str:
    if group.image.release is None:
        return f"newest at creation{DEFAULT_MARK}"
    return group.image.release + (LOCK_MARK if marks.mark((*group.path, "ami_release")) else "")


def _lnc(machine: MachinePlan, marks: Marks) -> str:
    if machine.logical_nc_config is None:
        return ""
    return f"{machine.logical_nc_config}{marks.mark((*machine.path, 'logical_nc_config'))}"


def _efa(interfaces: Sequence[InterfacePlan]) -> str:
    cards = [i.network_card_index for i in interfaces if i.interface_type != "interface"]
    if not cards:
        return "none"
    kinds = [i.interface_type for i in interfaces if i.interface_type != "interface"]
    counted = ", ".join(f"{kinds.count(kind)} {kind}" for kind in dict.fromkeys(kinds))
    where = f"card {cards[0]}" if len(cards) == 1 else f"cards {cards[0]}-{cards[-1]}"
    return f"{len(cards)} on {where} ({counted})"


def _local_disks(machine: MachinePlan, row: InstanceType | None, marks: Marks) -> str:
    has_disks = row is not None and bool(row.local_disk_count)
    if machine.local_disks is None and not has_disks:
        return ""
    mark = marks.mark((*machine.path, "local_disks"))
    if machine.local_disks is None:
        return f"not configured{mark}"
    disks = machine.local_disks
    size = f"{disks.count} x NVMe, {disks.total_gb:,} GB, " if disks.count and disks.total_gb else ""
    return f"{size}RAID0{mark}"


def _node_repair(plan: NodeRepairPlan | None) -> str:
    if plan is None:
        return "off"
    return f"on, while at most {plan.unhealthy_at_most} are unhealthy"


def _root_volume(machine: MachinePlan) -> str:
    volume = machine.root_volume
    if volume is None:
        return "decided by the service"
    return f"{volume.size_gib} GiB gp3, {volume.iops:,} IOPS, {volume.throughput_mibps} MiB/s"
