from __future__ import annotations

from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.node_group import node_groups
from neuron_cluster.schedulers.kubernetes.section import kubernetes_in

FLAG = "neuron_ultraserver_operator"


class UltraserverOperatorRequirements(Rule):
    """The UltraServer operator has the instance types that AWS documents (`eks.addons.neuron_ultraserver_operator`).

    Only a warning: the page names Trn3 UltraServers and m5.24xlarge for the controller, and does not say what happens
    with others.

    Without this check AWS reports no error. The operator may allocate nothing, or its controller may lack processors
    and memory on a small node.
    """

    id = "W5093"
    source = "aws-neuron/aws-neuron-sdk: deploy/eks/ultraserver-operator.rst"
    proposes = ("neuron_ultraserver_operator",)

    def check(self, context: RuleContext) -> Violations:
        cluster = kubernetes_in(context.environment.config)
        if cluster is None or not cluster.flag("neuron_ultraserver_operator"):
            return
        messages, ways = [], []
        groups = node_groups(context.environment)
        fits = context.catalog.limits["ultraserver_operator_type"]
        neuron = [group for group in groups if group.is_neuron]
        if neuron and not any(fits.problem_with(group.spec.instance_type) is None for group in neuron):
            types = listed(dict.fromkeys(group.spec.instance_type for group in neuron))
            messages.append(f"for Trn3 UltraServers, and the file has {types}")
        minimum = context.catalog.limits["ultraserver_operator_vcpus"].require_minimum()
        known = [row.vcpus or 0 for group in groups if not group.is_neuron and (row := group.instance_type) is not None]
        if known and max(known) < minimum:
            messages.append(
                f"with its controller on m5.24xlarge or larger ({minimum} vCPUs), and the largest node without Neuron "
                f"devices has {max(known)}"
            )
            ways.append(f"add a node group without taints whose nodes have {minimum} vCPUs")
        if messages:
            message = f"AWS documents {FLAG} {'; '.join(messages)}"
            yield Violation((*cluster.path, "addons", FLAG), message, ", or ".join((*ways, f"remove {FLAG}")))
