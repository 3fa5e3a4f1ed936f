"""References as a template writes them."""

from __future__ import annotations

import pytest

from local_aws.cloudformation.errors import TemplateError
from local_aws.cloudformation.references import WrittenReference, imported_names, references, written_references
from local_aws.cloudformation.values import Address, Reference


@pytest.mark.parametrize(
    ("node", "found"),
    [
        ({"A": {"Ref": "X"}}, [("A", "X", "")]),
        ({"A": [1, {"Fn::GetAtt": ["X", "Arn"]}]}, [("A[1]", "X", "Arn")]),
        ({"Fn::GetAtt": "X.Endpoint.Port"}, [("", "X", "Endpoint.Port")]),
        ({"Fn::GetAtt": ["X", {"Ref": "Y"}]}, [("", "X", "{'Ref': 'Y'}"), ("", "Y", "")]),
        ({"A": {"Fn::Sub": "${X}-${Y.Arn}-${!Z}-${AWS::Region}"}}, [("A", "X", ""), ("A", "Y", "Arn")]),
        ({"Fn::Sub": ["${V}-${X}", {"V": {"Ref": "Y"}}]}, [("V", "Y", ""), ("", "X", "")]),
        ({"A": {"Fn::Join": ["", ["a", {"Ref": "X"}]]}}, [("A.Fn::Join[1][1]", "X", "")]),
        ({"Ref": "AWS::Region"}, []),
        ({"Ref": "X", "Other": 1}, []),
    ],
)
def test_every_reference_is_found_with_its_place(node, found):
    assert list(written_references(node)) == [WrittenReference(*each) for each in found]


@pytest.mark.parametrize("node", [{"Fn::GetAtt": ["X"]}, {"Fn::Sub": 5}])
def test_a_malformed_function_raises_or_is_skipped(node):
    with pytest.raises(TemplateError):
        list(written_references(node))
    assert list(written_references([node, {"Ref": "Y"}], strict=False)) == [WrittenReference("[1]", "Y")]


def test_imports_are_found_at_any_depth():
    node = {"A": [{"Fn::ImportValue": "one"}, {"Fn::Join": ["", [{"Fn::ImportValue": {"Fn::Sub": "two"}}]]}]}
    assert list(imported_names(node)) == ["one", {"Fn::Sub": "two"}]


def test_references_of_a_resolved_value_are_found_at_any_depth():
    first, second = Reference(Address("s", "A")), Reference(Address("s", "B"), "Arn")
    assert list(references({"X": [first, {"Y": second}], "Z": "text"})) == [first, second]
