"""The summary of a machine, once from its plan and once only from the catalog's rows."""

from __future__ import annotations

from typing import Any

from combination import Combination

from neuron_cluster.plan.machine_plan import SecurityGroupRole
from neuron_cluster.plan.node_group_plan import NodeGroupPlan

MARKETS = {
    "on_demand": ("on_demand", None),
    "spot": ("spot", None),
    "reservation": ("on_demand", None),
    "capacity_block": ("capacity_block", "capacity-block"),
    "ultraserver_block": ("capacity_block", "capacity-block"),
}
"""Purchase option and EC2's market type of each kind."""
GROUPS = {
    "interface": (SecurityGroupRole.CLUSTER, SecurityGroupRole.NODE, SecurityGroupRole.STORAGE_CLIENT),
    "efa": (SecurityGroupRole.CLUSTER, SecurityGroupRole.NODE, SecurityGroupRole.EFA, SecurityGroupRole.STORAGE_CLIENT),
    "efa-only": (SecurityGroupRole.EFA,),
}
"""Security groups of each kind of interface: the cluster's own first, and EFA's alone where there is no address."""


def summary_of_plan(group: NodeGroupPlan) -> dict[str, Any]:
    machine, shell = group.machine, group.bootstrap.shell or ""
    return {
        "type": machine.instance_type,
        "EFA interfaces": machine.efa_interfaces,
        "interfaces": [
            (each.network_card_index, each.device_index, each.interface_type, each.groups)
            for each in machine.interfaces
        ],
        "LNC": machine.logical_nc_config,
        "LNC at boot": [int(shell[start + 1]) for start, sign in enumerate(shell) if sign == "="],
        "NeuronCores": machine.neuroncores,
        "RAID0": "RAID0" in (group.bootstrap.node_config or ""),
        "bought": (machine.purchase.kind, machine.purchase.market_type),
        "reservation": machine.purchase.reservation_id is not None,
        "resource group": machine.purchase.resource_group_arn is not None,
        "preference": machine.purchase.reservation_preference,
        "placement": machine.placement_strategy,
    }


def summary_of_rows(combination: Combination) -> dict[str, Any]:
    row, layout, way = combination.row, combination.layout, combination.way
    cards = row.efa_interfaces or 0
    is_free_to_place = way.kind in ("on_demand", "spot")
    return {
        "type": row.name,
        "EFA interfaces": cards if layout.has_efa else 0,
        "interfaces": [
            (card, laid.device_index, laid.interface_type, GROUPS[laid.interface_type])
            for card, laid in layout.on_cards(cards)
        ],
        "LNC": combination.lnc,
        "LNC at boot": [combination.lnc] if combination.lnc != row.default_logical_nc_config else [],
        "NeuronCores": row.neuron_cores_at(combination.lnc),
        "RAID0": bool(row.local_disk_count),
        "bought": MARKETS[way.kind],
        "reservation": "reservation_id" in way.names,
        "resource group": "resource_group" in way.names,
        "preference": "open" if way.match == "open" else None,
        "placement": "cluster" if layout.has_efa and is_free_to_place else None,
    }
