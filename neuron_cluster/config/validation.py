"""Validates the tree of an environment file by the model: every error becomes a finding, all of them in one run.

An invalid value is replaced by its default or, where it is required, by the example of its field, and the
rest is read on: so a file with a misspelt key still gets its unknown instance type reported. ``Validated.repairs``
records where that happened; nothing is ever planned from a repaired tree.
"""

from __future__ import annotations

import copy
from typing import Any

from msgspec import Struct, field
from pydantic import ValidationError
from pydantic_core import ErrorDetails

from neuron_cluster.config.environment_config import EnvironmentConfig, environment_model
from neuron_cluster.config.fields import example_at, fields_at
from neuron_cluster.config.file_findings import MAX_ERRORS, too_many
from neuron_cluster.config.repairs import Repairs
from neuron_cluster.config.source_map import KeyPath, SourceMap
from neuron_cluster.config.validation_findings import (
    kind_around,
    kind_of,
    meant_key,
    no_value,
    unknown_key,
    validation_finding,
)
from neuron_cluster.config.zone_examples import ZoneExamples, ZonesOf, zone_examples
from neuron_cluster.findings.finding import Finding

MAX_ROUNDS = 12
"""Rounds of repair; each fixes every mistake that the last one uncovered, and the model is seven levels deep."""


class Validated(Struct):
    """``config`` is there even when ``findings`` holds errors, unless the tree is not a mapping."""

    config: EnvironmentConfig | None
    findings: list[Finding] = field(default_factory=list)
    repairs: Repairs = field(default_factory=Repairs)
    zones: ZoneExamples = field(default_factory=ZoneExamples)
    """Zones that messages show as examples."""

    @property
    def is_full(self) -> bool:
        """Whether there are more mistakes than are shown: then the rest of the file is not read."""
        return len(self.findings) > MAX_ERRORS


def validate_tree(tree: Any, source: SourceMap, zones_of: ZonesOf = lambda _: ()) -> Validated:
    """Validates a tree from ``document.read_document``. Raises nothing.

    ``zones_of`` gives the zone ids of a Region, for examples in messages.
    """
    if not isinstance(tree, dict):
        message = f"the file holds {kind_of(tree)}, not the keys of an environment"
        return Validated(
            None,
            [
                Finding(
                    "E0012",
                    source.locate(()),
                    message,
                    "write KEY: VALUE lines without dashes; the first is `schema: 1`",
                )
            ],
        )
    tree = copy.deepcopy(tree)
    validated = Validated(None, zones=zone_examples(tree, zones_of))
    _report_empty_values(tree, (), source, validated)
    for _ in range(MAX_ROUNDS):
        if validated.is_full:
            validated.findings[MAX_ERRORS:] = [too_many(source.file)]
            break
        try:
            # Else a union by `kind` takes a quoted text, which has a class of this package, for an object with that
            # attribute.
            validated.config = environment_model().model_validate(tree, from_attributes=False)
        except ValidationError as error:
            _take_up_round(error.errors(include_url=False), tree, source, validated)
        else:
            break
    return validated


def _take_up_round(errors: list[ErrorDetails], tree: dict[str, Any], source: SourceMap, validated: Validated) -> None:
    """Finds and repairs what one validation of the tree found, as far as findings are shown."""
    # A default that follows from another key has no error of its own.
    errors = [details for details in errors if details["type"] != "default_factory_not_called"]
    # Misspelt keys before the missing ones that they were to be.
    errors.sort(key=lambda details: details["type"] != "extra_forbidden")
    # All places first: a repair may remove what holds the next error.
    found = [(_written_path(details, tree), details) for details in errors[: MAX_ERRORS + 1]]
    for path, details in found:
        _take_up(details, path, tree, source, validated)


def _report_empty_values(node: Any, path: KeyPath, source: SourceMap, validated: Validated) -> None:
    """`storage:` without a value is a forgotten value, not a choice."""
    items = list(node.items()) if isinstance(node, dict) else list(enumerate(node)) if isinstance(node, list) else []
    for key, value in items:
        here = (*path, key)
        if validated.is_full:
            return
        if value is None:
            validated.findings.append(no_value(here, source, validated.zones))
            _repair(here, node, validated)
        else:
            _report_empty_values(value, here, source, validated)


def _take_up(
    details: ErrorDetails, path: KeyPath, tree: dict[str, Any], source: SourceMap, validated: Validated
) -> None:
    around = _value_at(tree, path[:-1])
    if details["type"] in ("union_tag_not_found", "union_tag_invalid"):
        for key in [key for key in around if key not in fields_at(path[:-1])]:
            validated.findings.append(unknown_key((*path[:-1], key), source))
            _read_as_meant((*path[:-1], key), None, around, source)
    if details["type"] in ("missing", "union_tag_not_found") and path[-1] in around:
        return  # under a misspelt key
    if not _follows_from_repair(details, path, validated):
        validated.findings.append(validation_finding(details, path, source, validated.zones))
    if details["type"] == "extra_forbidden":
        _read_as_meant(path, kind_around(details, path), around, source)
        return
    while len(path) > 1 and path in validated.repairs.guessed:
        path = path[:-1]  # What we put there cannot be read either: then what holds it is replaced.
    _repair(path, _value_at(tree, path[:-1]), validated, is_needed=details["type"] == "missing")


def _read_as_meant(path: KeyPath, kind: str | None, around: dict[str, Any], source: SourceMap) -> None:
    """Takes out an unknown key. The value of a misspelt one is read under the right one."""
    value = around.pop(str(path[-1]), None)
    meant = meant_key(path, kind)
    if meant is not None and meant not in around and value is not None:
        around[meant] = value
        source.read_as(path, (*path[:-1], meant))


def _value_at(tree: dict[str, Any], path: KeyPath) -> Any:
    """The value at a path; nothing (an empty mapping) where a repair of this round has taken it away."""
    node: Any = tree
    for part in path:
        try:
            node = node[part]
        except (KeyError, IndexError, TypeError):
            return {}
    return node


def _follows_from_repair(details: ErrorDetails, path: KeyPath, validated: Validated) -> bool:
    """Whether only a repair made this a mistake: a value of ours, a key taken out, or one that another kind has."""
    if validated.repairs.is_guessed(path):
        return True
    if details["type"] == "extra_forbidden":
        return (*path[:-1], "kind") in validated.repairs.repaired
    return details["type"] == "missing" and validated.repairs.touch(path)


def _written_path(details: ErrorDetails, tree: Any) -> KeyPath:
    """Pydantic's location without the union tags that are not keys of the file."""
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


def _repair(path: KeyPath, container: Any, validated: Validated, *, is_needed: bool = False) -> None:
    """Puts the default, or an example, in the place of what cannot be read. ``is_needed``: the rest requires it."""
    key = path[-1]
    known = fields_at(path[:-1]).get(str(key))
    is_guess = is_needed or isinstance(container, list) or (known is not None and known.is_required())
    validated.repairs.add(path, is_guess=is_guess)
    if is_guess:
        container[key] = example_at(path)
    elif known is not None and known.examples == [{}]:
        container[key] = {}  # all of its keys have defaults, but the key itself is required
    else:
        container.pop(key, None)
