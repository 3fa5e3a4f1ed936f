"""Every part that can exist does: no resource of any template changes one of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.existing_vpc import ALL_EXISTING, KEY, VPC

Templates = dict[str, Any]

REFERENCES = {
    VPC: {
        "AWS::EC2::SecurityGroup": {"VpcId"},
        "AWS::EC2::VPCEndpoint": {"VpcId"},
        "Custom::AWSCDK-EKS-HelmChart": {"Values"},
    },
    "subnet-0123456789abcdef": {
        "AWS::EC2::VPCEndpoint": {"SubnetIds"},
        "AWS::EKS::Cluster": {"ResourcesVpcConfig"},
        "AWS::EKS::Nodegroup": {"Subnets"},
        "AWS::Lambda::Function": {"VpcConfig"},
    },
    "team-checkpoints": {
        "AWS::IAM::Role": {"Policies"},
        "AWS::IAM::Policy": {"PolicyDocument"},
        "Custom::AWSCDK-EKS-KubernetesResource": {"Manifest"},
        "Custom::AWSCDK-EKS-HelmChart": {"Values"},
    },
    f"{KEY}/0000": {"AWS::IAM::Role": {"Policies"}, "AWS::IAM::Policy": {"PolicyDocument"}},
    f"{KEY}/9999": {
        "AWS::EC2::Volume": {"KmsKeyId"},
        "AWS::IAM::Role": {"Policies"},
        "AWS::IAM::Policy": {"PolicyDocument"},
    },
    "fs-0123456789abcdef0": {
        "AWS::CloudWatch::Alarm": {"Dimensions", "Metrics"},
        "AWS::CloudWatch::Dashboard": {"DashboardBody"},
        "Custom::AWSCDK-EKS-KubernetesResource": {"Manifest"},
        "Custom::AWSCDK-EKS-HelmChart": {"Values"},
    },
    "sg-0123456789abcdef0": {
        "AWS::EC2::SecurityGroupEgress": {"DestinationSecurityGroupId"},
        "AWS::EC2::SecurityGroupIngress": {"SourceSecurityGroupId"},
    },
}
"""The types that may name a part, by its id, and the properties in which it changes nothing of that part."""


@pytest.fixture(scope="module")
def templates(templates_of: Callable[..., Templates]) -> Templates:
    return templates_of("train-trn1", ALL_EXISTING)


def named_in(templates: Templates, part: str) -> Iterator[tuple[str, str]]:
    """Type and property of each place that has the id."""
    for template in templates.values():
        for resource in template["Resources"].values():
            for name, value in resource.get("Properties", {}).items():
                if part in json.dumps(value):
                    yield resource["Type"], name


@pytest.mark.parametrize("part", REFERENCES)
def test_a_part_is_named_only_where_nothing_of_it_is_changed(templates: Templates, part: str) -> None:
    found = set(named_in(templates, part))
    assert found, part
    allowed = {(kind, name) for kind, names in REFERENCES[part].items() for name in names}
    assert sorted(found - allowed) == []


def test_nothing_is_created_in_the_place_of_a_part(templates: Templates) -> None:
    types = {each["Type"] for template in templates.values() for each in template["Resources"].values()}
    assert types.isdisjoint({
        "AWS::EC2::VPC", "AWS::EC2::Subnet", "AWS::EC2::NatGateway", "AWS::EC2::Route", "AWS::EC2::FlowLog",
        "AWS::S3::Bucket", "AWS::S3::BucketPolicy", "AWS::FSx::FileSystem", "AWS::FSx::DataRepositoryAssociation",
    })  # fmt: skip
