"""The budget of a start as a few lines of text."""

from __future__ import annotations

from neuron_cluster.schedulers.kubernetes.workloads.startup.budget import StartBudget
from neuron_cluster.schedulers.kubernetes.workloads.startup.findings import minutes

IN_DOUBT = "estimate"


def budget_text(budget: StartBudget) -> str:
    """Both sums and the time-outs, and a line for each step."""
    limits = ", ".join(f"{limit.name} {minutes(limit.seconds)}" for limit in budget.limits)
    lead = f"start: cold {minutes(budget.cold_seconds())} min, warm {minutes(budget.warm_seconds())} min"
    lines = [f"{lead}; time-outs in min: {limits}" if limits else f"{lead}; no time-out"]
    for step in budget.steps:
        cold, warm = minutes(step.cold_seconds), minutes(step.warm_seconds)
        doubt = f" ({IN_DOUBT})" if step.doubt else ""
        lines.append(f"  {step.name:<16} cold {cold:>3}  warm {warm:>3}  {step.reason}{doubt}")
    return "\n".join(lines) + "\n"
