from __future__ import annotations

from neuron_cluster.config.network import Nat
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.components import enabled_components

LOGS = "logs"


class MissingLogsEndpoint(Rule):
    """Without NAT, the VPC endpoints include logs for the CloudWatch observability add-on (`network.endpoints`).

    Its agents send logs and, inside log events (embedded metric format), all metrics of Container Insights to
    CloudWatch Logs. Not in a VPC that exists, whose routes are its owner's.

    Without this check AWS reports no error. The requests of the agents time out, dashboards stay empty, and alarms
    without data do not notify.
    """

    id = "E1019"
    source = (
        "aws/amazon-cloudwatch-agent@ab55b8d: translator/translate/otel/exporter/awsemf; "
        "https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/cloudwatch-logs-and-interface-VPC.html"
    )
    proposes = ("endpoints",)

    def check(self, context: RuleContext) -> Violations:
        config = context.environment.config
        given, is_own = config.network.listed_endpoints, config.network.existing is None
        if not is_own or config.network.nat is not Nat.NONE or given is None or LOGS in given:
            return
        if "cloudwatch_observability" in enabled_components(context.environment, context.catalog):
            yield Violation(
                ("network", "endpoints"),
                "nat is none, and endpoints does not include logs, to which the CloudWatch observability add-on sends "
                "metrics and "
                "logs",
                "add logs; or set endpoints: needed",
            )
