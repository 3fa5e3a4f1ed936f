"""Metrics for CloudWatch that have no way out of the network."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.config.network import Nat
from neuron_cluster.orchestrators.eks.components import enabled_components
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.environment import ResolvedEnvironment

LOGS = "logs"


class EndpointThatMetricsNeed(ConfigRule):
    """Without NAT, a list of endpoints holds logs where the CloudWatch observability add-on runs.

    Its agents send logs and, inside log events (embedded metric format), all metrics of Container Insights to
    CloudWatch Logs.

    Without this check AWS reports no error. The agents run, their sends time out, dashboards stay empty, and alarms
    that have no data do not ring.
    """

    id = "E1019"
    source = (
        "aws/amazon-cloudwatch-agent@ab55b8d: translator/translate/otel/exporter/awsemf; "
        "https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/cloudwatch-logs-and-interface-VPC.html"
    )
    proposes = ("endpoints",)

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        config = environment.config
        given = config.network.endpoints
        if config.network.nat is not Nat.NONE or given is None or LOGS in given:
            return
        if "cloudwatch_observability" in enabled_components(environment, catalog):
            yield Violation(
                ("network", "endpoints"),
                "nat is none and endpoints lacks logs, to which the CloudWatch observability add-on sends metrics and "
                "logs",
                "add logs; or remove endpoints, and every service that is needed gets one",
            )
