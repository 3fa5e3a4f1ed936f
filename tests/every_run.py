"""Cases of a test of which `make test` runs some: they decide each branch, and the others repeat them."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

import pytest


def in_every_run(cases: Iterable[Any], always: Collection[Any]) -> list[Any]:
    """Parameters of a test: the cases that are not in ``always`` are exhaustive."""
    cases = list(cases)
    assert all(case in cases for case in always), "a case of every run is no case of the test"
    return [case if case in always else _exhaustive(case) for case in cases]


def _exhaustive(case: Any) -> Any:
    return pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.exhaustive)
