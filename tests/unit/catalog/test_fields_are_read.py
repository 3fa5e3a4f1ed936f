"""No field of the catalog is there for nothing: code reads it, or `catalog` shows it."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from neuron_cluster import catalog as package
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.report import catalog_page

ROOT = Path(__file__).parents[3]
FOLDERS = ("neuron_cluster", "stacks", "local_aws", "local_kubernetes", "tools")
WORD = re.compile(r"\w+")
READ_BY_TESTS = {"WorkloadShape.made_by": "tests compare the row with the chart, add-on or manifest that it is made of"}


def structs_of_the_catalog() -> Iterator[type[msgspec.Struct]]:
    for module in pkgutil.iter_modules(package.__path__):
        names = vars(importlib.import_module(f"{package.__name__}.{module.name}"))
        yield from (each for each in names.values() if isinstance(each, type) and issubclass(each, msgspec.Struct))


def not_in_the_code(names: set[str]) -> set[str]:
    """The names that the code reads neither as an attribute nor by a text; only files that have such a word count."""
    left = set(names)
    for file in (file for folder in FOLDERS for file in (ROOT / folder).rglob("*.py")):
        text = file.read_text(encoding="utf-8")
        if not left.isdisjoint(WORD.findall(text)):
            left -= words_of_the_code(text)
    return left


def words_of_the_code(text: str) -> set[str]:
    """Attributes that are read, and texts, by which fields are looked up."""
    nodes = list(ast.walk(ast.parse(text)))
    attributes = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    return attributes | {str(node.value) for node in nodes if isinstance(node, ast.Constant)}


def shown(kind: Any) -> set[type]:
    """A kind of row that has a page, which has all its fields, with those in it."""
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return {kind}.union(*(shown(each) for each in typing.get_type_hints(kind).values()))
    return set().union(*(shown(each) for each in typing.get_args(kind)))


def inherited(kind: type[msgspec.Struct], with_page: set[type]) -> set[str]:
    """Fields of a class with a page, which its subclass has too."""
    return {field for each in with_page if issubclass(kind, each) for field in each.__struct_fields__}


def test_every_field_of_the_catalog_is_read_or_shown() -> None:
    rows = {type(page.rows(load_catalog())[0]) for page in catalog_page.PAGES.values()}
    with_page = set().union(*map(shown, rows))
    fields = {
        f"{kind.__name__}.{field}": field
        for kind in structs_of_the_catalog()
        if kind not in with_page
        for field in kind.__struct_fields__
        if field not in inherited(kind, with_page)
    }
    unread = not_in_the_code(set(fields.values()))
    assert {name for name, field in fields.items() if field in unread} == READ_BY_TESTS.keys()


def test_the_chart_of_the_efa_plugin_has_no_service_account_that_no_template_reads() -> None:
    """aws/eks-charts@5239609: a helper that no template calls has them; the DaemonSet mounts no token."""
    row = load_catalog().charts.get("aws-efa-k8s-device-plugin")
    assert row is not None
    assert [key for key in row.values if key.startswith("serviceAccount")] == []
