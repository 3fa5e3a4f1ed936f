from __future__ import annotations

from neuron_cluster.providers.eks.listed_principals import listed_principals
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations

ACCOUNT = 4
"""Position of the account in an ARN."""


class PrincipalOfAnotherAccount(Rule):
    """IAM principals of the cluster belong to the environment's account (`eks.access`, `teams`).

    Only a warning: EKS accepts principals of other accounts.

    Without this check AWS reports no error. An account id that remains from a copied file grants access to another
    account, or to no principal.
    """

    id = "W6006"
    source = "https://docs.aws.amazon.com/eks/latest/userguide/access-entries.html"

    def check(self, context: RuleContext) -> Violations:
        account = context.environment.config.account
        for each in listed_principals(context.environment.config):
            other = each.arn.split(":")[ACCOUNT]
            if other != account:
                yield Violation(
                    each.path,
                    f"{each.arn} belongs to account {other}, but account is {account}",
                    "correct the account id, unless you intend to grant access to another account",
                )
