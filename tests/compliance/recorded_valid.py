"""What a check of templates finds nothing in, recorded by digest: checks take seconds, and few templates change.

``make goldens`` writes the records, ``make test-exhaustive`` checks again what is recorded.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.recorded_lint import MODE

NOT_RECORDED = "valid, and in no record: run `make goldens`, or each `make test` spends minutes on it"
FIXTURES = Path(__file__).parents[1] / "fixtures"


@contextlib.contextmanager
def recorded_valid(check: str, *packages: str) -> Iterator[set[str]]:
    """Digests of what these releases of the packages find nothing in; a test adds those that it has checked."""
    record = FIXTURES / f"{check}.json"
    versions = {package: version(package) for package in packages}
    document = json.loads(record.read_text())
    digests = set(document["valid"]) if not MODE and document["versions"] == versions else set()
    yield digests
    if MODE == "write":
        record.write_text(json.dumps({"versions": versions, "valid": sorted(digests)}, indent=1) + "\n")


def require_recorded(test: pytest.Item) -> None:
    """Fails a test of `make test` that had to check its templates itself; the records have no exhaustive ones."""
    if not MODE and test.get_closest_marker("exhaustive") is None:
        pytest.fail(NOT_RECORDED)
