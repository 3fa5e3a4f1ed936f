"""Records: a default of ``dataclasses.field`` in a ``Struct`` would be that field itself, which no checker sees."""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).parents[2]


def structs_with_fields_of_dataclasses(source: str) -> list[str]:
    tree = ast.parse(source)
    imported = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "dataclasses"
        for alias in node.names
    }
    structs = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef) and "Struct" in [ast.unparse(base).rpartition(".")[2] for base in node.bases]
    ]
    return [
        struct.name
        for struct in structs
        for member in struct.body
        if isinstance(member, ast.AnnAssign)
        and isinstance(member.value, ast.Call)
        and ast.unparse(member.value.func) in {*(imported & {"field"}), "dataclasses.field"}
    ]


def test_no_struct_takes_a_default_of_dataclasses() -> None:
    folders = ("neuron_cluster", "local_aws", "local_kubernetes", "stacks")
    files = [*(path for name in folders for path in (ROOT / name).rglob("*.py"))]
    sources = {str(path): path.read_text("utf-8") for path in files}
    found = {
        path: structs_with_fields_of_dataclasses(source) for path, source in sources.items() if "dataclasses" in source
    }
    assert {path: names for path, names in found.items() if names} == {}


def test_such_a_default_would_be_found() -> None:
    source = """
from dataclasses import dataclass, field
from msgspec import Struct
class Wrong(Struct, frozen=True):
    names: list[str] = field(default_factory=list)
@dataclass
class Right:
    names: list[str] = field(default_factory=list)
"""
    assert structs_with_fields_of_dataclasses(source) == ["Wrong"]
