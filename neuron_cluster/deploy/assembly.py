"""Reading a cloud assembly: which stacks it holds, in which order, with which templates."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from msgspec import Struct


class AssembledStack(Struct, frozen=True):
    """One stack of an assembly."""

    name: str
    template: dict[str, Any]
    is_protected: bool = False
    """Termination protection."""

    @property
    def resources(self) -> int:
        return len(self.template.get("Resources", {}))


def read_assembly(folder: Path) -> list[AssembledStack]:
    """The stacks of an assembly, those that others need first."""
    artifacts = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))["artifacts"]
    stacks = {key: value for key, value in artifacts.items() if value["type"] == "aws:cloudformation:stack"}
    ordered: list[str] = []
    for key in stacks:
        _place(key, stacks, ordered)
    return [_stack(folder, key, stacks[key]) for key in ordered]


def _place(key: str, stacks: dict[str, Any], ordered: list[str]) -> None:
    if key in ordered or key not in stacks:
        return
    for needed in stacks[key].get("dependencies", ()):
        _place(needed, stacks, ordered)
    ordered.append(key)


def _stack(folder: Path, key: str, artifact: dict[str, Any]) -> AssembledStack:
    properties = artifact["properties"]
    template = json.loads((folder / properties["templateFile"]).read_text(encoding="utf-8"))
    protected = bool(properties.get("terminationProtection", False))
    return AssembledStack(properties.get("stackName", key), template, protected)
