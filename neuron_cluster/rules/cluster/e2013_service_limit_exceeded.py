from __future__ import annotations

from neuron_cluster.plan.scale import build_scale
from neuron_cluster.rules.base import Needs, Rule, RuleContext, Violation, Violations


class ServiceLimitExceeded(Rule):
    """The environment does not exceed non-adjustable service quotas at its maximum sizes (`count.max`).

    `neuron-cluster plan NAME --scale` lists the quotas and how much of each is used. Quotas that the catalog marks as
    doubtful are reported by rule W2014.

    Without this check the service rejects the resources that exceed the quota during the deploy, or later when a node
    group scales out.
    """

    id = "E2013"
    needs = Needs.PLAN
    source = (
        "https://docs.aws.amazon.com/general/latest/gr/aws_service_limits.html; of each limit: its row in "
        "neuron_cluster/catalog/data/limits.yaml"
    )
    references = ("aws-samples/sample-autonomous-cloud-coding-agents#852",)

    def check(self, context: RuleContext) -> Violations:
        for use in build_scale(context.plan, context.catalog):
            if use.is_exceeded and not (use.adjustable or use.advice or use.doubt or use.own_rule):
                yield Violation(
                    use.path,
                    f"{use.what} would have {use.used:,} {use.unit}; the limit is {use.limit:,} ({use.source})",
                    f"use fewer {use.unit}: lower count.max, or remove groups; or use a second environment",
                )
