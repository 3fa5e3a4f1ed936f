"""Changes by hand to train-trn1, each with the line of `status` that names it and whose command heals it."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from typing import NamedTuple

from hint_commands import command_error
from hinted_command import run_aws

from .conftest import Environment, Line

NAME = "train-trn1"
CLUSTER = {"clusterName": NAME}
ADMIN = "arn:aws:iam::111122223333:role/platform-admin"
ACCESS_POLICIES = "arn:aws:eks::aws:cluster-access-policy"
STRANGER = "arn:aws:iam::111122223333:role/stranger"


def heal(environment: Environment, line: Line) -> None:
    """Carries out the command of a line."""
    assert line.command is not None
    for command in line.command.split(" && "):
        assert command_error(command) == ""
        run_aws(command, environment.target)


def bucket(environment: Environment) -> str:
    buckets = environment.client("s3").list_buckets()["Buckets"]
    return next(str(each["Name"]) for each in buckets if each["Name"].startswith(f"{NAME}-storage"))


def group(environment: Environment) -> dict[str, str]:
    names = environment.client("eks").list_nodegroups(**CLUSTER)["nodegroups"]
    return {**CLUSTER, "nodegroupName": next(name for name in names if name.startswith("trn1-"))}


def suspend_versioning(environment: Environment) -> None:
    environment.client("s3").put_bucket_versioning(
        Bucket=bucket(environment), VersioningConfiguration={"Status": "Suspended"}
    )


def open_bucket(environment: Environment) -> None:
    environment.client("s3").delete_public_access_block(Bucket=bucket(environment))


def delete_addon(environment: Environment) -> None:
    environment.client("eks").delete_addon(**CLUSTER, addonName="coredns")


def delete_access_entry(environment: Environment) -> None:
    environment.client("eks").delete_access_entry(**CLUSTER, principalArn=ADMIN)


def add_access_entry(environment: Environment) -> None:
    trust = {"Effect": "Allow", "Principal": {"Service": "ec2.amazonaws.com"}, "Action": "sts:AssumeRole"}
    document = json.dumps({"Version": "2012-10-17", "Statement": [trust]})
    iam = environment.client("iam")
    with contextlib.suppress(iam.exceptions.EntityAlreadyExistsException):
        iam.create_role(RoleName="stranger", AssumeRolePolicyDocument=document)
    environment.client("eks").create_access_entry(**CLUSTER, principalArn=STRANGER)


def remove_access_policy(environment: Environment) -> None:
    names, eks = {**CLUSTER, "principalArn": ADMIN}, environment.client("eks")
    eks.disassociate_access_policy(**names, policyArn=f"{ACCESS_POLICIES}/AmazonEKSClusterAdminPolicy")


def narrow_access_policy(environment: Environment) -> None:
    given = {
        "policyArn": f"{ACCESS_POLICIES}/AmazonEKSClusterAdminPolicy",
        "accessScope": {"type": "namespace", "namespaces": ["web"]},
    }
    environment.client("eks").associate_access_policy(**CLUSTER, principalArn=ADMIN, **given)


def add_access_policy(environment: Environment) -> None:
    given = {"policyArn": f"{ACCESS_POLICIES}/AmazonEKSViewPolicy", "accessScope": {"type": "cluster"}}
    environment.client("eks").associate_access_policy(**CLUSTER, principalArn=ADMIN, **given)


def add_kubernetes_group(environment: Environment) -> None:
    environment.client("eks").update_access_entry(**CLUSTER, principalArn=ADMIN, kubernetesGroups=["breakglass"])


def open_endpoint(environment: Environment) -> None:
    environment.client("eks").update_cluster_config(
        name=NAME, resourcesVpcConfig={"endpointPublicAccess": True, "publicAccessCidrs": ["0.0.0.0/0"]}
    )


def scale_down(environment: Environment) -> None:
    environment.client("eks").update_nodegroup_config(**group(environment), scalingConfig={"desiredSize": 3})


def disable_key(environment: Environment) -> None:
    environment.client("kms").disable_key(KeyId=data_key(environment))


def data_key(environment: Environment) -> str:
    found = environment.client("cloudformation").describe_stack_resources(StackName=f"{NAME}-storage")
    return next(
        str(each["PhysicalResourceId"]) for each in found["StackResources"] if each["ResourceType"] == "AWS::KMS::Key"
    )


def disable_alarm_actions(environment: Environment) -> None:
    environment.client("cloudwatch").disable_alarm_actions(AlarmNames=[f"{NAME}-ecc-events"])


class Case(NamedTuple):
    """A change, and the line that names it."""

    break_it: Callable[[Environment], None]
    section: str
    subject: str
    verdict: str
    cause: str


HEALED = {
    "versioning suspended": Case(
        suspend_versioning, "Storage and keys", "versioning of ", "error", "it is Suspended: what is deleted"
    ),
    "public access not blocked": Case(
        open_bucket, "Storage and keys", "public access to ", "error", "S3 does not block it"
    ),
    "key disabled": Case(disable_key, "Storage and keys", "key ", "error", "it is Disabled"),
    "add-on deleted": Case(delete_addon, "Add-ons", "coredns", "error", "the add-on does not exist"),
    "access entry deleted": Case(
        delete_access_entry,
        "Access",
        ADMIN,
        "error",
        "the principal has no access entry",
    ),
    "access entry of a stranger": Case(
        add_access_entry, "Access", STRANGER, "warning", "neither the file nor a stack gives"
    ),
    "access policy removed": Case(
        remove_access_policy, "Access", ADMIN, "error", "it lacks AmazonEKSClusterAdminPolicy"
    ),
    "access policy of a namespace only": Case(
        narrow_access_policy, "Access", ADMIN, "error", "it lacks AmazonEKSClusterAdminPolicy (namespaces web only)"
    ),
    "access policy added": Case(
        add_access_policy, "Access", ADMIN, "warning", "it has AmazonEKSViewPolicy, which the file does not give it"
    ),
    "Kubernetes group added": Case(
        add_kubernetes_group, "Access", ADMIN, "warning", "it is in the Kubernetes group breakglass, which the file"
    ),
    "API open to the world": Case(
        open_endpoint, "Control plane", "API endpoint", "error", "private and public from 0.0.0.0/0"
    ),
    "group of another size": Case(
        scale_down, "Compute groups", "trn1", "warning", "3 of 3 instances in service, the file has desired 16"
    ),
    "actions of an alarm disabled": Case(
        disable_alarm_actions, "Alarms", f"{NAME}-ecc-events", "warning", "its actions are disabled"
    ),
}
