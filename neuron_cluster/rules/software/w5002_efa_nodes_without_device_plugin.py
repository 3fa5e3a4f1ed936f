"""EFA nodes that offer no interface."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from neuron_cluster.rules.asked_node_group import asked_node_groups
from neuron_cluster.rules.base import ConfigRule, Problem
from neuron_cluster.rules.wording import listed
from neuron_cluster.software.chart_set import EFA_CHART

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.config.environment import EnvironmentConfig
    from neuron_cluster.rules.asked_node_group import AskedNodeGroup


class EfaNodesWithoutDevicePlugin(ConfigRule):
    """Node groups with EFA come with the EFA device plugin.

    Only a warning: you may install one of your own.

    Without it: AWS answers nothing. Pods that ask for vpc.amazonaws.com/efa stay Pending; pods that do not ask run
    their collectives over TCP, many times slower, and nothing says so.
    """

    id = "W5002"
    source = "https://docs.aws.amazon.com/eks/latest/userguide/device-management-efa.html"
    threads = ("aws/deep-learning-containers#2675",)

    def check(self, config: EnvironmentConfig, catalog: Catalog) -> Iterator[Problem]:
        if config.eks is None or config.eks.addons.efa_device_plugin is not False:
            return
        groups = [asked for asked in asked_node_groups(config, catalog) if asked.has_efa]
        if groups:
            yield Problem(
                ("eks", "addons", "efa_device_plugin"),
                f"efa_device_plugin is false, so the nodes of {listed(asked.group.name for asked in groups)} offer no "
                "vpc.amazonaws.com/efa",
                _way_out(groups, catalog),
            )


def _way_out(groups: Sequence[AskedNodeGroup], catalog: Catalog) -> str:
    """The chart's own plugin, unless it would pass over one of the types (rule E5006)."""
    chart = catalog.chart(EFA_CHART)
    types = dict.fromkeys(asked.group.instance_type for asked in groups)
    unknown = [name for name in types if chart is not None and name not in chart.instance_types]
    if unknown:
        return f"{EFA_CHART} does not know {listed(unknown)} yet: install a device plugin that does"
    return "remove the line, unless you install a device plugin of your own"
