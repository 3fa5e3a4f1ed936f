"""A bucket and keys that exist: roles and the association refer to them, and no resource changes them."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.plan.existing_policies import existing_policies
from neuron_cluster.report.plan_page import plan_as_data, plan_tables

Templates = dict[str, Any]
BUCKET = "team-checkpoints"
BUCKET_KEY = "arn:aws:kms:us-west-2:111122223333:key/00000000-1111-2222-3333-444444444444"
DATA_KEY = "arn:aws:kms:us-west-2:111122223333:key/99999999-8888-7777-6666-555555555555"
WITH_BUCKET = {
    "storage.checkpoint_bucket": {"existing": {"name": BUCKET, "key_arn": BUCKET_KEY}},
    "storage.compile_cache": {},
    "eks.addons.mountpoint_s3_csi_driver": True,
}
WITH_BOTH = {**WITH_BUCKET, "storage.key_arn": DATA_KEY}


@pytest.fixture(scope="module")
def templates(templates_of: Callable[..., Templates]) -> Templates:
    return templates_of("train-trn1", WITH_BOTH)


def of_type(templates: Templates, type_name: str) -> list[dict[str, Any]]:
    resources = (each for template in templates.values() for each in template["Resources"].values())
    return [each.get("Properties", {}) for each in resources if each["Type"] == type_name]


def test_no_bucket_policy_or_key_is_created(templates: Templates) -> None:
    types = {each["Type"] for each in templates["storage"]["Resources"].values()} - {"AWS::CDK::Metadata"}
    assert types == {"AWS::FSx::FileSystem", "AWS::FSx::DataRepositoryAssociation"}
    for kind in ("AWS::S3::Bucket", "AWS::S3::BucketPolicy"):
        assert of_type(templates, kind) == []
    assert DATA_KEY not in json.dumps(of_type(templates, "AWS::KMS::Key"))


def test_the_association_and_the_file_system_refer_to_them(templates: Templates) -> None:
    (association,) = of_type(templates, "AWS::FSx::DataRepositoryAssociation")
    assert association["DataRepositoryPath"] == f"s3://{BUCKET}/checkpoints/"
    (file_system,) = of_type(templates, "AWS::FSx::FileSystem")
    assert file_system["KmsKeyId"] == DATA_KEY


def test_roles_may_use_this_bucket_and_its_key_alone(templates: Templates) -> None:
    text = json.dumps([of_type(templates, "AWS::IAM::Role"), of_type(templates, "AWS::IAM::Policy")])
    assert f"arn:aws:s3:::{BUCKET}/compile-cache/*" in text
    assert BUCKET_KEY in text
    assert DATA_KEY not in text


def test_only_a_bucket_that_exists_leaves_the_data_key_to_the_environment(
    templates_of: Callable[..., Templates],
) -> None:
    storage = templates_of("train-trn1", WITH_BUCKET)["storage"]["Resources"].values()
    assert [each["Type"] for each in storage].count("AWS::KMS::Key") == 1


def test_the_statements_of_a_created_key_are_those_that_an_owner_adds(
    plan_of: Callable[..., Any], templates_of: Callable[..., Templates]
) -> None:
    """The plan prints them: by resource, in the spelling of its policy."""
    plan = plan_of("train-trn1", WITH_BOTH)
    added = existing_policies(plan)
    assert [(what, each.get("Sid", each.get("ID"))) for what, each in added] == [
        (f"policy of key {DATA_KEY}", "LogsEncryptTheirGroups"),
        (f"policy of key {BUCKET_KEY}", "LustreReadsAndWritesTheBucket"),
        (f"lifecycle of bucket {BUCKET}", "expire-archive"),
        (f"lifecycle of bucket {BUCKET}", "expire-compile-cache"),
    ]
    (created,) = of_type({"storage": templates_of("train-trn1")["storage"]}, "AWS::KMS::Key")
    statements = {each.get("Sid"): each for each in created["KeyPolicy"]["Statement"]}
    for what, each in added:
        if what.startswith("policy"):
            assert statements[each["Sid"]] == each
    assert plan_as_data(plan, load_catalog())["existing_policies"] == [
        {"of": what, "add": each} for what, each in added
    ]
    (table,) = [each for each in plan_tables(plan, load_catalog(), (), 100) if "exist" in each.title]
    assert [row[0] for row in table.rows] == [
        "policy of key …555555555555", "policy of key …444444444444", *(what for what, _ in added[2:]),
    ]  # fmt: skip


def test_the_key_of_a_bucket_needs_a_statement_for_the_roles_of_slurm_nodes(
    plan_of: Callable[..., Any], templates_of: Callable[..., Templates]
) -> None:
    """Its roles are those of the template, and its actions those of their policy."""
    plan = plan_of(
        "slurm-storage", {"storage.checkpoint_bucket": {"existing": {"name": BUCKET, "key_arn": BUCKET_KEY}}}
    )
    ((what, statement),) = [each for each in existing_policies(plan) if "policy of key" in each[0]]
    assert what == f"policy of key, unless it lets IAM policies of the account use it, {BUCKET_KEY}"
    (role,) = of_type({"compute": templates_of("slurm-storage")["compute"]}, "AWS::IAM::Role")
    assert f"role{role['Path']}*" in statement["Condition"]["ArnLike"]["aws:PrincipalArn"][0]
    (on_key,) = [
        each
        for policy in role["Policies"]
        for each in policy["PolicyDocument"]["Statement"]
        if "kms:Decrypt" in each["Action"] and each["Action"] != "kms:Decrypt"  # alone: for assets of CDK
    ]
    assert on_key["Action"] == statement["Action"]
    assert f"arn:aws:s3:::{BUCKET}/*" in statement["Condition"]["ArnLike"]["kms:EncryptionContext:aws:s3:arn"]


def test_an_existing_data_key_needs_a_statement_for_any_bucket_of_a_generated_name(
    plan_of: Callable[..., Any],
) -> None:
    added = existing_policies(plan_of("slurm-storage", {"storage.key_arn": DATA_KEY}))
    (statement,) = [each for _, each in added if each.get("Sid") == "InstancesUseTheBucket"]
    assert statement["Condition"]["ArnLike"]["kms:EncryptionContext:aws:s3:arn"] == ["arn:aws:s3:::*"]


LUSTRE = {
    "availability_zone": "usw2-az4",
    "capacity_gib": 4800,
    "throughput_mbps_per_tib": 250,
    "existing": {
        "file_system_id": "fs-0123456789abcdef0",
        "dns_name": "fs-0123456789abcdef0.fsx.us-west-2.amazonaws.com",
        "mount_name": "fsx",
        "security_group_id": "sg-0123456789abcdef0",
    },
}


def test_a_file_system_that_exists_is_mounted_and_not_created(templates_of: Callable[..., Templates]) -> None:
    templates = templates_of("train-trn1", {"storage.lustre": LUSTRE})
    assert of_type(templates, "AWS::FSx::FileSystem") + of_type(templates, "AWS::FSx::DataRepositoryAssociation") == []
    assert "fs-0123456789abcdef0.fsx.us-west-2.amazonaws.com" in json.dumps(templates["software"])
    assert templates["storage"]["Outputs"]["LustreFileSystem"]["Value"] == "fs-0123456789abcdef0"


def test_only_sync_adds_an_association_to_it(templates_of: Callable[..., Templates]) -> None:
    templates = templates_of("train-trn1", {"storage.lustre": {**LUSTRE, "sync": {"mode": "archive"}}})
    (association,) = of_type(templates, "AWS::FSx::DataRepositoryAssociation")
    assert association["FileSystemId"] == "fs-0123456789abcdef0"
    assert "DeletionPolicy" not in association


def test_rules_are_added_to_the_group_of_clients_alone(templates_of: Callable[..., Templates]) -> None:
    templates = templates_of("train-trn1", {"storage.lustre": LUSTRE})
    kinds = {"AWS::EC2::SecurityGroupEgress", "AWS::EC2::SecurityGroupIngress"}
    rules = [each["Properties"] for each in templates["network"]["Resources"].values() if each["Type"] in kinds]
    to_it = [each for each in rules if "sg-0123456789abcdef0" in json.dumps(each)]
    assert sorted((each["FromPort"], each["ToPort"]) for each in to_it) == [
        (988, 988),
        (988, 988),
        (1018, 1023),
        (1018, 1023),
    ]
    assert all(each["GroupId"]["Fn::GetAtt"][0].startswith("Groupsstorageclient") for each in to_it)
