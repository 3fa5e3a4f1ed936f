"""Neuron SDK releases that are not in the catalog."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.findings.suggestions import did_you_mean
from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


class UnknownNeuronSdk(ConfigRule):
    """The Neuron SDK is a release of the catalog (`neuron.sdk`).

    Images, driver versions and charts are derived from it.

    Without this check the driver version and the charts of the release are unknown, and synthesis fails.
    """

    id = "E6005"
    source = "https://awsdocs-neuron.readthedocs-hosted.com/en/latest/release-notes/"

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        config = environment.config
        if catalog.neuron_sdk(config.neuron.sdk) is None:
            newest = [row.name for row in catalog.neuron_sdks[:3]]
            yield Violation(
                ("neuron", "sdk"),
                f"sdk is {config.neuron.sdk}, which is not in the catalog; the newest releases are {listed(newest)}",
                f"{did_you_mean(catalog.similar_neuron_sdks(config.neuron.sdk))}"
                "`neuron-cluster catalog sdk` lists all releases",
            )
