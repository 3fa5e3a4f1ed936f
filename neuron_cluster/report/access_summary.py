"""Which role reads, writes and deletes which prefix of a bucket, in one table."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from neuron_cluster.access.matrix import AccessMatrix, Cell
from neuron_cluster.access.prefixes import OTHERS
from neuron_cluster.report.access_page import EVERY_PREFIX, OTHER_PREFIXES, user_of
from neuron_cluster.table import Table

OBJECTS = {
    "reads": ("s3:GetObject", "s3express:CreateSession"),
    "writes": ("s3:PutObject", "s3express:CreateSession"),
    "deletes": ("s3:DeleteObject", "s3:DeleteObjectVersion", "s3express:CreateSession"),
}
"""A column, and the actions each of which is enough for it."""
NONE = "-"


def access_summary_table(matrix: AccessMatrix) -> Table:
    """A row for each role and bucket, without roles that can do nothing with objects."""
    return Table("Roles and the objects of buckets", ("role", "used by", "bucket", *OBJECTS), tuple(_rows(matrix)))


def _rows(matrix: AccessMatrix) -> Iterator[tuple[str, ...]]:
    for (role, bucket), found in itertools.groupby(matrix.cells, key=lambda cell: (cell.role, cell.bucket)):
        cells = list(found)
        prefixes = [_prefixes(cells, actions) for actions in OBJECTS.values()]
        if any(each != NONE for each in prefixes):
            yield (role.name, user_of(role), bucket, *prefixes)


def _prefixes(cells: Sequence[Cell], actions: Sequence[str]) -> str:
    """Returns the prefixes that at least one pod of the role may use."""
    about = [cell for cell in cells if cell.action in actions]
    allowed = dict.fromkeys(cell.prefix for cell in about if cell.decision.is_allowed)
    if not allowed:
        return NONE
    if set(allowed) == {cell.prefix for cell in about}:
        return EVERY_PREFIX
    return "\n".join(OTHER_PREFIXES if prefix == OTHERS else str(prefix) for prefix in allowed)
