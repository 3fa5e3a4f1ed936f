"""A bucket that exists becomes the checkpoint bucket of an environment, with its objects."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from local_aws.server import LocalAws
from neuron_cluster.aws.cloudformation import resources, stack
from neuron_cluster.aws.session import LocalTarget, client
from neuron_cluster.cli.main import main

from .only_data import with_only_data

pytestmark = pytest.mark.slow
BUCKET, STACK = "team-checkpoints", "only-data-storage"
IMPORT = ("import", "--local", "only-data", "--bucket", BUCKET)


@pytest.fixture
def bucket(local_aws: LocalAws, target: LocalTarget) -> Iterator[Any]:
    """The client of S3; the account has one bucket with one object, and nothing else."""
    local_aws.empty()
    s3 = client(target, "s3")
    s3.create_bucket(Bucket=BUCKET, CreateBucketConfiguration={"LocationConstraint": "us-west-2"})
    s3.put_bucket_versioning(Bucket=BUCKET, VersioningConfiguration={"Status": "Suspended"})
    s3.put_object(Bucket=BUCKET, Key="step-1/model", Body=b"weights")
    return s3


def of_type(target: LocalTarget, kind: str) -> list[tuple[str, str]]:
    return [(each.logical_id, each.physical_id) for each in resources(target, STACK) if each.type == kind]


def test_a_bucket_with_an_object_is_imported_deployed_and_kept(
    project: Path, command: Callable[..., Any], target: LocalTarget, bucket: Any
) -> None:
    with_only_data(project)
    shown = command(*IMPORT)
    assert (shown.status, shown.document["imported"]) == (0, False), shown.err
    assert stack(target, STACK) is None
    (imported,) = shown.document["resources"]
    assert (imported["type"], imported["physical_id"]) == ("AWS::S3::Bucket", BUCKET)
    differences = {each["property"]: each for each in shown.document["differences"]}
    assert differences["VersioningConfiguration"]["in_account"] == "Status: Suspended"
    assert differences["VersioningConfiguration"]["after_deploy"] == "Status: Enabled"

    done = command(*IMPORT, "--yes")
    assert (done.status, done.document["imported"]) == (0, True), done.err
    assert of_type(target, "AWS::S3::Bucket") == [(imported["logical_id"], BUCKET)]
    assert bucket.get_bucket_versioning(Bucket=BUCKET)["Status"] == "Suspended"

    deployed = command("deploy", "--local", "only-data")
    assert deployed.status == 0, deployed.err
    assert of_type(target, "AWS::S3::Bucket") == [(imported["logical_id"], BUCKET)]
    assert bucket.get_bucket_versioning(Bucket=BUCKET)["Status"] == "Enabled"
    encryption = bucket.get_bucket_encryption(Bucket=BUCKET)["ServerSideEncryptionConfiguration"]["Rules"][0]
    assert encryption["ApplyServerSideEncryptionByDefault"]["SSEAlgorithm"] == "aws:kms"
    assert bucket.get_object(Bucket=BUCKET, Key="step-1/model")["Body"].read() == b"weights"

    destroyed = command("destroy", "--local", "only-data")
    assert destroyed.status == 0, destroyed.err
    assert bucket.get_object(Bucket=BUCKET, Key="step-1/model")["Body"].read() == b"weights"


def test_the_text_names_the_differences_and_the_command_that_imports(
    project: Path,
    command: Callable[..., Any],
    target: LocalTarget,
    bucket: Any,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(with_only_data(project))
    assert main(IMPORT) == 0
    shown = capsys.readouterr().out
    assert "  AWS::S3::Bucket VersioningConfiguration: Status: Suspended -> Status: Enabled" in shown.splitlines()
    assert shown.endswith(f"Nothing was changed. To import:\n  neuron-cluster {' '.join(IMPORT)} --yes\n")
    assert stack(target, STACK) is None
    assert main([*IMPORT, "--yes"]) == 0
    shown = capsys.readouterr().out
    assert f"{STACK}: IMPORT_COMPLETE, 1 resource" in shown
    assert shown.endswith("  neuron-cluster deploy --local only-data\n")
    assert command(*IMPORT).status == 1


@pytest.mark.exhaustive
def test_a_bucket_is_imported_with_its_key(
    project: Path, command: Callable[..., Any], target: LocalTarget, bucket: Any
) -> None:
    """The same key after the deploy, with the policy of the template: no second key, and the object is readable."""
    with_only_data(project)
    kms = client(target, "kms")
    key = kms.create_key(Description="of the team")["KeyMetadata"]
    default = {"SSEAlgorithm": "aws:kms", "KMSMasterKeyID": key["Arn"]}
    rules = [{"ApplyServerSideEncryptionByDefault": default, "BucketKeyEnabled": True}]
    bucket.put_bucket_encryption(Bucket=BUCKET, ServerSideEncryptionConfiguration={"Rules": rules})
    rejected = command(*IMPORT, "--yes")
    assert rejected.status == 1
    assert f"--key {key['KeyId']}" in rejected.document["findings"][0]["hint"]
    assert stack(target, STACK) is None
    done = command(*IMPORT, "--key", key["KeyId"], "--yes")
    assert done.status == 0, done.document
    assert kms.describe_key(KeyId=key["KeyId"])["KeyMetadata"]["Description"] == "of the team"

    deployed = command("deploy", "--local", "only-data")
    assert deployed.status == 0, deployed.document
    assert [physical_id for _, physical_id in of_type(target, "AWS::KMS::Key")] == [key["KeyId"]]
    assert kms.get_key_rotation_status(KeyId=key["KeyId"])["KeyRotationEnabled"]
    assert "LustreReadsAndWritesTheBucket" in kms.get_key_policy(KeyId=key["KeyId"], PolicyName="default")["Policy"]
    assert kms.list_aliases(KeyId=key["KeyId"])["Aliases"][0]["AliasName"] == "alias/neuron-cluster/only-data/data"
    found = bucket.get_bucket_encryption(Bucket=BUCKET)["ServerSideEncryptionConfiguration"]["Rules"][0]
    assert found["ApplyServerSideEncryptionByDefault"]["KMSMasterKeyID"] == key["Arn"]
    assert bucket.get_object(Bucket=BUCKET, Key="step-1/model")["Body"].read() == b"weights"

    assert command("destroy", "--local", "only-data").status == 0
    assert kms.describe_key(KeyId=key["KeyId"])["KeyMetadata"]["KeyState"] == "Enabled"
