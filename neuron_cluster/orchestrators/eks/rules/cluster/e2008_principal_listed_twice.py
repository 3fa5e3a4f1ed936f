"""One principal, two rights."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.orchestrators.eks.config.cluster import Eks
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.environment import ResolvedEnvironment


class PrincipalListedTwice(ConfigRule):
    """Every principal stands once in admins and viewers together.

    Without this check EKS rejects the second access entry with ResourceInUseException, "The specified access entry
    resource is already in use on this cluster", and the cluster stack rolls back.
    """

    id = "E2008"
    source = "boto/botocore 1.44.5: eks CreateAccessEntryRequest principalArn"

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        eks = environment.config.section(Eks)
        if eks is None:
            return
        seen: dict[str, str] = {}
        for role, principals in (("admins", eks.access.admins), ("viewers", eks.access.viewers)):
            for position, principal in enumerate(principals):
                if principal in seen:
                    yield Violation(
                        ("eks", "access", role, position),
                        f"{principal} stands in {seen[principal]} already; a principal has one entry in a cluster",
                        "keep one of the two; an admin can do all that a viewer can",
                    )
                seen.setdefault(principal, role)
