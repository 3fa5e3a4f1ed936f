"""Which properties differ, and which of the differences replace a resource."""

from __future__ import annotations

import pytest

from local_aws.cloudformation.property_changes import keeps_given_name, property_changes, requires_replacement
from local_aws.cloudformation.values import UNKNOWN


class Schemas:
    """Three types: a file system and a subnet that the service names, a bucket that its template may name."""

    def create_only(self, type_name):
        paths = {"AWS::FSx::FileSystem": "LustreConfiguration/DeploymentType", "AWS::EC2::Subnet": "VpcId"}
        return frozenset({tuple(paths[type_name].split("/"))})

    def given_identifier(self, type_name):
        return (("BucketName",),) if type_name == "AWS::S3::Bucket" else ()

    def tags_follow_stack(self, type_name):
        return type_name == "AWS::S3::Bucket"


SCHEMAS = Schemas()


def test_nested_create_only_property_replaces_only_when_it_differs_itself():
    """FSx's deployment type is create-only, the throughput beside it is not."""
    before = {"LustreConfiguration": {"DeploymentType": "PERSISTENT_2", "PerUnitStorageThroughput": 125}}
    tier = {"LustreConfiguration": {"DeploymentType": "PERSISTENT_2", "PerUnitStorageThroughput": 250}}
    kind = {"LustreConfiguration": {"DeploymentType": "SCRATCH_2", "PerUnitStorageThroughput": 125}}
    assert [each.create_only for each in property_changes(SCHEMAS, "AWS::FSx::FileSystem", before, tier)] == [False]
    assert [each.create_only for each in property_changes(SCHEMAS, "AWS::FSx::FileSystem", before, kind)] == [True]
    assert [each.create_only for each in property_changes(SCHEMAS, "AWS::FSx::FileSystem", before, {})] == [True]


@pytest.mark.parametrize(("before", "after"), [(1, "1"), (True, "true"), ({"a": [1]}, {"a": ["1"]})])
def test_scalars_compare_by_their_text(before, after):
    assert property_changes(SCHEMAS, "AWS::EC2::Subnet", {"X": before}, {"X": after}) == []


def test_unknown_value_counts_as_a_change_that_is_not_certain():
    (change,) = property_changes(SCHEMAS, "AWS::EC2::Subnet", {"VpcId": "vpc-1"}, {"VpcId": UNKNOWN})
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
    assert keeps_given_name(SCHEMAS, type_name, before, after) is keeps


def test_a_property_that_is_replaced_in_place_takes_no_new_resource():
    changes = property_changes(SCHEMAS, "AWS::EC2::Subnet", {"VpcId": "vpc-1"}, {"VpcId": "vpc-2"})
    assert requires_replacement(changes)
    assert not requires_replacement(changes, {"VpcId"})
