"""Reading a cloud assembly: which stacks it holds, in which order, with which templates."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct

from neuron_cluster.dependency_order import in_order

MANIFEST = "manifest.json"
MARKERS = ("cdk.out", MANIFEST)
"""Files that every cloud assembly has."""
_BESIDE = frozenset({*MARKERS, "tree.json", "validation-report.json", ".cache"})
"""Files of CDK in an assembly that its manifest does not name; ``.cache`` has the files that its command packs."""
_LOCK = re.compile(r"(read\.\d+\.\d+|synth)\.lock")
"""The CDK command's own, while it reads or writes."""


class AssembledStack(Struct, frozen=True):
    """One stack of an assembly."""

    name: str
    template: dict[str, Any]
    is_protected: bool = False
    """Termination protection."""
    after: tuple[str, ...] = ()
    """Names of the stacks that are deployed before it."""

    @property
    def resources(self) -> int:
        return len(self.template.get("Resources", {}))


def read_assembly(folder: Path) -> list[AssembledStack]:
    """The stacks of an assembly, those that others need first."""
    artifacts = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))["artifacts"]
    stacks = {key: value for key, value in artifacts.items() if value["type"] == "aws:cloudformation:stack"}
    needs = {key: [name for name in value.get("dependencies", ()) if name in stacks] for key, value in stacks.items()}
    names = {key: value["properties"].get("stackName", key) for key, value in stacks.items()}
    return [
        _stack(folder, stacks[key], names[key], tuple(names[need] for need in needs[key])) for key in in_order(needs)
    ]


def _stack(folder: Path, artifact: dict[str, Any], name: str, after: tuple[str, ...]) -> AssembledStack:
    properties = artifact["properties"]
    template = json.loads((folder / properties["templateFile"]).read_text(encoding="utf-8"))
    protected = bool(properties.get("terminationProtection", False))
    return AssembledStack(name, template, protected, after)


def foreign_entries(folder: Path) -> list[str]:
    """Names in an assembly's folder that neither its manifests name nor CDK writes, sorted."""
    present = {path.name for path in folder.iterdir()}
    named = set(_BESIDE)
    for file in sorted(present):
        if file == MANIFEST or file.endswith(".assets.json"):
            named.update(_strings(_read_json(folder / file)))
    named |= {name for name in present if _LOCK.fullmatch(name)}
    return sorted(present - named)


def _read_json(file: Path) -> Any:
    """None where it is not JSON: then it names nothing."""
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _strings(each)
    elif isinstance(value, list):
        for each in value:
            yield from _strings(each)
