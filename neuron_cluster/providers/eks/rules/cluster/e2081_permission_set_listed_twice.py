from __future__ import annotations

from neuron_cluster.config.permission_set import permission_set_of
from neuron_cluster.providers.eks.listed_principals import listed_principals
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class PermissionSetListedTwice(Rule):
    """Every permission set is listed once, by its name or by the ARN of its role (`teams[].permission_sets`).

    A permission set has one IAM role in an account, so several groups of IAM Identity Center that have it are one
    principal of EKS. People of two teams need a permission set for each team.

    Without this check EKS rejects the second access entry with ResourceInUseException, "The specified access entry
    resource is already in use on this cluster", and the cluster stack rolls back.
    """

    id = "E2081"
    source = (
        "https://docs.aws.amazon.com/singlesignon/latest/userguide/referencingpermissionsets.html; "
        "boto/botocore 1.44.5: eks CreateAccessEntryRequest principalArn"
    )

    def check(self, context: RuleContext) -> Violations:
        seen = {
            name: f"listed by the ARN of its role in {each.list_name}"
            for each in listed_principals(context.environment.config)
            if (name := permission_set_of(each.arn)) is not None
        }
        for number, team in enumerate(context.environment.config.teams):
            for position, name in enumerate(team.permission_sets):
                if name in seen:
                    yield Violation(
                        ("teams", number, "permission_sets", position),
                        f"the permission set {name} is already {seen[name]}; EKS allows one access entry per principal",
                        "keep one of the two; people of two teams need a permission set for each team",
                    )
                seen.setdefault(name, f"listed in permission_sets of {team.name}")
