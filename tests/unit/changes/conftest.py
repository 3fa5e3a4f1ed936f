"""Three small stacks, made by hand: what is cut from an environment so that every reference between stacks is there."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[3] / "tools"))  # for hint_commands


def published(name: str, value: Any) -> dict[str, Any]:
    return {"Value": value, "Export": {"Name": name}}


def imported(name: str) -> dict[str, str]:
    return {"Fn::ImportValue": name}


def network() -> dict[str, Any]:
    subnet = {"VpcId": {"Ref": "Vpc"}}
    return {
        "Resources": {
            "Vpc": {"Type": "AWS::EC2::VPC", "Properties": {"CidrBlock": "10.20.0.0/16"}},
            "SubnetA": {
                "Type": "AWS::EC2::Subnet",
                "Properties": subnet | {"CidrBlock": "10.20.0.0/19", "AvailabilityZoneId": "usw2-az4"},
            },
            "SubnetB": {
                "Type": "AWS::EC2::Subnet",
                "Properties": subnet | {"CidrBlock": "10.20.32.0/19", "AvailabilityZoneId": "usw2-az1"},
            },
        },
        "Outputs": {
            "A": published("net:a", {"Ref": "SubnetA"}),
            "B": published("net:b", {"Fn::GetAtt": ["SubnetB", "SubnetId"]}),
        },
    }


def storage() -> dict[str, Any]:
    retained = {"DeletionPolicy": "RetainExceptOnCreate", "UpdateReplacePolicy": "Retain"}
    return {
        "Resources": {
            "Key": {"Type": "AWS::KMS::Key", "Properties": {"Description": "data"}, **retained},
            "Bucket": {"Type": "AWS::S3::Bucket", "Properties": {}, **retained},
            "Lustre": {
                "Type": "AWS::FSx::FileSystem",
                "Properties": {
                    "FileSystemType": "LUSTRE",
                    "KmsKeyId": {"Fn::GetAtt": ["Key", "Arn"]},
                    "StorageCapacity": 4800,
                    "SubnetIds": [imported("net:a")],
                    "LustreConfiguration": {"DeploymentType": "PERSISTENT_2", "PerUnitStorageThroughput": 250},
                },
                **retained,
            },
            "Sync": {
                "Type": "AWS::FSx::DataRepositoryAssociation",
                "Properties": {
                    "FileSystemId": {"Ref": "Lustre"},
                    "FileSystemPath": "/checkpoints",
                    "DataRepositoryPath": {"Fn::Sub": "s3://${Bucket}/checkpoints/"},
                },
            },
        },
    }


def cluster() -> dict[str, Any]:
    return {
        "Resources": {
            "ClusterKey": {"Type": "AWS::KMS::Key", "Properties": {"Description": "secrets"}},
            "Cluster": {
                "Type": "AWS::EKS::Cluster",
                "Properties": {
                    "Name": "train",
                    "Version": "1.35",
                    "RoleArn": "arn:aws:iam::111122223333:role/cluster",
                    "EncryptionConfig": [{"Provider": {"KeyArn": {"Fn::GetAtt": ["ClusterKey", "Arn"]}}}],
                    "KubernetesNetworkConfig": {"ServiceIpv4Cidr": "172.20.0.0/16"},
                    "ResourcesVpcConfig": {"SubnetIds": [imported("net:a"), imported("net:b")]},
                },
            },
            "Template": {
                "Type": "AWS::EC2::LaunchTemplate",
                "Properties": {"LaunchTemplateData": {"InstanceType": "trn1.32xlarge"}},
            },
            "Nodes": {
                "Type": "AWS::EKS::Nodegroup",
                "Properties": {
                    "NodegroupName": "trn1-11111111",
                    "ClusterName": {"Ref": "Cluster"},
                    "AmiType": "AL2023_x86_64_NEURON",
                    "CapacityType": "ON_DEMAND",
                    "LaunchTemplate": {
                        "Id": {"Ref": "Template"},
                        "Version": {"Fn::GetAtt": ["Template", "LatestVersionNumber"]},
                    },
                    "Subnets": [imported("net:b")],
                },
            },
        },
    }


Stacks = dict[str, dict[str, Any]]


@pytest.fixture
def deployed() -> Stacks:
    """The stacks as they stand."""
    return {"net": network(), "storage": storage(), "cluster": cluster()}


@pytest.fixture
def new() -> Stacks:
    """The same stacks, for a test to edit."""
    return {"net": network(), "storage": storage(), "cluster": cluster()}
