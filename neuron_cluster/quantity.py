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
_FORM = re.compile(r"(?P<number>[+-]?(\d+(\.\d*)?|\.\d+))(?P<suffix>[KMGTPE]i|[numkMGTPE]?|[eE][+-]?\d+)", re.ASCII)


def quantity(value: Any) -> Fraction | None:
    """The exact amount, or None when it is no quantity."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    form = _FORM.fullmatch(str(value))
    if form is None:
        return None
    suffix = form["suffix"]
    if suffix[:1] in ("e", "E") and suffix[1:]:
        return Fraction(form["number"]) * (Fraction(1024) ** 6 if suffix == "Ei" else Fraction(10) ** int(suffix[1:]))
    return Fraction(form["number"]) * SUFFIXES[suffix]


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
