"""Which Kueue queue a workload waits in."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.findings.finding import Finding
from neuron_cluster.findings.suggestions import did_you_mean, suggestions
from neuron_cluster.plan.cluster_plan import EksPlan, NodeGroupPlan
from neuron_cluster.workloads.recipe import Recipe
from neuron_cluster.workloads.refusal import finding
from neuron_cluster.workloads.software_there import has_software

KUEUE = "kueue"


def queue_name(eks: EksPlan, group: NodeGroupPlan, wished: str | None) -> str:
    """The wished queue, else the group's own where Kueue runs; empty for none."""
    if wished is not None:
        return wished
    return group.queue or "" if has_software(eks, KUEUE) else ""


def queue_findings(eks: EksPlan, group: NodeGroupPlan, wished: str | None, recipe: Recipe) -> Iterator[Finding]:
    """Why the wished queue cannot be."""
    if not wished:
        return
    queues = eks.queues
    if wished not in queues:
        known = f"queues: {', '.join(queues)}; or leave the queue out"
        if not queues:
            known = f"leave the queue out, or set queue: {wished} of a group in eks.node_groups"
        said = did_you_mean(suggestions(wished, queues))
        yield finding("E9206", recipe.chart, "queue.name", f'there is no queue "{wished}"', said + known)
    elif group not in queues[wished]:
        serving = ", ".join(each.name for each in queues[wished])
        message = f"queue {wished} is served by {serving}, not by {group.name}"
        hint = f"name --group {queues[wished][0].name}, or {f'queue {group.queue}' if group.queue else 'no queue'}"
        yield finding("E9206", recipe.chart, "queue.name", message, hint)
    if not has_software(eks, KUEUE):
        message = f"queue {wished} is asked for, and the environment has no Kueue: nobody would start the job"
        yield finding(
            "E9206", recipe.chart, "queue.name", message, "set eks.addons.kueue: true, or leave the queue out"
        )
