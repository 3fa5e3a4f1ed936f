"""Templates of several stacks, resolved before a deployment."""

from __future__ import annotations

from local_aws.cloudformation.linked_stacks import LinkedStacks
from local_aws.cloudformation.values import UNKNOWN, Address, Reference, Unresolved

STACKS = {
    "network": {
        "Resources": {"Vpc": {"Type": "AWS::EC2::VPC"}, "Subnet": {"Type": "S", "DependsOn": "Vpc"}},
        "Outputs": {"Vpc": {"Value": {"Ref": "Vpc"}, "Export": {"Name": {"Fn::Sub": "${AWS::StackName}:vpc"}}}},
    },
    "nodes": {
        "Parameters": {"Size": {"Type": "String", "Default": "2"}},
        "Mappings": {"Zones": {"us-west-2": {"first": "a"}}},
        "Conditions": {
            "West": {"Fn::Equals": [{"Ref": "AWS::Region"}, "us-west-2"]},
            "Large": {"Fn::Equals": [{"Ref": "Size"}, "9"]},
            "WestOrLarge": {"Fn::Or": [{"Condition": "Large"}, {"Condition": "West"}]},
            "EastAndLarge": {"Fn::And": [{"Condition": "Large"}, {"Fn::Not": [{"Condition": "West"}]}]},
        },
        "Resources": {
            "Group": {"Type": "G", "Properties": {"Vpc": {"Fn::Sub": "${Subnet}"}, "Of": {"Ref": "Role"}}},
            "Role": {"Type": "R", "Properties": {"A": [{"Fn::GetAtt": "Subnet.Arn"}]}},
            "Subnet": {"Type": "S", "Condition": "West"},
            "Elsewhere": {"Type": "E", "Condition": "EastAndLarge"},
        },
    },
}


def _resolved(node):
    known = {"AWS::Region": "us-west-2"}
    return LinkedStacks(STACKS, leave=lambda *_: UNKNOWN, pseudo_parameters=known).resolve("nodes", node)


def test_an_import_leads_to_the_resource_of_the_exporting_stack():
    assert _resolved({"Fn::ImportValue": {"Fn::Join": [":", ["network", "vpc"]]}}) == Reference(
        Address("network", "Vpc")
    )
    assert _resolved({"Fn::ImportValue": "another:vpc"}) is UNKNOWN


def test_a_weak_reference_leads_to_the_resource_too():
    output = {"StackName": "network", "OutputName": "Vpc"}
    made = Reference(Address("network", "Vpc"))
    assert _resolved({"Fn::GetStackOutput": output}) == made
    assert _resolved({"Fn::GetStackOutput": {**output, "Region": "us-west-2"}}) == made
    for elsewhere in ({"Region": "eu-west-1"}, {"RoleArn": "arn:aws:iam::1:role/r"}, {"OutputName": "No"}):
        assert _resolved({"Fn::GetStackOutput": {**output, **elsewhere}}) is UNKNOWN


def test_a_condition_is_decided_as_soon_as_what_is_known_decides_it():
    assert _resolved({"Fn::If": ["WestOrLarge", 1, 2]}) == 1
    assert _resolved({"Fn::If": ["EastAndLarge", 1, 2]}) == 2
    assert _resolved({"Fn::If": ["Large", 1, 2]}) is UNKNOWN


def test_a_default_of_a_parameter_is_not_its_value():
    assert _resolved({"Ref": "Size"}) is UNKNOWN


def test_a_mapping_is_read_where_its_keys_are_known():
    assert _resolved({"Fn::FindInMap": ["Zones", {"Ref": "AWS::Region"}, "first"]}) == "a"
    assert _resolved({"Fn::FindInMap": ["Zones", {"Ref": "AWS::AccountId"}, "first"]}) is UNKNOWN


def test_a_resource_that_is_not_created_has_no_value():
    assert _resolved({"Ref": "Subnet"}) == Reference(Address("nodes", "Subnet"))
    assert _resolved({"Ref": "Elsewhere"}) is UNKNOWN


def test_what_is_left_has_its_arguments_resolved():
    stacks = LinkedStacks(STACKS, leave=lambda _, __, name, argument: Unresolved({name: argument}))
    node = {"Fn::Sub": "${AWS::StackName}-${Role}-${AWS::AccountId}"}
    role = Reference(Address("nodes", "Role"))
    assert stacks.resolve("nodes", node) == {"Fn::Join": ["", ["nodes", "-", role, "-", {"Ref": "AWS::AccountId"}]]}


def test_a_function_that_is_kept_is_not_computed():
    stacks = LinkedStacks(
        STACKS, leave=lambda _, __, name, argument: {name: argument}, retained=frozenset({"Fn::Base64"})
    )
    assert stacks.resolve("nodes", {"Fn::Base64": {"Fn::Sub": "a"}}) == {"Fn::Base64": "a"}


def test_dependencies_are_followed_through_other_resources_and_depends_on():
    stacks = LinkedStacks(STACKS, leave=lambda *_: UNKNOWN)
    assert stacks.reaches("nodes", "Group", "Subnet")
    assert stacks.reaches("network", "Subnet", "Vpc")
    assert not stacks.reaches("nodes", "Role", "Group")
