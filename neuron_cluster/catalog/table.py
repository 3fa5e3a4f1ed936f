"""A table of the catalog: the rows of a data file, or of a folder of them, by name."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Generic, Self, TypeVar

from neuron_cluster.catalog.frozen_map import FrozenMap
from neuron_cluster.catalog.source_data import DATA_DIRECTORY, read_rows
from neuron_cluster.catalog.sourced_row import SourcedRow
from neuron_cluster.findings.suggestions import suggestions

Row_co = TypeVar("Row_co", bound=SourcedRow, covariant=True)


class Table(Generic[Row_co]):
    """Rows of one kind in the order of their file, which is read at the first query and not again in this process.

    Iteration yields rows; ``in`` compares names. Every query raises ``CatalogError`` when the file is wrong.
    """

    def __init__(self, file: str | Path, row_type: type[Row_co]) -> None:
        """``file`` is a name in the folder of the data, or a path."""
        self.place = DATA_DIRECTORY / file
        self.row_type = row_type

    @cached_property
    def by_name(self) -> Mapping[str, Row_co]:
        return read_rows(self.place, self.row_type)

    @cached_property
    def rows(self) -> tuple[Row_co, ...]:
        return tuple(self.by_name.values())

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.by_name)

    def get(self, name: str) -> Row_co | None:
        """The row of this name; None for an unknown name, which a user may have written."""
        return self.by_name.get(name)

    def __getitem__(self, name: str) -> Row_co:
        """The row of a name that code writes. Raises ``LookupError`` with similar names for an unknown one."""
        row = self.get(name)
        if row is None:
            known = ", ".join(self.similar(name)) or "none"
            raise LookupError(f"the catalog has no {name!r} in {self.place.name}; similar names: {known}")
        return row

    def similar(self, name: str) -> list[str]:
        """Names of rows that look like ``name``, the nearest first."""
        return suggestions(name, self.by_name)

    def __iter__(self) -> Iterator[Row_co]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.by_name)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self.get(name) is not None

    def with_rows(self, rows: Iterable[SourcedRow]) -> Self:
        """The same table with other rows, which are in no file."""
        other = copy.copy(self)
        vars(other).pop("rows", None)
        vars(other)["by_name"] = FrozenMap({row.name: row for row in rows})
        return other


class FolderTable(Table[Row_co]):
    """Rows of the files of a folder, the files by name. ``get`` reads only the file that a row of the name is in.

    ``stem_of`` returns the name of that file without its suffix. A row in another file is an error.
    """

    def __init__(self, folder: str | Path, row_type: type[Row_co], stem_of: Callable[[str], str]) -> None:
        super().__init__(folder, row_type)
        self._stem_of = stem_of
        self._read: dict[Path, FrozenMap[str, Row_co]] = {}

    @cached_property
    def by_name(self) -> Mapping[str, Row_co]:
        return FrozenMap({name: row for file in self._files.values() for name, row in self._rows_in(file).items()})

    def get(self, name: str) -> Row_co | None:
        return (self.by_name if "by_name" in vars(self) else self.rows_with(name)).get(name)

    def rows_with(self, name: str) -> Mapping[str, Row_co]:
        """The rows of the file that a row of this name is in; none where there is no such file."""
        file = self.file_of(name)
        return self._rows_in(file) if file is not None else FrozenMap()

    def file_of(self, name: str) -> Path | None:
        """The file that a row of this name is in, or None."""
        return self._files.get(self._stem_of(name))

    @cached_property
    def _files(self) -> Mapping[str, Path]:
        return {file.stem: file for file in sorted(self.place.glob("*.yaml"))}

    def _rows_in(self, file: Path) -> FrozenMap[str, Row_co]:
        if file not in self._read:
            self._read[file] = read_rows(file, self.row_type, place_of=self.file_of)
        return self._read[file]
