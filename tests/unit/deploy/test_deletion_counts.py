"""Objects of which an edit deletes some are counted, by the rules that the bucket has now."""

from __future__ import annotations

import copy
import datetime as dt
import json
from collections.abc import Iterator
from typing import Any

import pytest
from moto.s3.models import s3_backends

from local_aws.server import LocalAws
from neuron_cluster.aws.object_versions import Listing, ObjectVersion, object_versions
from neuron_cluster.aws.session import LocalTarget, client, close_clients
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.changes.accepted_deletion import with_accepted_deletions
from neuron_cluster.changes.compare import change_findings
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.expiry_rules import Sooner
from neuron_cluster.deploy.counted_objects import goes_sooner
from neuron_cluster.deploy.deletion_counts import with_counted_deletions
from neuron_cluster.findings.finding import Finding
from neuron_cluster.local_checks.product_local_aws import product_local_aws

CATALOG = load_catalog()

pytestmark = pytest.mark.slow
REGION, ACCOUNT, STACK = "us-west-2", "111122223333", "lab-storage"
PREFIX = "checkpoints/"
VERSIONS = {"Id": "versions", "Status": "Enabled", "NoncurrentVersionExpiration": {"NoncurrentDays": 30}}
ARCHIVE = {"Id": "expire-archive", "Status": "Enabled", "Prefix": PREFIX, "ExpirationInDays": 7}
CACHE = {"Id": "expire-compile-cache", "Status": "Enabled", "Prefix": "compile-cache/", "ExpirationInDays": 30}


@pytest.fixture(scope="module")
def aws() -> Iterator[LocalAws]:
    with product_local_aws() as running:
        yield running


@pytest.fixture
def target(aws: LocalAws) -> Iterator[LocalTarget]:
    aws.empty()
    found = LocalTarget(REGION, ACCOUNT, aws.endpoint)
    body = json.dumps(template(VERSIONS)[STACK])
    client(found, "cloudformation").create_stack(StackName=STACK, TemplateBody=body)
    aws.engine.wait()
    yield found
    close_clients(found)


def template(*rules: dict[str, Any]) -> dict[str, dict[str, Any]]:
    properties = {"VersioningConfiguration": {"Status": "Enabled"}, "LifecycleConfiguration": {"Rules": list(rules)}}
    bucket = {"Type": "AWS::S3::Bucket", "DeletionPolicy": "Retain", "Properties": copy.deepcopy(properties)}
    return {STACK: {"Resources": {"Bucket": bucket}}}


def bucket_of(target: LocalTarget) -> str:
    (row,) = client(target, "cloudformation").list_stack_resources(StackName=STACK)["StackResourceSummaries"]
    return str(row["PhysicalResourceId"])


def write(target: LocalTarget, key: str, days: int = 0) -> None:
    """An object that was written some days ago."""
    name = bucket_of(target)
    client(target, "s3").put_object(Bucket=name, Key=key, Body=b"x" * 2000)
    version = s3_backends[ACCOUNT]["aws"].buckets[name].keys[key]
    version.last_modified -= dt.timedelta(days=days)


def set_by_hand(target: LocalTarget, *rules: dict[str, Any]) -> None:
    s3, name = client(target, "s3"), bucket_of(target)
    s3.delete_bucket_lifecycle(Bucket=name)
    if rules:
        s3.put_bucket_lifecycle_configuration(Bucket=name, LifecycleConfiguration={"Rules": list(rules)})


def judged(target: LocalTarget, before: dict[str, Any], after: dict[str, Any]) -> list[Finding]:
    return with_counted_deletions(target, Comparison(before, after, CATALOG), change_findings(before, after, CATALOG))


@pytest.mark.hints("E9049", "W9050")
def test_what_goes_is_counted_until_the_deletion_is_accepted(target: LocalTarget) -> None:
    before, after = template(VERSIONS), template(VERSIONS, ARCHIVE)
    write(target, f"{PREFIX}step-1", days=9)
    write(target, f"{PREFIX}step-2", days=2)
    write(target, "golden/step-1", days=90)
    (error,) = judged(target, before, after)
    assert error.id == "E9049"
    today = dt.datetime.now(dt.UTC).date()
    first, last = today - dt.timedelta(days=2), today + dt.timedelta(days=5)
    assert "no account was queried" not in error.message
    assert "Counted below checkpoints/: 1 of 2 objects (0.0 GB) has the age" in error.message
    assert f"the first since {first}; the last of the others has it on {last}" in error.message
    assert "--accept-deletion" in error.hint

    assert [each.id for each in with_accepted_deletions([error], {STACK})] == ["E9049"]
    assert [each.id for each in with_accepted_deletions([error], {STACK}, is_accepted=True)] == ["W9050"]
    assert [each.id for each in with_accepted_deletions([error], ())] == ["W9050"], "of an ephemeral environment"


def test_an_empty_prefix_has_no_finding_and_graphs_that_expire_are_a_warning(target: LocalTarget) -> None:
    before, after = template(VERSIONS), template(VERSIONS, ARCHIVE, CACHE)
    assert judged(target, before, after) == []
    write(target, "compile-cache/graph")
    (warning,) = judged(target, before, after)
    assert (warning.id, "jobs compile these graphs again" in warning.message) == ("W9050", True)


