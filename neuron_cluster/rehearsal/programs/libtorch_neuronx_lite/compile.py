"""In the place of torch-neuronx's function that puts a compiled graph into a shared cache."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from program_report import report_replacement


def save_cache(local: str, shared: str, entry: str) -> None:
    """Saves the entry as a copy next to it that is renamed, so that no reader sees a part."""
    report_replacement("libtorch_neuronx_lite")
    partial = Path(shared) / f".{entry}.{os.getpid()}"
    shutil.copytree(Path(local) / entry, partial)
    partial.rename(Path(shared) / entry)
