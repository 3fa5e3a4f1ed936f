"""Templates in which a check finds nothing, recorded by digest: checks take seconds, and few templates change.

``make goldens`` checks what the records lack and drops what no template has, ``make test-exhaustive`` checks again what
is recorded.
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


class ValidTemplates:
    """Digests of the templates of a run in which a check finds nothing."""

    def __init__(self, recorded: frozenset[str]) -> None:
        self._recorded = recorded
        self.seen: set[str] = set()

    def has(self, digest: str) -> bool:
        """Whether the record names it, so that the check need not run."""
        if digest in self._recorded:
            self.seen.add(digest)
        return digest in self.seen

    def add(self, digest: str, test: pytest.Item) -> None:
        """Nothing was found. Fails a test of ``make test``, where the record should have said so."""
        self.seen.add(digest)
        if not MODE and test.get_closest_marker("exhaustive") is None:
            pytest.fail(NOT_RECORDED)


@contextlib.contextmanager
def recorded_valid(check: str, *packages: str) -> Iterator[ValidTemplates]:
    """Opens the record of templates in which these releases of packages find nothing; other releases have none."""
    record = FIXTURES / f"{check}.json"
    versions = {package: version(package) for package in packages}
    document = json.loads(record.read_text())
    is_used = MODE != "again" and document["versions"] == versions
    valid = ValidTemplates(frozenset(document["valid"] if is_used else ()))
    yield valid
    if MODE == "write":
        record.write_text(json.dumps({"versions": versions, "valid": sorted(valid.seen)}, indent=1) + "\n")
