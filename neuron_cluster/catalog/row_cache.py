"""A cache of rows in the directory of Python's compiled modules: reading YAML needs ten times as long.

As with a compiled module, an entry is valid only for a data file of the same size and modification time, and for the
same code; where it cannot be read, the data file is. It contains only data, also where another process wrote it.
PYTHONDONTWRITEBYTECODE disables it.
"""

from __future__ import annotations

import contextlib
import functools
import io
import os
import sys
from _pickle import Unpickler, UnpicklingError, dumps  # the half of `pickle` that is not written in Python
from pathlib import Path
from typing import Any

from local_kubernetes.model import placement

HOME = Path(__file__).parent
CATALOG = f"{__package__}."
NEWEST_PROTOCOL = -1
PLACEMENT = placement.__name__
PLAIN = frozenset(
    {
        ("datetime", "date"),
        ("decimal", "Decimal"),
        ("msgspec._utils", "rebuild"),
        (PLACEMENT, "NodeSelectorRequirement"),
        (PLACEMENT, "NodeSelectorTerm"),
        (PLACEMENT, "Toleration"),
    }
)
"""Classes of other packages in rows; ``rebuild`` calls a class of these with the fields of a row."""
DAMAGED = (OSError, EOFError, UnpicklingError, AttributeError, ImportError, IndexError, TypeError, ValueError)
"""Exceptions for a truncated or corrupt file."""


def cached_rows(file: Path) -> Any:
    """The rows of a data file of the toolkit, or None where they must be read from it."""
    with contextlib.suppress(*DAMAGED):
        stamp, _, rows = _place(file).read_bytes().partition(b"\n")
        if stamp == _stamp(file):
            return _Rows(io.BytesIO(rows)).load()
    return None


class _Rows(Unpickler):
    """Creates rows and nothing else: a file of another process in the directory runs no code."""

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) in PLAIN:
            return super().find_class(module, name)
        if module.startswith(CATALOG) and "." not in name:
            found = super().find_class(module, name)
            if isinstance(found, type) and found.__module__ == module:
                return found
        raise UnpicklingError(f"{module}.{name} is not part of a row")


def store_rows(file: Path, rows: Any) -> None:
    """Writes the rows for the next process, atomically. A directory without write permission is not an error."""
    if sys.dont_write_bytecode or not file.is_relative_to(HOME):
        return
    place = _place(file)
    beside = place.with_suffix(f".{os.getpid()}")
    with contextlib.suppress(OSError):
        place.parent.mkdir(exist_ok=True)
        beside.write_bytes(_stamp(file) + b"\n" + dumps(rows, NEWEST_PROTOCOL))
        beside.replace(place)


def _place(file: Path) -> Path:
    return file.parent / "__pycache__" / f"{file.stem}.{sys.implementation.cache_tag}.rows"


def _stamp(file: Path) -> bytes:
    status = file.stat()
    return f"{status.st_mtime_ns} {status.st_size} {_code_changed()}".encode()


@functools.cache
def _code_changed() -> int:
    """The last modification of a module of rows, in ns: cached rows of an older class are invalid."""
    with os.scandir(HOME) as entries:
        own = max(entry.stat().st_mtime_ns for entry in entries if entry.name.endswith(".py"))
    return max(own, Path(placement.__file__).stat().st_mtime_ns)
