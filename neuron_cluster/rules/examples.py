"""The finding of each rule for a file that violates it; `tools/write_rules_page.py` writes them."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from pathlib import Path

from neuron_cluster.findings.spec import FindingExample

FILE = Path(__file__).parent / "examples.json"


@functools.cache
def examples() -> Mapping[str, FindingExample]:
    """Returns the examples by id of the rule."""
    rows = json.loads(FILE.read_text(encoding="utf-8"))
    return {rule_id: FindingExample(**row) for rule_id, row in rows.items()}
