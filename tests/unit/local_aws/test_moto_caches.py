"""What is kept of moto's findings is what moto finds."""

from __future__ import annotations

from typing import Any

import pytest
from moto.core.serialize import AttributePicker, AttributePickerContext, QuerySerializer, XFormedAttributePicker
from moto.core.utils import get_service_model
from moto.moto_api._internal.moto_random import MotoRandom

from local_aws.moto_state import kept_possible_keys, make_ids_quickly, pick_values_quickly


class Role:
    """An object of moto whose class's name begins the names of members."""


class Stack:
    class Meta:
        serialization_aliases = {"StackName": "name", "Outputs": "stack_outputs"}  # noqa: RUF012 - as moto writes it


def of_moto(context: AttributePickerContext) -> list[str]:
    """Written out, since the patch may be in place: moto's XFormedAttributePicker."""
    from botocore import xform_name

    found = AttributePicker.get_possible_keys(XFormedAttributePicker(), context)
    return [key for alias in found for key in (alias, xform_name(alias))]


@pytest.mark.parametrize(
    ("service", "operation"),
    [
        ("iam", "GetRole"),
        ("cloudformation", "DescribeStacks"),
        ("ec2", "DescribeVpcs"),
        ("logs", "DescribeLogGroups"),
        ("lambda", "ListFunctions"),
        ("s3", "ListObjectsV2"),
    ],
)
def test_the_keys_of_a_member_are_those_that_moto_looks_for(service: str, operation: str) -> None:
    def compare(structure: Any, has_parent: bool) -> None:
        for name, shape in structure.members.items():
            if has_parent:
                shape.parent = structure
            for value in ({}, Role(), Stack()):
                context = AttributePickerContext(value, name, shape)
                expected = list(dict.fromkeys(of_moto(context)))
                assert list(kept_possible_keys(XFormedAttributePicker(), context)) == expected, name
            inner = shape.member if shape.type_name == "list" else shape
            if inner.type_name == "structure" and inner.name not in seen:
                seen.add(inner.name)
                compare(inner, has_parent)

    output = get_service_model(service).operation_model(operation).output_shape
    for has_parent in (False, True):
        seen: set[str] = set()
        compare(output, has_parent)


@pytest.mark.parametrize("transformers", [None, {"GetRole.RoleName": repr, "Role.Path": repr}])
def test_the_value_of_a_member_is_that_which_moto_picks(transformers: dict[str, Any] | None) -> None:
    pick_values_quickly()
    operation = get_service_model("iam").operation_model("GetRole")
    serializer = QuerySerializer(operation, value_picker=XFormedAttributePicker(response_transformers=transformers))
    named = Role()
    vars(named).update(name="name", path="/path/", role_id=None, Arn="arn")
    members = operation.output_shape.members["Role"].members
    for value in (named, vars(named), {"RoleName": "name", "Path": "/", "Arn": 0}, [], None, "text", Stack()):
        for name, shape in members.items():
            context = AttributePickerContext(value, name, shape, key_path="GetRole")
            picker = XFormedAttributePicker(response_transformers=transformers)
            assert serializer.get_value(value, name, shape) == picker(context), (value, name)
    assert [serializer.get_value(named, name, members[name]) for name in ("RoleId", "Arn")] == [None, "arn"]


def test_an_id_has_the_characters_that_moto_draws_from() -> None:
    make_ids_quickly()
    drawn = MotoRandom(1)
    assert len(drawn.get_random_string(52)) == 52
    assert drawn.get_random_string(5000, include_digits=False).isalpha()
    assert not set(drawn.get_random_string(5000, lower_case=True)) & set("ABCXYZ")
    assert set("0aZ") <= set(drawn.get_random_string(5000))


def test_an_id_of_ec2_has_as_many_hexadecimal_digits_as_asked() -> None:
    make_ids_quickly()
    from moto.ec2 import utils

    made = {utils.random_resource_id(17) for _ in range(200)}
    assert len(made) == 200
    assert {len(each) for each in made} == {17}
    assert set("".join(made)) == set("0123456789abcdef")
