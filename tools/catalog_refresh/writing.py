"""From changes to files: every file is checked before the first one is replaced."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from catalog_refresh.answer import Change
from catalog_refresh.data_file import DataFile
from catalog_refresh.tables import row_type_of
from neuron_cluster.catalog.source_data import read_rows
from neuron_cluster.errors import ToolkitError


def edited_files(changes: Sequence[Change], as_of: date) -> list[DataFile]:
    """The files with their changes made and ``checked_on`` of changed rows set. Raises CatalogError for a bad row."""
    files: dict[Path, DataFile] = {}
    for change in changes:
        file = files.get(change.file) or DataFile(change.file)
        files[change.file] = file
        if not change.row:
            file.insert_row(str(change.value))
        elif isinstance(change.value, str):
            file.set_value(change.row, change.field, change.value)
        else:
            file.set_pairs(change.row, change.field, change.value)
    for path, row in sorted({(change.file, change.row) for change in changes if change.row}):
        files[path].set_value(row, "checked_on", as_of.isoformat())
    for file in files.values():
        _require_readable(file)
    return list(files.values())


def _require_readable(file: DataFile) -> None:
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / file.path.name
        copy.write_text(file.text, encoding="utf-8")
        read_rows(copy, row_type_of(file.path))


def write_all(files: Sequence[DataFile]) -> None:
    """Writes all files or none: each is written next to its place first. Raises ToolkitError when one cannot be."""
    beside = {file.path.with_suffix(".new"): file for file in files}
    replaced: list[DataFile] = []
    try:
        for new, file in beside.items():
            new.write_text(file.text, encoding="utf-8")
        for new, file in beside.items():
            new.replace(file.path)
            replaced.append(file)
    except OSError as error:
        for file in replaced:
            file.path.write_text(file.before, encoding="utf-8")
        raise ToolkitError(f"cannot write the data files: {error}") from error
    finally:
        for new in beside:
            with contextlib.suppress(OSError):
                new.unlink(missing_ok=True)
