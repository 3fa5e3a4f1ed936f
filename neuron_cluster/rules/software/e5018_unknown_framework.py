"""Frameworks that nobody here knows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.near_names import did_you_mean
from neuron_cluster.rules.base import ConfigRule, Problem

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.config.environment import EnvironmentConfig


class UnknownFramework(ConfigRule):
    """Every framework is one that the catalog knows.

    Without it: AWS is not even asked: nothing says on which chips, and with which Neuron SDK, the framework runs.
    """

    id = "E5018"
    source = "https://awsdocs-neuron.readthedocs-hosted.com/en/latest/frameworks/"

    def check(self, config: EnvironmentConfig, catalog: Catalog) -> Iterator[Problem]:
        for position, name in enumerate(config.neuron.frameworks):
            if catalog.framework(name) is None:
                yield Problem(
                    ("neuron", "frameworks", position),
                    f"{name} is not a framework that the catalog knows",
                    f"{did_you_mean(catalog.near_frameworks(name))}`neuron-cluster catalog frameworks` lists the "
                    "known ones",
                )
