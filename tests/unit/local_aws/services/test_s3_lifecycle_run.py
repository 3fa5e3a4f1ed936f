"""Lifecycle rules run when the clock passes midnight: those of a directory bucket where its policy lets them."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from local_aws.server import LocalAws

EXPRESS = "hot--usw2-az4--x-s3"
DIRECTORY = {"Type": "Directory", "DataRedundancy": "SingleAvailabilityZone"}
WEEK = dt.timedelta(days=8)


@pytest.fixture
def later(local_aws: LocalAws) -> Iterator[Callable[[], None]]:
    """Puts the clock forward by eight days."""
    yield lambda: local_aws.clock.advance(WEEK)
    local_aws.clock.reset()


@pytest.fixture
def bucket(client: Callable[[str], Any]) -> Iterator[Callable[..., str]]:
    """Makes a bucket whose objects expire after seven days, with one object; deleted after the test."""
    s3, made = client("s3"), []

    def create(name: str, rule: dict[str, Any]) -> str:
        zone = {"Location": {"Type": "AvailabilityZone", "Name": "usw2-az4"}}
        place = {**zone, "Bucket": DIRECTORY} if name == EXPRESS else {"LocationConstraint": "us-west-2"}
        s3.create_bucket(Bucket=name, CreateBucketConfiguration=place)
        made.append(name)
        rules = [{"ID": "expire", "Status": "Enabled", "Filter": {"Prefix": ""}, **rule}]
        s3.put_bucket_lifecycle_configuration(Bucket=name, LifecycleConfiguration={"Rules": rules})
        return name

    yield create
    for name in made:
        for each in s3.list_object_versions(Bucket=name).get("Versions", []):
            s3.delete_object(Bucket=name, Key=each["Key"], VersionId=each["VersionId"])
        for each in s3.list_object_versions(Bucket=name).get("DeleteMarkers", []):
            s3.delete_object(Bucket=name, Key=each["Key"], VersionId=each["VersionId"])
        s3.delete_bucket(Bucket=name)


def session_policy(mode: str) -> str:
    statement = {
        "Effect": "Allow",
        "Principal": {"Service": "lifecycle.s3.amazonaws.com"},
        "Action": "s3express:CreateSession",
        "Resource": f"arn:aws:s3express:us-west-2:300000000000:bucket/{EXPRESS}",
        "Condition": {"StringEquals": {"s3express:SessionMode": mode}},
    }
    return json.dumps({"Version": "2012-10-17", "Statement": [statement]})


@pytest.mark.parametrize(("mode", "left"), [(None, ["step-1"]), ("ReadOnly", ["step-1"]), ("ReadWrite", [])])
def test_a_directory_bucket_expires_objects_only_in_a_session_that_its_policy_allows(
    mode: str | None, left: list[str], client: Any, bucket: Callable[..., str], later: Callable[[], None]
) -> None:
    s3, name = client("s3"), bucket(EXPRESS, {"Expiration": {"Days": 7}})
    s3.put_object(Bucket=name, Key="step-1", Body=b"weights")
    if mode is not None:
        s3.put_bucket_policy(Bucket=name, Policy=session_policy(mode))
    later()
    assert [each["Key"] for each in s3.list_objects_v2(Bucket=name).get("Contents", [])] == left


def test_a_versioned_bucket_expires_replaced_versions_and_leaves_markers_of_objects(
    client: Any, bucket: Callable[..., str], later: Callable[[], None]
) -> None:
    rule = {"Expiration": {"Days": 8}, "NoncurrentVersionExpiration": {"NoncurrentDays": 7}}
    s3, name = client("s3"), bucket("versioned-checkpoints", rule)
    s3.put_bucket_versioning(Bucket=name, VersioningConfiguration={"Status": "Enabled"})
    for body in (b"old", b"new"):
        s3.put_object(Bucket=name, Key="step-1", Body=body)
    later()
    found = s3.list_object_versions(Bucket=name)
    assert [each["Size"] for each in found["Versions"]] == [3], "the version that was replaced is gone"
    assert [each["IsLatest"] for each in found["DeleteMarkers"]] == [True]
