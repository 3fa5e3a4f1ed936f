from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.generated_name import GeneratedName
from neuron_cluster.rules.base import Needs, Rule, RuleContext, Violation, Violations


class InvalidGeneratedName(Rule):
    """Every generated name of a stack, cluster, node group or budget meets the naming limits of its service (`name`).

    Names are generated from those of the file: train-trn1 becomes the stack train-trn1-network, the group trn1 becomes
    trn1-1f3a9c04.

    Without this check the service rejects the name with ValidationError or InvalidParameterException; for node groups,
    after the cluster has been created.
    """

    id = "E6004"
    needs = Needs.PLAN
    source = (
        "boto/botocore 1.44.5: cloudformation StackName, eks ClusterName, budgets BudgetName; "
        "https://docs.aws.amazon.com/eks/latest/userguide/create-managed-node-group.html"
    )

    def check(self, context: RuleContext) -> Violations:
        for each in _generated_names(context.plan):
            limit = context.catalog.limits[each.limit]
            if problem := limit.problem_with(each.name):
                message = f"{each.resource} would be named {each.name}, which {problem}"
                is_short = limit.minimum is not None and len(each.name) < limit.minimum
                yield Violation(each.path, message, f"choose a {'longer' if is_short else 'shorter'} name")


def _generated_names(plan: ClusterPlan) -> Iterator[GeneratedName]:
    longest = max((plan.stack_name(stack_key) for stack_key in plan.stacks), key=len)
    yield GeneratedName(("name",), "a stack", longest, "cloudformation_stack_name")
    for budget in plan.budgets:
        resource = f"the budget of {budget.team or 'the environment'}"
        yield GeneratedName(("name",), resource, budget.name, "budget_name")
    for provider in plan.providers:
        yield from provider.generated_names()
