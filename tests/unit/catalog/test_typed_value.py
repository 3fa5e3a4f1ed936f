"""A value becomes what the annotation says, by its source text, or tells where it does not fit."""

from datetime import date
from typing import Literal

import pytest
import yaml
from msgspec import Struct

from neuron_cluster.catalog.frozen_map import FrozenMap
from neuron_cluster.catalog.typed_value import TypeMismatchError, as_record, converter


class Inner(Struct, frozen=True, kw_only=True):
    size: int


class Outer(Struct, frozen=True, kw_only=True):
    inner: Inner
    inners: tuple[Inner, ...] = ()
    by_region: FrozenMap[str, int] | None = None


def node(text: str) -> yaml.Node:
    composed = yaml.compose(text, Loader=yaml.BaseLoader)
    assert composed is not None
    return composed


@pytest.mark.parametrize(
    ("annotation", "text", "value"),
    [
        (str, "1.30", "1.30"),
        (str, "no", "no"),
        (str, "2026-11-21", "2026-11-21"),
        (str, '"null"', "null"),
        (int, "12", 12),
        (float, "3", 3.0),
        (bool, "true", True),
        (date, "2026-11-21", date(2026, 11, 21)),
        (str | None, "null", None),
        (str | None, "~", None),
        (tuple[int, ...], "[1, 2]", (1, 2)),
        (FrozenMap[int, str], "{1: a}", {1: "a"}),
        (Literal["spot", "on_demand"], "spot", "spot"),
    ],
)
def test_the_annotation_types_the_source_text(annotation, text, value) -> None:
    assert converter(annotation)(node(text)) == value


@pytest.mark.parametrize(
    ("annotation", "text", "reason"),
    [
        (str, "null", "a text is needed"),
        (str, "[a]", "a text is needed"),
        (int, "1.5", "a whole number is needed, '1.5' was given"),
        (int, "many", "a whole number is needed, 'many' was given"),
        (bool, "yes", "true or false is needed, 'yes' was given"),
        (date, "21.11.2026", "a date such as 2026-11-21 is needed, '21.11.2026' was given"),
        (tuple[int, ...], "1", "a list is needed"),
        (FrozenMap[str, int], "[1]", "a mapping is needed"),
        (Literal["spot", "on_demand"], "reserved", "one of spot, on_demand is needed, 'reserved' was given"),
    ],
)
def test_what_does_not_fit_is_refused_with_the_reason(annotation, text, reason) -> None:
    with pytest.raises(TypeMismatchError) as caught:
        converter(annotation)(node(text))
    assert caught.value.reason == reason


@pytest.mark.parametrize(
    ("text", "path", "line", "reason"),
    [
        ("inner: {size: 1}\nouter: 2", "outer", 2, "unknown field"),
        ("inner:\n  colour: red", "inner.colour", 2, "unknown field"),
        ("inner: {}", "inner.size", 1, "missing field"),
        ("inner: {size: 1}\ninner: {size: 2}", "inner", 2, "is given twice"),
        ("inner: {size: 1}\ninners:\n- {size: 1}\n- {size: x}", "inners.1.size", 4, "a whole number is needed"),
        ("inner: {size: 1}\nby_region: {us-west-2: x}", "by_region.us-west-2", 2, "a whole number is needed"),
    ],
)
def test_a_misfit_knows_its_path_and_line(text, path, line, reason) -> None:
    with pytest.raises(TypeMismatchError, match=reason) as caught:
        as_record(Outer, node(text))
    assert (caught.value.path, caught.value.line) == (path, line)


def test_an_annotation_that_nobody_thought_of_is_an_error_of_the_programmer() -> None:
    with pytest.raises(TypeError, match="no conversion"):
        converter(set[int])
