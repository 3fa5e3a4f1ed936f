from __future__ import annotations

from local_kubernetes.model.names import DEFAULT_NAMESPACE
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.reserved_namespaces import OF_KUBERNETES, owner_of_namespace

ALL_USERS = "all users of the cluster"


class ReservedTeamName(Rule):
    """A team does not have the name of a namespace of Kubernetes or of the cluster software (`teams[].name`).

    The name is that of the Kubernetes group of its members, of its ClusterQueues and of the label of its namespaces.
    `default` is the namespace of all users.

    Without this check AWS reports no error. In audit logs, queues and labels the team is taken for the software, or for
    the users without a team.
    """

    id = "E2051"
    source = "https://kubernetes.io/docs/concepts/overview/working-with-objects/namespaces/"

    def check(self, context: RuleContext) -> Violations:
        for number, team in enumerate(context.environment.config.teams):
            owner = ALL_USERS if team.name == DEFAULT_NAMESPACE else owner_of_namespace(team.name, context.catalog)
            if owner is not None:
                yield Violation(
                    ("teams", number, "name"),
                    f"{team.name} is the namespace of {owner}",
                    f"use another name, such as {team.name.removeprefix(OF_KUBERNETES)}-team",
                )
