"""Values that a switch decides."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.chart_values import value_at
from neuron_cluster.rules.base import ConfigRule, Problem
from neuron_cluster.software.charts_of_switches import VALUES_OF_SWITCHES

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.config.environment import EnvironmentConfig


class ValueOfASwitch(ConfigRule):
    """Parts of charts are turned on and off by the switches of eks.addons, and not by chart_values.

    Without it: the Neuron chart has two releases, and both would get the value: with the DRA driver on, a release drops
    device plugin and detector without a word, and nodes end with both ways to hand out devices, or none.
    """

    id = "E5034"
    source = "https://github.com/aws-neuron/neuron-helm-charts (charts/neuron-helm-chart/templates, 1.9.0)"

    def check(self, config: EnvironmentConfig, catalog: Catalog) -> Iterator[Problem]:
        del catalog
        if config.eks is None:
            return
        for chart, values in config.eks.chart_values.items():
            for path, switch in VALUES_OF_SWITCHES.get(chart, {}).items():
                if value_at(values, path) is not None:
                    yield Problem(
                        ("eks", "chart_values", chart, *path.split(".")),
                        f"{path} of {chart} follows from eks.addons.{switch}",
                        f"remove the line, and set eks.addons.{switch}",
                    )
