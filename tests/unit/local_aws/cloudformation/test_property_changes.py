"""Which properties differ, and which of the differences replace a resource."""

from __future__ import annotations

import pytest

from local_aws.cloudformation.property_changes import keeps_given_name, property_changes, requires_replacement
from local_aws.cloudformation.values import UNKNOWN

OF_FILE_SYSTEM = {("LustreConfiguration", "DeploymentType")}
OF_SUBNET = {("VpcId",)}
NAMED_BY_AUTHOR, NAMED_BY_SERVICE = (("BucketName",),), ()
"""Identifiers of a bucket whose template names it, and of a subnet."""


def test_nested_create_only_property_replaces_only_when_it_differs_itself():
    """FSx's deployment type is create-only, the throughput next to it is not."""
    before = {"LustreConfiguration": {"DeploymentType": "PERSISTENT_2", "PerUnitStorageThroughput": 125}}
    tier = {"LustreConfiguration": {"DeploymentType": "PERSISTENT_2", "PerUnitStorageThroughput": 250}}
    kind = {"LustreConfiguration": {"DeploymentType": "SCRATCH_2", "PerUnitStorageThroughput": 125}}
    assert [each.create_only for each in property_changes(OF_FILE_SYSTEM, before, tier)] == [False]
    assert [each.create_only for each in property_changes(OF_FILE_SYSTEM, before, kind)] == [True]
    assert [each.create_only for each in property_changes(OF_FILE_SYSTEM, before, {})] == [True]


@pytest.mark.parametrize(("before", "after"), [(1, "1"), (True, "true"), ({"a": [1]}, {"a": ["1"]})])
def test_scalars_compare_by_their_text(before, after):
    assert property_changes(OF_SUBNET, {"X": before}, {"X": after}) == []


def test_unknown_value_counts_as_a_change_that_is_not_certain():
    (change,) = property_changes(OF_SUBNET, {"VpcId": "vpc-1"}, {"VpcId": UNKNOWN})
    assert (change.create_only, change.certain) == (True, False)


@pytest.mark.parametrize(
    ("identifier", "before", "after", "keeps"),
    [
        (NAMED_BY_AUTHOR, {"BucketName": "b"}, {"BucketName": "b"}, True),
        (NAMED_BY_AUTHOR, {"BucketName": "b"}, {"BucketName": "c"}, False),
        (NAMED_BY_AUTHOR, {}, {}, False),
        (NAMED_BY_SERVICE, {"CidrBlock": "1"}, {"CidrBlock": "2"}, False),
    ],
)
def test_given_name_is_kept_only_by_types_that_are_named_by_the_author(identifier, before, after, keeps):
    assert keeps_given_name(identifier, before, after) is keeps


def test_a_property_that_is_replaced_in_place_takes_no_new_resource():
    changes = property_changes(OF_SUBNET, {"VpcId": "vpc-1"}, {"VpcId": "vpc-2"})
    assert requires_replacement(changes)
    assert not requires_replacement(changes, {"VpcId"})
