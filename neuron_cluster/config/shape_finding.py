"""What is wrong with a value of the wrong shape, in words for somebody who knows only the file."""

from __future__ import annotations

from typing import Any

from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from neuron_cluster.config.environment import SCHEMA
from neuron_cluster.config.fields import fields_at
from neuron_cluster.config.in_words import IN_WORDS
from neuron_cluster.config.source_map import KeyPath, SourceMap, spelled
from neuron_cluster.findings import Finding

WRONG_KIND = {
    "model_type",
    "model_attributes_type",
    "dict_type",
    "list_type",
    "string_type",
    "int_type",
    "bool_type",
}
"""Pydantic's error types for a mapping, list or text where another of them is expected."""


def shape_finding(details: ErrorDetails, path: KeyPath, source: SourceMap) -> Finding:
    """The finding for one of pydantic's errors at a path of the file."""
    place = source.locate(path)
    name = _printable(spelled(path))
    known = _field_around(path)
    meaning = (known.description or "") if known is not None else ""
    kind = details["type"]
    given = _shown(details["ctx"]["tag"] if kind == "union_tag_invalid" else details["input"])
    if kind == "extra_forbidden":
        return Finding("E0010", place, f"{name} is not a known key", _near_key(path))
    if kind in ("missing", "union_tag_not_found"):
        return Finding(
            "E0011", place, f"{name} is missing", f"add it: {meaning or 'one of the kinds'}{_for_example(known)}"
        )
    if name == "schema":
        newer = str(details["input"]).isdigit() and int(str(details["input"])[:9]) > SCHEMA
        hint = "use a newer release of this toolkit" if newer else f"write schema: {SCHEMA}"
        return Finding("E0014", place, f"schema is {given}; this release reads schema {SCHEMA}", hint)
    if kind in WRONG_KIND:
        wanted = details["msg"].removeprefix("Input should be ").replace("a valid dictionary", "keys and values")
        wanted = wanted.replace("a valid ", "a ").partition(" or instance of")[0].partition(" or object to")[0]
        return Finding(
            "E0012", place, f"{name} is {kind_of(details['input'])}, not {wanted}", meaning + _for_example(known)
        )
    allowed = _allowed(details)
    return Finding("E0013", place, f"{name} is {given}; {allowed}", (meaning + _for_example(known)).strip() or allowed)


def _field_around(path: KeyPath) -> FieldInfo | None:
    """The field at a path; for an item of a list, the field that holds the list."""
    keys = next((path[:length] for length in range(len(path), 0, -1) if isinstance(path[length - 1], str)), ())
    return fields_at(keys[:-1]).get(str(keys[-1])) if keys else None


def _allowed(details: ErrorDetails) -> str:
    context = details.get("ctx", {})
    match details["type"]:
        case "string_pattern_mismatch":
            return f"it must be {IN_WORDS[context['pattern']]}"
        case "enum" | "literal_error":
            return f"allowed: {context['expected']}"
        case "union_tag_invalid":
            return f"allowed: {context['expected_tags']}"
        case _:
            return details["msg"].replace("Input should", "it should").replace("Value should", "it should")


def _near_key(path: KeyPath) -> str:
    import difflib

    allowed = sorted(fields_at(path[:-1]))
    near = difflib.get_close_matches(str(path[-1]), allowed, n=1, cutoff=0.6)
    said = f"did you mean {near[0]}? " if near else ""
    return f"{said}known here: {', '.join(allowed)}" if allowed else "remove it"


def _for_example(known: FieldInfo | None) -> str:
    if known is None or not known.examples:
        return ""
    example = known.examples[0]
    return "" if example in ({}, []) else f" For example: {_shown(example)}"


def kind_of(value: Any) -> str:
    """What stands there, as a reader would say it."""
    match value:
        case dict():
            return "a mapping of keys"
        case list():
            return "a list"
        case None:
            return "nothing"
        case _:
            return f"the text {_shown(value)}"


def _printable(words: str) -> str:
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in words)


def _as_yaml(value: Any) -> str:
    """As it can be written in the file, on one line."""
    match value:
        case bool():
            return "true" if value else "false"
        case dict():
            return f"{{{', '.join(f'{key}: {_as_yaml(item)}' for key, item in value.items())}}}"
        case list():
            return f"[{', '.join(map(_as_yaml, value))}]"
        case _:
            return str(value)


def _shown(value: Any, most: int = 60) -> str:
    """A value as it can stand in a message: short, printable, on one line."""
    words = _printable(value if isinstance(value, str) else _as_yaml(value))
    shown = words if len(words) <= most else words[: most - 1] + "…"
    return f'"{shown}"' if isinstance(value, str) else shown
