"""Progress of a training in the last lines of a log: its step, and its last checkpoint."""

from __future__ import annotations

import re

from msgspec import Struct

_STEP = re.compile(r"\b(?:global[_ ]?)?(?:step|iteration|iter)s?[ =:#/]*(\d{1,12})\b", re.IGNORECASE)
_CHECKPOINT = re.compile(
    r"(?:sav(?:ed|ing)|wr(?:ote|itten)|stored|finished|completed?).*(?:checkpoint|ckpt|step)"
    r"|(?:checkpoint|ckpt).*(?:saved|written|stored|complete|finished)",
    re.IGNORECASE,
)
"""Words of TorchTitan, Orbax, NxD, Lightning and Hugging Face about a checkpoint."""
LONGEST_LINE = 160


class LogProgress(Struct, frozen=True):
    """``checkpoint`` is the line about the last one, ``last_line`` that of the log; None where no line has it."""

    step: int | None
    checkpoint: str | None
    last_line: str | None


def progress_of(log: str) -> LogProgress:
    """The last of each. The words are those of trainers, whose logs have no common form: a guess that is quoted."""
    lines = [line.strip()[:LONGEST_LINE] for line in log.splitlines() if line.strip()]
    steps = (int(found[1]) for line in reversed(lines) if (found := _STEP.search(line)))
    checkpoints = (line for line in reversed(lines) if _CHECKPOINT.search(line))
    return LogProgress(next(steps, None), next(checkpoints, None), lines[-1] if lines else None)
