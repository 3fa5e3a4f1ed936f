"""One change for each resource type of the environments that has a property which can be updated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

FLIPPED, FEWER, ANOTHER = "flipped", "fewer", "another"
"""The other truth value; the list without its last item; the value of another resource of the type."""
STATEMENT = {"Effect": "Deny", "Principal": "*", "Action": "s3:GetObject", "Resource": "*"}
CHANGES: Mapping[str, Mapping[str, Any]] = {
    "AWS::Backup::BackupPlan": {"BackupPlan": {"BackupPlanRule": [{"Lifecycle": {"DeleteAfterDays": 99}}]}},
    "AWS::Budgets::Budget": {"Budget": {"BudgetLimit": {"Amount": 1}}},
    "AWS::CloudWatch::Alarm": {"Threshold": 12345},
    "AWS::CloudWatch::Dashboard": {"DashboardBody": '{"widgets": []}'},
    "AWS::EC2::Instance": {"MetadataOptions": {"HttpPutResponseHopLimit": 2}},
    "AWS::EC2::LaunchTemplate": {"LaunchTemplateData": {"EbsOptimized": FLIPPED}},
    "AWS::EC2::SecurityGroupEgress": {"Description": "changed by hand"},
    "AWS::EC2::SecurityGroupIngress": {"Description": "changed by hand"},
    "AWS::EC2::Subnet": {"MapPublicIpOnLaunch": FLIPPED},
    "AWS::EC2::VPC": {"EnableDnsHostnames": FLIPPED},
    "AWS::EC2::VPCEndpoint": {"RouteTableIds": FEWER},
    "AWS::ECR::RepositoryCreationTemplate": {"Description": "changed by hand"},
    "AWS::EFS::FileSystem": {"ThroughputMode": "bursting"},
    "AWS::EKS::AccessEntry": {"KubernetesGroups": ["strangers"]},
    "AWS::EKS::Addon": {"ConfigurationValues": '{"replicaCount": 7}'},
    "AWS::EKS::Cluster": {"Logging": {"ClusterLogging": {"EnabledTypes": FEWER}}},
    "AWS::EKS::Nodegroup": {"ScalingConfig": {"MaxSize": 99}},
    "AWS::EKS::PodIdentityAssociation": {"RoleArn": ANOTHER},
    "AWS::FSx::DataRepositoryAssociation": {"S3": {"AutoExportPolicy": {"Events": ["NEW"]}}},
    "AWS::FSx::FileSystem": {"LustreConfiguration": {"DataCompressionType": "NONE"}},
    "AWS::IAM::Policy": {"PolicyDocument": {"Statement": [{"Effect": "Deny"}]}},
    "AWS::IAM::Role": {"Description": "changed by hand"},
    "AWS::KMS::Alias": {"TargetKeyId": ANOTHER},
    "AWS::KMS::Key": {"EnableKeyRotation": FLIPPED},
    "AWS::Lambda::Function": {"Timeout": 17},
    "AWS::Logs::LogGroup": {"RetentionInDays": 3653},
    "AWS::PCS::Cluster": {"SlurmConfiguration": {"ScaleDownIdleTimeInSeconds": 12345}},
    "AWS::PCS::ComputeNodeGroup": {"ScalingConfiguration": {"MaxInstanceCount": 7}},
    "AWS::PCS::Queue": {"ComputeNodeGroupConfigurations": FEWER},
    "AWS::S3::Bucket": {"PublicAccessBlockConfiguration": {"BlockPublicPolicy": FLIPPED}},
    "AWS::S3::BucketPolicy": {"PolicyDocument": {"Statement": [STATEMENT]}},
    "AWS::S3Express::BucketPolicy": {"PolicyDocument": {"Statement": [{"Action": "s3express:CreateSession"}]}},
    "AWS::S3Express::DirectoryBucket": {"LifecycleConfiguration": {"Rules": [{"Status": "Disabled"}]}},
    "AWS::SSM::Parameter": {"Value": "changed by hand"},
}
"""A type that is not here is changed by its tags; one that has no tags has no property that can be updated without
another resource, and is deleted."""


def changed(value: Any, change: Any, another: Any = None) -> Any:
    """The value with the change; ``another`` is that of another resource."""
    if change is FLIPPED:
        return str(value).lower() != "true"
    if change is FEWER:
        return value[:-1]
    if change is ANOTHER:
        return another
    if isinstance(change, Mapping):
        before = value or {}
        after = {name: changed(before.get(name), part, (another or {}).get(name)) for name, part in change.items()}
        return {**before, **after}
    if isinstance(change, list) and isinstance(value, list) and value and isinstance(value[0], Mapping):
        pairs = zip(value, change, strict=False)
        return [*(changed(each, part) for each, part in pairs), *value[len(change) :]]
    return change
