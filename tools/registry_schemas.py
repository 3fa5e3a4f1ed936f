"""CloudFormation's registry schemas, read from the files of the installed cfn-lint.

Importing ``cfnlint`` takes two seconds; its data files are JSON.
"""

from __future__ import annotations

import functools
import importlib.metadata
import json
from pathlib import Path
from typing import Any

REGION = "us-east-1"
"""The Region whose schemas are read: the one that has every type."""
PACKAGE = "cfn-lint"


def data_file(*path: str) -> Path:
    """A file below ``cfnlint/data``."""
    return Path(str(importlib.metadata.distribution(PACKAGE).locate_file(Path("cfnlint", "data", *path))))


@functools.cache
def schema_files() -> dict[str, str]:
    """The digest that names the schema file of each resource type."""
    files: dict[str, str] = json.loads(data_file("schemas", "providers", f"{REGION}.json").read_text())
    return files


@functools.cache
def resource_schema(type_name: str) -> dict[str, Any]:
    """The registry schema of a resource type. Raises KeyError for a type that the Region does not have."""
    schema: dict[str, Any] = json.loads(
        data_file("schemas", "resources", f"{schema_files()[type_name]}.json").read_text()
    )
    return schema


def schema_date() -> str:
    """The day of the schemas, as an ISO 8601 date."""
    dated: str = json.loads(data_file("schemas", "version.json").read_text())["schema_date"]
    return dated.split("T", maxsplit=1)[0]
