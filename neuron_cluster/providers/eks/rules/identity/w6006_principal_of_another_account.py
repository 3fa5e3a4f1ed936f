"""IAM principals of another account."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.providers.eks.listed_principals import listed_principals
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment

ACCOUNT = 4
"""Position of the account in an ARN."""


class PrincipalOfAnotherAccount(ConfigRule):
    """IAM principals of the cluster belong to the environment's account (`eks.access`, `teams`).

    Only a warning: EKS accepts principals of other accounts.

    Without this check AWS reports no error. An account id that remains from a copied file grants access to another
    account, or to no principal.
    """

    id = "W6006"
    source = "https://docs.aws.amazon.com/eks/latest/userguide/access-entries.html"

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        account = environment.config.account
        for each in listed_principals(environment.config):
            other = each.arn.split(":")[ACCOUNT]
            if other != account:
                yield Violation(
                    each.path,
                    f"{each.arn} belongs to account {other}, but account is {account}",
                    "correct the account id, unless you intend to grant access to another account",
                )
