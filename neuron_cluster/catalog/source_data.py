"""Reads a data file of the catalog into frozen rows. Nothing is read at import: each file once, when it is needed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar, cast

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from neuron_cluster.catalog.frozen_map import FrozenMap
from neuron_cluster.catalog.row_cache import cached_rows, store_rows
from neuron_cluster.catalog.sourced_row import SourcedRow
from neuron_cluster.catalog.typed_value import TypeMismatchError, as_record
from neuron_cluster.errors import ToolkitError

try:
    from yaml import CBaseLoader as TextLoader
except ImportError:  # PyYAML can be built without LibYAML; its own loader does the same, slower
    from yaml import BaseLoader as TextLoader  # type: ignore[assignment]  # two classes with one interface

DATA_DIRECTORY = Path(__file__).parent / "data"

Row = TypeVar("Row", bound=SourcedRow)


class RowLoader(TextLoader):
    """Composes nodes with every scalar as a string. Tags are not resolved, because nothing here reads them."""

    def resolve(self, *_: object) -> str:
        return ""

    def descend_resolver(self, *_: object) -> None: ...

    def ascend_resolver(self) -> None: ...


class CatalogError(ToolkitError):
    """A data file of the catalog that cannot be used: the message names file, line, row and field."""

    def __init__(self, file: Path, reason: str, *, line: int = 0, row: str = "", field: str = "") -> None:
        place = [f"{file}:{line}" if line else str(file)]
        place += [f"row {row}"] if row else []
        place += [f"field {field}"] if field else []
        super().__init__(
            f"{', '.join(place)}: {reason}",
            hint="this is a mistake in the toolkit's own data, not in your environment file",
        )
        self.file, self.line, self.row, self.field, self.reason = file, line, row, field, reason


def read_rows(
    file: Path, row_type: type[Row], *, place_of: Callable[[str], Path | None] | None = None
) -> FrozenMap[str, Row]:
    """The rows of a data file by name, in the file's order. Raises CatalogError for the first error.

    Where a table has several files, ``place_of`` returns the file of a name. A name has one file, so that no two files
    can have the same name. Valid rows are cached for the next process.
    """
    cached = cached_rows(file)
    if cached is not None:
        return cast("FrozenMap[str, Row]", cached)
    rows = FrozenMap(_read_afresh(file, row_type, place_of))
    store_rows(file, rows)
    return rows


def _read_afresh(file: Path, row_type: type[Row], place_of: Callable[[str], Path | None] | None) -> dict[str, Row]:
    rows: dict[str, Row] = {}
    for position, node in enumerate(_read_list(file), start=1):
        row = _read_row(file, position, node, row_type)
        line = node.start_mark.line + 1
        if row.name in rows:
            raise CatalogError(file, "there are two rows with this name", line=line, row=row.name, field="name")
        if place_of is not None and (place := place_of(row.name)) != file:
            where = f"belongs into {place.name}" if place is not None else "begins like the name of no such row"
            raise CatalogError(file, f"a row of this name {where}", line=line, row=row.name, field="name")
        rows[row.name] = row
    return rows


def _read_list(file: Path) -> list[Node]:
    try:
        content = yaml.compose(file.read_bytes(), Loader=RowLoader)
    except yaml.YAMLError as error:
        raise CatalogError(file, f"this is not YAML: {error}") from error
    if not isinstance(content, SequenceNode):
        raise CatalogError(file, "the file must be a list of rows")
    return cast("list[Node]", content.value)


def _read_row(file: Path, position: int, node: Node, row_type: type[Row]) -> Row:
    line, name = node.start_mark.line + 1, _name_of(node) or f"number {position}"
    try:
        row = cast("Row", as_record(row_type, node))
    except TypeMismatchError as error:
        raise CatalogError(file, error.reason, line=error.line, row=name, field=error.path) from None
    for doubted in row.doubt:
        if doubted not in row_type.__struct_fields__:
            raise CatalogError(
                file, "the row has no such field to doubt", line=line, row=name, field=f"doubt.{doubted}"
            )
    for field, reason in row.contradictions():
        raise CatalogError(file, reason, line=line, row=name, field=field)
    return row


def _name_of(node: Node) -> str:
    """The row's name, for messages about a row that is not validated yet."""
    if not isinstance(node, MappingNode):
        return ""
    return next(
        (str(value.value) for key, value in node.value if key.value == "name" and isinstance(value, ScalarNode)), ""
    )
