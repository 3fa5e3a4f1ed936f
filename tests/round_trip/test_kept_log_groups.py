"""The control plane's log group outlives its stack: the next one adopts it, and the upgrade does not delete it."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from local_aws.clients import local_client
from local_aws.server import LocalAws
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.changes.compare import change_findings, effects
from neuron_cluster.changes.two_updates import first_update
from neuron_cluster.findings.finding import has_error
from neuron_cluster.local_checks.product_local_aws import product_local_aws

CATALOG = load_catalog()

pytestmark = pytest.mark.slow
ACCOUNT, REGION, STACK = "111122223333", "us-west-2", "dev-inf2-cluster"
GROUP, OLD_GROUP = "/aws/eks/dev-inf2/cluster", "ControlPlaneLogs95F30E24"
GOLDEN = Path(__file__).parents[1] / "golden" / "dev-inf2" / f"{STACK}.template.json"
MINE = ("ClusterKey", "LogGroups")
"""Beginnings of the logical ids of what keeps the log group; the rest of the stack needs other stacks."""
Template = dict[str, Any]


def new_template() -> Template:
    golden = json.loads(GOLDEN.read_text(encoding="utf-8"))["Resources"]
    return {"Resources": {name: each for name, each in golden.items() if name.startswith(MINE)}}


def old_template() -> Template:
    """As release 9b36666 deployed it: the log group is a resource of the stack, deleted with it."""
    template = {"Resources": {n: each for n, each in new_template()["Resources"].items() if n.startswith("ClusterKey")}}
    template["Resources"][OLD_GROUP] = {
        "Type": "AWS::Logs::LogGroup",
        "Properties": {
            "KmsKeyId": {"Fn::GetAtt": ["ClusterKeyCC335371", "Arn"]},
            "LogGroupName": GROUP,
            "RetentionInDays": 90,
            "Tags": [{"Key": "neuron-cluster:environment", "Value": "dev-inf2"}],
        },
        "UpdateReplacePolicy": "Delete",
        "DeletionPolicy": "Delete",
    }
    return template


@dataclass(frozen=True)
class Account:
    aws: LocalAws

    def client(self, service: str) -> Any:
        return local_client(service, self.aws.endpoint, ACCOUNT, REGION)

    def deploy(self, verb: str, template: Template) -> str:
        """The stack's status in the end."""
        client = self.client("cloudformation")
        body = json.dumps(template)
        getattr(client, f"{verb}_stack")(StackName=STACK, TemplateBody=body, Capabilities=["CAPABILITY_IAM"])
        self.aws.engine.wait()
        return str(client.describe_stacks(StackName=STACK)["Stacks"][0]["StackStatus"])

    def delete(self) -> None:
        self.client("cloudformation").delete_stack(StackName=STACK)
        self.aws.engine.wait()

    def group(self) -> dict[str, Any]:
        (found,) = self.client("logs").describe_log_groups(logGroupNamePrefix=GROUP)["logGroups"]
        return dict(found)

    def entries(self) -> list[str]:
        streams = self.client("logs").describe_log_streams(logGroupName=GROUP)["logStreams"]
        return [each["logStreamName"] for each in streams]

    def keys(self) -> list[str]:
        keys = self.client("kms").list_keys()["Keys"]
        rows = (self.client("kms").describe_key(KeyId=key["KeyId"])["KeyMetadata"] for key in keys)
        return [row["Arn"] for row in rows if row["KeyState"] == "Enabled" and row["KeyManager"] == "CUSTOMER"]


@pytest.fixture
def account() -> Iterator[Account]:
    with product_local_aws() as aws:
        yield Account(aws)


@pytest.fixture
def with_cluster(account: Account) -> Callable[[], None]:
    """A control plane of that name writes logs, and is deleted again."""

    def live() -> None:
        ec2, iam, eks = account.client("ec2"), account.client("iam"), account.client("eks")
        vpc = ec2.create_vpc(CidrBlock="10.0.0.0/16")["Vpc"]["VpcId"]
        zones = ("usw2-az1", "usw2-az4")
        subnets = [
            ec2.create_subnet(VpcId=vpc, CidrBlock=f"10.0.{i}.0/24", AvailabilityZoneId=zone)["Subnet"]["SubnetId"]
            for i, zone in enumerate(zones)
        ]
        trust = {"Effect": "Allow", "Principal": {"Service": "eks.amazonaws.com"}, "Action": "sts:AssumeRole"}
        document = json.dumps({"Version": "2012-10-17", "Statement": [trust]})
        role = iam.create_role(RoleName=f"eks-{vpc}", AssumeRolePolicyDocument=document)["Role"]["Arn"]
        eks.create_cluster(
            name="dev-inf2",
            version="1.35",
            roleArn=role,
            resourcesVpcConfig={"subnetIds": subnets},
            logging={"clusterLogging": [{"types": ["audit"], "enabled": True}]},
        )
        eks.delete_cluster(name="dev-inf2")

    return live


