from __future__ import annotations

from neuron_cluster.findings.suggestions import did_you_mean
from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class UnknownNeuronSdk(Rule):
    """The Neuron SDK is a release of the catalog (`neuron.sdk`).

    Images, driver versions and charts are derived from it.

    Without this check the driver version and the charts of the release are unknown, and synthesis fails.
    """

    id = "E6005"
    source = "https://awsdocs-neuron.readthedocs-hosted.com/en/latest/release-notes/"

    def check(self, context: RuleContext) -> Violations:
        config = context.environment.config
        if context.catalog.neuron_sdks.get(config.neuron.sdk) is None:
            newest = [row.name for row in context.catalog.neuron_sdks.rows[:3]]
            yield Violation(
                ("neuron", "sdk"),
                f"sdk is {config.neuron.sdk}, which is not in the catalog; the newest releases are {listed(newest)}",
                f"{did_you_mean(context.catalog.neuron_sdks.similar(config.neuron.sdk))}"
                "`neuron-cluster catalog sdk` lists all releases",
            )
