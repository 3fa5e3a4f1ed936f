"""Instance types that are newer than the device plugins."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.rules.asked_node_group import asked_node_groups
from neuron_cluster.rules.base import ConfigRule, Problem
from neuron_cluster.software.chart_set import EFA_CHART, NEURON_CHART

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.config.environment import EnvironmentConfig


class TypePassedOverByPlugins(ConfigRule):
    """Every device plugin knows the instance types whose devices it is to offer.

    The charts run their plugin only on the types of a list of their own, which every new type is missing from at
    first. The catalog has the list of the version that is installed.

    Without it: AWS answers nothing. The DaemonSet wants 0 nodes, without any event; pods that ask for the device stay
    Pending on nodes that have it, and collectives that do not ask run over TCP.
    """

    id = "E5006"
    source = (
        "aws-neuron/neuron-helm-charts: charts/neuron-helm-chart/values.yaml (neuronInstances); "
        "https://github.com/aws/eks-charts/blob/master/stable/aws-efa-k8s-device-plugin/values.yaml"
    )
    threads = (
        "aws/eks-charts#1183",
        "aws/eks-charts#1348",
        "aws/eks-charts#1358",
        "aws/sagemaker-hyperpod-cli#444",
        "aws-samples/aws-do-eks#56",
        "eksctl-io/eksctl#2329",
        "eksctl-io/eksctl#5090",
        "eksctl-io/eksctl#8089",
    )

    def check(self, config: EnvironmentConfig, catalog: Catalog) -> Iterator[Problem]:
        if config.eks is None:
            return
        addons = config.eks.addons
        neuron = catalog.chart(NEURON_CHART) if addons.neuron_device_plugin is not False else None
        efa = catalog.chart(EFA_CHART) if addons.efa_device_plugin is not False else None
        for asked in asked_node_groups(config, catalog):
            for chart, switch, has_device in (
                (neuron, "neuron_device_plugin", asked.is_neuron),
                (efa, "efa_device_plugin", asked.is_neuron and asked.has_efa),
            ):
                name = asked.instance_type.name if asked.instance_type is not None else ""
                if chart is not None and has_device and name not in chart.instance_types:
                    yield Problem(
                        (*asked.path, "instance_type"),
                        f"{chart.name} {chart.version} does not know {name}, so its plugin would not run on the nodes "
                        f"of {asked.group.name}",
                        f"take another type; or set eks.addons.{switch}: false and install a plugin that knows it",
                    )
