"""Reports of programs in their logs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PREFIX = b"@rehearsal "
"""Prefix of a line that programs/program_report.py writes."""
REPLACED = "Replaced"
"""The reason with which a program reports that it replaces another."""
STEP_REASONS = frozenset({"Step", "Sent"})
"""The reasons with which a program reports a step that a fault may wait for: of a training, of a download."""


class ProgramEvents:
    """Reads what was added to the logs since the last time."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._read: dict[Path, int] = {}

    def new(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Pod and report of each complete line."""
        for log in sorted(self._folder.glob("*.log")):
            start = self._read.get(log, 0)
            with log.open("rb") as file:
                file.seek(start)
                added = file.read()
            whole = added[: added.rfind(b"\n") + 1]
            self._read[log] = start + len(whole)
            for line in whole.splitlines():
                if line.startswith(PREFIX):
                    yield log.name.partition(".")[0], json.loads(line.removeprefix(PREFIX))
