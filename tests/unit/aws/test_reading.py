"""A call without an answer is a value of its own, and never an absence."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from botocore.stub import Stubber

from neuron_cluster.aws.bucket_state import BucketState, bucket_state
from neuron_cluster.aws.eks_state import addon_state, cluster_state
from neuron_cluster.aws.named_objects import MOST_PAGES, NamedObjects, named_objects
from neuron_cluster.aws.reading import NotRead, reading
from neuron_cluster.aws.session import LocalTarget, client, close_clients

AT = datetime(2026, 11, 27, 12, tzinfo=UTC)
LOCAL = LocalTarget("us-west-2", "111122223333", "http://127.0.0.1:9")
DENIED = "User: arn:aws:iam::111122223333:role/viewer is not authorized to perform: eks:DescribeCluster"


@pytest.fixture
def eks() -> Iterator[Stubber]:
    with Stubber(client(LOCAL, "eks")) as stub:
        yield stub
    close_clients(LOCAL)


@pytest.fixture
def s3() -> Iterator[Stubber]:
    with Stubber(client(LOCAL, "s3")) as stub:
        yield stub
    close_clients(LOCAL)


def test_a_denied_call_is_not_read_and_names_the_call(eks: Stubber) -> None:
    eks.add_client_error("describe_cluster", "AccessDeniedException", DENIED)
    found = reading("eks", lambda: cluster_state(LOCAL, "train"))
    assert isinstance(found, NotRead)
    assert (found.call, found.is_denied) == ("eks:DescribeCluster", True)
    assert "role/viewer is not authorized" in found.reason


@pytest.mark.parametrize("code", ["ThrottlingException", "ExpiredTokenException", "ServerException"])
def test_a_call_that_failed_for_another_reason_is_not_read_either(code: str, eks: Stubber) -> None:
    eks.add_client_error("describe_addon", code, "later")
    found = reading("eks", lambda: addon_state(LOCAL, "train", "coredns"))
    assert isinstance(found, NotRead)
    assert (found.call, found.is_denied) == ("eks:DescribeAddon", False)


def test_only_the_answer_that_there_is_none_is_an_absence(eks: Stubber) -> None:
    eks.add_client_error("describe_cluster", "ResourceNotFoundException", "No cluster found for name: train.")
    assert reading("eks", lambda: cluster_state(LOCAL, "train")) is None


def test_no_connection_is_not_read() -> None:
    found = reading("eks", lambda: cluster_state(LOCAL, "train"))
    close_clients(LOCAL)
    assert isinstance(found, NotRead)
    assert found.call == "eks"


def test_one_denied_setting_of_a_bucket_hides_no_other(s3: Stubber) -> None:
    s3.add_response("get_bucket_versioning", {"Status": "Suspended"}, {"Bucket": "b"})
    s3.add_client_error("get_public_access_block", "AccessDenied", "Access Denied")
    s3.add_client_error("get_bucket_lifecycle_configuration", "NoSuchLifecycleConfiguration", "none")
    found = bucket_state(LOCAL, "b")
    assert isinstance(found, BucketState)
    assert (found.versioning, found.enabled_rules) == ("Suspended", ())
    assert isinstance(found.blocks_public_access, NotRead)
    assert found.blocks_public_access.call == "s3:GetPublicAccessBlock"


def test_a_bucket_that_s3_does_not_know_is_absent(s3: Stubber) -> None:
    s3.add_client_error("get_bucket_versioning", "NoSuchBucket", "The specified bucket does not exist")
    assert bucket_state(LOCAL, "b") is None


def test_objects_are_listed_up_to_a_bound_that_is_reported(s3: Stubber) -> None:
    row = {"Key": "checkpoints/step-1/_manifest.json", "LastModified": AT, "Size": 2}
    for number in range(MOST_PAGES):
        given = {"Bucket": "b", "Prefix": "checkpoints/"} | ({"ContinuationToken": str(number)} if number else {})
        page = {"IsTruncated": True, "NextContinuationToken": str(number + 1), "Contents": [row] if number == 1 else []}
        s3.add_response("list_objects_v2", page, given)
    found = named_objects(LOCAL, "b", "checkpoints/", "_manifest.json")
    assert found == NamedObjects(1, {"checkpoints/step-1/_manifest.json": AT}, is_whole=False)
