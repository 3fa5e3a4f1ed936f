"""Our cases for rules of cdk-preflight: tests/fixtures/preflight, a template that is refused and one that is accepted.

A case edits the resource ``Subject`` of a base by paths (``Code/ZipFile: text``; null removes). ``{repeat: 9}`` is a
text of nine letters, ``{repeat: 9, of: "own{}"}`` a list of nine numbered ones. ``also`` adds resources.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml
from msgspec import Struct
from template_rule_follow import steps
from tree_edit import DELETE, edit

FIXTURES = Path(__file__).parents[1] / "tests" / "fixtures" / "preflight"
REGION, ACCOUNT = "us-west-2", "111122223333"


class PreflightCase(Struct, frozen=True):
    rule: str
    base: str
    refused: dict[str, Any]
    accepted: dict[str, Any]


def preflight_cases() -> Iterator[PreflightCase]:
    for file in sorted(FIXTURES.glob("*.yaml")):
        fixture = yaml.load(file.read_text("utf-8"), yaml.CSafeLoader)
        for rule, case in fixture["rules"].items():
            base = fixture["bases"][case["base"]]
            refused = _edited({**base, **case.get("also", {})}, case["refused"])
            yield PreflightCase(rule, f"{file.stem} {case['base']}", refused, _edited(base, case.get("accepted", {})))


def _edited(base: Mapping[str, Any], edits: Mapping[str, Any]) -> dict[str, Any]:
    resources: dict[str, Any] = copy.deepcopy(dict(base))
    for path, value in edits.items():
        edit(
            resources, ("Subject", "Properties", *steps(path.split("/"))), DELETE if value is None else _written(value)
        )
    return {"Resources": resources}


def _written(value: Any) -> Any:
    """With the texts and lists that ``repeat`` stands for."""
    if isinstance(value, dict) and "repeat" in value:
        count = range(value["repeat"])
        return [value["of"].format(number) for number in count] if "of" in value else "x" * len(count)
    if isinstance(value, dict):
        return {name: _written(each) for name, each in value.items()}
    return value
