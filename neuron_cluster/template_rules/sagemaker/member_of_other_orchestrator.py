from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.property_tree import is_given
from neuron_cluster.template_rules.sagemaker.hyperpod_cluster import (
    CLUSTER,
    EKS,
    SLURM,
    InstanceGroup,
    groups_of,
    has_orchestrator,
)


class MemberOfOtherOrchestrator(TemplateRule):
    """Instance groups have settings of the orchestrator of their cluster alone (`KubernetesConfig`, `SlurmConfig`).

    KubernetesConfig, Spot and ImageReleaseVersion are for EKS, SlurmConfig is for Slurm.

    Without this check SageMaker may reject the cluster with a ValidationException (read from the model, not tried).
    """

    id = "E8927"
    operation = "sagemaker:CreateCluster"
    error_code = None
    source = (
        "boto/botocore 1.44.5: sagemaker ClusterInstanceGroupSpecification; "
        "https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-hyperpod-spot.html; "
        "cfn-lint 1.58.0: AWS::SageMaker::Cluster ImageReleaseVersion"
    )
    types = (CLUSTER,)

    def check(self, context: TemplateContext) -> Violations:
        for name, members in ((EKS, _of_slurm), (SLURM, _of_eks)):
            if has_orchestrator(context.resource, name):
                for group in groups_of(context.resource):
                    for member in members(group):
                        yield Violation(
                            f"{group.path}.{member}",
                            f"is set, and the orchestrator of the cluster is {name}",
                            f"remove {member}",
                        )


def _of_slurm(group: InstanceGroup) -> Iterator[str]:
    if is_given(group.at("SlurmConfig")):
        yield "SlurmConfig"


def _of_eks(group: InstanceGroup) -> Iterator[str]:
    yield from (name for name in ("KubernetesConfig", "ImageReleaseVersion") if is_given(group.at(name)))
    if group.is_on_spot:
        yield "CapacityRequirements.Spot"
