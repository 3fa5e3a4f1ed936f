"""Text of any form is read into what JSON has, or refused as YAML."""

from __future__ import annotations

import json

import pytest
import yaml

from local_kubernetes.model.yaml_reader import DEEPEST, yaml_document, yaml_documents


@pytest.mark.parametrize(
    "text",
    [
        "a: !!binary aGVsbG8=",
        "a: !!timestamp 2026-01-01",
        "a: !!set {b, c}",
        "a: !!omap [b: c]",
        "a: !!int many",
        "a: !!int ''",
        "a: !!bool maybe",
        "a: 0x_",
        "a: &a {b: *a}",
        "a: &a [*a]",
        "? [a]\n: b",
        "a: \udce9",
        "a: " + "[" * 5_000,
        "a: " + "[" * 200_000,
        "- " * 200_000,
    ],
)
def test_what_json_has_not_and_what_is_too_deep_is_an_error_of_yaml(text: str) -> None:
    with pytest.raises(yaml.YAMLError):
        yaml_documents(text)


@pytest.mark.parametrize("twice", ["[{0}, {0}]", "{{x: {0}, y: {0}}}", "{{<<: [{0}, {0}]}}"])
def test_aliases_of_aliases_are_refused_before_they_are_written_out(twice: str) -> None:
    """Each of forty lines doubles: a million million values."""
    lines = ["k0: &a0 {z: 1}", *(f"k{n}: &a{n} {twice.format(f'*a{n - 1}')}" for n in range(1, 41))]
    with pytest.raises(yaml.YAMLError, match=r"its aliases expand to more than 100,000 values\n.*line \d+"):
        yaml_document("\n".join(lines))


def test_aliases_are_as_deep_as_what_they_stand_for() -> None:
    lines = ["k0: &a0 [1]", *(f"k{n}: &a{n} [*a{n - 1}]" for n in range(1, DEEPEST + 1))]
    assert yaml_document("\n".join(lines[: DEEPEST - 1]))
    with pytest.raises(yaml.YAMLError, match="nested deeper than 100 levels"):
        yaml_document("\n".join(lines))


def test_a_few_aliases_are_what_they_stand_for() -> None:
    read = yaml_document("a: &a {b: 1}\nc: *a\nd: {<<: *a, e: 2}")
    assert read == {"a": {"b": 1}, "c": {"b": 1}, "d": {"b": 1, "e": 2}}


def test_nesting_as_deep_as_allowed_can_be_written_again() -> None:
    levels = DEEPEST - 1
    read = yaml_document("a: " + "[" * levels + "]" * levels)
    assert json.dumps(read, separators=(",", ":")) == '{"a":' + "[" * levels + "]" * levels + "}"


def test_a_day_is_a_text() -> None:
    assert yaml_document("when: 2026-01-01") == {"when": "2026-01-01"}


def test_a_file_holds_one_document_or_none() -> None:
    assert yaml_document("# nothing") is None
    with pytest.raises(yaml.YAMLError, match="2 documents"):
        yaml_document("a: 1\n---\nb: 1\n")


def test_each_key_of_a_mapping_is_compared_once() -> None:
    """With all before it, as many took a quarter of a minute."""
    keys = 20_000
    assert len(yaml_document("".join(f"k{number}: 1\n" for number in range(keys)))) == keys
