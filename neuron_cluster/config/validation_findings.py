"""The finding for one validation error, in words of the environment file instead of pydantic's."""

from __future__ import annotations

import re
from typing import Any

from pydantic_core import ErrorDetails

from neuron_cluster.config.absent_keys import PAGE, absent, called_here, refused
from neuron_cluster.config.environment_config import SCHEMA
from neuron_cluster.config.fields import example_at, fields_at, is_in_free_mapping, kinds_with
from neuron_cluster.config.pattern_descriptions import pattern_descriptions
from neuron_cluster.config.scalars import ZONE_ID_PATTERN, Quoted, typed
from neuron_cluster.config.source_map import KeyPath, SourceMap, format_path
from neuron_cluster.config.zone_examples import ZoneExamples
from neuron_cluster.findings.finding import Finding
from neuron_cluster.findings.suggestions import did_you_mean, is_misspelt, suggestions
from neuron_cluster.findings.text import confusable_character, on_one_line, shortened

EXPECTED_TYPES = {
    "model_type": "keys and values",
    "model_attributes_type": "keys and values",
    "dict_type": "keys and values",
    "list_type": "a list",
    "string_type": "a text",
    "int_type": "a whole number",
    "bool_type": "true or false",
}
"""Expected types by pydantic's error type for a value of another type."""


def validation_finding(details: ErrorDetails, path: KeyPath, source: SourceMap, zones: ZoneExamples) -> Finding:
    """The finding for one of pydantic's errors at a path of the file."""
    place = source.locate(path)
    name = printable_path(path)
    error, given = details["type"], _shown(details["input"])
    kind = kind_around(details, path)
    if error == "extra_forbidden":
        return unknown_key(path, source, kind)
    if error in ("missing", "union_tag_not_found"):
        near = source.near_names.get(path[:-1])
        of_base = f"did you mean name: {near}, which the base has? Else " if near is not None else ""
        return Finding("E0011", place, f"{name} is missing", f"{of_base}add it: {_meaning(path, kind, zones)}")
    if name == "schema":
        newer = str(details["input"]).isdecimal() and int(str(details["input"])[:9]) > SCHEMA
        hint = "use a newer release of this toolkit, or " if newer else ""
        hint += f"write schema: {SCHEMA}"
        return Finding("E0014", place, f"schema is {given}; this release reads schema {SCHEMA}", hint)
    if expected := EXPECTED_TYPES.get(error):
        message = f"{name} is {kind_of(details['input'])}, not {expected}"
        return Finding("E0012", place, message, _meaning(path, kind, zones) or f"write {expected}")
    hint = _meaning(path, kind, zones)
    if error == "union_tag_invalid":
        given, hint = _shown(details["ctx"]["tag"]), _kind_hint(details, path)
    allowed = _allowed(details, zones)
    if isinstance(details["input"], str) and (strange := confusable_character(details["input"])):
        return Finding("E0013", place, f"{name} is {given}; {allowed}", f"it contains {strange}; retype it")
    return Finding("E0013", place, f"{name} is {given}; {allowed}", hint or allowed)


def _kind_hint(details: ErrorDetails, path: KeyPath) -> str:
    """The allowed kind that is near to the one that was given, or what to use instead of a lacking feature."""
    given = str(details["ctx"]["tag"])
    if instead := absent(given):
        return f"not supported ({PAGE}): {instead}"
    kinds = re.findall(r"'([^']+)'", details["ctx"]["expected_tags"])
    near = suggestions(given, kinds) or [each for each in kinds if given and given in each]
    other = "" if near else f"`neuron-cluster explain {printable_path(path[:-1])}` lists the kinds. "
    return f'{other}For example: "{[*near, *kinds][0]}"'


def _allowed(details: ErrorDetails, zones: ZoneExamples) -> str:
    """Returns the allowed values, to be read after ``name is given; ``."""
    match details.get("ctx", {}):
        case {"pattern": str(pattern)}:
            text = f"it must be {zones.text if pattern == ZONE_ID_PATTERN else pattern_descriptions()[pattern]}"
        case {"expected": expected} | {"expected_tags": expected}:
            text = f"allowed: {expected}"
        case {"min_length": int(minimum)}:
            text = f"it must have at least {_length(minimum, details)}"
        case {"max_length": int(maximum)}:
            text = f"it must have at most {_length(maximum, details)}"
        case {"ge": minimum}:
            text = f"it must be at least {minimum}"
        case {"gt": minimum}:
            text = f"it must be more than {minimum}"
        case {"le": maximum}:
            text = f"it must be at most {maximum}"
        case _:
            text = details["msg"]
    return text


