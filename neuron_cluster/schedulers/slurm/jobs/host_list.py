"""Lists of nodes as Slurm writes them: ``trn1-e98115-[1-3,7],prepare-1``."""

from __future__ import annotations

import re
from collections.abc import Iterator

MOST_HOSTS = 65_536
"""Source: SchedMD/slurm@284c3b9 src/common/hostlist.h, MAX_RANGE."""
_PART = re.compile(r"[^\[\],\s]+(?:\[[0-9,-]+\][^\[\],\s]*)?")
_RANGE = re.compile(r"([0-9]{1,9})(?:-([0-9]{1,9}))?")


def hosts(text: str) -> tuple[str, ...] | None:
    """Returns each host once, in the order of the text; None for another form, and for too many hosts."""
    parts = re.split(r",(?![^\[]*\])", text)
    if not all(_PART.fullmatch(part) for part in parts):
        return None
    found: dict[str, None] = {}
    for part in parts:
        expanded = _expanded(part)
        if expanded is None:
            return None
        for host in expanded:
            found[host] = None
            if len(found) > MOST_HOSTS:
                return None
    return tuple(found)


def _expanded(part: str) -> Iterator[str] | None:
    head, bracket, rest = part.partition("[")
    if not bracket:
        return iter([part])
    inside, _, tail = rest.partition("]")
    ranges = [_RANGE.fullmatch(each) for each in inside.split(",")]
    if not all(ranges):
        return None
    bounds = [(each[1], each[2] or each[1]) for each in ranges if each is not None]
    if any(int(first) > int(last) for first, last in bounds):
        return None
    return (
        f"{head}{number:0{len(first)}d}{tail}" for first, last in bounds for number in range(int(first), int(last) + 1)
    )
