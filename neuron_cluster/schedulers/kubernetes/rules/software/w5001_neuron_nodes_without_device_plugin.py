from __future__ import annotations

from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.node_group import node_groups
from neuron_cluster.schedulers.kubernetes.section import kubernetes_in


class NeuronNodesWithoutDevicePlugin(Rule):
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

    def check(self, context: RuleContext) -> Violations:
        cluster = kubernetes_in(context.environment.config)
        if cluster is None or cluster.flag("neuron_device_plugin") is not False:
            return
        if groups := [group.name for group in node_groups(context.environment) if group.is_neuron]:
            yield Violation(
                (*cluster.path, "addons", "neuron_device_plugin"),
                f"neuron_device_plugin is false, so the nodes of {listed(groups)} offer no aws.amazon.com/neuron",
                "remove neuron_device_plugin, unless you install your own device plugin",
            )
