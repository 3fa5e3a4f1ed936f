"""The errors with which CloudFormation rejects a template: rows of ``local_aws/errors/templates.yaml``."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

TABLE = Path(__file__).parents[1] / "errors" / "templates.yaml"


class TemplateError(Exception):
    """The error of one row, for a template or for what was given with it.

    The table is read for its message alone: most errors are of values that a caller leaves unresolved.
    """

    code = "ValidationError"

    def __init__(self, row: str, /, **fields: object) -> None:
        super().__init__(row, fields)
        self._row, self._fields = row, fields

    @property
    def message(self) -> str:
        """CloudFormation's."""
        message: str = _rows()[self._row]["message"]
        return message.format(**self._fields)

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"


@functools.cache
def _rows() -> Mapping[str, Any]:
    rows: Mapping[str, Any] = yaml.safe_load(TABLE.read_bytes())
    return rows
