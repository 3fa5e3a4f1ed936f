"""Quantities mean what Kubernetes takes them for."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from local_kubernetes.model.quantity import bytes_of, millicores_of, quantity


@pytest.mark.parametrize(
    ("written", "amount"),
    [
        ("16Gi", 16 * 2**30),
        ("1G", 10**9),
        ("500m", Fraction(1, 2)),
        ("100n", Fraction(1, 10**7)),
        ("2", 2),
        (2, 2),
        (0.5, Fraction(1, 2)),
        ("1e3", 1000),
        ("1E", 10**18),
        ("1E3", 1000),
        ("1Ei", 2**60),
        (".5", Fraction(1, 2)),
        ("5.", 5),
        ("-1", -1),
        ("1e400", 2**63 - 1),
        ("-1e400", 1 - 2**63),
        ("0e400", 0),
        ("1e999999999999", 2**63 - 1),
        ("5e-3", Fraction(1, 200)),
    ],
)
def test_an_amount_is_exact(written: Any, amount: Fraction | int) -> None:
    """Up to what the API server takes; what is greater it takes for that."""
    assert quantity(written) == amount


@pytest.mark.parametrize(
    "written", ["16GiB", "16gb", "16 Gi", "", ".", "Gi", "1K", "1ki", "all", "٣", True, None, [], "0x10"]
)
def test_what_is_none_is_none(written: Any) -> None:
    assert quantity(written) is None


@pytest.mark.parametrize(("text", "expected"), [("500m", 500), ("2", 2000), ("0.1", 100), ("1.5", 1500), ("0.0001", 1)])
def test_processors(text: str, expected: int) -> None:
    assert millicores_of(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"), [("4Gi", 4 * 2**30), ("1000M", 10**9), ("128Mi", 2**27), ("1k", 1000), ("17", 17)]
)
def test_memory(text: str, expected: int) -> None:
    assert bytes_of(text) == expected


@pytest.mark.parametrize("text", ["16GiB", "", "much", "1 Gi "])
def test_what_is_no_amount_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        bytes_of(text)
