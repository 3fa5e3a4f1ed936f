"""The prerequisites of a HyperPod cluster: a role with a script that it may read, and a security group for EFA."""

from __future__ import annotations

import contextlib
import json
import uuid
from collections.abc import Callable
from typing import Any

Clients = Callable[[str], Any]
ROLE = "hyperpod-nodes"
BUCKET = "sagemaker-scripts"
SCRIPT = {"SourceS3Uri": f"s3://{BUCKET}/nodes", "OnCreate": "on_create.sh"}
NETWORK_POLICY = "network"
INTERFACES = "arn:aws:ec2:*:*:network-interface/*"
NODE_POLICY = "arn:aws:iam::aws:policy/AmazonSageMakerClusterInstanceRolePolicy"


def make_role(client: Clients, name: str = ROLE, service: str = "sagemaker.amazonaws.com") -> str:
    """ARN of the role of that name, which the service may assume; it has the policies of HyperPod nodes in EKS."""
    iam = client("iam")
    statement = {"Effect": "Allow", "Principal": {"Service": service}, "Action": "sts:AssumeRole"}
    with contextlib.suppress(iam.exceptions.EntityAlreadyExistsException):
        iam.create_role(RoleName=name, AssumeRolePolicyDocument=document(statement))
        iam.attach_role_policy(RoleName=name, PolicyArn=NODE_POLICY)
        made = {"Effect": "Allow", "Action": "ec2:CreateNetworkInterface", "Resource": INTERFACES}
        described = {"Effect": "Allow", "Action": "ec2:Describe*", "Resource": "*"}
        iam.put_role_policy(RoleName=name, PolicyName=NETWORK_POLICY, PolicyDocument=document(made, described))
    return str(iam.get_role(RoleName=name)["Role"]["Arn"])


def document(*statements: dict[str, Any]) -> str:
    """A policy of these statements."""
    return json.dumps({"Version": "2012-10-17", "Statement": list(statements)})


def make_script(client: Clients, bucket: str = BUCKET) -> None:
    """The bucket with the script of ``SCRIPT``."""
    s3 = client("s3")
    with contextlib.suppress(s3.exceptions.BucketAlreadyOwnedByYou):
        s3.create_bucket(Bucket=bucket, CreateBucketConfiguration={"LocationConstraint": "us-west-2"})
    s3.put_object(Bucket=bucket, Key="nodes/on_create.sh", Body=b"#!/bin/sh\n")


def make_group(client: Clients, vpc: str, *, ingress: bool = True, egress: bool = True) -> str:
    """A new security group of the VPC, with all traffic of itself in each direction."""
    ec2 = client("ec2")
    group = ec2.create_security_group(GroupName=f"efa-{uuid.uuid4()}", Description="nodes", VpcId=vpc)["GroupId"]
    rule = [{"IpProtocol": "-1", "UserIdGroupPairs": [{"GroupId": group}]}]
    if ingress:
        ec2.authorize_security_group_ingress(GroupId=group, IpPermissions=rule)
    if egress:
        ec2.authorize_security_group_egress(GroupId=group, IpPermissions=rule)
    return str(group)


def node_group(role: str, **members: Any) -> dict[str, Any]:
    """Two nodes of Trainium, as a request has them."""
    return {
        "InstanceGroupName": "trn1",
        "InstanceType": "ml.trn1.32xlarge",
        "InstanceCount": 2,
        "ExecutionRole": role,
        "LifeCycleConfig": SCRIPT,
        **members,
    }
