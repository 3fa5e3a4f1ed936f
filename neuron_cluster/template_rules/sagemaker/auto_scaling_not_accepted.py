from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.property_tree import at, is_given
from neuron_cluster.template_rules.sagemaker.hyperpod_cluster import CLUSTER, groups_of, is_continuous

OF_GROUPS = ("TrainingPlanArn", "OnStartDeepHealthChecks")


class AutoScalingNotAccepted(TemplateRule):
    """A cluster that Karpenter scales has what HyperPod requires for it (`AutoScaling`).

    It has a ClusterRole, NodeRecovery that is not None and NodeProvisioningMode Continuous, and no group with a
    training plan or deep health checks.
    """

    id = "E8933"
    operation = "sagemaker:CreateCluster"
    error_code = "ValidationException"
    source = "https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-hyperpod-eks-autoscaling.html"
    types = (CLUSTER,)

    def check(self, context: TemplateContext) -> Violations:
        resource = context.resource
        if at(resource.properties, "AutoScaling", "Mode") != "Enable":
            return
        if at(resource.properties, "ClusterRole") is None:
            yield Violation(
                "ClusterRole",
                "is not set, and AutoScaling.Mode is Enable",
                "write ClusterRole: a role that hyperpod.sagemaker.amazonaws.com may assume",
            )
        if at(resource.properties, "NodeRecovery") == "None":
            yield Violation("NodeRecovery", "is None, and AutoScaling.Mode is Enable", "write NodeRecovery: Automatic")
        if is_continuous(resource) is False:
            yield Violation(
                "NodeProvisioningMode",
                "is not Continuous, and AutoScaling.Mode is Enable",
                "write NodeProvisioningMode: Continuous",
            )
        for group in groups_of(resource):
            for name in OF_GROUPS:
                if is_given(group.at(name)):
                    yield Violation(f"{group.path}.{name}", "is set, and AutoScaling.Mode is Enable", f"remove {name}")
