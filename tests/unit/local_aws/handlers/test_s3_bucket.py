"""Buckets keep every setting, hold their objects and let themselves be used under CDK's policies."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from botocore.exceptions import ClientError

from local_aws.engine.status_reasons import ResourceFailedError

pytestmark = pytest.mark.slow  # many calls, together longer than a fast module may take

TYPE = "AWS::S3::Bucket"
SETTINGS: dict[str, Any] = {
    "VersioningConfiguration": {"Status": "Enabled"},
    "BucketEncryption": {
        "ServerSideEncryptionConfiguration": [
            {
                "BucketKeyEnabled": "true",
                "ServerSideEncryptionByDefault": {"SSEAlgorithm": "aws:kms", "KMSMasterKeyID": "alias/data"},
            }
        ]
    },
    "PublicAccessBlockConfiguration": {
        "BlockPublicAcls": True,
        "BlockPublicPolicy": True,
        "IgnorePublicAcls": True,
        "RestrictPublicBuckets": False,
    },
    "OwnershipControls": {"Rules": [{"ObjectOwnership": "BucketOwnerEnforced"}]},
    "LifecycleConfiguration": {
        "Rules": [
            {"Id": "uploads", "Status": "Enabled", "AbortIncompleteMultipartUpload": {"DaysAfterInitiation": "7"}},
            {
                "Id": "old",
                "Status": "Enabled",
                "Prefix": "checkpoints/",
                "NoncurrentVersionExpiration": {"NoncurrentDays": 30, "NewerNoncurrentVersions": 3},
            },
            {
                "Id": "cold",
                "Status": "Disabled",
                "Prefix": "archive/",
                "TagFilters": [{"Key": "keep", "Value": "long"}],
                "ExpirationInDays": 365,
                "Transitions": [{"StorageClass": "GLACIER", "TransitionInDays": 90}],
                "NoncurrentVersionTransitions": [{"StorageClass": "STANDARD_IA", "TransitionInDays": 30}],
            },
            {"Id": "large", "Status": "Enabled", "ObjectSizeGreaterThan": "1024", "ExpirationInDays": 1},
            {"Id": "markers", "Status": "Enabled", "ExpiredObjectDeleteMarker": True},
        ]
    },
    "CorsConfiguration": {"CorsRules": [{"AllowedMethods": ["GET"], "AllowedOrigins": ["*"], "MaxAge": 300}]},
    "Tags": [{"Key": "a", "Value": "b"}],
}


@pytest.mark.parametrize("name", SETTINGS)
def test_each_setting_is_put_and_taken_off(bench: Any, holds: Callable[[Any, Any], bool], name: str) -> None:
    """It is read back, off again in place, and on again."""
    bucket = bench.create(TYPE, {name: SETTINGS[name]})
    assert holds(bench.read(TYPE, bucket)[name], SETTINGS[name])
    bench.update(TYPE, bucket, {name: SETTINGS[name]}, {})
    off = {"VersioningConfiguration": {"Status": "Suspended"}, "Tags": []}.get(name)
    assert bench.read(TYPE, bucket).get(name) == off
    bench.update(TYPE, bucket, {}, {name: SETTINGS[name]})
    assert holds(bench.read(TYPE, bucket)[name], SETTINGS[name])


def test_all_settings_together(bench: Any, holds: Callable[[Any, Any], bool]) -> None:
    """None stands in the way of another."""
    logs = bench.create(TYPE, {}).physical_id
    properties = {**SETTINGS, "LoggingConfiguration": {"DestinationBucketName": logs, "LogFilePrefix": "data/"}}
    assert holds(bench.read(TYPE, bench.create(TYPE, properties)), properties)


def test_object_lock(bench: Any, holds: Callable[[Any, Any], bool]) -> None:
    """Its retention is kept."""
    properties = {
        "ObjectLockEnabled": True,
        "ObjectLockConfiguration": {
            "ObjectLockEnabled": "Enabled",
            "Rule": {"DefaultRetention": {"Mode": "GOVERNANCE", "Days": "1"}},
        },
    }
    assert holds(bench.read(TYPE, bench.create(TYPE, properties)), properties)


def test_a_name_is_made_up_and_attributes_are_given(bench: Any) -> None:
    """Lower case, of stack and logical id, and the ARN and names of it."""
    bucket = bench.create(TYPE, {}, "Checkpoints")
    assert bucket.physical_id.startswith("workbench-checkpoints-")
    assert bucket.physical_id == bucket.physical_id.lower()
    assert bucket.attributes["Arn"] == f"arn:aws:s3:::{bucket.physical_id}"
    assert bucket.attributes["RegionalDomainName"] == f"{bucket.physical_id}.s3.us-west-2.amazonaws.com"


@pytest.mark.parametrize("region", ["us-west-2", "us-east-1"])
def test_a_name_is_taken_once(bench: Any, region: str) -> None:
    """Its owner cannot take it again, in the home Region as elsewhere."""
    bench.region = region
    name = bench.create(TYPE, {}).physical_id
    with pytest.raises(ClientError, match="BucketAlreadyExists"):
        bench.create(TYPE, {"BucketName": name})


@pytest.mark.parametrize("name", ["two..dots", "10.0.0.1"])
def test_a_name_that_cannot_be(bench: Any, name: str) -> None:
    """S3's naming rules."""
    with pytest.raises(ClientError, match="InvalidBucketName"):
        bench.create(TYPE, {"BucketName": name})


