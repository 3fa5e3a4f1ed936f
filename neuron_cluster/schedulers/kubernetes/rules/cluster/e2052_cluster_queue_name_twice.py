from __future__ import annotations

from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.node_group import node_groups


class ClusterQueueNameTwice(Rule):
    """The ClusterQueues of teams and queues have different names (`teams[].name`, `eks.node_groups[].queue`).

    The ClusterQueue of a team has the name TEAM-QUEUE, the one for namespaces without a team that of the queue.

    Without this check CDK rejects two ClusterQueues with the same construct id.
    """

    id = "E2052"
    source = "https://kueue.sigs.k8s.io/docs/concepts/cluster_queue/"

    def check(self, context: RuleContext) -> Violations:
        environment = context.environment
        queues = list(dict.fromkeys(group.queue for group in node_groups(environment) if group.queue is not None))
        owners = {queue: f"the queue {queue}" for queue in queues}
        names = [team.name for team in environment.config.teams]
        for number, team in enumerate(environment.config.teams):
            if team.name in names[:number]:  # rule E2050
                continue
            for queue in queues:
                name = f"{team.name}-{queue}"
                owner = f"the team {team.name} in the queue {queue}"
                if name in owners:
                    yield Violation(
                        ("teams", number, "name"),
                        f"the ClusterQueue {name} of {owner} has the name of the one of {owners[name]}",
                        "use another name for the team",
                    )
                owners.setdefault(name, owner)
