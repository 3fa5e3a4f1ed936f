"""A bucket and keys that exist: what stops a deploy, and what their owners still have to add."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from moto.kms import kms_backends

from local_aws.server import LocalAws
from neuron_cluster.aws.session import LocalTarget, client, close_clients
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.deploy.destination import local_destination
from neuron_cluster.deploy.preflight.context import PreflightContext
from neuron_cluster.deploy.preflight.run import preflight_findings
from neuron_cluster.findings.finding import Finding, Location
from neuron_cluster.local_checks.product_local_aws import product_local_aws
from neuron_cluster.plan.existing_policies import existing_policies

sys.path.insert(0, str(Path(__file__).parents[3] / "tools"))
from hint_commands import command_error, commands_in
from hinted_command import run_aws

pytestmark = pytest.mark.slow
REGION, ACCOUNT = "us-west-2", "111122223333"
BUCKET = "team-checkpoints"


@pytest.fixture(scope="module")
def aws() -> Iterator[LocalAws]:
    with product_local_aws() as running:
        yield running


@pytest.fixture
def target(aws: LocalAws) -> Iterator[LocalTarget]:
    aws.empty()
    found = LocalTarget(REGION, ACCOUNT, aws.endpoint)
    yield found
    close_clients(found)


def new_key(target: LocalTarget) -> str:
    return str(client(target, "kms").create_key()["KeyMetadata"]["Arn"])


def new_bucket(target: LocalTarget, key_arn: str) -> None:
    s3 = client(target, "s3")
    s3.create_bucket(Bucket=BUCKET, CreateBucketConfiguration={"LocationConstraint": REGION})
    default = {"SSEAlgorithm": "aws:kms", "KMSMasterKeyID": key_arn}
    rules = [{"ApplyServerSideEncryptionByDefault": default}]
    s3.put_bucket_encryption(Bucket=BUCKET, ServerSideEncryptionConfiguration={"Rules": rules})


def found_by(plan: Any, target: LocalTarget) -> list[Finding]:
    def locate(path: tuple[str | int, ...]) -> Location:
        return Location("train-trn1.yaml", path=".".join(map(str, path)))

    context = PreflightContext(plan, local_destination(target.endpoint, ACCOUNT, REGION), locate, load_catalog())
    found = preflight_findings(context)
    assert [command_error(each) for f in found for each in commands_in(f.hint) if command_error(each)] == []
    return found


@pytest.fixture
def plan_with(plan_of: Callable[..., Any]) -> Callable[..., Any]:
    def plan(bucket_key: str | None, data_key: str | None = None) -> Any:
        existing = {"name": BUCKET} | ({"key_arn": bucket_key} if bucket_key else {})
        edits = {"storage.checkpoint_bucket": {"existing": existing}}
        return plan_of("train-trn1", edits | ({"storage.key_arn": data_key} if data_key else {}))

    return plan


@pytest.mark.hints("E9572")
def test_a_bucket_and_key_that_are_not_there_stop_a_deploy(target: LocalTarget, plan_with: Callable[..., Any]) -> None:
    plan = plan_with("arn:aws:kms:us-west-2:111122223333:key/00000000-1111-2222-3333-444444444444")
    bucket, key = found_by(plan, target)
    assert (bucket.id, key.id) == ("E9572", "E9572")
    assert bucket.message.startswith(f"account {ACCOUNT} has no bucket {BUCKET}")
    assert key.message.startswith("there is no key arn:aws:kms:")


@pytest.mark.hints("E9572")
def test_versions_the_key_of_the_bucket_and_its_state_are_compared(
    target: LocalTarget, plan_with: Callable[..., Any]
) -> None:
    key, other = new_key(target), new_key(target)
    new_bucket(target, key)
    found = found_by(plan_with(other), target)
    versions, encryption, policy = [each for each in found if "lifecycle" not in each.message]
    assert versions.message.startswith(f"{BUCKET} has no versioning")
    assert encryption.message == f"{BUCKET} is encrypted with {key}, not with {other}"
    assert encryption.hint == "write the ARN of its key as key_arn"
    assert policy.id == "W9573"
    (command,) = commands_in(versions.hint)
    run_aws(command, target)
    kms = client(target, "kms")
    kms.disable_key(KeyId=key)
    (disabled,) = [each for each in found_by(plan_with(key), target) if each.id == "E9572"]
    assert disabled.message == f"{key} is Disabled: nothing is encrypted or read with it"
    (command,) = commands_in(disabled.hint)
    run_aws(command, target)
    assert [each.id for each in found_by(plan_with(key), target) if each.id.startswith("E")] == []


@pytest.mark.hints("W9573")
def test_what_the_plan_prints_is_all_that_its_owners_add(target: LocalTarget, plan_with: Callable[..., Any]) -> None:
    key, data_key = new_key(target), new_key(target)
    new_bucket(target, key)
    s3, kms = client(target, "s3"), client(target, "kms")
    s3.put_bucket_versioning(Bucket=BUCKET, VersioningConfiguration={"Status": "Enabled"})
    plan = plan_with(key, data_key)
    found = found_by(plan, target)
    assert [each.id for each in found] == ["W9573"] * 3
    assert "deletes checkpoints/ after 7 days" in found[0].message
    added = existing_policies(plan)
    rules = [each for what, each in added if what.startswith("lifecycle")]
    s3.put_bucket_lifecycle_configuration(Bucket=BUCKET, LifecycleConfiguration={"Rules": rules})
    for arn in (key, data_key):
        policy = json.loads(kms.get_key_policy(KeyId=arn, PolicyName="default")["Policy"])
        policy["Statement"] += [each for what, each in added if what == f"policy of key {arn}"]
        kms.put_key_policy(KeyId=arn, PolicyName="default", Policy=json.dumps(policy))
    assert found_by(plan, target) == []


@pytest.fixture
def slurm_with(plan_of: Callable[..., Any]) -> Callable[..., Any]:
    """slurm-storage with a bucket that exists, and the key of it."""

    def plan(key: str) -> Any:
        return plan_of("slurm-storage", {"storage.checkpoint_bucket": {"existing": {"name": BUCKET, "key_arn": key}}})

    return plan


@pytest.mark.hints("W9573")
def test_a_key_that_lets_no_iam_policies_use_it_needs_a_statement_for_slurm_nodes(
    target: LocalTarget, slurm_with: Callable[..., Any]
) -> None:
    key = new_key(target)
    plan, kms = slurm_with(key), client(target, "kms")

    def about_the_key() -> list[str]:
        return [each.message for each in found_by(plan, target) if each.id == "W9573" and key in each.message]

    assert about_the_key() == []
    of_a_service = {
        "Effect": "Allow",
        "Principal": {"Service": "fsx.amazonaws.com"},
        "Action": "kms:*",
        "Resource": "*",
    }
    statements: list[Any] = [of_a_service]

    def write_policy() -> None:
        document = json.dumps({"Version": "2012-10-17", "Statement": statements})
        named = {"KeyId": key, "PolicyName": "default", "BypassPolicyLockoutSafetyCheck": True}
        kms.put_key_policy(**named, Policy=document)

    write_policy()
    assert about_the_key() == [f"the policy of {key} has no statement InstancesUseTheBucket"]
    (added,) = [each for what, each in existing_policies(plan) if what.endswith(key)]
    assert added["Condition"]["ArnLike"]["aws:PrincipalArn"] == [f"arn:aws:iam::{ACCOUNT}:role/aws-pcs/*"]
    statements.append(added)
    write_policy()
    assert about_the_key() == []


@pytest.mark.hints("W9573")
def test_a_key_of_another_account_is_left_to_its_owner(target: LocalTarget, slurm_with: Callable[..., Any]) -> None:
    key = "arn:aws:kms:us-west-2:444455556666:key/00000000-1111-2222-3333-444444444444"
    (found,) = [each for each in found_by(slurm_with(key), target) if each.location.path.endswith("key_arn")]
    assert (found.id, found.message) == (
        "W9573", f"{key} is of account 444455556666: {ACCOUNT} cannot read its state and policy"
    )  # fmt: skip
    assert "`neuron-cluster plan slurm-storage --details` prints" in found.hint


@pytest.mark.hints("E9572")
def test_a_bucket_of_another_region_or_account_stops_a_deploy(
    target: LocalTarget, plan_with: Callable[..., Any]
) -> None:
    elsewhere = LocalTarget("eu-north-1", ACCOUNT, target.endpoint)
    client(elsewhere, "s3").create_bucket(Bucket=BUCKET, CreateBucketConfiguration={"LocationConstraint": "eu-north-1"})
    (region,) = [each for each in found_by(plan_with(None), target) if " is in " in each.message]
    assert region.message == f"{BUCKET} is in eu-north-1; the environment is in {REGION}"
    client(elsewhere, "s3").delete_bucket(Bucket=BUCKET)
    close_clients(elsewhere)


@pytest.mark.exhaustive
@pytest.mark.hints("E9572")
def test_a_bucket_of_another_account_stops_a_deploy(target: LocalTarget, plan_with: Callable[..., Any]) -> None:
    theirs = LocalTarget(REGION, "444455556666", target.endpoint)
    client(theirs, "s3").create_bucket(Bucket=BUCKET, CreateBucketConfiguration={"LocationConstraint": REGION})
    (found,) = [each for each in found_by(plan_with(None), target) if each.id == "E9572"]
    assert found.message.startswith(f"account {ACCOUNT} has no bucket {BUCKET}")
    close_clients(theirs)


@pytest.mark.exhaustive
@pytest.mark.hints("E9572")
@pytest.mark.parametrize("is_encrypted", [True, False])
def test_a_bucket_with_a_key_on_one_side_only_stops_a_deploy(
    is_encrypted: bool, target: LocalTarget, plan_with: Callable[..., Any]
) -> None:
    """The bucket has a key and the file none, or the other way round."""
    key = new_key(target)
    new_bucket(target, key)
    if not is_encrypted:
        client(target, "s3").delete_bucket_encryption(Bucket=BUCKET)
    given = None if is_encrypted else key
    (found,) = [each for each in found_by(plan_with(given), target) if "is encrypted with" in each.message]
    assert (
        found.message == f"{BUCKET} is encrypted with {(key, 'SSE-S3')[not is_encrypted]}, not with {given or 'SSE-S3'}"
    )
    assert found.hint == ("write the ARN of its key as key_arn" if is_encrypted else "remove key_arn")
    followed = plan_with(key if is_encrypted else None)
    assert not [each for each in found_by(followed, target) if "is encrypted with" in each.message]


@pytest.mark.exhaustive
@pytest.mark.hints("E9572", "W9573")
def test_suspended_versions_and_a_disabled_lifecycle_rule_count_as_none(
    target: LocalTarget, plan_with: Callable[..., Any]
) -> None:
    key = new_key(target)
    new_bucket(target, key)
    s3, plan = client(target, "s3"), plan_with(key)
    for status in ("Enabled", "Suspended"):
        s3.put_bucket_versioning(Bucket=BUCKET, VersioningConfiguration={"Status": status})
    rules = [each for what, each in existing_policies(plan) if what.startswith("lifecycle")]
    off = [{**each, "Status": "Disabled"} for each in rules]
    s3.put_bucket_lifecycle_configuration(Bucket=BUCKET, LifecycleConfiguration={"Rules": off})
    messages = {each.id: each.message for each in found_by(plan, target) if BUCKET in each.message}
    assert messages["E9572"].startswith(f"{BUCKET} has no versioning")
    assert messages["W9573"].startswith(f"{BUCKET} has no lifecycle rule")


def bucket_policy(**members: Any) -> str:
    deny = {"Effect": "Deny", "Principal": "*", "Action": "s3:*", "Resource": [f"arn:aws:s3:::{BUCKET}/*"]}
    return json.dumps({"Version": "2012-10-17", "Statement": [deny | members]})


BUCKET_POLICIES = [
    ({"Action": "s3:PutObject"}, "E9572", "denies s3:PutObject to every role"),
    ({"Condition": {"StringNotEquals": {"aws:PrincipalAccount": "444455556666"}}}, "E9572", "denies s3:GetObject and"),
    ({"Condition": {"Bool": {"aws:SecureTransport": "false"}}}, "", "deny"),
    ({"Condition": {"StringNotEquals": {"aws:PrincipalAccount": ACCOUNT}}}, "", "deny"),
    (
        {"Condition": {"StringNotEquals": {"aws:SourceVpce": "vpce-1"}}},
        "W9573",
        "may deny s3:GetObject and s3:PutObject",
    ),
    ({"Principal": {"AWS": f"arn:aws:iam::{ACCOUNT}:root"}}, "E9572", "denies s3:GetObject"),
    ({"Principal": {"AWS": "arn:aws:iam::444455556666:root"}}, "", "deny"),
    (
        {"Resource": [f"arn:aws:s3:::{BUCKET}/*"], "NotAction": "s3:GetObject", "Action": None},
        "E9572",
        "denies s3:PutO",
    ),
]


@pytest.mark.hints("E9572", "W9573")
@pytest.mark.parametrize(
    ("members", "finding_id", "text"),
    [BUCKET_POLICIES[0], *(pytest.param(*row, marks=pytest.mark.exhaustive) for row in BUCKET_POLICIES[1:])],
)
def test_a_policy_of_the_bucket_that_denies_roles_is_found(
    members: dict[str, Any], finding_id: str, text: str, target: LocalTarget, plan_with: Callable[..., Any]
) -> None:
    key = new_key(target)
    new_bucket(target, key)
    policy = json.loads(bucket_policy(**members))
    policy["Statement"] = [{name: value for name, value in policy["Statement"][0].items() if value is not None}]
    client(target, "s3").put_bucket_policy(Bucket=BUCKET, Policy=json.dumps(policy))
    found = [each for each in found_by(plan_with(key), target) if text in each.message]
    assert [each.id for each in found] == ([finding_id] if finding_id else [])


KEYS = [
    ({"KeySpec": "RSA_2048", "KeyUsage": "ENCRYPT_DECRYPT"}, "is a key of CUSTOMER and RSA_2048 (ENCRYPT_DECRYPT)"),
    ({"KeySpec": "HMAC_256", "KeyUsage": "GENERATE_VERIFY_MAC"}, "is a key of CUSTOMER and HMAC_256"),
]


@pytest.mark.exhaustive
@pytest.mark.hints("E9572")
@pytest.mark.parametrize(("members", "text"), KEYS)
def test_a_key_that_encrypts_no_objects_stops_a_deploy(
    members: dict[str, str], text: str, target: LocalTarget, plan_with: Callable[..., Any]
) -> None:
    data_key = str(client(target, "kms").create_key(**members)["KeyMetadata"]["Arn"])
    found = [each for each in found_by(plan_with(None, data_key), target) if text in each.message]
    assert [(each.id, each.location.path) for each in found] == [("E9572", "storage.key_arn")]


@pytest.mark.hints("E9572")
@pytest.mark.parametrize(
    ("state", "commands"),
    [
        ("PendingDeletion", ["cancel-key-deletion", "enable-key"]),
        *(
            pytest.param(state, ["describe-key"], marks=pytest.mark.exhaustive)
            for state in ("PendingImport", "Unavailable")
        ),
    ],
)
def test_a_key_in_another_state_stops_a_deploy_until_it_is_enabled(
    state: str, commands: list[str], target: LocalTarget, plan_with: Callable[..., Any]
) -> None:
    key = new_key(target)
    if state == "PendingDeletion":
        client(target, "kms").schedule_key_deletion(KeyId=key)
    else:
        kms_backends[ACCOUNT][REGION].keys[key.rpartition("/")[2]].key_state = state
    (found,) = [each for each in found_by(plan_with(None, key), target) if state in each.message]
    assert (found.id, found.location.path) == ("E9572", "storage.key_arn")
    assert [each.split()[2] for each in commands_in(found.hint)] == commands
    for command in commands_in(found.hint):
        run_aws(command, target)
    if state == "PendingDeletion":
        assert [
            each.id for each in found_by(plan_with(None, key), target) if key in each.message and each.id[0] == "E"
        ] == []


@pytest.mark.exhaustive
@pytest.mark.hints("E9572")
def test_a_key_that_aws_manages_stops_a_deploy(target: LocalTarget, plan_with: Callable[..., Any]) -> None:
    key = new_key(target)
    kms_backends[ACCOUNT][REGION].keys[key.rpartition("/")[2]].key_manager = "AWS"
    (found,) = [each for each in found_by(plan_with(None, key), target) if "is a key of AWS" in each.message]
    assert found.id == "E9572"


@pytest.mark.exhaustive
@pytest.mark.hints("E9572")
def test_a_key_policy_that_denies_every_role_stops_a_deploy(target: LocalTarget, plan_with: Callable[..., Any]) -> None:
    key, kms = new_key(target), client(target, "kms")
    policy = json.loads(kms.get_key_policy(KeyId=key, PolicyName="default")["Policy"])
    policy["Statement"].append({"Effect": "Deny", "Principal": "*", "Action": "kms:Decrypt", "Resource": "*"})
    kms.put_key_policy(KeyId=key, PolicyName="default", Policy=json.dumps(policy))
    (found,) = [each for each in found_by(plan_with(None, key), target) if "denies" in each.message]
    assert (found.id, found.message) == ("E9572", f"the policy of {key} denies kms:Decrypt to every role")


@pytest.mark.exhaustive
@pytest.mark.hints("W9573")
def test_default_retention_of_the_bucket_is_a_warning(target: LocalTarget, plan_with: Callable[..., Any]) -> None:
    s3, key = client(target, "s3"), new_key(target)
    location = {"LocationConstraint": REGION}
    s3.create_bucket(Bucket=BUCKET, CreateBucketConfiguration=location, ObjectLockEnabledForBucket=True)
    retention = {"DefaultRetention": {"Mode": "GOVERNANCE", "Days": 30}}
    lock = {"ObjectLockEnabled": "Enabled", "Rule": retention}
    s3.put_object_lock_configuration(Bucket=BUCKET, ObjectLockConfiguration=lock)
    (found,) = [each for each in found_by(plan_with(key), target) if "Object Lock" in each.message]
    assert (found.id, f"keeps each version in {BUCKET} for 30 Days" in found.message) == ("W9573", True)
