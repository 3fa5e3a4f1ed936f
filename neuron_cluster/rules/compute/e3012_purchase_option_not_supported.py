from __future__ import annotations

from neuron_cluster.findings.text import listed
from neuron_cluster.resolved.compute_group import ComputeGroup
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations

PURCHASE_MODES = {
    "on_demand": "on_demand",
    "spot": "spot",
    "reservation": "on_demand",
    "capacity_block": "capacity_block",
    "ultraserver_block": "ultraserver_block",
}
"""The purchase option of each capacity kind; a reservation holds On-Demand instances."""
OF_WORKSTATIONS = ("on_demand", "reservation", "capacity_block")
"""Kinds that ``workstations[].capacity`` allows; a test compares the model."""


class PurchaseOptionNotSupported(Rule):
    """The capacity kind is one that the instance type supports (`capacity.kind`).

    Where the catalog is not certain which purchase options a type has, it also lists the doubtful ones, and this rule
    accepts them; it also reports nothing where no option is known, for example for types that are only announced (rule
    W3033).

    Without this check EC2 rejects every launch with InvalidParameterCombination or UnsupportedOperation, and the group
    becomes CREATE_FAILED; the stack of workstations rolls back.
    """

    id = "E3012"
    source = "https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_InstanceTypeInfo.html (SupportedUsageClasses)"
    proposes = ("capacity", "reservation_id")

    def check(self, context: RuleContext) -> Violations:
        for group in context.environment.compute_groups:
            if not group.is_sold_by_ec2:
                continue
            kind, row = group.capacity.kind, group.instance_type
            modes = row.purchase_modes if row is not None else None
            if row is None or modes is None or PURCHASE_MODES[kind] in modes:
                continue
            kinds = [kind for kind, mode in PURCHASE_MODES.items() if mode in modes]
            possible = [kind for kind in kinds if not group.is_workstation or kind in OF_WORKSTATIONS]
            written = listed((as_written(kind, group) for kind in possible), "or")
            yield Violation(
                (*group.path, "capacity", "kind"),
                f"kind is {kind}, but the purchase options of {row.name} are {listed(kinds)}",
                f"set capacity: {written}, or use another instance type" if possible else "use another instance type",
            )


def as_written(kind: str, group: ComputeGroup) -> str:
    """A complete ``capacity`` of this kind, as written in the file."""
    settings = [f"kind: {kind}"]
    if kind == "ultraserver_block" and group.instance_type is not None and group.instance_type.ultraserver is not None:
        settings.append(f"ultraserver: {group.instance_type.ultraserver.capacity_type}")
    if kind not in ("on_demand", "spot"):
        settings.append(f"reservation_id: {group.reservation_id or 'cr-…'}")
    return f"{{{', '.join(settings)}}}"
