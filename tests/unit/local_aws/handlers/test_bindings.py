"""The table of types without code, held against the registry schemas, botocore's models, and what answers here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import write_bindings
from derivation.derive import derive
from derivation.type_data import TypeData
from derivation.type_operations import NotDerivedError, service_model
from registry_schemas import resource_schema

from local_aws.handlers.generic import supported_properties
from local_aws.handlers.property_constraints import SCHEMAS
from local_aws.handlers.update_requests import PART
from local_aws.resource_types.binding import BINDINGS, Binding, BoundCall, bindings
from tests.every_case import every_case

TYPES = sorted(bindings())
NO_PERMISSION = {
    "AWS::AutoScaling::AutoScalingGroup": {"DescribeAutoScalingGroups"},
    "AWS::EC2::SecurityGroup": {"DescribeSecurityGroupRules"},
    "AWS::EC2::LaunchTemplate": {"DescribeLaunchTemplateVersions"},
    "AWS::EC2::VPCGatewayAttachment": {"DetachInternetGateway"},
    "AWS::EC2::SubnetRouteTableAssociation": {"ReplaceRouteTableAssociation"},
    "AWS::EFS::AccessPoint": {"UntagResource"},
    "AWS::S3Express::DirectoryBucket": {"DeleteBucketEncryption", "DeleteBucketLifecycle", "ListBucket"},
    # Its permissions are budgets:ModifyBudget and budgets:ViewBudget.
    "AWS::Budgets::Budget": {"CreateBudget", "DescribeBudget", "UpdateBudget", "DeleteBudget"},
}
"""Calls of ours that the schema's handlers do not have."""
IAM_NAMES = {"efs": "elasticfilesystem", "elbv2": "elasticloadbalancing", "stepfunctions": "states"}
ACTIONS = {
    "DeleteBucketOwnershipControls": "PutBucketOwnershipControls",
    "DeletePublicAccessBlock": "PutBucketPublicAccessBlock",
    "GetBucketCors": "GetBucketCORS",
    "GetBucketEncryption": "GetEncryptionConfiguration",
    "GetBucketLifecycleConfiguration": "GetLifecycleConfiguration",
    "GetObjectLockConfiguration": "GetBucketObjectLockConfiguration",
    "GetBucketReplication": "GetReplicationConfiguration",
    "GetPublicAccessBlock": "GetBucketPublicAccessBlock",
    "HeadBucket": "ListBucket",
    "PutBucketCors": "PutBucketCORS",
    "PutBucketEncryption": "PutEncryptionConfiguration",
    "PutBucketLifecycleConfiguration": "PutLifecycleConfiguration",
    "PutBucketReplication": "PutReplicationConfiguration",
    "DeleteBucketReplication": "PutReplicationConfiguration",
    "PutPublicAccessBlock": "PutBucketPublicAccessBlock",
}
"""Actions of S3 that have another name than the operation.

Source: https://docs.aws.amazon.com/AmazonS3/latest/userguide/using-with-s3-policy-actions.html
"""


def calls(binding: Binding) -> Iterator[BoundCall]:
    """All that the binding sends."""
    yield from (binding.create, binding.read, binding.delete)
    yield from (BoundCall(each.operation, each.parameters) for each in (*binding.updates, *binding.also_read))
    for setting in binding.settings:
        yield from (each for each in (setting.put, setting.off, setting.get) if each is not None)
    if binding.in_place is not None:
        yield BoundCall(binding.in_place.operation, binding.in_place.parameters)
    if binding.tags is not None:
        yield from () if binding.tags.is_fixed else (binding.tags.tag, binding.tags.untag)
        yield from () if binding.tags.listing is None else (binding.tags.listing,)


def input_members(binding: Binding, operation: str) -> set[str]:
    """Returns the input members of an operation of the type's service, or of the one with which its name begins."""
    service, _, name = operation.rpartition(":")
    return set(service_model(service or binding.service).operation_model(name).input_shape.members)


def test_what_is_committed_is_what_is_derived() -> None:
    """Run tools/write_bindings.py."""
    derived, failed = write_bindings.derived_bindings()
    assert failed == {}
    assert BINDINGS.read_text() == write_bindings.bindings_text(derived)
    written = write_bindings.vendored()
    assert {path: path.read_text() for path in SCHEMAS.glob("*.json")} == written


@every_case("type_name", TYPES)
def test_each_property_of_the_schema_is_bound_or_refused(type_name: str) -> None:
    schema, binding = resource_schema(type_name), bindings()[type_name]
    read_only = {each.removeprefix("/properties/") for each in schema.get("readOnlyProperties", [])}
    supported = supported_properties(binding)
    assert supported | set(binding.refused) == set(schema["properties"]) - read_only
    assert not supported & set(binding.refused)
    tags = {binding.tags.property} if binding.tags is not None else set()
    settings = {each.property for each in binding.settings}
    assert supported == {*binding.row, *binding.write_only, *tags, *settings}, (
        "what is taken is read back, or said not to be"
    )


@every_case("type_name", TYPES)
def test_each_parameter_is_a_member_of_the_operation(type_name: str) -> None:
    binding = bindings()[type_name]
    model = service_model(binding.service)
    for call in calls(binding):
        assert set(call.parameters) <= input_members(binding, call.operation), call.operation
    for path in binding.properties.values():
        shape: Any = model.operation_model(binding.create.operation).input_shape
        for step in path.split("."):
            shape = shape.members[step] if shape.type_name == "structure" else shape.value
    for update in binding.updates:
        members = set(model.operation_model(update.operation).input_shape.members)
        assert {path.partition(".")[0] for path in update.properties.values()} <= members or update.each is not None
        pairs = (*update.lists.values(), *update.items.values())
        assert {member.partition(PART)[0] for pair in pairs for member in pair} <= members | {""}


@every_case("type_name", [name for name in TYPES if "handlers" in resource_schema(name)])
def test_the_handlers_of_the_schema_have_each_call(type_name: str) -> None:
    schema, binding = resource_schema(type_name), bindings()[type_name]
    service = IAM_NAMES.get(binding.service, binding.service)
    own = type_name.split("::")[1].lower()  # of directory buckets s3express
    permitted = {
        action.partition(":")[2]
        for handler in (*schema["handlers"].values(), schema.get("tagging", {}))
        for action in handler.get("permissions", [])
        if action.startswith((f"{service}:", f"{binding.service}:", f"{own}:"))
    }
    operations = [call.operation.rpartition(":")[2] for call in calls(binding)]
    sent = {ACTIONS.get(operation, operation) for operation in operations}
    assert sent - permitted - NO_PERMISSION.get(type_name, set()) == set()


def test_a_type_that_is_not_determined_says_what_is_missing() -> None:
    with pytest.raises(NotDerivedError, match=r"AWS::Events::Rule: nothing fills DescribeRuleRequest\.Name"):
        derive("AWS::Events::Rule", resource_schema("AWS::Events::Rule"), TypeData())


def test_a_property_that_nothing_returns_is_refused_unless_a_row_says_so() -> None:
    """EC2 takes a private address of a NAT gateway, and its answer has it elsewhere."""
    schema = resource_schema("AWS::EC2::NatGateway")
    assert "PrivateIpAddress" in derive("AWS::EC2::NatGateway", schema, TypeData()).refused
    said = derive("AWS::EC2::NatGateway", schema, TypeData(write_only=("PrivateIpAddress",)))
    assert "PrivateIpAddress" in said.write_only
    assert "PrivateIpAddress" in said.properties
