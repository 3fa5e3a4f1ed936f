"""Node repair decisions: the mapping of the catalog, and repair thresholds for the size of the group.

The thresholds are this toolkit's. EKS by itself stops when more than five nodes and more than a fifth of a group are
unhealthy, and takes all of them at a time (https://docs.aws.amazon.com/eks/latest/userguide/node-repair.html): a driver
that breaks five of five nodes would cost all five.
"""

from __future__ import annotations

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.plan.machine_plan import MachinePlan
from neuron_cluster.plan.node_repair_plan import NodeRepairPlan, RepairOverridePlan

ACTIONS = {"replace": "Replace", "reboot": "Reboot", "wait": "NoAction"}
"""EKS's words (botocore, eks RepairAction)."""

UNHEALTHY_SHARE, UNHEALTHY_FLOOR = 5, 2
"""A fifth of the group, as EKS has it; two in a small group, so that one broken instance never stops the repair."""

PARALLEL_SHARE = 20
"""A twentieth of the group at a time, one at least: each repair drains a node, and jobs span many."""


def build_node_repair(largest: int, machine: MachinePlan, catalog: Catalog) -> NodeRepairPlan:
    """``largest`` is the most nodes that the group may have. Only Neuron groups need another mapping than EKS's."""
    overrides = tuple(
        RepairOverridePlan(row.condition, row.name, ACTIONS[row.action], row.wait_minutes)
        for row in catalog.node_repairs
        if machine.addresses > 1 or not row.with_further_interfaces
    )
    return NodeRepairPlan(
        unhealthy_at_most=max(UNHEALTHY_FLOOR, largest // UNHEALTHY_SHARE),
        parallel_at_most=max(1, largest // PARALLEL_SHARE),
        overrides=overrides if machine.is_neuron else (),
    )
