"""A stack with a few resources of which each is read in another way: by its own call, by one of many, by sections."""

from __future__ import annotations

import json
from typing import Any

from neuron_cluster.aws.cloudformation import create_stack
from neuron_cluster.plan.stack_description import stack_description

from .conftest import Deployed, Environment

NAME, PART = "dev-inf2", "network"


def _policy(actions: list[str], **others: Any) -> dict[str, Any]:
    statement = {"Effect": "Allow", "Action": actions, "Resource": "*", **others}
    return {"Version": "2012-10-17", "Statement": [statement]}


ROOT = {"AWS": {"Fn::Sub": "arn:aws:iam::${AWS::AccountId}:root"}}
TRUST = {
    "Version": "2012-10-17",
    "Statement": [{"Effect": "Allow", "Action": "sts:AssumeRole", "Principal": {"Service": "ec2.amazonaws.com"}}],
}
KEY_ARN = {"Fn::GetAtt": ["Key", "Arn"]}
RULE = {"IpProtocol": "tcp", "FromPort": 443, "ToPort": 443, "CidrIp": "10.0.0.0/16"}
RESOURCES: dict[str, tuple[str, dict[str, Any]]] = {
    "Key": ("AWS::KMS::Key", {"KeyPolicy": _policy(["kms:*"], Principal=ROOT), "EnableKeyRotation": True}),
    "Bucket": (
        "AWS::S3::Bucket",
        {
            "VersioningConfiguration": {"Status": "Enabled"},
            "LifecycleConfiguration": {
                "Rules": [
                    {
                        "Id": "expire-old-versions",
                        "Status": "Enabled",
                        "NoncurrentVersionExpiration": {"NoncurrentDays": 30},
                    }
                ]
            },
            "BucketEncryption": {
                "ServerSideEncryptionConfiguration": [
                    {"ServerSideEncryptionByDefault": {"SSEAlgorithm": "aws:kms", "KMSMasterKeyID": KEY_ARN}}
                ]
            },
        },
    ),
    "Vpc": ("AWS::EC2::VPC", {"CidrBlock": "10.0.0.0/16"}),
    "Group": ("AWS::EC2::SecurityGroup", {"GroupDescription": "small", "VpcId": {"Ref": "Vpc"}}),
    "Other": ("AWS::EC2::SecurityGroup", {"GroupDescription": "other", "VpcId": {"Ref": "Vpc"}}),
    "Rule": ("AWS::EC2::SecurityGroupIngress", {"GroupId": {"Fn::GetAtt": ["Group", "GroupId"]}, **RULE}),
    "Logs": ("AWS::Logs::LogGroup", {"LogGroupName": "/small", "RetentionInDays": 7}),
    "Role": ("AWS::IAM::Role", {"AssumeRolePolicyDocument": TRUST}),
    "Policy": (
        "AWS::IAM::Policy",
        {"PolicyName": "small", "Roles": [{"Ref": "Role"}], "PolicyDocument": _policy(["s3:GetObject"])},
    ),
}


def small_environment(deployed: Deployed, environment_name: str = NAME, part: str = PART) -> Environment:
    """An environment of which one stack is this one."""
    environment = deployed(environment_name, ())
    resources = {name: {"Type": kind, "Properties": properties} for name, (kind, properties) in RESOURCES.items()}
    template = {"Description": stack_description(environment.plan, part), "Resources": resources}
    create_stack(environment.target, environment.plan.stack_name(part), json.dumps(template), {})
    return environment
