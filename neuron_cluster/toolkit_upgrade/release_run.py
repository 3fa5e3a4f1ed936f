"""Runs commands of releases at the same time, each in a process of its own, and reads the JSON that they print."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from msgspec import Struct

from neuron_cluster.deploy.child_process import child_process
from neuron_cluster.deploy.disk import disk_failure

PASSED_ON = ("HOME", "PATH", "LANG", "LC_ALL", "TMPDIR", "XDG_CACHE_HOME", "XDG_DATA_HOME", "CDK_VALIDATION")
"""Variables that another release sees: no credentials, profile, token, proxy or endpoint."""


class Ran(Struct, frozen=True):
    """Exit status, and what was printed."""

    status: int
    written: str

    @property
    def document(self) -> Mapping[str, Any] | None:
        """The JSON document; None where none was printed, such as before a traceback."""
        beginning = self.written.find("{\n")  # after what was written to standard error
        with contextlib.suppress(ValueError):
            found, _ = json.JSONDecoder().raw_decode(self.written, max(beginning, 0))
            return found if isinstance(found, dict) else None
        return None

    @property
    def last_line(self) -> str:
        return next((line.strip() for line in reversed(self.written.splitlines()) if line.strip()), "no output")


def run_together(commands: Sequence[Sequence[str | Path]], *, cwd: Path, logs: Path) -> list[Ran]:
    """One result for each command. Raises ``ToolkitError`` where a full disk is why one failed."""
    environ = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    with contextlib.ExitStack() as started:
        running = []
        for position, command in enumerate(commands):
            log = started.enter_context((logs / f"{position}.log").open("w+b"))
            child = child_process(command, cwd=cwd, environment=environ, log=log)
            running.append((started.enter_context(child), log))
        ran = [Ran(process.wait(), _content(log)) for process, log in running]
    for each in ran:
        if each.status != 0 and (failure := disk_failure(each.written, [logs])) is not None:
            raise failure
    return ran


def _content(log: IO[bytes]) -> str:
    log.seek(0)
    return log.read().decode(errors="replace")