def _length(number: int, details: ErrorDetails) -> str:
    """``1 item``; ``6 items, not 7``; ``63 characters, not 80``."""
    given = len(details["input"])
    thing = "item" if isinstance(details["input"], list) else "character"
    text = f"{number} {thing}{'' if number == 1 else 's'}"
    return f"{text}, not {given}" if given else text


def no_value(path: KeyPath, source: SourceMap, zones: ZoneExamples) -> Finding:
    """The finding for a key without a value."""
    known = fields_at(path[:-1]).get(str(path[-1]))
    edit = f"write {path[-1]}: {{}}" if known is not None and known.examples == [{}] else "write one"
    hint = edit if known is not None and known.is_required() else f"{edit}, or remove the line"
    example = _for_example(path, zones) if edit == "write one" else ""
    hint = f"{hint}. {example}" if example else hint
    return Finding("E0012", source.locate(path), f"{printable_path(path)} has no value", hint)


def unknown_key(path: KeyPath, source: SourceMap, kind: str | None = None) -> Finding:
    """The finding for a key that the mapping around it does not have, or that another kind of it has."""
    place, name, key = source.locate(path), printable_path(path), str(path[-1])
    if kind is not None and (others := kinds_with(path[:-1], key)):
        *first, last = others
        kinds = f"{', '.join(first)} or {last}" if first else last
        message = f"{name} is a key of kind {kinds}, not of {kind}"
        return Finding("E0010", place, message, f"write kind: {kinds}, or remove the line")
    allowed = sorted(fields_at(path[:-1], kind))
    strange = confusable_character(key)
    remedy = f"it contains {strange}, retype it; " if strange else _remedy(path, allowed)
    return Finding("E0010", place, f"{name} is not a known key", f"{remedy}known here: {', '.join(allowed)}")


def _remedy(path: KeyPath, allowed: list[str]) -> str:
    """Returns the hint for an unknown key: write the intended one, or use something else."""
    key, near = str(path[-1]), suggestions(str(path[-1]), allowed)[:1]
    if instead := refused(path):
        return f"{instead}; "
    if near and is_misspelt(key, near[0]):
        return did_you_mean(near)
    if here := called_here(path, allowed):
        return f"write {here} instead; "
    if instead := absent(key):
        return f"not supported ({PAGE}): {instead}; remove it; "
    return did_you_mean(near) or "remove it; "


def meant_key(path: KeyPath, kind: str | None) -> str | None:
    """The key that was misspelt, if there is no doubt which one it is."""
    near = suggestions(str(path[-1]), fields_at(path[:-1], kind))[:1] if refused(path) is None else []
    return near[0] if near and is_misspelt(str(path[-1]), near[0]) else None


def kind_around(details: ErrorDetails, path: KeyPath) -> str | None:
    """The kind of the mapping that holds the path, which pydantic's location has as a part of its own."""
    *_, tag, _ = ("", *details["loc"])
    return str(tag) if len(path) > 1 and tag != path[-2] and tag in kinds_with(path[:-1], "kind") else None


def _meaning(path: KeyPath, kind: str | None, zones: ZoneExamples) -> str:
    """Returns description and example of the field at a path; for an item or free key, of the field around it."""
    for length in range(len(path), 0, -1):
        *around, key = path[:length]
        known = fields_at(tuple(around), kind if length == len(path) else None).get(str(key))
        if known is not None:
            is_item = len(path) == length + 1 and (isinstance(path[-1], int) or is_in_free_mapping(path))
            example = _for_example(path if is_item else path[:length], zones)
            return f"{known.description or ''} {example}".strip()
    return ""


def _for_example(path: KeyPath, zones: ZoneExamples) -> str:
    """``For example: 5``; empty where the model has no example."""
    example = zones.shown(example_at(path))
    if example == {}:
        return f"Write {path[-1]}: {{}}"
    shown = f'"{example}"' if isinstance(example, str) else _as_yaml(example)
    return f"For example: {shown}" if example not in ("", []) else ""


def kind_of(value: Any) -> str:
    """The type of a value, or the value itself, for a message."""
    match value:
        case dict():
            return "a mapping of keys"
        case list():
            return "a list"
        case None:
            return "nothing"
        case Quoted():
            return f"the text {_shown(value)}"
        case _:
            return _shown(value)


def printable_path(path: KeyPath) -> str:
    """A key path as it can be shown in a message."""
    return on_one_line(format_path(path))


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


def _shown(value: Any) -> str:
    """A value as it can be shown in a message: short, printable, on one line; numbers and booleans as written."""
    text = on_one_line(value if isinstance(value, str) else _as_yaml(value))
    shown = shortened(text)
    return f'"{shown}"' if isinstance(typed(value), str) else shown
