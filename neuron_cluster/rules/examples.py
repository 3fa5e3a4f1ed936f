"""What each rule says of a file that breaks it, in its own words; `tools/write_rules_page.py` writes them down."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

FILE = Path(__file__).parent / "examples.json"


class Example(Struct, frozen=True):
    """One finding of one rule."""

    path: str
    """Key path of the environment file."""
    message: str
    hint: str


@functools.cache
def examples() -> Mapping[str, Example]:
    """By id of the rule."""
    rows = json.loads(FILE.read_text(encoding="utf-8"))
    return {rule_id: Example(**row) for rule_id, row in rows.items()}
