from __future__ import annotations

from neuron_cluster.plan.node_stacks import GROUPS_PER_STACK, NODE_STACKS
from neuron_cluster.providers.eks.config.cluster import Eks
from neuron_cluster.providers.eks.node_groups import node_groups
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations

PATH = ("eks", "node_groups")


class TooManyNodeGroups(Rule):
    """An environment has at most 200 node groups, at most 50 without Neuron devices (`eks.node_groups`).

    Groups without Neuron devices are in the stack `NAME-system`, the others in `NAME-nodes`, `NAME-nodes-2` and so on,
    by their position in the file (docs/adr/0007-node-groups-by-fifties.md). The default EKS quota is 30 node groups
    (W2014).

    Without this check CloudFormation rejects a template that is larger than 1 MB.
    """

    id = "E2015"
    source = "https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html"

    def check(self, context: RuleContext) -> Violations:
        eks = context.environment.config.section(Eks)
        maximum = GROUPS_PER_STACK * len(NODE_STACKS)
        groups = node_groups(context.environment)
        total = len(eks.node_groups) if eks is not None else 0
        system = sum(group.instance_type is not None and not group.is_neuron for group in groups)
        if total > maximum:
            yield Violation(
                PATH,
                f"{total} node groups; an environment can have {maximum}",
                "combine groups of the same instance type, or use a second environment",
            )
        elif system > GROUPS_PER_STACK:
            yield Violation(
                PATH,
                f"{system} node groups without Neuron devices; an environment can have {GROUPS_PER_STACK}",
                "combine groups of the same instance type, or use a second environment",
            )
