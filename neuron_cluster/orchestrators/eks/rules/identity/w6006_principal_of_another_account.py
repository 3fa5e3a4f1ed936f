"""IAM principals of another account."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.orchestrators.eks.config.cluster import Eks
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment

ACCOUNT = 4
"""Position of the account in an ARN."""


class PrincipalOfAnotherAccount(ConfigRule):
    """IAM principals of the cluster belong to the environment's account (`eks.access`).

    Only a warning: EKS accepts principals of other accounts.

    Without this check AWS reports no error. An account id that remains from a copied file grants access to another
    account, or to no principal.
    """

    id = "W6006"
    source = "https://docs.aws.amazon.com/eks/latest/userguide/access-entries.html"

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        config = environment.config
        eks = config.section(Eks)
        if eks is None:
            return
        for role, principals in (("admins", eks.access.admins), ("viewers", eks.access.viewers)):
            for position, principal in enumerate(principals):
                account = principal.split(":")[ACCOUNT]
                if account != config.account:
                    yield Violation(
                        ("eks", "access", role, position),
                        f"{principal} belongs to account {account}, but account is {config.account}",
                        "correct the account id, unless you intend to grant access to another account",
                    )
