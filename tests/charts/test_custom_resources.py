"""Every schema of a custom resource takes what this toolkit writes, and refuses what the real one refuses."""

from __future__ import annotations

import copy
import itertools
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from object_schemas import errors, schemas
from renders import helms

from tests.every_case import every_case

FIXTURE = yaml.safe_load(
    (Path(__file__).parents[1] / "fixtures" / "manifest_rules" / "custom_resources.yaml").read_text()
)
VERSIONS = sorted({helm.kube_version for helm in helms()})


def _bad() -> list[Any]:
    return [
        pytest.param(case["good"], edit, id=f"{case['good']['kind']}-{number}-{edit['path']}-{edit['says']}")
        for case in FIXTURE
        for number, edit in enumerate(case["bad"])
    ]


def _edited(body: Mapping[str, Any], path: str, value: Any) -> Any:
    edited: Any = copy.deepcopy(dict(body))
    *parents, last = [int(step) if step.isdecimal() else step for step in path.split(".")]
    container = edited
    for step in parents:
        container = container[step]
    if value is None:
        del container[last]
    elif isinstance(container, list) and last == len(container):
        container.append(value)
    else:
        container[last] = value
    return edited


@every_case(
    "case, version", itertools.product(FIXTURE, VERSIONS), ids=lambda case: f"{case[0]['good']['kind']}-{case[1]}"
)
def test_a_sound_resource_is_accepted(case: Mapping[str, Any], version: str) -> None:
    assert errors(case["good"], version) == []


@every_case("body, edit", _bad())
def test_a_broken_resource_is_refused_in_words(body: Mapping[str, Any], edit: Mapping[str, Any]) -> None:
    found = errors(_edited(body, edit["path"], edit["value"]), VERSIONS[-1])
    assert any(edit["says"] in error for error in found), found


def test_every_schema_has_a_sound_resource() -> None:
    assert {(case["good"]["apiVersion"], case["good"]["kind"]) for case in FIXTURE} == set(schemas())


def _inside(schema: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    yield path, schema
    for name, inner in schema.get("properties", {}).items():
        yield from _inside(inner, f"{path}.{name}")
    if "items" in schema:
        yield from _inside(schema["items"], f"{path}[]")


@pytest.mark.parametrize("schema", schemas().values(), ids=lambda schema: schema["title"].split(" ")[0])
def test_a_schema_names_its_source_and_is_closed(schema: Any) -> None:
    assert re.match(r"[\w.-]+/[\w.-]+@[0-9a-f]{7,}:\S+\.yaml", schema["$comment"])
    open_ones = [
        path
        for path, inner in _inside(schema)
        if inner.get("type") == "object" and "x-built-in" not in inner and "additionalProperties" not in inner
    ]
    assert open_ones == []


def test_every_rule_is_broken_by_a_fixture() -> None:
    """A rule in CEL that nothing breaks may be one that never says no."""
    rules = {
        rule["message"]
        for schema in schemas().values()
        for _, inner in _inside(schema)
        for rule in inner.get("x-kubernetes-validations", ())
    }
    broken = {
        message
        for case in FIXTURE
        for edit in case["bad"]
        for error in errors(_edited(case["good"], edit["path"], edit["value"]), VERSIONS[-1])
        for message in rules
        if error.endswith(message)
    }
    assert rules - broken == set()


def test_an_unknown_custom_resource_is_refused() -> None:
    body = {"apiVersion": "example.com/v1", "kind": "Thing", "metadata": {"name": "a"}}
    assert errors(body, VERSIONS[-1]) != []


def test_built_in_objects_are_judged_strictly() -> None:
    body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "datas": {}}
    assert any("datas" in error for error in errors(body, VERSIONS[0]))
