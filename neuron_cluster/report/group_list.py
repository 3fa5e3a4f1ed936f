"""Compute groups one below the other: how many there are, what each instance has, and its image."""

from __future__ import annotations

from collections.abc import Sequence

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.report.machines_page import machine_rows
from neuron_cluster.report.marks import Marks
from neuron_cluster.report.price import price_of
from neuron_cluster.table import Table

NAME, TEAM = "group", "team"
GROUPS = (
    "instance type", "count min/desired/max", "zones", "subnets", "purchase option", "queue", TEAM,
    "Neuron devices at desired", "price at desired", "price at max",
)  # fmt: skip
MACHINES = (
    "Neuron devices, each node", "NeuronCores, each", "LNC", "neuroncore, each node", "EFA", "placement group",
    "price, each an hour",
)  # fmt: skip
SYSTEM = (
    "image", "AMI type", "AMI release", "root volume", "local disks", "pods, each instance", "taints", "node repair",
)  # fmt: skip
"""Columns, by the titles of the rows that `plan` has."""


def group_tables(plan: ClusterPlan, catalog: Catalog, marks: Marks) -> list[Table]:
    """A row for each group in each; none without groups. A column that no group has a value for is left out."""
    rows = {
        group.name: {**machine_rows(group, price, catalog, marks), TEAM: group.team or ""}
        for group, price in zip(plan.cluster_groups, price_of(plan, catalog).groups, strict=True)
    }
    if not rows:
        return []
    titles = {"Compute groups, prices in USD an hour": GROUPS, "Machines": MACHINES, "Images and disks": SYSTEM}
    return [_table(title, columns, rows) for title, columns in titles.items()]


def _table(title: str, titles: Sequence[str], rows: dict[str, dict[str, str]]) -> Table:
    used = [each for each in titles if any(row.get(each) for row in rows.values())]
    lines = tuple((name, *(row.get(each) or "-" for each in used)) for name, row in rows.items())
    return Table(title, (NAME, *used), lines)
