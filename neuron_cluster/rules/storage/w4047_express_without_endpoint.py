from __future__ import annotations

from neuron_cluster.config.network import Nat
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations

ENDPOINT = "s3express"


class ExpressWithoutEndpoint(Rule):
    """With `storage.express`, a list of `network.endpoints` has s3express.

    The default has it.

    Without this check AWS reports no error: with NAT gateways each GB to the bucket is billed by them, without NAT no
    request reaches it.
    """

    id = "W4047"
    source = "https://docs.aws.amazon.com/AmazonS3/latest/userguide/s3-express-networking.html"

    def check(self, context: RuleContext) -> Violations:
        config = context.environment.config
        if config.network.existing is not None:  # its owner has the gateway endpoints
            return
        endpoints = config.network.listed_endpoints
        if config.storage is None or config.storage.express is None or endpoints is None or ENDPOINT in endpoints:
            return
        has_nat = config.network.nat is not Nat.NONE
        effect = "NAT gateways bill each GB" if has_nat else "no request reaches the bucket, because nat is none"
        yield Violation(
            ("network", "endpoints"),
            f"endpoints has no {ENDPOINT}, which storage.express requires: {effect}",
            f"append {ENDPOINT} to endpoints",
        )
