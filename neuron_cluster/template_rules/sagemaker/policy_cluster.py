from __future__ import annotations

from local_aws.cloudformation.values import Reference
from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.property_tree import at, text
from neuron_cluster.template_rules.sagemaker.hyperpod_cluster import CLUSTER, SLURM, has_orchestrator

POLICIES = ("AWS::SageMaker::ComputeQuota", "AWS::SageMaker::ClusterSchedulerConfig")


class PolicyCluster(TemplateRule):
    """Compute quotas and scheduler configurations refer to a HyperPod cluster on EKS (`ClusterArn`).

    A reference makes CloudFormation create them after the cluster and delete them before it; SageMaker does not delete
    a cluster that has some. The end of the ARN is known only after the cluster is created. Where the templates have no
    cluster, an ARN is accepted.

    Without this check the ARN is that of an earlier cluster or of an EKS cluster, and SageMaker rejects the policy.
    """

    id = "E8936"
    operation = "sagemaker:CreateComputeQuota"
    error_code = None
    source = (
        "cfn-lint 1.58.0: AWS::SageMaker::ComputeQuota ClusterArn, handlers; boto/botocore 1.44.5: sagemaker "
        "CreateComputeQuota, CreateClusterSchedulerConfig"
    )
    types = POLICIES

    def check(self, context: TemplateContext) -> Violations:
        value = at(context.resource.properties, "ClusterArn")
        clusters = list(context.look_up.resources(CLUSTER))
        cluster = context.look_up.referred(value)
        hint = f"write Fn::GetAtt with ClusterArn of an {CLUSTER}"
        if text(value) is not None and clusters:
            yield Violation("ClusterArn", f"is {value}, and not a reference to {clusters[0].logical_id}", hint)
        elif cluster is not None and isinstance(value, Reference):
            if cluster.type_name != CLUSTER:
                yield Violation("ClusterArn", f"refers to {cluster.logical_id}, an {cluster.type_name}", hint)
            elif has_orchestrator(cluster, SLURM):
                yield Violation(
                    "ClusterArn",
                    f"refers to {cluster.logical_id}, whose orchestrator is {SLURM}; policies are for clusters on EKS",
                    "remove the resource, or refer to a cluster on EKS",
                )
            elif value.attribute not in ("", "ClusterArn"):
                yield Violation("ClusterArn", f"is {value.attribute} of {cluster.logical_id}", hint)
