from __future__ import annotations

from neuron_cluster.findings.suggestions import did_you_mean, suggestions
from neuron_cluster.findings.text import quoted
from neuron_cluster.rules.base import Needs, Rule, RuleContext, Violation, Violations


class UnknownPrice(Rule):
    """Each key of `prices` is an instance type, or the name of a price that `cost` uses.

    Without this check a misspelt key has no effect: the sum keeps the catalog's price, or stays a lower bound.
    """

    id = "E6518"
    needs = Needs.PLAN
    source = "the design of this toolkit: `cost` looks prices up by these names"

    def check(self, context: RuleContext) -> Violations:
        catalog = context.catalog
        tables = (catalog.instance_types, catalog.hyperpod_types, catalog.training_job_types)
        types = [row.name for table in tables for row in table]
        rows = [row.name for row in (*catalog.service_prices, *catalog.storage_prices)]
        without_source = [use.name for each in context.plan.providers for use in each.unpriced_uses()]
        known = {*types, *(f"spot-{name}" for name in types), *rows, *without_source}
        for name in context.plan.prices:
            if name not in known:
                yield Violation(
                    ("prices", name),
                    f"{quoted(name)} is neither an instance type nor the name of a price",
                    f"{did_you_mean(suggestions(name, sorted(known))[:1])}`neuron-cluster catalog services` and "
                    "`neuron-cluster catalog prices` list the names",
                )
