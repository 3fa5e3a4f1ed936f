"""botocore's service models, read once in a process: each loader of moto and botocore would read them again.

A new loader, one for each model and session, also looks through every folder of botocore: a second of each start.
"""

from __future__ import annotations

import functools
import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
from botocore.loaders import JSONFileLoader, Loader


def kept(create_loader: Callable[..., Loader]) -> Callable[..., Loader]:
    """One loader for all who ask for one with the same arguments. Its files are read in a third of botocore's time."""

    @functools.cache
    def create(*arguments: Any) -> Loader:
        loader = create_loader(*arguments)
        loader.file_loader = ModelFiles()
        return loader

    return create


class ModelFiles(JSONFileLoader):  # type: ignore[misc]  # botocore has no types
    """Makes plain dicts, which keep their order as well as botocore's OrderedDict does."""

    def load_file(self, file_path: str) -> Any:
        """The content of a file that is named without its suffix; None without one."""
        for suffix, read in ((".json", Path.read_bytes), (".json.gz", _unpacked)):
            path = Path(f"{file_path}{suffix}")
            if path.is_file():
                return msgspec.json.decode(read(path))
        return None


def _unpacked(path: Path) -> bytes:
    return gzip.decompress(path.read_bytes())
