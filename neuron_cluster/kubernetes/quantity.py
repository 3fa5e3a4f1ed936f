"""Kubernetes quantities: ``500m``, ``16Gi``, ``2``."""

from __future__ import annotations

import re
from fractions import Fraction
from math import ceil
from typing import Any

SOURCE = "https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/"
SUFFIXES = {
    **{name: Fraction(1024) ** power for power, name in enumerate(("Ki", "Mi", "Gi", "Ti", "Pi", "Ei"), start=1)},
    **{
        name: Fraction(1000) ** power
        for power, name in enumerate(("n", "u", "m", "", "k", "M", "G", "T", "P", "E"), -3)
    },
}
GB, GIB = 1000**3, 1024**3
DIGITS = 2
"""Of an exponent; more are more than any amount needs."""
MOST = 2**63 - 1
"""No quantity is greater: the API server takes this for what is."""
_FORM = re.compile(r"(?P<number>[+-]?(\d+(\.\d*)?|\.\d+))(?P<suffix>[KMGTPE]i|[numkMGTPE]?|[eE][+-]?\d+)", re.ASCII)


def quantity(value: Any) -> Fraction | None:
    """The exact amount, at most what the API server takes, or None when it is no quantity."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    form = _FORM.fullmatch(str(value))
    if form is None:
        return None
    suffix = form["suffix"]
    factor = SUFFIXES[suffix] if suffix in SUFFIXES else Fraction(10) ** _exponent(suffix[1:])
    return max(Fraction(-MOST), min(Fraction(MOST), Fraction(form["number"]) * factor))


def _exponent(digits: str) -> int:
    """The power of ten, at most 99: ``1e999999999`` is not worked out."""
    least = digits.lstrip("+-0")
    size = int(least or 0) if len(least) <= DIGITS else 10**DIGITS - 1
    return -size if digits.startswith("-") else size


def millicores_of(value: str) -> int:
    """``500m`` is 500, ``2`` is 2000; rounded up. Raises ValueError for what is no quantity."""
    return ceil(amount_of(value) * 1000)


def bytes_of(value: str) -> int:
    """``4Gi`` is 4,294,967,296; rounded up. Raises ValueError for what is no quantity."""
    return ceil(amount_of(value))


def amount_of(value: str) -> Fraction:
    """The exact amount. Raises ValueError for what is no quantity."""
    amount = quantity(value)
    if amount is None:
        raise ValueError(f"{value!r} is no quantity")
    return amount
