"""The written XML equals that of xmltodict for moto."""

from __future__ import annotations

import importlib
from datetime import UTC, datetime
from typing import Any

import pytest

from local_aws.moto_xml import xml_of

xmltodict: Any = importlib.import_module("xmltodict")  # has no types

DOCUMENTS: dict[str, dict[str, Any]] = {
    "text": {"a": "x & y < z > \"w\" 'v' é"},
    "members": {"a": {"b": "1", "c": {"d": "2"}, "e": None, "f": ""}},
    "lists": {"a": {"b": ["1", None, "", {"c": "2"}, 3], "none": [], "tuple": ("1", "2"), "nested": {"x": [{}, {}]}}},
    "scalars": {
        "a": {"true": True, "false": False, "number": 7, "part": 1.5, "bytes": b"a\xff&", "at": datetime.now(UTC)}
    },
    "attributes": {"a": {"@xmlns": 'http://x/?a=1&b="2"', "@empty": None, "@on": True, "b": "1"}},
    "text and attributes": {"a": {"@b": "1", "#text": "c & d"}},
    "text and members": {"a": {"#text": "t", "b": "1"}},
    "numbers as text": {"a": {"#text": 7, "b": {"#text": None}}},
    "nothing": {"a": None},
    "empty": {"a": {}},
    "iterators": {"a": {"b": {"c": 1}.values()}},
}


@pytest.mark.parametrize("short_empty_elements", [True, False])
@pytest.mark.parametrize("full_document", [True, False])
def test_the_same_text(full_document: bool, short_empty_elements: bool) -> None:
    options = {"full_document": full_document, "short_empty_elements": short_empty_elements}
    for name, document in DOCUMENTS.items():
        assert xml_of(document, **options) == xmltodict.unparse(document, **options), name


def test_two_roots_are_a_part_of_a_document() -> None:
    two = {"a": "1", "b": "2"}
    assert xml_of(two, full_document=False) == xmltodict.unparse(two, full_document=False)
    with pytest.raises(ValueError, match="exactly one root"):
        xml_of(two)


def test_indented() -> None:
    document = {"a": {"b": ["1", "2"]}}
    assert xml_of(document, pretty=True) == xmltodict.unparse(document, pretty=True)
