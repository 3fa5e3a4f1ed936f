"""Which properties differ, and which of the differences replace a resource."""

from __future__ import annotations

import pytest

from neuron_cluster.local_aws.engine.property_changes import keeps_given_name, property_changes
from neuron_cluster.local_aws.engine.values import UNKNOWN


def test_nested_create_only_property_replaces_only_when_it_differs_itself():
    """FSx's deployment type is create-only, the throughput beside it is not."""
    before = {"LustreConfiguration": {"DeploymentType": "PERSISTENT_2", "PerUnitStorageThroughput": 125}}
    tier = {"LustreConfiguration": {"DeploymentType": "PERSISTENT_2", "PerUnitStorageThroughput": 250}}
    kind = {"LustreConfiguration": {"DeploymentType": "SCRATCH_2", "PerUnitStorageThroughput": 125}}
    assert [each.create_only for each in property_changes("AWS::FSx::FileSystem", before, tier)] == [False]
    assert [each.create_only for each in property_changes("AWS::FSx::FileSystem", before, kind)] == [True]
    assert [each.create_only for each in property_changes("AWS::FSx::FileSystem", before, {})] == [True]


@pytest.mark.parametrize(("before", "after"), [(1, "1"), (True, "true"), ({"a": [1]}, {"a": ["1"]})])
def test_scalars_compare_by_their_text(before, after):
    assert property_changes("AWS::EC2::Subnet", {"X": before}, {"X": after}) == []


def test_unknown_value_counts_as_a_change_that_is_not_certain():
    (change,) = property_changes("AWS::EC2::Subnet", {"VpcId": "vpc-1"}, {"VpcId": UNKNOWN})
    assert (change.create_only, change.certain) == (True, False)


@pytest.mark.parametrize(
    ("type_name", "before", "after", "keeps"),
    [
        ("AWS::S3::Bucket", {"BucketName": "b"}, {"BucketName": "b"}, True),
        ("AWS::S3::Bucket", {"BucketName": "b"}, {"BucketName": "c"}, False),
        ("AWS::S3::Bucket", {}, {}, False),
        ("AWS::EC2::Subnet", {"CidrBlock": "1"}, {"CidrBlock": "2"}, False),
        ("AWS::Unknown::Type", {}, {}, False),
    ],
)
def test_given_name_is_kept_only_by_types_that_are_named_by_the_author(type_name, before, after, keeps):
    assert keeps_given_name(type_name, before, after) is keeps
