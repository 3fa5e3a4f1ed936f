from __future__ import annotations

from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.node_group import node_groups
from neuron_cluster.schedulers.kubernetes.section import kubernetes_in


class EfaNodesWithoutDevicePlugin(Rule):
    """EFA node groups require the EFA device plugin (`eks.addons.efa_device_plugin`).

    Only a warning: you may install your own.

    Without this check AWS reports no error. Pods that request vpc.amazonaws.com/efa remain Pending; pods that do not
    request it run their collectives over TCP, many times slower, without an error.
    """

    id = "W5002"
    source = "https://docs.aws.amazon.com/eks/latest/userguide/device-management-efa.html"
    proposes = ("efa_device_plugin", "eks", "installed_otherwise")
    references = ("aws/deep-learning-containers#2675",)

    def check(self, context: RuleContext) -> Violations:
        cluster = kubernetes_in(context.environment.config)
        if cluster is None or cluster.flag("efa_device_plugin") is not False:
            return
        if "efa_device_plugin" in cluster.section.installed_otherwise:
            return
        groups = [group for group in node_groups(context.environment) if group.has_efa]
        if groups:
            yield Violation(
                (*cluster.path, "addons", "efa_device_plugin"),
                f"efa_device_plugin is false, so the nodes of {listed(group.name for group in groups)} offer no "
                "vpc.amazonaws.com/efa",
                f"remove efa_device_plugin; or, if you install it yourself, set {cluster.key('installed_otherwise')}: "
                "[efa_device_plugin]",
            )
