from __future__ import annotations

from neuron_cluster.plan.limit_use import LimitUse
from neuron_cluster.plan.scale import build_scale
from neuron_cluster.rules.base import Needs, Rule, RuleContext, Violation, Violations


class DefaultQuotaExceeded(Rule):
    """The environment does not exceed default quotas and recommended limits at its maximum sizes (`count.max`).

    Only a warning: AWS raises quotas on request, an account may have other quotas, and a recommended limit is not
    enforced. Nodes per node group have their own rule (W3032). `neuron-cluster plan NAME --scale` lists all quotas.
    vCPU quotas are not included: AWS publishes 5 for Standard instances and 0 for Inf and Trn in a new account and
    raises them automatically with use, so that `deploy` queries the account (E9550, W9551).

    Without this check the service rejects the resources that exceed a quota with LimitExceeded or a similar error,
    perhaps only when nodes are added.
    """

    id = "W2014"
    needs = Needs.PLAN
    source = (
        "https://docs.aws.amazon.com/general/latest/gr/aws_service_limits.html; of each limit: its row in "
        "neuron_cluster/catalog/data/limits.yaml"
    )
    references = (
        "GoogleCloudPlatform/cluster-toolkit#5092",
        "GoogleCloudPlatform/cluster-toolkit#5140",
        "GoogleCloudPlatform/cluster-toolkit#5422",
    )

    def check(self, context: RuleContext) -> Violations:
        for use in build_scale(context.plan, context.catalog):
            if use.is_exceeded and (use.adjustable or use.advice or use.doubt) and not use.own_rule:
                yield Violation(use.path, _message(use), _hint(use))


def _message(use: LimitUse) -> str:
    minimum = "at least " if use.is_least else ""
    kind = "the recommended limit" if use.advice else "the default quota" if use.adjustable else "the limit"
    doubt = f"; in doubt: {use.doubt}" if use.doubt else ""
    return f"{use.what} may have {minimum}{use.used:,} {use.unit}; {kind} is {use.limit:,} ({use.source}{doubt})"


def _hint(use: LimitUse) -> str:
    if use.advice:
        return "read the source before the environment exceeds it, or lower count.max"
    return f"request a higher quota from AWS before the deploy, or use fewer {use.unit}"
