"""Starts that no time-out allows."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil

from neuron_cluster.findings.finding import Finding
from neuron_cluster.schedulers.kubernetes.workloads.findings import finding
from neuron_cluster.schedulers.kubernetes.workloads.startup.budget import StartBudget, StartLimit, Step
from neuron_cluster.schedulers.kubernetes.workloads.startup.limits import KUEUE
from neuron_cluster.schedulers.kubernetes.workloads.startup.needs import MINUTE


def startup_findings(budget: StartBudget, chart: str) -> Iterator[Finding]:
    """E9240 for each time-out that ends every start; W9254 for one that ends the first on a new node, or where only an
    estimate exceeds the time-out.
    """
    for limit in budget.limits:
        if max(budget.cold_seconds(limit.steps), budget.warm_seconds(limit.steps)) > limit.seconds:
            finding_id = "E9240" if _ends_every_start(budget, limit) else "W9254"
            yield finding(finding_id, chart, limit.key, _message(budget, limit), _hint(budget, limit))


def _ends_every_start(budget: StartBudget, limit: StartLimit) -> bool:
    warm = [step for step in budget.steps if step.name in limit.steps and step.warm_seconds]
    return budget.warm_seconds(limit.steps) > limit.seconds and not any(step.doubt for step in warm)


def _message(budget: StartBudget, limit: StartLimit) -> str:
    cold, warm = (minutes(seconds(limit.steps)) for seconds in (budget.cold_seconds, budget.warm_seconds))
    needed = ", ".join(
        f"{step.name} {minutes(step.cold_seconds)}"
        for step in budget.steps
        if step.name in limit.steps and step.cold_seconds
    )
    return (
        f"the first start on a new node takes {cold} minutes ({needed}), a later one {warm}, and the {limit.name} "
        f"allows {limit.seconds / MINUTE:g}: {limit.then}"
    ).replace("the Kueue", "Kueue")


def _hint(budget: StartBudget, limit: StartLimit) -> str:
    needed = max(budget.cold_seconds(limit.steps), budget.warm_seconds(limit.steps))
    deploy = " and deploy" if limit.name == KUEUE else ""
    ways = [f"set {limit.key}: {ceil(needed / limit.unit_seconds)}{deploy}"]
    if any(step.name is Step.COMPILE and step.warm_seconds for step in budget.steps) and Step.COMPILE in limit.steps:
        ways.append(budget.to_keep_graphs)
    if limit.name == KUEUE:
        ways.append("set queue.name to an empty text")
    return "; or ".join(ways)


def minutes(seconds: float) -> int:
    """As a user reads them: rounded up."""
    return ceil(seconds / MINUTE)
