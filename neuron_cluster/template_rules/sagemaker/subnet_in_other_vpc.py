from __future__ import annotations

from collections.abc import Iterator

from local_aws.cloudformation.values import Reference
from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.property_tree import at, items, text
from neuron_cluster.template_rules.sagemaker.hyperpod_cluster import CLUSTER, subnets_of
from neuron_cluster.template_rules.template_resource import TemplateResource

EKS_CLUSTER = "AWS::EKS::Cluster"
OF_CLUSTER = ":cluster/"


class SubnetInOtherVpc(TemplateRule):
    """Subnets of a HyperPod cluster are in the VPC of its EKS cluster (`VpcConfig`, `OverrideVpcConfig`).

    Clusters, subnets and VPCs outside of the templates are not compared.

    Without this check nodes do not reach the endpoint of the EKS cluster, and the cluster ends in Failed: instance
    bootstrap failed due to network misconfiguration.
    """

    id = "E8939"
    operation = "sagemaker:CreateCluster"
    error_code = None
    source = (
        "https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-hyperpod-eks-prerequisites.html; "
        "awslabs/agent-plugins@ef84ee3: plugins/sagemaker-ai/skills/hyperpod-cluster-debugger/references/"
        "cloudformation-errors.md"
    )
    types = (CLUSTER,)

    def check(self, context: TemplateContext) -> Violations:
        resource, look_up = context.resource, context.look_up
        expected = next(_vpcs_of_eks(resource, look_up), None)
        if expected is None:
            return
        for path, subnet in subnets_of(resource, look_up):
            vpc = look_up.referred(subnet.properties.get("VpcId"))
            if vpc is not None and vpc is not expected:
                yield Violation(
                    path,
                    f"{subnet.logical_id} is in the VPC {vpc.logical_id}, and the EKS cluster in {expected.logical_id}",
                    f"write a subnet of {expected.logical_id}",
                )


def _vpcs_of_eks(cluster: TemplateResource, look_up: LookUp) -> Iterator[TemplateResource]:
    """Yields the VPC of each subnet of the EKS cluster: all are the same one."""
    arn = at(cluster.properties, "Orchestrator", "Eks", "ClusterArn")
    for eks in look_up.resources(EKS_CLUSTER):
        if look_up.referred(arn) is eks if isinstance(arn, Reference) else _is_named(eks, arn):
            for subnet in items(at(eks.properties, "ResourcesVpcConfig", "SubnetIds")):
                found = look_up.referred(subnet)
                vpc = look_up.referred(found.properties.get("VpcId")) if found is not None else None
                if vpc is not None:
                    yield vpc


def _is_named(eks: TemplateResource, arn: object) -> bool:
    name = text(eks.properties.get("Name"))
    return name is not None and (text(arn) or "").endswith(f"{OF_CLUSTER}{name}")
