"""The public bucket."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .conftest import OtherApp


def test_objects_are_encrypted_versioned_and_private(resource: Callable[[str, str], Any]) -> None:
    bucket = resource("AWS::S3::Bucket", "Data")
    (rule,) = bucket["BucketEncryption"]["ServerSideEncryptionConfiguration"]
    assert rule["ServerSideEncryptionByDefault"]["SSEAlgorithm"] == "aws:kms"
    assert bucket["VersioningConfiguration"] == {"Status": "Enabled"}
    assert set(bucket["PublicAccessBlockConfiguration"].values()) == {True}
    assert "BucketName" not in bucket


def test_objects_of_a_prefix_expire(resource: Callable[[str, str], Any]) -> None:
    rules = resource("AWS::S3::Bucket", "Data")["LifecycleConfiguration"]["Rules"]
    assert [(rule.get("Prefix"), rule.get("ExpirationInDays")) for rule in rules] == [
        (None, None),
        ("compile-cache/", 90),
    ]


def test_bucket_and_key_outlive_the_stack(template: dict[str, Any]) -> None:
    kept = {
        name: (each["DeletionPolicy"], each["UpdateReplacePolicy"])
        for name, each in template["Resources"].items()
        if name.startswith("Data") and each["Type"] in ("AWS::S3::Bucket", "AWS::KMS::Key")
    }
    assert list(kept.values()) == [("RetainExceptOnCreate", "Retain")] * 2


def test_a_given_key_is_used(other_app: OtherApp) -> None:
    from aws_cdk import aws_kms as kms
    from aws_cdk.assertions import Template

    from neuron_cluster.cdk import NeuronBucket

    arn = "arn:aws:kms:us-west-2:111122223333:key/0"
    NeuronBucket(other_app.stack, "Data", key=kms.Key.from_key_arn(other_app.stack, "Key", arn))
    found = Template.from_stack(other_app.stack)
    found.resource_count_is("AWS::KMS::Key", 0)
    assert arn in str(found.find_resources("AWS::S3::Bucket"))
