"""Neuron node groups without the Neuron device plugin."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.findings.text import listed
from neuron_cluster.providers.eks.config.cluster import Eks
from neuron_cluster.providers.eks.node_groups import node_groups
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


class NeuronNodesWithoutDevicePlugin(ConfigRule):
    """Neuron node groups require the Neuron device plugin (`eks.addons.neuron_device_plugin`).

    Only a warning: you may install your own.

    Without this check AWS reports no error. Pods that request aws.amazon.com/neuron remain Pending with "Insufficient
    aws.amazon.com/neuron", on nodes that are billed.
    """

    id = "W5001"
    source = "https://docs.aws.amazon.com/eks/latest/userguide/device-management-neuron.html"
    references = (
        "eksctl-io/eksctl#3617",
        "aws/aws-cdk#29131",
        "aws/aws-cdk#27427",
        "aws-neuron/aws-neuron-sdk#415",
        "aws-neuron/aws-neuron-sdk#425",
        "aws-neuron/aws-neuron-sdk#432",
    )

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        eks = environment.config.section(Eks)
        if eks is None or eks.addons.neuron_device_plugin is not False:
            return
        if groups := [group.name for group in node_groups(environment) if group.is_neuron]:
            yield Violation(
                ("eks", "addons", "neuron_device_plugin"),
                f"neuron_device_plugin is false, so the nodes of {listed(groups)} offer no aws.amazon.com/neuron",
                "remove neuron_device_plugin, unless you install your own device plugin",
            )
