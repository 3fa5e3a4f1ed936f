"""Environments that are deployed with edits, so that what these ask for need not come from four more deploys."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

ENVIRONMENT = "train-trn2"
EDITS: Mapping[str, Any] = {
    "eks.endpoint": {"access": "public_and_private", "public_access_cidrs": ["203.0.113.0/24"]},
    "eks.prefix_delegation": True,
    "eks.node_groups.0.ami_release": "1.35.6-20260714",
}
"""Edits by key path. They add no resource, so that the golden still names all of them."""
RESOURCES: Mapping[str, Any] = {
    "observability": {"metrics": "cloudwatch"},
    "eks.node_groups.0.availability_zone": "use2-az3",
    "eks.node_groups.0.placement": "cluster",
    "eks.addons.aws_load_balancer_controller": True,
    "eks.addons.neuron_monitor": True,
    "teams": [
        {
            "name": "research",
            "members": ["arn:aws:iam::111122223333:role/research"],
            "namespaces": [{"name": "research"}],
        }
    ],
}
"""Edits that bring resources, for which another cluster would be deployed."""
BROUGHT_TYPES = frozenset({"AWS::CloudWatch::Alarm", "AWS::CloudWatch::Dashboard", "AWS::EC2::PlacementGroup"})
BROUGHT = frozenset(
    {
        ("AWS::EC2::LaunchTemplate", "LaunchTemplateData/Placement/GroupName"),
        ("AWS::EKS::AccessEntry", "KubernetesGroups/*"),
        ("AWS::EKS::Cluster", "ResourcesVpcConfig/PublicAccessCidrs/*"),
        ("AWS::EKS::Addon", "ConfigurationValues"),
        ("AWS::EKS::Nodegroup", "ReleaseVersion"),
        *(
            ("AWS::IAM::Role", f"Policies/*/PolicyDocument/Statement/*/Condition/{condition}")
            for condition in (
                "ArnLike/ec2:Vpc/*",
                "Null/aws:RequestTag/elbv2.k8s.aws/cluster/*",
                "Null/aws:ResourceTag/elbv2.k8s.aws/cluster/*",
                "StringEquals/ec2:CreateAction/*",
                "StringEquals/elasticloadbalancing:CreateAction/*",
                "StringEquals/iam:AWSServiceName/*",
            )
        ),
        ("Custom::AWSCDK-EKS-HelmChart", "ChartAssetURL"),
    }
)
"""Properties of goldens of other environments that these edits add."""
OTHERS: Mapping[str, Mapping[str, Any]] = {"hyperpod-teams": {"eks.image_cache": True}}
"""Edits of further environments."""
BROUGHT_BY_OTHERS: Mapping[str, frozenset[str]] = {
    "hyperpod-teams": frozenset({"AWS::ECR::PullThroughCacheRule", "AWS::ECR::RepositoryCreationTemplate"})
}
"""Types whose every property comes with them."""
EDITED: Mapping[str, Mapping[str, Any]] = {ENVIRONMENT: {**EDITS, **RESOURCES}, **OTHERS}
TYPES_BROUGHT: Mapping[str, frozenset[str]] = {ENVIRONMENT: BROUGHT_TYPES, **BROUGHT_BY_OTHERS}
