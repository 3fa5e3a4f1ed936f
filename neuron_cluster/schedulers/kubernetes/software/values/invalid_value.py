"""Values that a chart would ignore or misread without an error, found by the keys and kinds of the catalog."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct, ValidationError

from neuron_cluster.catalog.chart import Chart
from neuron_cluster.schedulers.kubernetes.software.values.beyond_kind import schema_violations, violation_of
from neuron_cluster.schedulers.kubernetes.software.values.model import values_model

KINDS: dict[type, str] = {bool: "boolean", int: "integer", str: "string", list: "list", tuple: "list", dict: "mapping"}

REMOVE = "remove the line"
NOTHING = re.compile(r"(?!)")
QUOTED = {"boolean": re.compile("true|false"), "integer": re.compile("[0-9]+")}
"""Texts that are a value of the kind without their quotes."""


class InvalidValue(Struct, frozen=True, kw_only=True):
    """One value that does not fit. ``near`` are known keys that look like the one that was given."""

    path: str
    reason: str
    near: tuple[str, ...] = ()
    remedy: str = ""
    """The change of the line, where it follows only from the reason."""


def invalid_values(chart: Chart, values: Mapping[str, Any]) -> Iterator[InvalidValue]:
    """All of them, in the order of the values. Free Kubernetes content is not looked into, but for ``None``."""
    groups = {path[:end] for path in chart.values for end in range(len(path)) if path[end] == "."}
    yield from _invalid(chart, groups, "", values)


def invalid_bundled_values(chart: str, values: Mapping[str, Any]) -> Iterator[InvalidValue]:
    """The first one among values for a bundled chart: what its model cannot read."""
    model = values_model(chart)
    if model is None:
        return
    try:
        model.read(values)
    except ValidationError as error:
        path, reason = violation_of(error)
        yield InvalidValue(path=path, reason=reason, remedy=REMOVE if "unknown field" in reason else "")


def _invalid(chart: Chart, groups: set[str], prefix: str, values: Mapping[str, Any]) -> Iterator[InvalidValue]:
    for key, value in values.items():
        path = f"{prefix}{key}"
        kind = chart.value_kind(path)
        if value is None:
            yield _null(path)
        elif kind is not None:
            yield from _of_another_kind(chart, path, kind, value)
        elif path not in groups:
            reason = f"{chart.name} {chart.version} has no such key and would ignore it"
            yield InvalidValue(path=path, reason=reason, near=tuple(chart.similar_values(path)), remedy=REMOVE)
        elif isinstance(value, Mapping):
            yield from _invalid(chart, groups, f"{path}.", value)
        else:
            yield InvalidValue(path=path, reason=f"holds further keys; {_shown(value)} was given")


def _of_another_kind(chart: Chart, path: str, kind: str, value: Any) -> Iterator[InvalidValue]:
    given = "mapping" if isinstance(value, Mapping) else KINDS.get(type(value))
    if given != kind:
        reason = f"a value of the kind {kind} is needed; {_shown(value)} was given"
        yield InvalidValue(path=path, reason=reason, remedy=_remedy(kind, value))
    elif nulls := list(_nulls(path, value)):
        yield from nulls
    else:
        yield from (InvalidValue(path=at, reason=reason) for at, reason in schema_violations(chart, path, value))


def _null(path: str) -> InvalidValue:
    return InvalidValue(path=path, reason="null would delete the chart's default; leave the key out", remedy=REMOVE)


def _nulls(path: str, value: Any) -> Iterator[InvalidValue]:
    if value is None:
        yield _null(path)
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from _nulls(f"{path}.{key}", item)
    elif isinstance(value, (list, tuple)):
        for position, item in enumerate(value):
            yield from _nulls(f"{path}.{position}", item)


def _remedy(kind: str, value: Any) -> str:
    """A boolean or number in quotes loses them; what else is meant is unknown."""
    is_quoted = isinstance(value, str) and QUOTED.get(kind, NOTHING).fullmatch(value) is not None
    return f"write {value} without quotes" if is_quoted else f"write a {kind}"


def _shown(value: Any) -> str:
    return f"the text {value!r}" if isinstance(value, str) else repr(value)
