"""More than a service takes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.plan.scale import build_scale
from neuron_cluster.rules.base import PlanRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.plan.cluster_plan import ClusterPlan


class BeyondALimit(PlanRule):
    """At its largest sizes the environment stays within every limit that no request raises.

    `neuron-cluster plan NAME --scale` lists the limits and how close each is. Limits of which the catalog says that it
    is not sure are warned of by rule W2014.

    Without this check the service rejects what is beyond, in the middle of the deploy or, months later, of an
    increase.
    """

    id = "E2013"
    source = (
        "https://docs.aws.amazon.com/general/latest/gr/aws_service_limits.html; of each limit: its row in "
        "neuron_cluster/catalog/data/limits.yaml"
    )
    references = ("aws-samples/sample-autonomous-cloud-coding-agents#852",)

    def check(self, plan: ClusterPlan, catalog: Catalog) -> Iterator[Violation]:
        for use in build_scale(plan, catalog):
            if use.is_exceeded and not (use.adjustable or use.advice or use.doubt or use.own_rule):
                yield Violation(
                    use.path,
                    f"{use.what} would have {use.used:,} {use.unit}; {use.limit:,} is the limit ({use.source})",
                    "ask for less, or use a second environment",
                )
