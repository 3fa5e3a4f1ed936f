"""The addresses of every subnet: what it has, what is needed at the largest sizes, and what for."""

from __future__ import annotations

from typing import Any

from neuron_cluster.plan.address_plan import AddressPlan, Purpose
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.report.plain_data import plain
from neuron_cluster.table import Table

COLUMNS = {
    Purpose.NODES: "nodes",
    Purpose.CONTROL_PLANE: "EKS",
    Purpose.ENDPOINTS: "endp.",
    Purpose.LOAD_BALANCERS: "ELB",
    Purpose.STORAGE: "FSx",
    Purpose.OTHER: "other",
}
"""A short title for each purpose: ten columns fit in 80."""

ALONE = "Instances as if each group ran only in this zone. "
WITH_PODS = (
    "Nodes with all planned pods, as if each group ran only in this zone. {} and ELB: free addresses that they "
    "require. "
)
EFA_ALL = "efa_all: additional addresses if every EFA interface had one."
NOT_COUNTED = " Nodes of {} are not counted."
AT_LEAST = " >: at least; the numbers of an instance type are unknown."


def addresses_table(plan: ClusterPlan) -> Table:
    """One row for each subnet; a purpose that no subnet has is left out."""
    used = [purpose for purpose in Purpose if any(subnet.needed_for(purpose) for subnet in plan.addresses)]
    is_alone = plan.kubernetes is not None and len(plan.providers) == 1
    control_plane = COLUMNS[Purpose.CONTROL_PLANE] if is_alone else "Control plane"
    titles = COLUMNS | ({} if is_alone else {Purpose.CONTROL_PLANE: control_plane.lower()})
    saves = any(subnet.saved for subnet in plan.addresses)
    columns = ("subnet", "has", *(titles[purpose] for purpose in used), "left", *(["efa_all"] if saves else []))
    rows = tuple(_row(subnet, used)[: len(columns)] for subnet in plan.addresses)
    note = (ALONE if plan.kubernetes is None else WITH_PODS.format(control_plane)) + (EFA_ALL if saves else "")
    note = note.rstrip()
    if plan.kubernetes is not None and plan.kubernetes.node_autoscaler is not None:
        note += NOT_COUNTED.format(plan.kubernetes.node_autoscaler)
    if any(need.is_least for subnet in plan.addresses for need in subnet.needs):
        note += AT_LEAST
    return Table("Addresses at the largest sizes", columns, rows, note)


def addresses_as_data(plan: ClusterPlan) -> list[dict[str, Any]]:
    """Returns the document of ``--format json``: each subnet with its needs by purpose and their sums."""
    return [
        {
            **plain(subnet),
            "by_purpose": {purpose.value: subnet.needed_for(purpose) for purpose in Purpose},
            "needed": subnet.needed,
            "left": subnet.left,
            "efa_all_would_add": subnet.saved,
        }
        for subnet in plan.addresses
    ]


def _row(subnet: AddressPlan, used: list[Purpose]) -> tuple[str, ...]:
    numbers = (_number(subnet, purpose) for purpose in used)
    saved = f"+{subnet.saved:,}" if subnet.saved else "-"
    return (f"{subnet.zone_id} {subnet.kind}", f"{subnet.has:,}", *numbers, f"{subnet.left:,}", saved)


def _number(subnet: AddressPlan, purpose: Purpose) -> str:
    is_least = any(need.is_least for need in subnet.needs if need.purpose is purpose)
    number = subnet.needed_for(purpose)
    return f"{'>' if is_least else ''}{number:,}" if number else "-"
