from __future__ import annotations

from neuron_cluster.findings.text import listed
from neuron_cluster.protocol.registry import registered
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.node_group import node_groups
from neuron_cluster.schedulers.kubernetes.section import kubernetes_in


class TeamsWithoutQueue(Rule):
    """Teams share an EKS cluster with a queue, or a Slurm cluster (`teams`).

    Without this check AWS reports no error. Without a cluster nothing is created for the teams; without a queue no
    quota applies.
    """

    id = "E2062"
    source = "https://kueue.sigs.k8s.io/docs/concepts/cluster_queue/"
    proposes = ("eks", "queue")

    def check(self, context: RuleContext) -> Violations:
        if not context.environment.config.teams:
            return
        if kubernetes_in(context.environment.config) is None:
            sections = [each.section for each in registered() if each.has_teams]
            if all(context.environment.config.section(section.model) is None for section in sections):
                keys = [section.key for section in sections]
                yield Violation(
                    ("teams",),
                    f"teams share a cluster, and the file has no {listed(keys, 'or')}",
                    f"add {listed(keys, 'or')}, or remove teams",
                )
            return
        groups = node_groups(context.environment)
        if any(group.queue is not None or group.is_governed for group in groups):
            return
        neuron = next((group for group in groups if group.is_neuron), None)
        add = "set queue: training" if neuron is not None else "add a Neuron node group with a queue"
        yield Violation(
            (*neuron.path, "queue") if neuron is not None else ("teams",),
            "no node group has a queue for the jobs of teams",
            f"{add}, or remove teams",
        )
