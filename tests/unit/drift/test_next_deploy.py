"""The effect of the next deploy in a row is the one that CloudFormation then has."""

from __future__ import annotations

import contextlib
import copy
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from botocore.exceptions import WaiterError

from local_aws.server import LocalAws
from neuron_cluster.aws.cloudformation import create_stack
from neuron_cluster.aws.session import LocalTarget, client, close_clients
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.drift.environment_drift import DeployedEnvironment, read_drift
from neuron_cluster.drift.next_deploy import with_next_deploy
from neuron_cluster.drift.records import DeployEffect, Drift

pytestmark = pytest.mark.slow
ACCOUNT, REGION, STACK = "111122223333", "us-west-2", "next"
Template = dict[str, Any]
KEY_POLICY = {
    "Version": "2012-10-17",
    "Statement": [
        {"Effect": "Allow", "Action": "kms:*", "Resource": "*", "Principal": {"AWS": f"arn:aws:iam::{ACCOUNT}:root"}}
    ],
}
TEMPLATE: Template = {
    "Resources": {
        "Key": {
            "Type": "AWS::KMS::Key",
            "Properties": {"KeyPolicy": KEY_POLICY, "EnableKeyRotation": True, "Description": "first"},
        },
        "Bucket": {
            "Type": "AWS::S3::Bucket",
            "Properties": {
                "BucketName": "next-deploy",
                "VersioningConfiguration": {"Status": "Enabled"},
                "LifecycleConfiguration": {"Rules": [{"Id": "old", "Status": "Enabled", "ExpirationInDays": 7}]},
            },
        },
        "Vpc": {"Type": "AWS::EC2::VPC", "Properties": {"CidrBlock": "10.0.0.0/16"}},
        "Group": {
            "Type": "AWS::EC2::SecurityGroup",
            "Properties": {"GroupDescription": "first", "VpcId": {"Ref": "Vpc"}},
        },
        "Logs": {"Type": "AWS::Logs::LogGroup", "Properties": {"LogGroupName": "/next", "RetentionInDays": 7}},
    }
}


class Account:
    """The stack, and what a person changes in it."""

    def __init__(self, target: LocalTarget) -> None:
        self.target = target

    def client(self, service: str) -> Any:
        return client(self.target, service)

    def id(self, name: str) -> str:
        found = self.client("cloudformation").describe_stack_resource(StackName=STACK, LogicalResourceId=name)
        return str(found["StackResourceDetail"]["PhysicalResourceId"])

    def drifts(self, new: Template) -> list[Drift]:
        deployed = DeployedEnvironment(self.target, ACCOUNT, [STACK], load_catalog())
        found = read_drift(STACK, deployed, datetime.now(UTC))
        return list(with_next_deploy(found, Comparison(deployed.templates, {STACK: new}, load_catalog())).drifts)

    def deploy(self, new: Template) -> str:
        cloudformation = self.client("cloudformation")
        try:
            cloudformation.update_stack(StackName=STACK, TemplateBody=json.dumps(new))
        except cloudformation.exceptions.ClientError as error:
            return str(error.response["Error"]["Message"])
        waiter = cloudformation.get_waiter("stack_update_complete")
        with contextlib.suppress(WaiterError):
            waiter.wait(StackName=STACK, WaiterConfig={"Delay": 0.05, "MaxAttempts": 400})
        return str(cloudformation.describe_stacks(StackName=STACK)["Stacks"][0]["StackStatus"])


@pytest.fixture(scope="module")
def target(aws: LocalAws) -> Iterator[LocalTarget]:
    found = LocalTarget(REGION, ACCOUNT, aws.endpoint)
    yield found
    close_clients(found)


@pytest.fixture
def account(aws: LocalAws, target: LocalTarget) -> Iterator[Account]:
    create_stack(target, STACK, json.dumps(TEMPLATE), {})
    yield Account(target)
    client(target, "cloudformation").delete_stack(StackName=STACK)
    aws.engine.wait()


def stop_rotation(account: Account) -> None:
    account.client("kms").disable_key_rotation(KeyId=account.id("Key"))


def suspend_versions(account: Account) -> None:
    account.client("s3").put_bucket_versioning(Bucket="next-deploy", VersioningConfiguration={"Status": "Suspended"})


def keep_logs(account: Account) -> None:
    account.client("logs").put_retention_policy(logGroupName="/next", retentionInDays=30)


def open_group(account: Account) -> None:
    rule = {"IpProtocol": "tcp", "FromPort": 22, "ToPort": 22, "IpRanges": [{"CidrIp": "0.0.0.0/0"}]}
    account.client("ec2").authorize_security_group_ingress(GroupId=account.id("Group"), IpPermissions=[rule])


def delete_logs(account: Account) -> None:
    account.client("logs").delete_log_group(logGroupName="/next")


def edited(name: str, **properties: Any) -> Template:
    new = copy.deepcopy(TEMPLATE)
    new["Resources"][name]["Properties"] |= properties
    return new


def without(name: str) -> Template:
    new = copy.deepcopy(TEMPLATE)
    del new["Resources"][name]
    return new


SSH = {"IpProtocol": "tcp", "FromPort": 22, "ToPort": 22, "CidrIp": "0.0.0.0/0"}
OTHER_RULES = {"Rules": [{"Id": "old", "Status": "Enabled", "ExpirationInDays": 9}]}
CASES = {
    "same template": (suspend_versions, TEMPLATE, DeployEffect.NOTHING, True),
    "another property of the bucket": (
        suspend_versions,
        edited("Bucket", LifecycleConfiguration=OTHER_RULES),
        DeployEffect.NOTHING,
        True,
    ),
    "rotation is sent along": (stop_rotation, edited("Key", Description="second"), DeployEffect.PUTS_BACK, False),
    "the same property": (keep_logs, edited("Logs", RetentionInDays=14), DeployEffect.SETS, False),
    "the actual value": (keep_logs, edited("Logs", RetentionInDays=30), DeployEffect.KEEPS, False),
    "the rule that was added": (open_group, edited("Group", SecurityGroupIngress=[SSH]), DeployEffect.FAILS, False),
    "a rule that no template has": (open_group, TEMPLATE, DeployEffect.NOTHING, True),
    "another group": (open_group, edited("Group", GroupDescription="second"), DeployEffect.REPLACES, False),
    "no group": (open_group, without("Group"), DeployEffect.REMOVES, False),
    "a log group that is gone": (delete_logs, edited("Logs", RetentionInDays=14), DeployEffect.FAILS, True),
}


@pytest.mark.parametrize("case", CASES)
def test_the_next_deploy_does_what_the_row_states(case: str, account: Account) -> None:
    change, new, effect, stays = CASES[case]
    change(account)
    (before,) = account.drifts(new)
    assert before.next_deploy.effect is effect, before
    status = account.deploy(new)
    assert ("ROLLBACK" in status) == (effect is DeployEffect.FAILS), status
    assert [(each.logical_id, each.property) for each in account.drifts(new)] == (
        [(before.logical_id, before.property)] if stays else []
    )
