"""Findings of policy checks in the parts of a cluster that CDK generates without properties to change them."""

from __future__ import annotations

import json

import aws_cdk as cdk
from aws_cdk import aws_eks_v2 as eks
from constructs import IConstruct

from stacks.constructs.acknowledgement import (
    acknowledge,
    in_checkov,
    managed_policy_finding,
    of_custom_resource,
    policy_of_one_role,
)

PULLS_PUBLIC_CHARTS = "AmazonElasticContainerRegistryPublicReadOnly"

FUNCTION_POLICIES = {
    "service-role/AWSLambdaBasicExecutionRole": "The functions write their own logs; CDK attaches the policy.",
    "service-role/AWSLambdaVPCAccessExecutionRole": "EC2 gives no narrower way to join a VPC; CDK attaches the policy.",
    "AmazonEC2ContainerRegistryReadOnly": "Charts may come from any private registry of the account; read only.",
}


def acknowledge_cdk_generated_resources(cluster: eks.Cluster) -> None:
    """Records on the cluster why the findings in CDK's own roles and functions are accepted."""
    acknowledge(
        cluster.role,
        {managed_policy_finding("AmazonEKSClusterPolicy"): "The control plane's rights, kept in step with EKS by AWS."},
    )
    provider = cluster.node.find_child("KubectlProvider")
    acknowledge(
        provider,
        {managed_policy_finding(name): reason for name, reason in FUNCTION_POLICIES.items()}
        | policy_of_one_role("CDK writes the rights of its functions beside their roles, with no choice.")
        | of_custom_resource()
        | in_checkov(173, "The variables name a function and a role; Lambda encrypts them with its own key."),
    )
    handler = provider.node.find_child("Handler")
    acknowledge(
        handler,
        {
            _conditional_policy_finding(handler): "Charts come from public registries; read only.",
            "AwsSolutions-L1": "CDK pins the runtime with which it tests the function's code.",
        },
    )
    any_version = f"AwsSolutions-IAM5[Resource::<{_logical_id(handler)}.Arn>:*]"
    acknowledge(
        provider.node.find_child("Provider"),
        {any_version: "The framework calls any version of the one function that runs kubectl."},
    )


def _conditional_policy_finding(handler: IConstruct) -> str:
    condition = handler.node.find_child("HasEcrPublic")
    arn = ["arn:", {"Ref": "AWS::Partition"}, f":iam::aws:policy/{PULLS_PUBLIC_CHARTS}"]
    choice = {"Fn::If": [_logical_id(condition), {"Fn::Join": ["", arn]}, {"Ref": "AWS::NoValue"}]}
    return f"AwsSolutions-IAM4[Policy::{json.dumps(choice, separators=(',', ':'))}]"


def _logical_id(construct: IConstruct) -> str:
    """As in the template."""
    element = construct if isinstance(construct, cdk.CfnElement) else construct.node.default_child
    if not isinstance(element, cdk.CfnElement):
        raise TypeError(f"{construct.node.path} is no single element of a template")
    return str(cdk.Stack.of(construct).resolve(element.logical_id))
