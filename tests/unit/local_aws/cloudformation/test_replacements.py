"""Replacements of an update, in the resources themselves and in those that refer to them."""

from __future__ import annotations

from local_aws.cloudformation.replacements import ReplacementCause, Replacements, ResourceState
from local_aws.cloudformation.values import Address, Reference

VPC, SUBNET, TEMPLATE, GROUP = (Address("s", name) for name in ("Vpc", "Subnet", "Template", "Group"))


def create_only(type_name):
    paths = {"Vpc": {("CidrBlock",)}, "Subnet": {("VpcId",)}, "Group": {("Subnets", "*", "Id"), ("Name",)}}
    return paths.get(type_name, ())


def _states(**edits):
    """The four resources, with other properties for some."""
    properties = {
        VPC: {"CidrBlock": "10.0.0.0/16"},
        SUBNET: {"VpcId": Reference(VPC), "Tags": "a"},
        TEMPLATE: {"Data": "a"},
        GROUP: {
            "Subnets": [{"Id": Reference(SUBNET)}],
            "Version": Reference(TEMPLATE, "LatestVersionNumber"),
            "Template": Reference(TEMPLATE),
        },
    }
    types = {VPC: "Vpc", SUBNET: "Subnet", TEMPLATE: "AWS::EC2::LaunchTemplate", GROUP: "Group"}
    return {
        address: ResourceState(types[address], {**properties[address], **edits.get(address.logical_id, {})})
        for address in properties
    }


def _update(**edits):
    return Replacements(_states(), _states(**edits), create_only)


def test_nothing_happens_without_an_edit():
    update = _update()
    assert (update.replaced, update.updated) == ({}, set())


def test_a_replacement_is_followed_along_create_only_properties():
    update = _update(Vpc={"CidrBlock": "10.1.0.0/16"})
    assert update.replaced == {
        VPC: ReplacementCause(("CidrBlock",), "10.0.0.0/16", "10.1.0.0/16"),
        SUBNET: ReplacementCause(("VpcId",), Reference(VPC), Reference(VPC), VPC),
        GROUP: ReplacementCause(("Subnets", "*", "Id"), [Reference(SUBNET)], [Reference(SUBNET)], SUBNET),
    }
    assert update.updated == set()


def test_an_update_in_place_reaches_only_those_that_read_what_it_changes():
    update = _update(Template={"Data": "b"}, Subnet={"Tags": "b"})
    assert (update.replaced, update.updated) == ({}, {SUBNET, TEMPLATE, GROUP})
    assert not update.has_moved(Reference(SUBNET))
    assert not update.has_moved(Reference(TEMPLATE))
    assert update.has_moved(Reference(TEMPLATE, "LatestVersionNumber"))


def test_another_type_is_another_resource():
    after = {**_states(), VPC: ResourceState("Other", {"CidrBlock": "10.0.0.0/16"})}
    assert Replacements(_states(), after, create_only).replaced[VPC] == ReplacementCause(("Type",), "Vpc", "Other")