def test_a_first_time_for_versions_concerns_only_a_bucket_that_has_versions(target: LocalTarget) -> None:
    before, after = template(), template(VERSIONS)
    bucket, name = before[STACK]["Resources"]["Bucket"], bucket_of(target)
    del bucket["Properties"]["LifecycleConfiguration"]
    client(target, "s3").delete_bucket_lifecycle(Bucket=name)
    write(target, "a/one")
    assert judged(target, before, after) == []
    write(target, "a/one")
    (error,) = judged(target, before, after)
    assert (error.id, "0 of 1 older version" in error.message) == ("E9049", True)


def test_a_bucket_that_may_not_be_listed_is_not_counted_and_stays_an_error(target: LocalTarget, aws: LocalAws) -> None:
    with aws.faults.access_denied("s3", "ListObjectVersions") as fault:
        (error,) = judged(target, template(VERSIONS), template(VERSIONS, ARCHIVE))
    assert fault.injected
    assert (error.id, "Not counted: access denied: ListObjectVersions" in error.message) == ("E9049", True)


@pytest.mark.parametrize("may_read", [True, False])
def test_rules_that_were_set_by_hand_decide_what_is_deleted_today(
    target: LocalTarget, aws: LocalAws, may_read: bool
) -> None:
    """A person has disabled the rule of the archive: the next edit of the rules would enable it again."""
    before = template(VERSIONS, ARCHIVE)
    after = template({**VERSIONS, "NoncurrentVersionExpiration": {"NoncurrentDays": 60}}, ARCHIVE)
    rules = [{"ID": "mine", "Status": "Disabled", "Filter": {"Prefix": ""}, "Expiration": {"Days": 1}}]
    write(target, f"{PREFIX}step-1")
    set_by_hand(target, *rules)
    if may_read:
        (error,) = judged(target, before, after)
        assert "objects below checkpoints/ 7 days after they are written (now: never)" in error.message
    else:
        with aws.faults.access_denied("s3", "GetBucketLifecycleConfiguration"):
            assert judged(target, before, after) == []


ABORT = {"Id": "uploads", "Status": "Enabled", "AbortIncompleteMultipartUpload": {"DaysAfterInitiation": 3}}
LONGER_UPLOADS = {**ABORT, "AbortIncompleteMultipartUpload": {"DaysAfterInitiation": 5}}
NOT_OF_EXPIRY = {
    "days of uploads": ((ARCHIVE, ABORT), (ARCHIVE, LONGER_UPLOADS)),
    "an Id": ((ARCHIVE,), ({**ARCHIVE, "Id": "renamed"},)),
    "a rule of uploads that is removed": ((ARCHIVE, ABORT), (ARCHIVE,)),
}


@pytest.mark.parametrize(
    "case",
    ["days of uploads", *(pytest.param(each, marks=pytest.mark.exhaustive) for each in list(NOT_OF_EXPIRY)[1:])],
)
def test_an_edit_of_the_rules_that_changes_no_expiry_puts_back_what_a_person_removed(
    target: LocalTarget, case: str
) -> None:
    before, after = (template(VERSIONS, *rules) for rules in NOT_OF_EXPIRY[case])
    write(target, f"{PREFIX}step-1", days=90)
    assert change_findings(before, after, CATALOG) == [], "the templates have the same expiry"
    assert [each.id for each in judged(target, before, after)] == ["E9049"], "the bucket has another one"
    set_by_hand(target, {"ID": "mine", "Status": "Enabled", "Filter": {"Prefix": PREFIX}, "Expiration": {"Days": 7}})
    assert judged(target, before, after) == []


def test_a_listing_that_is_not_complete_does_not_show_that_a_bucket_has_no_versions() -> None:
    first = Sooner("", "", None, None, 30, None)
    current = ObjectVersion("a", 1, dt.datetime.now(dt.UTC), is_current=True)
    assert not goes_sooner(first, Listing((current,), is_complete=True))
    assert goes_sooner(first, Listing((current,), is_complete=False))
    assert goes_sooner(first, Listing((), is_complete=False)), "only delete markers are listed"
    assert not goes_sooner(Sooner("", "", 7, None, None, None), Listing((), is_complete=True))


def test_the_time_of_an_older_version_begins_with_its_successor(target: LocalTarget) -> None:
    s3, name = client(target, "s3"), bucket_of(target)
    write(target, "a/one", days=20)
    write(target, "a/one", days=5)
    write(target, "a/two", days=9)
    s3.delete_object(Bucket=name, Key="a/two")
    found = object_versions(target, name, "a/")
    now = dt.datetime.now(dt.UTC)
    ages = [(each.key, each.is_current, (now - each.since).days) for each in found.versions]
    assert ages == [("a/one", True, 5), ("a/one", False, 5), ("a/two", False, 0)]
    assert found.is_complete
    s3.put_object(Bucket=name, Key="a/three", Body=b"x")
    assert not object_versions(target, name, "", calls=0).is_complete
