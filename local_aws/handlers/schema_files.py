"""The registry schemas of the types that have a handler: a part of what cfn-lint bundles, vendored by a tool."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

SCHEMAS = Path(__file__).parent / "schemas"


@functools.cache
def vendored_schema(type_name: str) -> Mapping[str, Any] | None:
    """The schema of a type: ``AWS::EC2::Volume`` is in ``aws-ec2-volume.json``. None for one without a file."""
    path = SCHEMAS / f"{type_name.replace('::', '-').lower()}.json"
    schema: Mapping[str, Any] | None = json.loads(path.read_bytes()) if path.exists() else None
    return schema
