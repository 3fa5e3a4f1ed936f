"""Time limits as Slurm writes them."""

from __future__ import annotations

import re

FORMS = "minutes, H:MM:SS, D-HH or D-HH:MM:SS, such as 90 or 2-00:00:00"
_DAYS = re.compile(r"([0-9]{1,4})-([0-9]{1,4})(?::([0-9]{1,2}))?(?::([0-9]{1,2}))?")
_CLOCK = re.compile(r"([0-9]{1,6})(?::([0-9]{1,2}))?(?::([0-9]{1,2}))?")
DAY, HOUR, MINUTE = 86_400, 3600, 60


def seconds(text: str) -> int | None:
    """None for another form, and for no limit (``UNLIMITED``).

    Source: SchedMD/slurm@284c3b9 doc/man/man1/sbatch.1, ``--time``.
    """
    if found := _DAYS.fullmatch(text):
        days, hours, minutes, rest = (int(part or 0) for part in found.groups())
        return days * DAY + hours * HOUR + minutes * MINUTE + rest
    found = _CLOCK.fullmatch(text)
    if found is None:
        return None
    first, second, third = found.groups()
    if third is not None:
        return int(first) * HOUR + int(second) * MINUTE + int(third)
    return int(first) * MINUTE + int(second or 0)
