"""The same IAM principal listed twice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.orchestrators.eks.config.cluster import Eks
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


class PrincipalListedTwice(ConfigRule):
    """Every IAM principal is listed once in admins and viewers together (`eks.access`).

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
                        f"{principal} is already listed in {seen[principal]}; EKS allows one access entry per "
                        "principal",
                        "keep one of the two; admins have all permissions of viewers",
                    )
                seen.setdefault(principal, role)
