"""A Kubernetes API that the whole internet can reach."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from ipaddress import IPv4Network, collapse_addresses
from typing import TYPE_CHECKING

from neuron_cluster.findings.text import listed
from neuron_cluster.orchestrators.eks.config.cluster import Eks, EndpointAccess
from neuron_cluster.rules.base import ConfigRule, Violation
from neuron_cluster.rules.special_addresses import NON_ASSIGNABLE

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.environment import ResolvedEnvironment

HINT = (
    "write the public addresses that your people and machines come from in public_access_cidrs, a single one as "
    "ADDRESS/32; or set access: private"
)
AND_REMOVE = f"{HINT} and remove public_access_cidrs"


class EndpointOpenToEveryone(ConfigRule):
    """A public endpoint says which addresses may use it, and does not say all of them.

    Several ranges that together leave no address of the internet out are all of them, too.

    Without this check AWS reports no error. An absent list means 0.0.0.0/0 to EKS, and scanners find the API within
    hours.
    """

    id = "E2005"
    source = "https://docs.aws.amazon.com/eks/latest/userguide/cluster-endpoint.html"
    proposes = ("access", "public_access_cidrs")

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        eks = environment.config.section(Eks)
        if eks is None or eks.endpoint.access is not EndpointAccess.PUBLIC_AND_PRIVATE:
            return
        path = ("eks", "endpoint", "public_access_cidrs")
        cidrs = eks.endpoint.public_access_cidrs
        if not cidrs:
            yield Violation(
                path,
                "access is public_and_private without public_access_cidrs, which EKS takes for everybody",
                HINT,
            )
        whole = [position for position, cidr in enumerate(cidrs) if cidr.endswith("/0")]
        for position in whole:
            yield Violation((*path, position), f"{cidrs[position]} is the whole internet", AND_REMOVE)
        if not whole and _leave_nothing_out(cidrs):
            yield Violation(path, f"{listed(cidrs)} together are the whole internet", AND_REMOVE)


def _leave_nothing_out(cidrs: Sequence[str]) -> bool:
    """Whether every address that a machine can have lies in one of the ranges."""
    together = [*collapse_addresses([*map(IPv4Network, cidrs), *NON_ASSIGNABLE])]
    return len(together) == 1
