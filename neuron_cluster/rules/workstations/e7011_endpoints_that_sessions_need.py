"""Services that a workstation calls."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.config.network import Nat
from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.environment import ResolvedEnvironment


class EndpointsThatSessionsNeed(ConfigRule):
    """Without NAT, a list of endpoints holds every service that a workstation calls.

    Session Manager is its only door, and it attaches its home through the EC2 API.

    Without this check AWS reports no error. The machine starts, never appears in Session Manager, and `start-session`
    says TargetNotConnected.
    """

    id = "E7011"
    source = "https://docs.aws.amazon.com/systems-manager/latest/userguide/setup-create-vpc.html"
    proposes = ("endpoints",)

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        config = environment.config
        given = config.network.endpoints
        if not config.workstations or config.network.nat is not Nat.NONE or given is None:
            return
        required = {row.name for row in catalog.endpoint_services if "workstations" in row.required_by}
        if missing := sorted(required - set(given)):
            yield Violation(
                ("network", "endpoints"),
                f"nat is none and endpoints lacks {listed(missing)}, which workstations call",
                f"add {listed(missing)}; or remove endpoints, and every service that is needed gets one",
            )
