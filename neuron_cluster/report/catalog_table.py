"""Rows of the catalog as tables and as data. Uncertain values are marked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from neuron_cluster.catalog.sourced_row import SourcedRow
from neuron_cluster.report.catalog_page import CatalogPage, Column
from neuron_cluster.report.plain_data import plain
from neuron_cluster.table import Table

DOUBT_MARK = " ?"
DOUBT_NOTE = "?  doubtful; `catalog KIND NAME` shows the reason"


def rows_as_data(rows: Sequence[SourcedRow]) -> list[Any]:
    """Every field of every row, source and date included."""
    return [plain(row) for row in rows]


def rows_table(page: CatalogPage, rows: Sequence[SourcedRow]) -> Table:
    """The columns that people compare. ``catalog KIND NAME`` shows the rest."""
    cells = tuple(tuple(_marked(row, column) for column in page.columns.values()) for row in rows)
    is_marked = any(cell.endswith(DOUBT_MARK) for line in cells for cell in line)
    return Table(page.title, tuple(title.rstrip() for title in page.columns), cells, DOUBT_NOTE if is_marked else "")


def row_table(page: CatalogPage, row: SourcedRow) -> Table:
    """Everything about one row."""
    fields = [name for name in row.__struct_fields__ if name not in ("name", "doubt")]
    rows = [(name.replace("_", " "), cell(getattr(row, name))) for name in fields]
    rows += [(f"doubt about {name.replace('_', ' ')}", reason) for name, reason in row.doubt.items()]
    return Table(f"{page.title}: {row.name}", ("what", "value"), tuple(rows))


def cell(value: Any) -> str:
    """A value as people read it."""
    match plain(value):
        case None | []:
            return "-"
        case bool() as answer:
            return "yes" if answer else "no"
        case int() as number:
            return f"{number:,}"
        case list() as items:
            separator = "\n" if any(isinstance(item, dict) for item in items) else ", "
            return separator.join(cell(item) for item in items)
        case dict() as pairs:
            return _pairs(pairs) or "-"
        case other:
            return str(other)


def _pairs(pairs: dict[str, Any]) -> str:
    """Records each on its line."""
    if any(isinstance(item, dict) for item in pairs.values()):
        return "\n".join(
            f"{key}: {_record(item) if isinstance(item, dict) else cell(item)}" for key, item in pairs.items()
        )
    return "; ".join(f"{key}: {cell(item)}" for key, item in pairs.items() if item not in (None, []))


def _record(pairs: dict[str, Any]) -> str:
    """On one line, with what it maps in parentheses."""
    given = {key: item for key, item in pairs.items() if item not in (None, [], {})}
    return "; ".join(
        f"{key}: ({_pairs(item)})" if isinstance(item, dict) else f"{key}: {cell(item)}" for key, item in given.items()
    )


def _marked(row: SourcedRow, column: Column) -> str:
    if not isinstance(column, str):
        return cell(column(row))
    return cell(getattr(row, column)) + (DOUBT_MARK if row.doubt_about(column) else "")
