from __future__ import annotations

from neuron_cluster.findings.suggestions import did_you_mean
from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class UnknownRegion(Rule):
    """The Region is in the catalog, with its partition and zones (`region`).

    Without this check the CDK CLI reports "Could not connect to the endpoint URL", or AWS returns
    UnrecognizedClientException for a Region that is not enabled in the account.
    """

    id = "E6001"
    source = "https://docs.aws.amazon.com/global-infrastructure/latest/regions/aws-regions.html"

    def check(self, context: RuleContext) -> Violations:
        catalog = context.catalog
        config = context.environment.config
        if catalog.regions.get(config.region) is not None:
            return
        neuron = [
            r.name for r in catalog.regions if any(t.chip and t.zone_ids.get(r.name) for t in catalog.instance_types)
        ]
        yield Violation(
            ("region",),
            f"region is {config.region}, which is not in the catalog",
            f"{did_you_mean(catalog.regions.similar(config.region))}Regions with Neuron instances: {listed(neuron)}",
        )