def test_a_bucket_with_an_object_is_not_deleted(bench: Any) -> None:
    """Nor one with old versions only."""
    bucket = bench.create(TYPE, {"VersioningConfiguration": {"Status": "Enabled"}})
    s3 = bench.client("s3")
    version = s3.put_object(Bucket=bucket.physical_id, Key="k", Body=b"x")["VersionId"]
    with pytest.raises(ClientError, match="BucketNotEmpty"):
        bench.delete(TYPE, bucket, {})
    marker = s3.delete_object(Bucket=bucket.physical_id, Key="k")["VersionId"]
    with pytest.raises(ClientError, match="BucketNotEmpty"):
        bench.delete(TYPE, bucket, {})
    for each in (version, marker):
        s3.delete_object(Bucket=bucket.physical_id, Key="k", VersionId=each)
    bench.delete(TYPE, bucket, {})


def test_a_misspelt_setting_is_refused(bench: Any) -> None:
    """At any depth."""
    rules = {"Rules": [{"Id": "x", "Status": "Enabled", "ExpirationInDayss": 1}]}
    with pytest.raises(ResourceFailedError, match="extraneous key \\[ExpirationInDayss\\]"):
        bench.create(TYPE, {"LifecycleConfiguration": rules})


def test_a_setting_that_s3_rejects_leaves_no_bucket(bench: Any) -> None:
    """The bucket that was made first is taken back."""
    rule = {"Id": "x", "Status": "Enabled", "ExpirationInDays": 1}
    with pytest.raises(ClientError, match="Rule ID must be unique"):
        bench.create(TYPE, {"LifecycleConfiguration": {"Rules": [rule, {**rule, "Prefix": "a"}]}})
    assert bench.client("s3").list_buckets()["Buckets"] == []


def test_a_policy_under_a_condition_is_kept_and_lets_through(bench: Any) -> None:
    """CDK's refusal of requests without TLS is readable and does not refuse everything here."""
    bucket = bench.create(TYPE, {}).physical_id
    document = {
        "Version": "2012-10-17",
        "Statement": [
            {
                "Effect": "Deny",
                "Principal": {"AWS": "*"},
                "Action": "s3:*",
                "Resource": [f"arn:aws:s3:::{bucket}", f"arn:aws:s3:::{bucket}/*"],
                "Condition": {"Bool": {"aws:SecureTransport": "false"}},
            }
        ],
    }
    properties = {"Bucket": bucket, "PolicyDocument": document}
    policy = bench.create("AWS::S3::BucketPolicy", properties)
    assert bench.read("AWS::S3::BucketPolicy", policy) == properties
    bench.client("s3").put_object(Bucket=bucket, Key="k", Body=b"x")
    assert bench.client("s3").get_object(Bucket=bucket, Key="k")["Body"].read() == b"x"
    assert bench.read("AWS::S3::BucketPolicy", policy) == properties
    bench.delete("AWS::S3::BucketPolicy", policy, properties)
    with pytest.raises(ClientError, match="NoSuchBucketPolicy"):
        bench.read("AWS::S3::BucketPolicy", policy)
    bench.delete("AWS::S3::BucketPolicy", policy, properties)


