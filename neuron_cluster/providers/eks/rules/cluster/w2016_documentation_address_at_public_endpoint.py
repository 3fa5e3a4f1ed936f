from __future__ import annotations

from ipaddress import IPv4Network

from neuron_cluster.providers.eks.config.cluster import Eks
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.rules.special_addresses import documentation_range


class DocumentationAddressAtPublicEndpoint(Rule):
    """The public endpoint does not allow documentation address ranges (`eks.endpoint.public_access_cidrs`).

    Only a warning: checks, plans and local deploys work with any address.

    Without this check the cluster is created, but no client can reach its public endpoint; kubectl times out.
    """

    id = "W2016"
    source = "https://www.rfc-editor.org/rfc/rfc5737; https://www.rfc-editor.org/rfc/rfc2544"

    def check(self, context: RuleContext) -> Violations:
        eks = context.environment.config.section(Eks)
        for position, cidr in enumerate(eks.endpoint.public_access_cidrs if eks is not None else ()):
            if found := documentation_range(IPv4Network(cidr)):
                yield Violation(
                    ("eks", "endpoint", "public_access_cidrs", position),
                    f"{cidr} is reserved for {found[1]} ({found[0]}): no client has such an address",
                    "write the public address of your office, NAT or proxy, a single one as ADDRESS/32",
                )
