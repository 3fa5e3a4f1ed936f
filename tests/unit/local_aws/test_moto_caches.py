"""Cached results of moto equal moto's results."""

from __future__ import annotations

from typing import Any

import pytest
from moto.core.serialize import AttributePicker, AttributePickerContext, XFormedAttributePicker
from moto.core.utils import get_service_model

from local_aws.moto_state import kept_possible_keys


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
