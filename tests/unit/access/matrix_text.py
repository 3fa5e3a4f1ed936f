"""A matrix as a text that a person reads: a table of each role with access, the names of the others."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.access.matrix import AccessMatrix, Bucket, Cell

ANY = "(others)"
ALLOWED, DENIED = "yes", "."
Tables = dict[str, list[Cell]]


def matrix_text(matrix: AccessMatrix) -> Iterator[str]:
    """Lines. Each cell is one word: an action on bucket or key has one cell, others have one for each prefix."""
    for bucket in matrix.buckets:
        yield f"bucket {bucket.name}"
        tables = _tables(matrix, bucket)
        for name, cells in tables.items():
            if any(cell.decision.is_allowed for cell in cells):
                yield from _table(name, cells)
        silent = [name for name, cells in tables.items() if not any(cell.decision.is_allowed for cell in cells)]
        yield ""
        yield f"  no access, {len(silent)} roles: {', '.join(sorted(silent))}"
        yield ""


def _tables(matrix: AccessMatrix, bucket: Bucket) -> Tables:
    tables: Tables = {}
    for cell in matrix.cells:
        if cell.bucket == bucket.name:
            name = cell.pods.label if cell.pods is not None else cell.role.logical_id.rstrip("0123456789ABCDEF")
            tables.setdefault(name, []).append(cell)
    return tables


def _table(name: str, cells: list[Cell]) -> Iterator[str]:
    prefixes = list(dict.fromkeys(cell.prefix for cell in cells if cell.prefix is not None))
    columns = [prefix or ANY for prefix in prefixes]
    width = max(len(cell.action) for cell in cells)
    yield ""
    yield f"  {name}"
    yield f"    {'':{width}}  {'  '.join(columns)}".rstrip()
    for action in dict.fromkeys(cell.action for cell in cells):
        decisions = [ALLOWED if each.decision.is_allowed else DENIED for each in cells if each.action == action]
        padded = (
            decisions
            if len(decisions) == 1
            else [f"{word:{len(column)}}" for word, column in zip(decisions, columns, strict=True)]
        )
        yield f"    {action:{width}}  {'  '.join(padded)}".rstrip()
