"""More than an account may have by default, or than a source advises."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.plan.scale import build_scale
from neuron_cluster.rules.base import PlanRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.plan.cluster_plan import ClusterPlan
    from neuron_cluster.plan.limit_use import LimitUse


class BeyondAQuota(PlanRule):
    """At its largest sizes the environment stays within the default quotas and the advice of the services.

    Only a warning: AWS raises quotas on request, an account may have others, and advice rejects nothing. Nodes per
    node group have a rule of their own (W3032). `neuron-cluster plan NAME --scale` lists all of them. How many vCPUs
    of machines an account may run is not among them: AWS publishes 5 of Standard instances and 0 of Inf and Trn for a
    new account and raises them by itself as it is used, so that `deploy` asks the account (E9550, W9551).

    Without this check the service rejects what is beyond with LimitExceeded or a kin of it, perhaps only when nodes
    are added.
    """

    id = "W2014"
    source = (
        "https://docs.aws.amazon.com/general/latest/gr/aws_service_limits.html; of each limit: its row in "
        "neuron_cluster/catalog/data/limits.yaml"
    )
    references = (
        "GoogleCloudPlatform/cluster-toolkit#5092",
        "GoogleCloudPlatform/cluster-toolkit#5140",
        "GoogleCloudPlatform/cluster-toolkit#5422",
    )

    def check(self, plan: ClusterPlan, catalog: Catalog) -> Iterator[Violation]:
        for use in build_scale(plan, catalog):
            if use.is_exceeded and (use.adjustable or use.advice or use.doubt) and not use.own_rule:
                yield Violation(use.path, _message(use), _hint(use))


def _message(use: LimitUse) -> str:
    least = "at least " if use.is_least else ""
    kind = "the advice" if use.advice else "the default quota" if use.adjustable else "the limit"
    doubt = f"; in doubt: {use.doubt}" if use.doubt else ""
    return f"{use.what} may come to {least}{use.used:,} {use.unit}; {kind} is {use.limit:,} ({use.source}{doubt})"


def _hint(use: LimitUse) -> str:
    if use.advice:
        return "read the source before the environment grows beyond it, or lower count.max"
    return "ask AWS for a higher quota before the deploy, or lower count.max"
