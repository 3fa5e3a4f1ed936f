"""The catalog is an argument (ADR 35): entrances load it, and every other function is given one."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from .parsed import nodes

ROOT = Path(__file__).parents[2]
ENTRANCES = (
    "neuron_cluster/cdk/",
    "neuron_cluster/cli/",
    "neuron_cluster/deploy/",
    "neuron_cluster/local_checks/",
    "neuron_cluster/opened_environment.py",
    "neuron_cluster/pipeline.py",
)
"""Commands, public constructs, what ``deploy`` and the local AWS call back, and the two ways to check a file."""
READERS = ("load_catalog", "Table", "FolderTable", "read_rows")
"""Names of the catalog with which a module reads rows by itself."""


def own_reads(path: Path) -> Iterator[str]:
    """Ways in which a module takes rows from nobody: an import of a reader, a table of the class."""
    for node in nodes(path):
        match node:
            case ast.ImportFrom(module=str(module)) if module.startswith("neuron_cluster.catalog."):
                yield from (alias.name for alias in node.names if alias.name in READERS)
            case ast.Call(func=ast.Name(id="Catalog")) | ast.Attribute(value=ast.Name(id="Catalog")):
                yield ast.unparse(node)


def modules() -> dict[str, Path]:
    folders = ("neuron_cluster", "local_aws", "local_kubernetes", "stacks")
    found = (path for name in folders for path in (ROOT / name).rglob("*.py"))
    return {
        name: path for path in found if not (name := str(path.relative_to(ROOT))).startswith("neuron_cluster/catalog/")
    }


def test_only_entrances_load_the_catalog() -> None:
    found = {name: list(own_reads(path)) for name, path in modules().items() if not name.startswith(ENTRANCES)}
    assert {name: reads for name, reads in found.items() if reads} == {}


def test_entrances_only_load_the_catalog_and_each_of_them_does() -> None:
    found = {name: set(own_reads(path)) for name, path in modules().items() if name.startswith(ENTRANCES)}
    assert {name: reads for name, reads in found.items() if reads - {"load_catalog"}} == {}
    assert [each for each in ENTRANCES if not any(found[name] for name in found if name.startswith(each))] == []


@pytest.mark.parametrize(
    "source",
    [
        "from neuron_cluster.catalog.catalog import Catalog, load_catalog",
        "def names():\n    from neuron_cluster.catalog.table import Table",
        "rows = Catalog().dlamis",
        "rows = Catalog.dlamis",
    ],
)
def test_a_module_that_takes_rows_from_nobody_is_found(tmp_path: Path, source: str) -> None:
    (tmp_path / "module.py").write_text(source)
    assert list(own_reads(tmp_path / "module.py"))


def test_a_module_that_is_given_a_catalog_is_not_found(tmp_path: Path) -> None:
    lines = (
        "from neuron_cluster.catalog.catalog import Catalog",
        "def names(catalog: Catalog):",
        "    return catalog.dlamis",
    )
    (tmp_path / "module.py").write_text("\n".join(lines))
    assert list(own_reads(tmp_path / "module.py")) == []
