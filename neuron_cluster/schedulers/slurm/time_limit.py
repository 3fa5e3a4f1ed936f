"""Time limits as Slurm writes them."""

from __future__ import annotations

import re

FORMS = "minutes, H:MM:SS, D-HH or D-HH:MM:SS, such as 90 or 2-00:00:00"
_DAYS = re.compile(r"([0-9]{1,9})-([0-9]{1,9})(?::([0-9]{1,9}))?(?::([0-9]{1,9}))?")
_CLOCK = re.compile(r"([0-9]{1,9})(?::([0-9]{1,9}))?(?::([0-9]{1,9}))?")
DAY, HOUR, MINUTE = 86_400, 3600, 60
LONGEST = 2**31 - MINUTE
"""Slurm rounds up to minutes in 32 bits. Source: SchedMD/slurm slurm-25.11: src/common/parse_time.c, time_str2mins."""

NO_LIMIT = ("UNLIMITED", "INFINITE")
"""The words for no limit, in any case. Source: SchedMD/slurm slurm-25.11: src/common/parse_time.c, time_str2secs."""


def is_no_limit(text: str) -> bool:
    """Whether the text is one of the words for no time limit."""
    return text.upper() in NO_LIMIT


def seconds(text: str) -> int | None:
    """Returns the seconds of a time limit; None for another form, and for no limit (``UNLIMITED``).

    Source: SchedMD/slurm@284c3b9 doc/man/man1/sbatch.1, ``--time``.
    """
    if found := _DAYS.fullmatch(text):
        days, hours, minutes, rest = (int(part or 0) for part in found.groups())
    elif found := _CLOCK.fullmatch(text):
        first, second, third = (int(part or 0) for part in found.groups())
        days = 0
        hours, minutes, rest = (0, first, second) if found[3] is None else (first, second, third)
    else:
        return None
    total = days * DAY + hours * HOUR + minutes * MINUTE + rest
    return total if total <= LONGEST else None
