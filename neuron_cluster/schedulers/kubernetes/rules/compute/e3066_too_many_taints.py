from __future__ import annotations

from local_kubernetes.model.names import NEURON
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.node_group import node_groups


class TooManyTaints(Rule):
    """A node group has at most as many taints as EKS or HyperPod allows (`taints`).

    Neuron groups have one taint of the toolkit, which counts.

    Without this check EKS rejects the node group with InvalidParameterException, after the cluster has been created.
    """

    id = "E3066"
    source = (
        "https://docs.aws.amazon.com/eks/latest/userguide/node-taints-managed-node-groups.html; "
        "boto/botocore 1.44.5: sagemaker ClusterKubernetesTaints"
    )

    def check(self, context: RuleContext) -> Violations:
        for group in node_groups(context.environment):
            maximum = context.catalog.limits[group.taints_limit].maximum if group.taints_limit is not None else None
            yours = len(group.taints)
            count = yours + group.has_neuron_taint
            if maximum is not None and count > maximum:
                own = f" ({yours} of yours, and {NEURON}, which every Neuron group has)" if count > yours else ""
                yield Violation(
                    (*group.path, "taints"),
                    f"{group.name} would have {count} taints{own}; {group.service} allows {maximum}",
                    "remove taints; one taint with a team or purpose as its value can often replace several",
                )
