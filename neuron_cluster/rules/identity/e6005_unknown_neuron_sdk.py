"""Releases of the Neuron SDK."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.findings.suggestions import did_you_mean
from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.environment import ResolvedEnvironment


class UnknownNeuronSdk(ConfigRule):
    """The Neuron SDK is a release that the catalog knows.

    Images, driver versions and charts are derived from it.

    Without this check AWS receives no request: nothing says which driver and charts belong to the release.
    """

    id = "E6005"
    source = "https://awsdocs-neuron.readthedocs-hosted.com/en/latest/release-notes/"

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        config = environment.config
        if catalog.neuron_sdk(config.neuron.sdk) is None:
            newest = [row.name for row in catalog.neuron_sdks[:3]]
            yield Violation(
                ("neuron", "sdk"),
                f"sdk is {config.neuron.sdk}, which the catalog does not know; its newest are {listed(newest)}",
                f"{did_you_mean(catalog.near_neuron_sdks(config.neuron.sdk))}"
                "`neuron-cluster catalog sdk` lists the known ones",
            )
