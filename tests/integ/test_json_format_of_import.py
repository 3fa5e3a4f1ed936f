"""The JSON of `import` has every property of its schema."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from local_aws.server import LocalAws
from neuron_cluster.aws.session import LocalTarget, client
from tests.json_outputs import accepted_mutations, unseen

from .only_data import ONLY_DATA, with_only_data

pytestmark = pytest.mark.slow
BUCKET = "team-checkpoints"
EXPIRING, PREFIX = ONLY_DATA + "  compile_cache: {expire_days: 30}\n", "compile-cache/"


@pytest.fixture
def key(local_aws: LocalAws, target: LocalTarget) -> str:
    """The id of the key of a bucket with one object; the account has nothing else."""
    local_aws.empty()
    s3, made = client(target, "s3"), client(target, "kms").create_key()["KeyMetadata"]
    s3.create_bucket(Bucket=BUCKET, CreateBucketConfiguration={"LocationConstraint": "us-west-2"})
    default = {"SSEAlgorithm": "aws:kms", "KMSMasterKeyID": made["Arn"]}
    rules = [{"ApplyServerSideEncryptionByDefault": default, "BucketKeyEnabled": True}]
    s3.put_bucket_encryption(Bucket=BUCKET, ServerSideEncryptionConfiguration={"Rules": rules})
    s3.put_object(Bucket=BUCKET, Key=f"{PREFIX}model", Body=b"compiled")
    return str(made["KeyId"])


def test_every_property_is_printed_before_and_after_the_import(
    project: Any, command: Callable[..., Any], key: str
) -> None:
    with_only_data(project, EXPIRING)
    arguments = ("import", "--local", "only-data", "--bucket", BUCKET, "--key", key)
    shown, done = command(*arguments).document, command(*arguments, "--yes").document
    assert unseen("import", [shown, done]) == []
    assert [change for each in (shown, done) for change in accepted_mutations("import", each)] == []
    assert (shown["imported"], done["imported"]) == (False, True)
    assert shown["remaining"] > 0
    same = ("environment", "stack", "resources", "differences", "expiring", "remaining")
    assert {name: shown[name] for name in same} == {name: done[name] for name in same}


@pytest.mark.exhaustive
def test_the_commands_of_the_next_steps_end_with_success(project: Any, command: Callable[..., Any], key: str) -> None:
    with_only_data(project, EXPIRING)
    arguments = ("import", "--local", "only-data", "--bucket", BUCKET, "--key", key)
    (step,) = command(*arguments).document["next_steps"]
    done = command(*step["command"].split()[1:])
    assert (done.status, done.document["imported"]) == (0, True)
    ran = [command(*each["command"].split()[1:]) for each in done.document["next_steps"]]
    assert [each.status for each in ran] == [0, 0]
