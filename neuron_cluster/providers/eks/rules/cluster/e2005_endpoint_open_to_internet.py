from __future__ import annotations

from collections.abc import Sequence
from ipaddress import IPv4Network, collapse_addresses

from neuron_cluster.findings.text import listed
from neuron_cluster.providers.eks.config.cluster import Eks, EndpointAccess
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.rules.special_addresses import NON_ASSIGNABLE

HINT = (
    "write the public addresses of your users and systems in public_access_cidrs, a single one as "
    "ADDRESS/32; or set access: private"
)
AND_REMOVE = f"{HINT} and remove public_access_cidrs"


class EndpointOpenToInternet(Rule):
    """A public endpoint allows a list of CIDRs that is not the whole internet (`eks.endpoint.public_access_cidrs`).

    Several CIDRs that together include every public address are the whole internet, too.

    Without this check AWS reports no error. For EKS a missing list means 0.0.0.0/0, and scanners find the API within
    hours.
    """

    id = "E2005"
    source = "https://docs.aws.amazon.com/eks/latest/userguide/cluster-endpoint.html"
    proposes = ("access", "public_access_cidrs")

    def check(self, context: RuleContext) -> Violations:
        eks = context.environment.config.section(Eks)
        if eks is None or eks.endpoint.access is not EndpointAccess.PUBLIC_AND_PRIVATE:
            return
        path = ("eks", "endpoint", "public_access_cidrs")
        cidrs = eks.endpoint.public_access_cidrs
        if not cidrs:
            yield Violation(
                path,
                "access is public_and_private without public_access_cidrs, for which EKS allows 0.0.0.0/0",
                HINT,
            )
        whole = [position for position, cidr in enumerate(cidrs) if cidr.endswith("/0")]
        for position in whole:
            yield Violation((*path, position), f"{cidrs[position]} is the whole internet", AND_REMOVE)
        if not whole and _leave_nothing_out(cidrs):
            yield Violation(path, f"{listed(cidrs)} together are the whole internet", AND_REMOVE)


def _leave_nothing_out(cidrs: Sequence[str]) -> bool:
    """Whether the ranges together contain every assignable address."""
    together = [*collapse_addresses([*map(IPv4Network, cidrs), *NON_ASSIGNABLE])]
    return len(together) == 1