def test_a_policy_without_condition_is_enforced(bench: Any) -> None:
    """A Deny for everybody does deny."""
    bucket = bench.create(TYPE, {}).physical_id
    statement = {"Effect": "Deny", "Principal": "*", "Action": "s3:GetObject", "Resource": f"arn:aws:s3:::{bucket}/*"}
    document = {"Version": "2012-10-17", "Statement": [statement]}
    bench.client("s3").put_object(Bucket=bucket, Key="k", Body=b"x")
    bench.create("AWS::S3::BucketPolicy", {"Bucket": bucket, "PolicyDocument": document})
    with pytest.raises(ClientError, match="403"):
        bench.client("s3").get_object(Bucket=bucket, Key="k")


VERSIONED = {"VersioningConfiguration": {"Status": "Enabled"}}
KEY = "arn:aws:kms:us-east-2:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab"


def replicated_to(bucket: str, **destination: Any) -> dict[str, Any]:
    rule = {
        "Id": "golden",
        "Priority": 1,
        "Status": "Enabled",
        "Filter": {"Prefix": "golden/"},
        "DeleteMarkerReplication": {"Status": "Disabled"},
        "SourceSelectionCriteria": {"SseKmsEncryptedObjects": {"Status": "Enabled"}},
        "Destination": {
            "Bucket": f"arn:aws:s3:::{bucket}",
            "EncryptionConfiguration": {"ReplicaKmsKeyID": KEY},
            **destination,
        },
    }
    role = "arn:aws:iam::111122223333:role/replicates"
    return {**VERSIONED, "ReplicationConfiguration": {"Role": role, "Rules": [rule]}}


def test_replication_is_put_changed_and_taken_off(bench: Any, holds: Callable[[Any, Any], bool]) -> None:
    target = bench.create(TYPE, VERSIONED).physical_id
    first, other = replicated_to(target), replicated_to("elsewhere", Account="444455556666")
    bucket = bench.create(TYPE, first)
    assert holds(bench.read(TYPE, bucket), first)
    bench.update(TYPE, bucket, first, other)
    assert holds(bench.read(TYPE, bucket), other)
    bench.update(TYPE, bucket, other, VERSIONED)
    assert "ReplicationConfiguration" not in bench.read(TYPE, bucket)


def test_replication_that_s3_rejects(bench: Any) -> None:
    """A target that is not there or has no versions, a source without them, and rules that are no rules."""
    target, plain = bench.create(TYPE, VERSIONED).physical_id, bench.create(TYPE, {}).physical_id
    with pytest.raises(ClientError, match="Destination bucket must exist"):
        bench.create(TYPE, replicated_to("nowhere"))
    with pytest.raises(ClientError, match="Destination bucket must have versioning enabled"):
        bench.create(TYPE, replicated_to(plain))
    with pytest.raises(ClientError, match="Versioning must be 'Enabled' on the bucket"):
        bench.create(TYPE, {**replicated_to(target), "VersioningConfiguration": {"Status": "Suspended"}})
    for left_out, text in (
        ("DeleteMarkerReplication", "DeleteMarkerReplication must be specified"),
        ("SourceSelectionCriteria", "SseKmsEncryptedObjects must be specified"),
    ):
        wrong = replicated_to(target)
        wrong["ReplicationConfiguration"]["Rules"][0].pop(left_out)
        with pytest.raises(ClientError, match=text):
            bench.create(TYPE, wrong)
    twice = replicated_to(target)
    rules = twice["ReplicationConfiguration"]["Rules"]
    rules.append({**rules[0], "Id": "other"})
    with pytest.raises(ClientError, match="duplicate priorities"):
        bench.create(TYPE, twice)


def test_object_lock_is_enabled_for_a_bucket_with_objects_and_protects_new_ones(bench: Any) -> None:
    locked = {
        **VERSIONED,
        "ObjectLockEnabled": True,
        "ObjectLockConfiguration": {
            "ObjectLockEnabled": "Enabled",
            "Rule": {"DefaultRetention": {"Mode": "COMPLIANCE", "Days": 1}},
        },
    }
    bucket, s3 = bench.create(TYPE, VERSIONED), bench.client("s3")
    name = bucket.physical_id
    old = s3.put_object(Bucket=name, Key="old", Body=b"x")["VersionId"]
    bench.update(TYPE, bucket, VERSIONED, locked)
    assert bench.read(TYPE, bucket)["ObjectLockEnabled"] is True
    new = s3.put_object(Bucket=name, Key="new", Body=b"x")["VersionId"]
    s3.delete_object(Bucket=name, Key="old", VersionId=old)
    with pytest.raises(ClientError, match="AccessDenied"):
        s3.delete_object(Bucket=name, Key="new", VersionId=new)
