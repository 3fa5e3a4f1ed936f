"""The values of every own chart are closed at every level, and helm itself refuses what is not in the schema."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from typing import Any

import jsonschema
import pytest
from bundled_charts import BundledChart, case_id, cases
from renders import Renders, newest_helm

from local_kubernetes.model.chart_values import merged
from neuron_cluster.kube.helm import HelmError

CHARTS = pytest.mark.parametrize("chart", sorted({chart for chart, _ in cases()}, key=str), ids=case_id)
UNKNOWN = "keyThatNoSchemaHas"
COMBINING = ("allOf", "anyOf", "oneOf")


def _levels(schema: Any, root: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    """Every part of the schema that describes a value, with the value's place; 0 stands for an item of a list."""
    if "$ref" in schema:
        assert schema["$ref"].startswith("#/"), schema["$ref"]
        target = root
        for step in schema["$ref"].removeprefix("#/").split("/"):
            target = target[step]
        yield from _levels(target, root, path)
        return
    yield path, schema
    for name, inner in schema.get("properties", {}).items():
        yield from _levels(inner, root, (*path, name))
    if isinstance(schema.get("items"), dict):
        yield from _levels(schema["items"], root, (*path, 0))
    for word in COMBINING:
        for inner in schema.get(word, ()):
            if "properties" in inner and inner.get("type") == "object":
                yield from _levels(inner, root, path)


def _is_object(schema: Mapping[str, Any]) -> bool:
    kinds = schema.get("type", [])
    return "properties" in schema or "object" in ([kinds] if isinstance(kinds, str) else kinds)


@CHARTS
def test_the_schema_is_one(chart: BundledChart) -> None:
    jsonschema.Draft7Validator.check_schema(chart.values_schema)
    assert chart.values_schema["$schema"] == "http://json-schema.org/draft-07/schema#"


@CHARTS
def test_every_level_is_closed(chart: BundledChart) -> None:
    """An object names its keys and takes no others, or is a map whose values have a type."""
    open_ones = [
        ".".join(map(str, path)) or "(top)"
        for path, schema in _levels(chart.values_schema, chart.values_schema)
        if _is_object(schema)
        and schema.get("additionalProperties") is not False
        and ("properties" in schema or not isinstance(schema.get("additionalProperties"), dict))
    ]
    assert open_ones == []


@CHARTS
def test_every_value_has_a_type(chart: BundledChart) -> None:
    typing = {"type", "enum", "const", *COMBINING}
    untyped = [
        ".".join(map(str, path))
        for path, schema in _levels(chart.values_schema, chart.values_schema)
        if not typing & schema.keys()
    ]
    assert untyped == []


@CHARTS
def test_the_defaults_name_every_key_of_the_schema(chart: BundledChart) -> None:
    """values.yaml is where people look: what the schema takes stands there, at every level that it has."""
    lacking = []
    for path, schema in _levels(chart.values_schema, chart.values_schema):
        held: Any = chart.default_values
        for step in path:
            held = held.get(step) if isinstance(held, dict) else None
        if isinstance(held, dict) and schema.get("additionalProperties") is False:
            lacking += [".".join(map(str, (*path, name))) for name in schema.get("properties", {}).keys() - held.keys()]
    assert lacking == []


@CHARTS
@pytest.mark.slow
def test_helm_refuses_an_unknown_key_at_every_level(chart: BundledChart, renders: Renders) -> None:
    """helm names all that it refuses, so that one call tells of all levels; what it does not name is tried alone."""
    values = chart.values(chart.examples[0])
    closed = sorted(
        {
            path
            for path, schema in _levels(chart.values_schema, chart.values_schema)
            if schema.get("additionalProperties") is False
        },
        key=str,
    )
    everywhere = values
    for number, path in enumerate(closed):
        everywhere = _with_unknown_key(everywhere, path, f"{UNKNOWN}{number}.")
    said = _refusal(chart, everywhere, renders)
    unsaid = [path for number, path in enumerate(closed) if f"{UNKNOWN}{number}." not in said]
    assert [path for path in unsaid if UNKNOWN not in _refusal(chart, _with_unknown_key(values, path), renders)] == []
    assert UNKNOWN in said


def _refusal(chart: BundledChart, values: Mapping[str, Any], renders: Renders) -> str:
    """Returns helm's error; empty where it accepts the values."""
    try:
        renders.of_values(chart, values, newest_helm())
    except HelmError as refusal:
        return refusal.message
    return ""


def _with_unknown_key(values: Mapping[str, Any], path: tuple[str | int, ...], key: str = UNKNOWN) -> Mapping[str, Any]:
    edited: dict[str, Any] = copy.deepcopy(dict(values))
    container: Any = edited
    for step, after in zip(path, [*path, key][1:], strict=True):
        empty: Any = [] if after == 0 else {}
        if step == 0:
            container[:] = container or [empty]
            container = container[0]
        else:
            if not isinstance(container.get(step), type(empty)):
                container[step] = empty
            container = container[step]
    container[key] = 1
    return edited


@CHARTS
@pytest.mark.slow
def test_helm_refuses_a_number_in_quotes(chart: BundledChart, renders: Renders) -> None:
    """``replicas: "1"`` is a text."""
    values = chart.values(chart.examples[0])
    merged = {**chart.default_values, **values}
    numbers = [key for key, value in merged.items() if isinstance(value, int) and not isinstance(value, bool)]
    said = _refusal(chart, {**values, **{key: str(merged[key]) for key in numbers}}, renders)
    assert [key for key in numbers if f"at '/{key}': got string" not in said] == []


@pytest.mark.parametrize("place", ["schedule", "cleanUp"])
def test_a_time_that_never_comes_is_no_cron(place: str) -> None:
    (chart,) = [chart for chart, example in cases() if (chart.name, example) == ("compile-cache-warmer", "dra")]
    values = merged(chart.default_values, chart.values("dra"))

    def is_taken(cron: str) -> bool:
        edited = merged(values, {place: {"enabled": True, "cron": cron}})
        return not list(jsonschema.Draft7Validator(chart.values_schema).iter_errors(edited))

    sound = ["0 3 * * 0", "*/5 0-6/2 1,15 JAN-mar mon-FRI", "05 23 31 12 6", "? * * * ?"]
    broken = ["61 * * * *", "* 24 * * *", "* * 0 * *", "* * * 13 *", "* * * * 7", "*/0 * * * *", "* * * *", "a * * * *"]
    assert [cron for cron in sound if not is_taken(cron)] == []
    assert [cron for cron in broken if is_taken(cron)] == []
