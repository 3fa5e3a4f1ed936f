"""`make test-fast` starts no local AWS: whatever starts one is slow, or is the fixture by which conftest tells."""

from __future__ import annotations

import ast
import re
from pathlib import Path

TESTS = Path(__file__).parents[1]


def _starts_a_local_aws(module: ast.Module) -> bool:
    calls = (node.func for node in ast.walk(module) if isinstance(node, ast.Call))
    return any(isinstance(func, ast.Name) and func.id == "LocalAws" for func in calls)


def _is_slow(module: ast.Module) -> bool:
    marks = (ast.unparse(node) for node in module.body if isinstance(node, ast.Assign))
    return any(mark.startswith("pytestmark = ") and "pytest.mark.slow" in mark for mark in marks)


def _hides_one(file: Path) -> bool:
    text = file.read_text(encoding="utf-8")
    if "LocalAws" not in text:
        return False
    module = ast.parse(text)
    fixtures = {node.name for node in module.body if isinstance(node, ast.FunctionDef)}
    return _starts_a_local_aws(module) and not _is_slow(module) and "local_aws" not in fixtures


def test_what_starts_a_local_aws_is_slow() -> None:
    """Where this fails: name the fixture ``local_aws``, or mark the module."""
    assert [str(file.relative_to(TESTS)) for file in sorted(TESTS.rglob("test_*.py")) if _hides_one(file)] == []


def test_the_table_of_layers_names_folders_of_tests() -> None:
    text = (TESTS.parent / "CONTRIBUTING.md").read_text(encoding="utf-8")
    table = text.partition("| Folder in `tests/` |")[2].partition("\n\n")[0]
    folders = re.findall(r"^\| `(\w+)`", table, re.MULTILINE)
    assert folders
    assert [name for name in folders if not (TESTS / name).is_dir()] == []
