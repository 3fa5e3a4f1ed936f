from __future__ import annotations

from neuron_cluster.providers.eks.listed_principals import ListedPrincipal, listed_principals
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class PrincipalListedTwice(Rule):
    """Every IAM principal is in one list: admins, viewers, or members or operators of a team (`eks.access`, `teams`).

    Without this check EKS rejects the second access entry with ResourceInUseException, "The specified access entry
    resource is already in use on this cluster", and the cluster stack rolls back.
    """

    id = "E2008"
    source = "boto/botocore 1.44.5: eks CreateAccessEntryRequest principalArn"

    def check(self, context: RuleContext) -> Violations:
        seen: dict[str, ListedPrincipal] = {}
        for each in listed_principals(context.environment.config):
            if each.arn in seen:
                first = seen[each.arn]
                yield Violation(
                    each.path,
                    f"{each.arn} is already listed in {first.list_name}; EKS allows one access entry per principal",
                    _hint(first, each),
                )
            seen.setdefault(each.arn, each)


def _hint(first: ListedPrincipal, second: ListedPrincipal) -> str:
    if first.team is not None and first.team != second.team:
        return "keep one of the two; people of two teams need an IAM role for each team"
    if second.team is not None and first.team is None:
        return "keep one of the two, or write another IAM role for the members of the team"
    if second.team is not None:
        return "keep one of the two; operators have all permissions of members"
    return "keep one of the two; admins have all permissions of viewers"
