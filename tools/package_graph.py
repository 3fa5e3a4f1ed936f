"""Imports between packages of the toolkit, read from their source; a module next to the packages counts as one."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

PROJECT = Path(__file__).parents[1]
PACKAGE = "neuron_cluster"
LOCAL_KUBERNETES = "local_kubernetes"
OUTSIDE = ("stacks", "app", LOCAL_KUBERNETES)
"""Packages in addition to the toolkit's own."""
LOCAL_AWS = "local_aws"
APART = ("cloudformation", "knowledge", "lambda_runtime", "run_secrets", "unpacked_zip")
"""Parts of the local AWS that count as packages next to it."""
DIVIDED = ("providers", "schedulers")
"""Packages in which each folder counts as a package."""


class Package(Struct, frozen=True):
    """One package."""

    name: str
    purpose: str
    """First sentence of its docstring."""
    imports: tuple[str, ...]
    """Other packages, by name."""


@functools.cache
def packages() -> Mapping[str, Package]:
    """Every package, sorted by name."""
    files: dict[str, list[Path]] = {}
    for path in _files():
        files.setdefault(_package_of(path), []).append(path)
    return {name: _package(name, paths) for name, paths in sorted(files.items())}


def _files() -> Iterator[Path]:
    package = PROJECT / PACKAGE
    yield from (path for path in sorted(package.rglob("*.py")) if path != package / "__init__.py")
    yield from sorted((PROJECT / LOCAL_AWS).rglob("*.py"))
    yield from sorted((PROJECT / LOCAL_KUBERNETES).rglob("*.py"))
    yield from sorted((PROJECT / "stacks").rglob("*.py"))
    yield PROJECT / "app.py"


def _package_of(path: Path) -> str:
    parts = path.relative_to(PROJECT).with_suffix("").parts
    if parts[0] == LOCAL_AWS:
        return _in_local_aws(parts[1])
    return _in_package(parts[1:]) if parts[0] == PACKAGE else parts[0]


def _in_package(parts: Sequence[str]) -> str:
    is_folder = parts[0] in DIVIDED and len(parts) > 1 and (PROJECT / PACKAGE / parts[0] / parts[1]).is_dir()
    return ".".join(parts[:2]) if is_folder else parts[0]


def _in_local_aws(folder: str) -> str:
    return f"{LOCAL_AWS}.{folder}" if folder in APART else LOCAL_AWS


def _package(name: str, paths: list[Path]) -> Package:
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in paths}
    head = min(paths, key=lambda path: (len(path.parts), path.name != "__init__.py"))
    text = ast.get_docstring(trees[head]) or ""
    imported = {target for tree in trees.values() for target in _imports(tree)} - {name}
    return Package(name, text.partition("\n")[0], tuple(sorted(imported)))


def _imports(tree: ast.Module) -> Iterator[str]:
    """Packages that a module imports, wherever in it the import is."""
    for node in _statements(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            first, *rest = name.split(".")
            if first == PACKAGE and rest:
                yield _in_package(rest)
            elif first == LOCAL_AWS and rest:
                yield _in_local_aws(rest[0])
            elif first in OUTSIDE:
                yield first


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """Every statement inside, but nothing of its expressions: they are nine of ten nodes, and none is an import."""
    for block in ("body", "orelse", "finalbody", "handlers", "cases"):
        for inner in getattr(node, block, ()) if not isinstance(node, ast.expr) else ():
            yield inner
            yield from _statements(inner)
