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
"""The maximum of digits of an exponent; no real amount has more."""
MAX_QUANTITY = 2**63 - 1
"""The maximum of a quantity: the API server replaces greater ones by it."""
_FORM = re.compile(r"(?P<number>[+-]?(\d+(\.\d*)?|\.\d+))(?P<suffix>[KMGTPE]i|[numkMGTPE]?|[eE][+-]?\d+)", re.ASCII)


def quantity(value: Any) -> Fraction | None:
    """The exact amount, at most the API server's maximum, or None when it is not a valid quantity."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    form = _FORM.fullmatch(str(value))
    if form is None:
        return None
    suffix = form["suffix"]
    factor = SUFFIXES[suffix] if suffix in SUFFIXES else Fraction(10) ** _exponent(suffix[1:])
    return max(Fraction(-MAX_QUANTITY), min(Fraction(MAX_QUANTITY), Fraction(form["number"]) * factor))


def _exponent(digits: str) -> int:
    """The power of ten, at most 99: ``1e999999999`` is not computed."""
    significant = digits.lstrip("+-0")
    size = int(significant or 0) if len(significant) <= DIGITS else 10**DIGITS - 1
    return -size if digits.startswith("-") else size


def millicores_of(value: str) -> int:
    """``500m`` is 500, ``2`` is 2000; rounded up. Raises ValueError for an invalid quantity."""
    return ceil(amount_of(value) * 1000)


def bytes_of(value: str) -> int:
    """``4Gi`` is 4,294,967,296; rounded up. Raises ValueError for an invalid quantity."""
    return ceil(amount_of(value))


def amount_of(value: str) -> Fraction:
    """The exact amount. Raises ValueError for an invalid quantity."""
    amount = quantity(value)
    if amount is None:
        raise ValueError(f"{value!r} is not a valid quantity")
    return amount
