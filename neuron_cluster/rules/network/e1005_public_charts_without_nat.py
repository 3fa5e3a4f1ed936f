"""Charts of public registries in a network that cannot reach them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.config.network import Nat
from neuron_cluster.rules.asked_node_group import asked_node_groups
from neuron_cluster.rules.base import ConfigRule, Problem
from neuron_cluster.rules.wording import listed
from neuron_cluster.software.chart_set import EFA_CHART, NEURON_CHART
from neuron_cluster.software.device_management import neuron_software

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.config.environment import EnvironmentConfig


class PublicChartsWithoutNat(ConfigRule):
    """A network without NAT installs no chart from a public registry.

    The kubectl function fetches charts, and nodes pull images, from inside the VPC. Endpoints reach AWS services in
    the Region; public.ecr.aws, registry.k8s.io and github.io are not among them.

    Without it: the network, the cluster and the nodes come up; then helm waits for a connection until the custom
    resource times out, and the software stack rolls back after most of an hour.
    """

    id = "E1005"
    source = "https://docs.aws.amazon.com/eks/latest/userguide/private-clusters.html"

    def check(self, config: EnvironmentConfig, catalog: Catalog) -> Iterator[Problem]:
        if config.network.nat is not Nat.NONE:
            return
        public = {
            switch: name
            for switch, name in _installed(config, catalog).items()
            if (chart := catalog.chart(name)) is not None and chart.public_registry
        }
        if public:
            charts = listed(dict.fromkeys(public.values()))
            switches = listed(f"eks.addons.{switch}: false" for switch in public)
            yield Problem(
                ("network", "nat"),
                f"nat is none, and {charts} would have to come from public registries, out of reach without NAT",
                f"set network.nat: single; or install the software yourself from a registry in the VPC's reach, with "
                f"{switches}",
            )


def _installed(config: EnvironmentConfig, catalog: Catalog) -> dict[str, str]:
    """The switches that are on, each with the chart that it installs."""
    if config.eks is None:
        return {}
    wish, groups = config.eks.addons, list(asked_node_groups(config, catalog))
    neuron = neuron_software(wish, has_neuron=any(group.is_neuron for group in groups))
    efa = wish.efa_device_plugin
    efa = any(group.has_efa for group in groups) if efa is None else efa
    asked_for_detector = neuron.detector and wish.neuron_node_problem_detector is not None
    # Without the driver the plugin would come by default.
    plugin = neuron.device_plugin or (neuron.dra_driver and wish.neuron_device_plugin is None)
    switches = {
        "neuron_device_plugin": (plugin, NEURON_CHART),
        "neuron_dra_driver": (neuron.dra_driver, NEURON_CHART),
        "neuron_node_problem_detector": (asked_for_detector, NEURON_CHART),
        "efa_device_plugin": (efa, EFA_CHART),
    }
    return {switch: chart for switch, (is_on, chart) in switches.items() if is_on}
