from __future__ import annotations

from neuron_cluster.rules.base import Rule, RuleContext, Violations
from neuron_cluster.rules.duplicate_names import duplicate_names


class DuplicateNodeGroupName(Rule):
    """Every node group name is unique (`name`).

    Without this check EKS rejects the second group with ResourceInUseException, "NodeGroup already exists with name";
    or both are created, because their physical names differ, and their nodes have the same labels.
    """

    id = "E3009"
    source = "https://docs.aws.amazon.com/eks/latest/APIReference/API_CreateNodegroup.html"

    def check(self, context: RuleContext) -> Violations:
        yield from duplicate_names((group.path, group.name) for group in context.environment.cluster_groups)
