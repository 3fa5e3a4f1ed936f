"""Settings that an import keeps, settings of the next deploy, and buckets that cannot be imported."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from local_aws.server import LocalAws
from neuron_cluster.aws.change_sets import create_import
from neuron_cluster.aws.cloudformation import stack
from neuron_cluster.aws.session import LocalTarget, client, close_clients
from neuron_cluster.deploy.assembly import AssembledStack
from neuron_cluster.deploy.bucket_import import BucketImport, plan_import, require_importing
from neuron_cluster.deploy.destination import Destination, local_destination
from neuron_cluster.deploy.import_run import run_import
from neuron_cluster.errors import ToolkitError
from neuron_cluster.local_checks.product_local_aws import product_local_aws

sys.path.insert(0, str(Path(__file__).parents[3] / "tools"))
from hint_commands import commands_in
from hinted_command import run_aws

REGION, ACCOUNT = "us-west-2", "111122223333"
BUCKET, STACK = "team-checkpoints", "train-trn1-storage"
GOLDEN = Path(__file__).parents[2] / "golden" / "train-trn1" / f"{STACK}.template.json"
ASSEMBLED = AssembledStack(STACK, json.loads(GOLDEN.read_text()), is_protected=True)


@pytest.mark.parametrize(
    ("environment", "bucket", "message"),
    [
        ("dev-inf2", None, "dev-inf2 has no checkpoint bucket: the file has no storage.checkpoint_bucket"),
        ("train-trn1", {"existing": {"name": BUCKET}}, f"the file refers to {BUCKET} by storage.checkpoint_bucket"),
    ],
)
def test_a_file_whose_stack_creates_no_bucket_imports_none(
    plan_of: Callable[..., Any], environment: str, bucket: Any, message: str
) -> None:
    with pytest.raises(ToolkitError) as raised:
        require_importing(plan_of(environment, {"storage.checkpoint_bucket": bucket} if bucket else {}))
    assert raised.value.message.startswith(message)
    assert raised.value.hint
    require_importing(plan_of("train-trn1"))


@pytest.fixture(scope="module")
def aws() -> Iterator[LocalAws]:
    with product_local_aws() as running:
        yield running


@pytest.fixture
def destination(aws: LocalAws) -> Iterator[Destination]:
    aws.empty()
    found = local_destination(aws.endpoint, ACCOUNT, REGION)
    yield found
    close_clients(found.target)


@pytest.fixture
def planned(destination: Destination, plan_of: Callable[..., Any]) -> Callable[..., BucketImport]:
    def plan(key: str | None = None, **edits: Any) -> BucketImport:
        return plan_import(plan_of("train-trn1", edits), ASSEMBLED, destination, BUCKET, key)

    return plan


def new_bucket(destination: Destination, region: str = REGION) -> Any:
    target = destination.target
    elsewhere = LocalTarget(region, ACCOUNT, destination.local_endpoint)
    s3 = client(elsewhere if region != REGION else target, "s3")
    s3.create_bucket(Bucket=BUCKET, CreateBucketConfiguration={"LocationConstraint": region})
    return s3


def encrypted(s3: Any, key: str) -> None:
    default = {"SSEAlgorithm": "aws:kms", "KMSMasterKeyID": key}
    rules = [{"ApplyServerSideEncryptionByDefault": default, "BucketKeyEnabled": True}]
    s3.put_bucket_encryption(Bucket=BUCKET, ServerSideEncryptionConfiguration={"Rules": rules})


@pytest.mark.slow
def test_the_template_has_what_the_bucket_has_and_the_rest_differs(
    destination: Destination, planned: Callable[..., BucketImport]
) -> None:
    s3 = new_bucket(destination)
    s3.put_bucket_versioning(Bucket=BUCKET, VersioningConfiguration={"Status": "Enabled"})
    rule = {"ID": "ours", "Status": "Enabled", "Filter": {"Prefix": ""}, "Expiration": {"Days": 9}}
    s3.put_bucket_lifecycle_configuration(Bucket=BUCKET, LifecycleConfiguration={"Rules": [rule]})
    s3.put_bucket_tagging(Bucket=BUCKET, Tagging={"TagSet": [{"Key": "team", "Value": "llm"}]})
    assert planned().expiring == ()
    s3.put_object(Bucket=BUCKET, Key="checkpoints/step-1", Body=b"weights")
    found = planned()
    assert [(each.prefix, each.days) for each in found.expiring] == [("checkpoints/", 7)]
    (definition,) = found.template["Resources"].values()
    assert definition["DeletionPolicy"] == "RetainExceptOnCreate"
    assert definition["Properties"]["VersioningConfiguration"] == {"Status": "Enabled"}
    assert definition["Properties"]["Tags"] == [{"Key": "team", "Value": "llm"}]
    differences = {each.property: (each.in_account, each.after_deploy) for each in found.differences}
    assert "VersioningConfiguration" not in differences
    assert differences["LifecycleConfiguration"] == ("ours", "expire-old-versions, expire-archive")
    assert differences["Tags"] == ("team", "cost-center, neuron-cluster:environment")
    assert differences["BucketEncryption"][1] == "aws:kms, the data key of the stack"
    assert found.remaining == len(ASSEMBLED.template["Resources"]) - 1


@pytest.mark.slow
def test_a_bucket_that_is_absent_or_elsewhere_is_named(
    destination: Destination, planned: Callable[..., BucketImport]
) -> None:
    with pytest.raises(ToolkitError, match=f"account {ACCOUNT} has no bucket {BUCKET}"):
        planned()
    new_bucket(destination, "eu-north-1")
    with pytest.raises(ToolkitError, match=f"{BUCKET} is in eu-north-1; the environment is in us-west-2"):
        planned()


@pytest.mark.slow
def test_a_policy_is_deleted_first_as_the_hint_has_it(
    destination: Destination, planned: Callable[..., BucketImport]
) -> None:
    s3 = new_bucket(destination)
    statement = {"Effect": "Deny", "Principal": "*", "Action": "s3:*", "Resource": f"arn:aws:s3:::{BUCKET}/x"}
    s3.put_bucket_policy(Bucket=BUCKET, Policy=json.dumps({"Version": "2012-10-17", "Statement": [statement]}))
    with pytest.raises(ToolkitError, match="has a bucket policy") as raised:
        planned()
    (command,) = commands_in(raised.value.hint)
    run_aws(command.replace(f" --endpoint-url {destination.local_endpoint}", ""), destination.target)
    assert planned().resources[0].physical_id == BUCKET


@pytest.mark.slow
def test_the_key_of_the_bucket_is_the_data_key(destination: Destination, planned: Callable[..., BucketImport]) -> None:
    key_arn = client(destination.target, "kms").create_key()["KeyMetadata"]["Arn"]
    encrypted(new_bucket(destination), key_arn)
    with pytest.raises(ToolkitError, match="could not read its objects") as raised:
        planned()
    assert f"storage.key_arn: {key_arn}" in raised.value.hint
    assert [each.physical_id for each in planned(**{"storage.key_arn": key_arn}).resources] == [BUCKET]
    key_id = key_arn.rpartition("/")[2]
    assert f"--key {key_id};" in raised.value.hint
    both = planned(key_id)
    assert [each.physical_id for each in both.resources] == [key_id, BUCKET]
    differences = {each.property: (each.in_account, each.after_deploy) for each in both.differences}
    assert "BucketEncryption" not in differences
    assert differences["EnableKeyRotation"] == ("none", "true")
    with pytest.raises(ToolkitError, match="the file refers to a key by"):
        planned(key_id, **{"storage.key_arn": key_arn})


@pytest.mark.slow
def test_a_key_of_another_kind_or_with_other_users_is_not_imported(
    destination: Destination, planned: Callable[..., BucketImport]
) -> None:
    kms = client(destination.target, "kms")
    new_bucket(destination)
    with pytest.raises(ToolkitError, match="has no key 00000000-1111-2222-3333-444444444444 in us-west-2"):
        planned("00000000-1111-2222-3333-444444444444")
    in_regions = kms.create_key(MultiRegion=True)["KeyMetadata"]["KeyId"]
    with pytest.raises(ToolkitError, match=f"{in_regions} has MultiRegion True and cannot become the data key"):
        planned(in_regions)
    key = kms.create_key()["KeyMetadata"]["KeyId"]
    policy = json.loads(kms.get_key_policy(KeyId=key, PolicyName="default")["Policy"])
    other = {"Sid": "Audit", "Effect": "Allow", "Principal": {"AWS": "arn:aws:iam::444455556666:root"},
             "Action": "kms:Decrypt", "Resource": "*"}  # fmt: skip
    with_other = json.dumps({**policy, "Statement": [*policy["Statement"], other]})
    kms.put_key_policy(KeyId=key, PolicyName="default", Policy=with_other)
    with pytest.raises(ToolkitError, match=f"would remove statements of the key policy of {key}: Audit"):
        planned(key)
    kms.put_key_policy(KeyId=key, PolicyName="default", Policy=json.dumps(policy))
    assert [each.type for each in planned(key).resources] == ["AWS::KMS::Key", "AWS::S3::Bucket"]


@pytest.mark.slow
def test_a_bucket_is_in_one_stack_and_a_stack_that_exists_is_not_changed(
    destination: Destination, planned: Callable[..., BucketImport], plan_of: Callable[..., Any]
) -> None:
    new_bucket(destination)
    ended = run_import(destination, planned(), lambda _: None)
    assert [each.status for each in ended] == ["IMPORT_COMPLETE"]
    found = stack(destination.target, STACK)
    assert found is not None
    assert found.is_protected
    with pytest.raises(ToolkitError, match=rf"the stack {STACK} exists already \(IMPORT_COMPLETE\)"):
        planned()
    other = AssembledStack("other-storage", ASSEMBLED.template)
    with pytest.raises(ToolkitError, match=f"{BUCKET} is a resource of the stack {STACK}"):
        plan_import(plan_of("train-trn1"), other, destination, BUCKET)


@pytest.mark.slow
def test_a_failed_import_leaves_neither_stack_nor_change_set(
    destination: Destination, planned: Callable[..., BucketImport]
) -> None:
    s3 = new_bucket(destination)
    found = planned()
    s3.delete_bucket(Bucket=BUCKET)
    with pytest.raises(ToolkitError, match="the import failed") as raised:
        run_import(destination, found, lambda _: None)
    assert "(AWS::S3::Bucket)" in raised.value.message
    assert stack(destination.target, STACK) is None


@pytest.mark.slow
def test_an_interrupted_import_leaves_nothing_and_a_killed_one_is_continued(
    destination: Destination, planned: Callable[..., BucketImport]
) -> None:
    new_bucket(destination)
    found = planned()
    create_import(destination.target, STACK, "neuron-cluster-import", json.dumps(found.template), found.resources)
    assert planned() == found

    def interrupt(**_: Any) -> None:
        raise KeyboardInterrupt

    events = client(destination.target, "cloudformation").meta.events
    events.register("before-call.cloudformation.ExecuteChangeSet", interrupt)
    with pytest.raises(KeyboardInterrupt):
        run_import(destination, found, lambda _: None)
    events.unregister("before-call.cloudformation.ExecuteChangeSet", interrupt)
    assert stack(destination.target, STACK) is None
    assert [each.status for each in run_import(destination, found, lambda _: None)] == ["IMPORT_COMPLETE"]
