"""The environments that this checkout deployed, with their files: ``.local/deployed.json``.

CloudFormation returns the deployed stacks, without their file: templates and tags are a contract and have no file name.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from neuron_cluster.atomic_write import write_atomically
from neuron_cluster.deploy.identity import DeployedFile
from neuron_cluster.local_folder import local_folder


class DeploymentRecord(Struct, frozen=True):
    """The record of one project; a file that is absent or cannot be read is an empty record."""

    project: Path

    def rows(self) -> tuple[DeployedFile, ...]:
        """Every environment that is recorded."""
        try:
            return tuple(msgspec.convert(row, DeployedFile) for row in self._read())
        except msgspec.ValidationError:
            return ()

    def before(self, file: Path, *, on: str) -> tuple[DeployedFile, ...]:
        """Returns deployments of this file, and of files of ``environments/`` that are gone: it may be one renamed.

        Several environments after an accepted rename.
        """
        own, folder = file.absolute(), self.project / "environments"
        found = []
        for row in self.rows():
            other = Path(row.file)
            if row.on == on and (other == own or (own.parent == other.parent == folder and not other.is_file())):
                found.append(row)
        return tuple(found)

    def add(self, row: DeployedFile) -> None:
        """Raises ``ToolkitError`` when the record cannot be written."""
        self._write({*self.rows(), row})

    def remove(self, environment: str, account: str, region: str, *, on: str) -> None:
        """Forgets an environment that is gone. Raises ``ToolkitError`` when the record cannot be written."""
        before = self.rows()
        gone = (environment, account, region, on)
        remaining = {row for row in before if (row.environment, row.account, row.region, row.on) != gone}
        if len(remaining) != len(before):
            self._write(remaining)

    @property
    def _path(self) -> Path:
        return local_folder(self.project) / "deployed.json"

    def _read(self) -> list[Any]:
        try:
            found = json.loads(self._path.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            return []
        return found if isinstance(found, list) else []

    def _write(self, rows: set[DeployedFile]) -> None:
        text = json.dumps([msgspec.to_builtins(row) for row in sorted(rows)], indent=2)
        write_atomically(self._path, f"{text}\n".encode(), with_folders=True)
