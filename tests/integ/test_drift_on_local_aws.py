"""`drift` names what was changed with the APIs of services after a deploy, and reads nothing into the account."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.aws.session import LocalTarget, client
from neuron_cluster.deploy.destination import local_destination
from neuron_cluster.deploy.local_preparation import bootstrap_if_needed
from neuron_cluster.deploy.local_server import make_named_resources
from neuron_cluster.pipeline import check_environment
from tests.golden_stacks import deploy_goldens

from .conftest import CHECKOUT, Ran

ENVIRONMENT = "train-trn1"
Row = dict[str, Any]


@pytest.fixture(scope="module")
def deployed(project: Path, target: LocalTarget) -> None:
    """train-trn1 from its golden templates, without charts."""
    plan = check_environment(project / "environments" / f"{ENVIRONMENT}.yaml").require_plan()
    bootstrap_if_needed(CHECKOUT, local_destination(target.endpoint, plan.account, plan.region), lambda _: None)
    make_named_resources(target.endpoint, plan)
    deploy_goldens(target, plan)


@pytest.fixture
def drift(deployed: None, command: Callable[..., Ran]) -> Callable[..., Ran]:
    return lambda *options: command("drift", "--local", ENVIRONMENT, *options)


def test_an_environment_as_deployed_has_no_drift(drift: Callable[..., Ran]) -> None:
    ran = drift()
    assert (ran.status, ran.document["drifts"]) == (0, [])


class Account:
    """The services, and the resources of the environment by stack and type."""

    def __init__(self, target: LocalTarget) -> None:
        self._target = target

    def client(self, service: str) -> Any:
        return client(self._target, service)

    def ids(self, stack_key: str, kind: str) -> dict[str, str]:
        """Physical ids by logical id."""
        rows = self.client("cloudformation").describe_stack_resources(StackName=f"{ENVIRONMENT}-{stack_key}")
        return {
            row["LogicalResourceId"]: row["PhysicalResourceId"]
            for row in rows["StackResources"]
            if row["ResourceType"] == kind
        }

    def id(self, stack_key: str, kind: str, beginning: str = "") -> str:
        return next(each for name, each in self.ids(stack_key, kind).items() if name.startswith(beginning))


def suspend_versions(account: Account) -> None:
    bucket = account.id("storage", "AWS::S3::Bucket")
    account.client("s3").put_bucket_versioning(Bucket=bucket, VersioningConfiguration={"Status": "Suspended"})


def empty_lifecycle(account: Account) -> None:
    account.client("s3").delete_bucket_lifecycle(Bucket=account.id("storage", "AWS::S3::Bucket"))


def allow_public_policies(account: Account) -> None:
    bucket = account.id("storage", "AWS::S3::Bucket")
    blocks = {"BlockPublicAcls": True, "IgnorePublicAcls": True, "RestrictPublicBuckets": True}
    configuration = {**blocks, "BlockPublicPolicy": False}
    account.client("s3").put_public_access_block(Bucket=bucket, PublicAccessBlockConfiguration=configuration)


def open_bucket(account: Account) -> None:
    """The policy of the bucket allows plain HTTP."""
    account.client("s3").delete_bucket_policy(Bucket=account.id("storage", "AWS::S3::Bucket"))


def open_ssh(account: Account) -> None:
    group = account.id("network", "AWS::EC2::SecurityGroup", "Groupscontrolplane")
    rule = {"IpProtocol": "tcp", "FromPort": 22, "ToPort": 22, "IpRanges": [{"CidrIp": "0.0.0.0/0"}]}
    account.client("ec2").authorize_security_group_ingress(GroupId=group, IpPermissions=[rule])


def open_endpoint(account: Account) -> None:
    access = {"endpointPublicAccess": True, "publicAccessCidrs": ["0.0.0.0/0"]}
    account.client("eks").update_cluster_config(name=ENVIRONMENT, resourcesVpcConfig=access)


def stop_logs(account: Account) -> None:
    logging = {"clusterLogging": [{"types": ["audit"], "enabled": False}]}
    account.client("eks").update_cluster_config(name=ENVIRONMENT, logging=logging)


def delete_addon(account: Account) -> None:
    account.client("eks").delete_addon(clusterName=ENVIRONMENT, addonName="coredns")


def scale_group(account: Account) -> None:
    name = account.id("nodes", "AWS::EKS::Nodegroup").rpartition("/")[2]
    sizes = {"minSize": 0, "desiredSize": 15, "maxSize": 16}
    account.client("eks").update_nodegroup_config(clusterName=ENVIRONMENT, nodegroupName=name, scalingConfig=sizes)


def share_key(account: Account) -> None:
    key, kms = account.id("cluster", "AWS::KMS::Key"), account.client("kms")
    policy = json.loads(kms.get_key_policy(KeyId=key, PolicyName="default")["Policy"])
    principal = {"AWS": "arn:aws:iam::999999999999:root"}
    policy["Statement"].append({"Effect": "Allow", "Principal": principal, "Action": "kms:Decrypt", "Resource": "*"})
    kms.put_key_policy(KeyId=key, PolicyName="default", Policy=json.dumps(policy))
    kms.disable_key_rotation(KeyId=key)


def keep_logs_for_ever(account: Account) -> None:
    account.client("logs").delete_retention_policy(logGroupName=f"/aws/eks/{ENVIRONMENT}/cluster")


def widen_role(account: Account) -> None:
    role = account.id("cluster", "AWS::IAM::Role", "ClusterRole")
    account.client("iam").attach_role_policy(RoleName=role, PolicyArn="arn:aws:iam::aws:policy/AdministratorAccess")


def add_admin(account: Account) -> None:
    trust = {"Effect": "Allow", "Principal": {"Service": "ec2.amazonaws.com"}, "Action": "sts:AssumeRole"}
    document = json.dumps({"Version": "2012-10-17", "Statement": [trust]})
    account.client("iam").create_role(RoleName="stranger", AssumeRolePolicyDocument=document)
    principal = "arn:aws:iam::111122223333:role/stranger"
    account.client("eks").create_access_entry(clusterName=ENVIRONMENT, principalArn=principal)


def give_pods_a_role(account: Account) -> None:
    trust = {
        "Effect": "Allow",
        "Principal": {"Service": "pods.eks.amazonaws.com"},
        "Action": ["sts:AssumeRole", "sts:TagSession"],
    }
    document = json.dumps({"Version": "2012-10-17", "Statement": [trust]})
    role = account.client("iam").create_role(RoleName="pods", AssumeRolePolicyDocument=document)["Role"]["Arn"]
    account.client("eks").create_pod_identity_association(
        clusterName=ENVIRONMENT, namespace="default", serviceAccount="by-hand", roleArn=role
    )


def stop_compression(account: Account) -> None:
    system = account.id("storage", "AWS::FSx::FileSystem")
    account.client("fsx").update_file_system(FileSystemId=system, LustreConfiguration={"DataCompressionType": "NONE"})


CHANGES: dict[Callable[[Account], None], Row] = {
    suspend_versions: {
        "resource": "Checkpoints620E2F20",
        "property": "/VersioningConfiguration/Status",
        "template": "Enabled",
        "actual": "Suspended",
        "severity": "error",
        "event": "PutBucketVersioning",
    },
    empty_lifecycle: {
        "type": "AWS::S3::Bucket",
        "property": "/LifecycleConfiguration",
        "actual": None,
        "severity": "error",
        "event": "DeleteBucketLifecycle",
    },
    allow_public_policies: {
        "property": "/PublicAccessBlockConfiguration/BlockPublicPolicy",
        "template": True,
        "actual": False,
        "severity": "error",
        "event": "PutPublicAccessBlock",
    },
    open_bucket: {
        "type": "AWS::S3::BucketPolicy",
        "kind": "deleted",
        "property": None,
        "severity": "error",
        "event": "DeleteBucketPolicy",
    },
    open_ssh: {
        "type": "AWS::EC2::SecurityGroup",
        "property": "/SecurityGroupIngress/0",
        "template": None,
        "actual": {"CidrIp": "0.0.0.0/0", "FromPort": 22, "IpProtocol": "tcp", "ToPort": 22},
        "severity": "error",
        "event": "AuthorizeSecurityGroupIngress",
    },
    open_endpoint: {
        "property": "/ResourcesVpcConfig/EndpointPublicAccess",
        "template": False,
        "actual": True,
        "severity": "error",
        "event": "UpdateClusterConfig",
    },
    stop_logs: {
        "property": "/Logging/ClusterLogging/EnabledTypes/1",
        "template": {"Type": "audit"},
        "actual": None,
        "severity": "error",
        "event": "UpdateClusterConfig",
    },
    delete_addon: {
        "physical_id": f"{ENVIRONMENT}|coredns",
        "kind": "deleted",
        "severity": "error",
        "event": "DeleteAddon",
    },
    scale_group: {
        "property": "/ScalingConfig/DesiredSize",
        "template": 16,
        "actual": 15,
        "severity": "warning",
        "event": "UpdateNodegroupConfig",
    },
    share_key: {
        "type": "AWS::KMS::Key",
        "property": "/EnableKeyRotation",
        "template": True,
        "actual": False,
        "severity": "error",
        "event": "DisableKeyRotation",
    },
    keep_logs_for_ever: {
        "type": "Custom::NeuronClusterLogGroup",
        "property": "/RetentionInDays",
        "template": 90,
        "actual": None,
        "severity": "warning",
        "event": "DeleteRetentionPolicy",
    },
    widen_role: {
        "type": "AWS::IAM::Role",
        "property": "/ManagedPolicyArns/0",
        "template": None,
        "actual": "arn:aws:iam::aws:policy/AdministratorAccess",
        "severity": "error",
        "event": "AttachRolePolicy",
    },
    add_admin: {
        "kind": "added",
        "type": "AWS::EKS::AccessEntry",
        "resource": None,
        "actual": "arn:aws:iam::111122223333:role/stranger",
        "severity": "error",
        "event": "CreateAccessEntry",
    },
    give_pods_a_role: {
        "kind": "added",
        "type": "AWS::EKS::PodIdentityAssociation",
        "resource": None,
        "severity": "error",
    },
    stop_compression: {
        "property": "/LustreConfiguration/DataCompressionType",
        "template": "LZ4",
        "actual": "NONE",
        "severity": "warning",
        "event": "UpdateFileSystem",
    },
}
"""The row that `drift` has of each change."""


@pytest.fixture(scope="module")
def changed(deployed: None, target: LocalTarget) -> None:
    for change in CHANGES:
        change(Account(target))


KEPT: dict[str, Ran] = {}


@pytest.fixture
def rows(changed: None, drift: Callable[..., Ran]) -> list[Row]:
    """The rows after all changes, read once."""
    if "drift" not in KEPT:
        KEPT["drift"] = drift()
    assert KEPT["drift"].status == 3
    found = KEPT["drift"].document["drifts"]
    return [{**row, "event": (row["changed_by"] or {}).get("event")} for row in found]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_a_change_by_hand_is_one_row(change: Callable[[Account], None], rows: list[Row]) -> None:
    wanted = CHANGES[change]
    found = [row for row in rows if all(row[name] == value for name, value in wanted.items())]
    assert len(found) == 1, json.dumps(rows, indent=1)


def test_nothing_else_is_a_row(rows: list[Row]) -> None:
    assert len(rows) == len(CHANGES) + 1, "the policy of the key has a row of its own"


def test_a_deploy_of_the_same_file_leaves_every_change(rows: list[Row]) -> None:
    assert {row["next_deploy"]["effect"] for row in rows} == {"nothing"}


DESIRED, COMPRESSION = "eks.node_groups[trn1].count.desired", "storage.lustre.data_compression"


def test_keys_of_the_file_are_named_where_one_decides(rows: list[Row]) -> None:
    edits = {row["edit"]["key"]: row["edit"] for row in rows if row["edit"] is not None}
    assert edits[DESIRED] == {"key": DESIRED, "before": "16", "after": 15}
    assert edits[COMPRESSION] == {"key": COMPRESSION, "before": None, "after": "none"}


def test_adopted_values_that_the_file_may_not_have_are_not_written(
    changed: None, drift: Callable[..., Ran], project: Path
) -> None:
    """A public endpoint is not allowed without addresses."""
    file = project / "environments" / f"{ENVIRONMENT}.yaml"
    before = file.read_text()
    ran = drift("--adopt", "eks.endpoint.access")
    assert (ran.status, ran.document["adopted"], file.read_text()) == (1, [], before)
    assert [finding["path"] for finding in ran.document["findings"]] == ["eks.endpoint.public_access_cidrs"]


@pytest.mark.hints("W9594")
def test_adopted_values_are_written_and_comments_stay(changed: None, drift: Callable[..., Ran], project: Path) -> None:
    file = project / "environments" / f"{ENVIRONMENT}.yaml"
    before = file.read_text()
    ran = drift("--adopt", DESIRED, COMPRESSION)
    assert sorted(ran.document["adopted"]) == [DESIRED, COMPRESSION]
    new = [line for line in file.read_text().splitlines() if line not in before.splitlines()]
    assert [line.strip().partition("#")[0].strip() for line in new] == [
        "data_compression: none",
        "count: {min: 0, desired: 15, max: 16}",
    ]
    file.write_text(before)


def test_a_key_without_a_difference_is_not_adopted(changed: None, drift: Callable[..., Ran]) -> None:
    ran = drift("--adopt", "eks.version")
    assert ran.status == 1
    assert "eks.version" in ran.document["findings"][0]["message"]
