"""The execution role of HyperPod nodes: what SageMaker documents, and the scripts of this cluster."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from aws_cdk import aws_iam as iam
from constructs import Construct

from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.providers.hyperpod.life_cycle_script import PREFIX
from neuron_cluster.providers.hyperpod.plan.hyperpod_plan import HyperPodPlan
from stacks.constructs.acknowledgement import (
    acknowledge,
    acknowledge_policies,
    policy_of_one_role,
    wide_resource_findings,
)

WIDE = (
    "HyperPod's instances are in an account of SageMaker, and it makes the interfaces of nodes; describing calls and "
    "the token of ECR take no resource, and charts pull images from registries of several accounts."
)


def node_role(
    scope: Construct,
    plan: ClusterPlan,
    hyperpod: HyperPodPlan,
    bucket_arn: str,
    further: Mapping[str, iam.PolicyDocument] | None = None,
) -> iam.Role:
    """The role that SageMaker, and no other service, assumes. ``further`` are policies of the orchestrator."""
    cluster = plan.kubernetes.name if plan.kubernetes is not None else ""
    own = {"partition": plan.partition, "region": plan.region, "account": plan.account, "cluster": cluster}
    statements: list[dict[str, Any]] = [
        {
            "Effect": "Allow",
            "Action": list(statement.actions),
            "Resource": [_filled(resource, own) for resource in statement.resources],
        }
        for statement in hyperpod.role_statements
    ]
    scripts = f"{bucket_arn}/{PREFIX}/*"
    reads: list[dict[str, Any]] = [
        {"Effect": "Allow", "Action": "s3:GetObject", "Resource": scripts},
        {
            "Effect": "Allow",
            "Action": "s3:ListBucket",
            "Resource": bucket_arn,
            "Condition": {"StringLike": {"s3:prefix": f"{PREFIX}/*"}},
        },
    ]
    role = iam.Role(
        scope,
        "NodeRole",
        description=f"HyperPod nodes of {plan.name}" + ("; pods get their own roles" if plan.kubernetes else ""),
        assumed_by=iam.ServicePrincipal("sagemaker.amazonaws.com"),
        managed_policies=[iam.ManagedPolicy.from_aws_managed_policy_name(name) for name in hyperpod.role_policies],
        inline_policies={"Nodes": _document(statements), "Scripts": _document(reads), **(further or {})},
    )
    acknowledge_policies(role, hyperpod.role_policies)
    wide = {resource for statement in statements for resource in statement["Resource"] if "*" in resource}
    acknowledge(role, dict.fromkeys(wide_resource_findings(role, sorted(wide)), WIDE))
    acknowledge(role, dict.fromkeys(wide_resource_findings(role, [scripts]), "Scripts of this cluster, by digest."))
    acknowledge(role, policy_of_one_role())
    return role


def _filled(resource: str, values: Mapping[str, str]) -> str:
    """The ARN with the values of the environment."""
    for name, value in values.items():
        resource = resource.replace(f"<{name}>", value)
    return resource


def _document(statements: Sequence[Mapping[str, Any]]) -> iam.PolicyDocument:
    """Written as IAM reads it: one message to Node.js."""
    return iam.PolicyDocument.from_json({"Version": "2012-10-17", "Statement": list(statements)})
