"""Does the tree have the shape of an environment? Every mistake becomes a finding, all of them in one run.

A value of the wrong shape is replaced by its default or, where it is required, by the example of its field, and the
rest is read on: so a file with a misspelt key still gets its unknown instance type reported. ``Shaped.repaired`` says
where that happened; nothing is ever planned from a repaired tree.
"""

from __future__ import annotations

import copy
import difflib
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from neuron_cluster.config.environment import SCHEMA, EnvironmentConfig
from neuron_cluster.config.fields import fields_at
from neuron_cluster.config.source_map import KeyPath, SourceMap, spelled
from neuron_cluster.findings import Finding

MOST_ROUNDS = 12
"""Rounds of repair; each fixes every mistake that the last one uncovered, and the model is seven levels deep."""

WRONG_KIND = {"model_type", "model_attributes_type", "dict_type", "list_type"} | {
    "string_type",
    "int_type",
    "bool_type",
}


@dataclass
class Shaped:
    """``config`` is there even when ``findings`` holds errors, unless nothing could be made of the tree."""

    config: EnvironmentConfig | None
    findings: list[Finding] = field(default_factory=list)
    repaired: list[KeyPath] = field(default_factory=list)
    """Where a value of ours stands in place of the user's."""


def shape(tree: Any, source: SourceMap) -> Shaped:
    """Validates a tree from ``document.read_document``. Raises nothing."""
    if not isinstance(tree, dict):
        message = f"the file holds {_kind(tree)}, not the keys of an environment"
        return Shaped(None, [Finding("E0012", source.locate(()), message, "begin with `schema: 1`")])
    tree = copy.deepcopy(tree)
    shaped = Shaped(None)
    _refuse_empty_values(tree, (), source, shaped)
    for _ in range(MOST_ROUNDS):
        try:
            shaped.config = EnvironmentConfig.model_validate(tree)
        except ValidationError as error:
            for details in error.errors(include_url=False):
                _take_up(details, tree, source, shaped)
        else:
            break
    return shaped


def _refuse_empty_values(node: Any, path: KeyPath, source: SourceMap, shaped: Shaped) -> None:
    """`storage:` with nothing behind it is a forgotten value, not a wish."""
    items = list(node.items()) if isinstance(node, dict) else list(enumerate(node)) if isinstance(node, list) else []
    for key, value in items:
        here = (*path, key)
        if value is None:
            message = f"{spelled(here)} has no value"
            shaped.findings.append(Finding("E0012", source.locate(here), message, "write one, or remove the line"))
            _repair(here, node, shaped)
        else:
            _refuse_empty_values(value, here, source, shaped)


def _take_up(details: ErrorDetails, tree: dict[str, Any], source: SourceMap, shaped: Shaped) -> None:
    path = _written_path(details, tree)
    finding = _finding(details, path, source)
    already = any(path[: len(r)] == r or r[: len(path)] == path for r in shaped.repaired)
    if not (already and details["type"] == "missing"):
        shaped.findings.append(finding)
    container: Any = tree
    for part in path[:-1]:
        container = container[part]
    if details["type"] == "extra_forbidden":
        container.pop(path[-1], None)
    else:
        _repair(path, container, shaped)


def _written_path(details: ErrorDetails, tree: Any) -> KeyPath:
    """Pydantic's location without the union tags that are no keys of the file."""
    written: list[str | int] = []
    node = tree
    location = details["loc"]
    for position, part in enumerate(location):
        last = position == len(location) - 1
        is_item = isinstance(node, list) and isinstance(part, int) and part < len(node)
        if is_item or (isinstance(node, dict) and part in node):
            node = node[part]
        elif not (last and details["type"] == "missing"):
            continue
        written.append(part)
    if details["type"] in ("union_tag_not_found", "union_tag_invalid"):
        written.append("kind")
    return tuple(written)


def _repair(path: KeyPath, container: Any, shaped: Shaped) -> None:
    """Puts the default, or an example, in the place of what cannot be read."""
    shaped.repaired.append(path)
    key = path[-1]
    if isinstance(container, list) and isinstance(key, int):
        example = _example(path[:-1])
        container[key] = example[0] if isinstance(example, list) and example else ""
        return
    known = fields_at(path[:-1]).get(str(key))
    if known is not None and known.is_required():
        container[key] = _example(path)
    else:
        container.pop(key, None)


def _example(path: KeyPath) -> Any:
    """The example of a field, or one put together from the examples of the fields below it."""
    known = fields_at(path[:-1]).get(str(path[-1]))
    if known is None:
        return ""
    if known.examples:
        return copy.deepcopy(known.examples[0])
    below = {key: _example((*path, key)) for key, part in fields_at(path).items() if part.is_required()}
    return [below] if str(known.annotation).startswith("list") else below


def _finding(details: ErrorDetails, path: KeyPath, source: SourceMap) -> Finding:
    place = source.locate(path)
    name = spelled(path)
    known = fields_at(path[:-1]).get(str(path[-1])) if path else None
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
        wanted = wanted.replace("a valid ", "a ").partition(" or instance of")[0]
        return Finding(
            "E0012", place, f"{name} is {_kind(details['input'])}, not {wanted}", meaning + _for_example(known)
        )
    allowed = _allowed(details)
    return Finding("E0013", place, f"{name} is {given}; {allowed}", (meaning + _for_example(known)).strip() or allowed)


def _allowed(details: ErrorDetails) -> str:
    context = details.get("ctx", {})
    match details["type"]:
        case "string_pattern_mismatch":
            return f"it must match {context['pattern']}"
        case "enum" | "literal_error":
            return f"allowed: {context['expected']}"
        case "union_tag_invalid":
            return f"allowed: {context['expected_tags']}"
        case _:
            return details["msg"].replace("Input should", "it should").replace("Value should", "it should")


def _near_key(path: KeyPath) -> str:
    allowed = sorted(fields_at(path[:-1]))
    near = difflib.get_close_matches(str(path[-1]), allowed, n=1, cutoff=0.6)
    said = f"did you mean {near[0]}? " if near else ""
    return f"{said}known here: {', '.join(allowed)}" if allowed else "remove it"


def _for_example(known: Any) -> str:
    if known is None or not known.examples:
        return ""
    example = known.examples[0]
    return "" if example in ({}, []) else f" For example: {_shown(example)}"


def _kind(value: Any) -> str:
    match value:
        case dict():
            return "a mapping of keys"
        case list():
            return "a list"
        case None:
            return "nothing"
        case _:
            return f"the text {_shown(value)}"


def _shown(value: Any, most: int = 60) -> str:
    """A value as it can stand in a message: short, printable, on one line."""
    words = value if isinstance(value, str) else str(value)
    words = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in words)
    shown = words if len(words) <= most else words[: most - 1] + "…"
    return f'"{shown}"' if isinstance(value, str) else shown
