"""Requests that IAM rejects, and names and ids that templates use."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from botocore.exceptions import ClientError
from msgspec import structs

from local_aws.engine.status_reasons import ResourceFailedError

pytestmark = pytest.mark.slow  # many calls, together longer than a fast module may take

ROLE = "AWS::IAM::Role"
TRUST = {
    "Version": "2012-10-17",
    "Statement": [{"Effect": "Allow", "Principal": {"Service": "ec2.amazonaws.com"}, "Action": "sts:AssumeRole"}],
}
READ = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "s3:GetObject", "Resource": "*"}]}
BASE = {"AssumeRolePolicyDocument": TRUST}


def test_a_role_gives_arn_and_id(bench: Any) -> None:
    """The path is part of the ARN."""
    role = bench.create(ROLE, {**BASE, "RoleName": "worker", "Path": "/neuron/"})
    assert role.attributes["Arn"] == f"arn:aws:iam::{bench.account}:role/neuron/worker"
    assert role.attributes["RoleId"].startswith("AROA")


def test_a_made_up_role_name_fits(bench: Any) -> None:
    """IAM allows 64 characters."""
    role = bench.create(ROLE, BASE, "L" * 90)
    assert len(role.physical_id) == 64


def test_each_account_counts_its_own_attachments_of_a_policy_that_aws_manages(bench: Any) -> None:
    policy = "arn:aws:iam::aws:policy/AmazonEKSClusterPolicy"
    bench.create(ROLE, {**BASE, "ManagedPolicyArns": [policy]})
    accounts = (bench, structs.replace(bench, account="600000000001"))
    reported = [account.client("iam").get_policy(PolicyArn=policy)["Policy"] for account in accounts]
    assert [row.pop("AttachmentCount") for row in reported] == [1, 0]
    assert reported[0] == reported[1]
    assert reported[0]["DefaultVersionId"]


def test_a_policy_that_aws_does_not_have_is_refused(bench: Any) -> None:
    """And the role that was made first is taken back."""
    wrong = {**BASE, "RoleName": "worker", "ManagedPolicyArns": ["arn:aws:iam::aws:policy/AmazonEKSNoSuchPolicy"]}
    with pytest.raises(ClientError, match="NoSuchEntity"):
        bench.create(ROLE, wrong)
    bench.create(ROLE, {**BASE, "RoleName": "worker"})


def test_a_role_name_is_taken_once(bench: Any) -> None:
    """EntityAlreadyExists."""
    bench.create(ROLE, {**BASE, "RoleName": "worker"})
    with pytest.raises(ClientError, match="EntityAlreadyExists"):
        bench.create(ROLE, {**BASE, "RoleName": "worker"})


@pytest.mark.parametrize("kind", ["Policy", "ManagedPolicy", "InstanceProfile"])
def test_a_role_with_something_on_it_is_not_deleted(bench: Any, kind: str) -> None:
    """DeleteConflict until policies and instance profiles of other resources are gone."""
    role = bench.create(ROLE, BASE)
    properties = {
        "Policy": {"PolicyName": "inline", "PolicyDocument": READ, "Roles": [role.physical_id]},
        "ManagedPolicy": {"PolicyDocument": READ, "Roles": [role.physical_id]},
        "InstanceProfile": {"Roles": [role.physical_id]},
    }[kind]
    other = bench.create(f"AWS::IAM::{kind}", properties)
    with pytest.raises(ClientError, match="DeleteConflict"):
        bench.delete(ROLE, role, BASE)
    bench.delete(f"AWS::IAM::{kind}", other, properties)
    bench.delete(ROLE, role, BASE)


def test_an_inline_policy_is_of_somebody(bench: Any) -> None:
    properties = {"PolicyName": "inline", "PolicyDocument": READ}
    with pytest.raises(ResourceFailedError, match=r"At least one of \[Groups,Roles,Users\] must be non-empty"):
        bench.create("AWS::IAM::Policy", properties)


def test_an_inline_policy_can_be_renamed(bench: Any) -> None:
    """The old name is gone from the role."""
    role = bench.create(ROLE, BASE).physical_id
    old = {"PolicyName": "old", "PolicyDocument": READ, "Roles": [role]}
    resource = bench.update(
        "AWS::IAM::Policy", bench.create("AWS::IAM::Policy", old), old, {**old, "PolicyName": "new"}
    )
    assert resource.physical_id == "new"
    assert bench.client("iam").list_role_policies(RoleName=role)["PolicyNames"] == ["new"]


def test_a_managed_policy_is_attached_to_users_and_groups_and_detached(bench: Any) -> None:
    iam, kind = bench.client("iam"), "AWS::IAM::ManagedPolicy"
    iam.create_user(UserName="person")
    iam.create_group(GroupName="team")
    states = [{"Groups": [], "Users": []}, {"Groups": ["team"], "Users": ["person"]}, {"Groups": ["team"], "Users": []}]
    policy = bench.create(kind, {"PolicyDocument": READ, **states[0]})
    for before, after in itertools.pairwise(states):
        bench.update(kind, policy, {"PolicyDocument": READ, **before}, {"PolicyDocument": READ, **after})
        assert bench.read(kind, policy).items() >= after.items()
    bench.delete(kind, policy, {"PolicyDocument": READ, **states[-1]})
    assert iam.list_attached_group_policies(GroupName="team")["AttachedPolicies"] == []


def test_a_managed_policy_keeps_five_versions(bench: Any) -> None:
    """More changes take the oldest one away."""
    documents = [{**READ, "Id": str(number)} for number in range(8)]
    policy = bench.create("AWS::IAM::ManagedPolicy", {"PolicyDocument": documents[0]})
    for before, after in itertools.pairwise(documents):
        bench.update("AWS::IAM::ManagedPolicy", policy, {"PolicyDocument": before}, {"PolicyDocument": after})
    versions = bench.client("iam").list_policy_versions(PolicyArn=policy.physical_id)["Versions"]
    assert sorted(version["VersionId"] for version in versions) == ["v4", "v5", "v6", "v7", "v8"]
    assert bench.read("AWS::IAM::ManagedPolicy", policy)["PolicyDocument"] == documents[-1]
