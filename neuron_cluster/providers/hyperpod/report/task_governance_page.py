"""Task governance in the plan: the cluster policy, and the compute quota of each team."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from local_kubernetes.model.hyperpod import team_local_queue, team_namespace
from neuron_cluster.findings.text import counted
from neuron_cluster.report.marks import Marks
from neuron_cluster.table import Table

if TYPE_CHECKING:
    from neuron_cluster.providers.hyperpod.plan.task_governance_plan import QuotaAmount, TaskGovernancePlan

ON = {True: "on", False: "off"}
LENDS = {"Lend": "yes", "LendAndBorrow": "yes", "DontLend": "no"}


def governance_tables(plan: TaskGovernancePlan, marks: Marks) -> list[Table]:
    return [_policy(plan, marks), _quotas(plan, marks)]


def _policy(plan: TaskGovernancePlan, marks: Marks) -> Table:
    classes = ", ".join(f"{each.name} {each.weight}" for each in plan.job_priorities()) or "none"
    rows = (
        ("add-on", f"{plan.addon.name} {plan.addon.version or ''}".rstrip()),
        ("priority classes", classes + marks.mark((*plan.path, "priority_classes"))),
        ("fair share", ON[plan.has_fair_share] + marks.mark((*plan.path, "fair_share"))),
        (
            "sharing of what no team has",
            ON[plan.shares_idle_resources] + marks.mark((*plan.path, "idle_resource_sharing")),
        ),
    )
    return Table("Task governance", ("what", "value"), rows)


def _quotas(plan: TaskGovernancePlan, marks: Marks) -> Table:
    rows = tuple(
        (
            quota.team,
            _amounts(quota.resources),
            _amounts(quota.borrows),
            LENDS[quota.strategy],
            str(quota.weight) + marks.mark((*quota.path, "weight")),
            team_namespace(quota.team),
            team_local_queue(quota.team),
        )
        for quota in plan.quotas
    )
    columns = ("team", "quota", "borrows at most", "lends", "weight", "namespace", "queue")
    return Table("Compute quotas", columns, rows)


def _amounts(amounts: Sequence[QuotaAmount]) -> str:
    """``2 x ml.trn1.32xlarge``, or the devices of a part of an instance."""
    return (
        ", ".join(
            f"{counted(each.devices, 'device')} of {each.instance_type}"
            if each.instances is None
            else f"{each.instances} x {each.instance_type}"
            for each in amounts
        )
        or "-"
    )