def test_a_log_group_of_the_stack_stops_the_deploy_after_a_destroy(
    account: Account, with_cluster: Callable[[], None]
) -> None:
    """Earlier releases did this, and a template of a user still does."""
    assert account.deploy("create", old_template()) == "CREATE_COMPLETE"
    with_cluster()
    account.delete()
    assert account.deploy("create", old_template()) == "ROLLBACK_COMPLETE"
    events = account.client("cloudformation").describe_stack_events(StackName=STACK)["StackEvents"]
    reasons = [each["ResourceStatusReason"] for each in events if each["ResourceStatus"] == "CREATE_FAILED"]
    assert "already exists" in " ".join(reasons)


def test_a_deploy_after_a_destroy_adopts_the_log_group(account: Account, with_cluster: Callable[[], None]) -> None:
    assert account.deploy("create", new_template()) == "CREATE_COMPLETE"
    account.client("logs").create_log_stream(logGroupName=GROUP, logStreamName="kube-apiserver-audit-1")
    with_cluster()
    account.delete()
    assert account.entries() == ["kube-apiserver-audit-1"]
    assert account.deploy("create", new_template()) == "CREATE_COMPLETE"
    group = account.group()
    assert (group["retentionInDays"], [group["kmsKeyId"]]) == (90, account.keys())
    assert account.entries() == ["kube-apiserver-audit-1"]


def test_a_first_deploy_that_rolled_back_is_done_again(account: Account, with_cluster: Callable[[], None]) -> None:
    failing = new_template()
    failing["Resources"]["Last"] = {
        "Type": "AWS::SSM::Parameter",
        "Properties": {"Type": "String", "Value": "", "Name": "empty"},
        "DependsOn": "LogGroupsControlPlane16622DE4",
    }
    assert account.deploy("create", failing) == "ROLLBACK_COMPLETE"
    with_cluster()
    account.delete()
    assert account.deploy("create", new_template()) == "CREATE_COMPLETE"
    assert account.group()["retentionInDays"] == 90


def test_the_upgrade_takes_two_updates_and_never_deletes_the_log_group(account: Account) -> None:
    old, new = old_template(), new_template()
    deployed = {STACK: copy.deepcopy(old)}
    assert not has_error(change_findings(deployed, {STACK: new}, CATALOG))
    assert "REMOVED" not in {effect.kind.name for effect in effects(deployed, {STACK: new}, CATALOG)}
    first = first_update(deployed, {STACK: new}, CATALOG)[STACK]
    assert first["Resources"].keys() == new["Resources"].keys() | {OLD_GROUP}
    assert first["Resources"][OLD_GROUP]["DeletionPolicy"] == "Retain"
    assert first_update({STACK: first}, {STACK: new}, CATALOG) == {}, "a run that was stopped between them goes on"
    assert not has_error(change_findings({STACK: first}, {STACK: new}, CATALOG))

    account.deploy("create", old)
    account.client("logs").create_log_stream(logGroupName=GROUP, logStreamName="audit-of-last-week")
    key = account.group()["kmsKeyId"]
    for template in (first, new):
        assert account.deploy("update", template) == "UPDATE_COMPLETE"
        assert (account.entries(), account.group()["kmsKeyId"]) == (["audit-of-last-week"], key)
    held = account.client("cloudformation").describe_stack_resources(StackName=STACK)["StackResources"]
    assert OLD_GROUP not in {each["LogicalResourceId"] for each in held}


def test_one_update_as_plain_cdk_makes_it_leaves_the_log_group_too(account: Account) -> None:
    """The custom resource has put deletion protection on it before CloudFormation cleans up."""
    account.deploy("create", old_template())
    account.client("logs").create_log_stream(logGroupName=GROUP, logStreamName="audit-of-last-week")
    assert account.deploy("update", new_template()) == "UPDATE_COMPLETE"
    assert account.entries() == ["audit-of-last-week"]
    events = account.client("cloudformation").describe_stack_events(StackName=STACK)["StackEvents"]
    failed = {each["LogicalResourceId"] for each in events if each["ResourceStatus"] == "DELETE_FAILED"}
    assert failed == {OLD_GROUP}


def test_retention_and_tags_follow_the_file_and_foreign_code_is_not_run(account: Account) -> None:
    template = new_template()
    properties = template["Resources"]["LogGroupsControlPlane16622DE4"]["Properties"]
    properties["Tags"] = {"team": "a", "cost-center": "1"}
    account.deploy("create", template)
    properties |= {"Tags": {"team": "b"}, "RetentionInDays": 30}
    assert account.deploy("update", template) == "UPDATE_COMPLETE"
    group = account.group()
    tags = account.client("logs").list_tags_for_resource(resourceArn=group["arn"].removesuffix(":*"))["tags"]
    assert (group["retentionInDays"], tags) == (30, {"team": "b"})

    template["Resources"]["LogGroupsFunctionD2BF6BCB"]["Properties"]["Code"]["ZipFile"] = "def keep(*_): ..."
    properties["RetentionInDays"] = 14
    assert account.deploy("update", template) == "UPDATE_ROLLBACK_COMPLETE"
    assert account.group()["retentionInDays"] == 30
