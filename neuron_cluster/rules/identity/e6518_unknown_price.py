"""Own prices of what nothing is billed by."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.findings.suggestions import did_you_mean, suggestions
from neuron_cluster.findings.text import quoted
from neuron_cluster.rules.base import PlanRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.plan.cluster_plan import ClusterPlan


class UnknownPrice(PlanRule):
    """Each key of `prices` is an instance type, or the name of a price that `cost` uses.

    Without this check a misspelt key has no effect: the sum keeps the catalog's price, or stays a lower bound.
    """

    id = "E6518"
    source = "the design of this toolkit: `cost` looks prices up by these names"

    def check(self, plan: ClusterPlan, catalog: Catalog) -> Iterator[Violation]:
        types = [row.name for row in catalog.instance_types]
        rows = [row.name for row in (*catalog.service_prices, *catalog.storage_prices)]
        without_source = [use.name for each in plan.providers for use in each.unpriced_uses()]
        known = {*types, *(f"spot-{name}" for name in types), *rows, *without_source}
        for name in plan.prices:
            if name not in known:
                yield Violation(
                    ("prices", name),
                    f"{quoted(name)} is neither an instance type nor the name of a price",
                    f"{did_you_mean(suggestions(name, sorted(known))[:1])}`neuron-cluster catalog services` and "
                    "`neuron-cluster catalog prices` list the names",
                )
