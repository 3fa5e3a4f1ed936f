"""Where a trainer has its checkpoints: in a folder, or one level below, with the step in their names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

STEP = re.compile(r"^(\d{1,12})$|(?:step|checkpoint|ckpt|epoch|iter)[-_=]?(\d{1,12})", re.IGNORECASE)
"""Of TorchTitan (step-500), Orbax (500), NxD and Hugging Face (step_500, checkpoint-500), Lightning (--step=500)."""
INCOMPLETE = "_incomplete"
"""Folder beside the checkpoints for those that were set aside."""


def step_of(path: Path) -> int | None:
    found = STEP.search(path.name)
    return int(found[1] or found[2]) if found else None


def checkpoints_and_others(folder: Path) -> Iterator[Path]:
    """Two levels, but not what is in a checkpoint. Raises OSError."""
    for path in folder.iterdir():
        if path.name == INCOMPLETE:
            continue
        yield path
        if step_of(path) is None and path.is_dir():
            yield from (below for below in path.iterdir() if below.name != INCOMPLETE)


def name_of(folder: Path, path: Path) -> str:
    """The name of a checkpoint below the folder of all: ``step-500``, or ``run/step-500``."""
    return path.relative_to(folder).as_posix()


def newest_first(folder: Path) -> list[tuple[int, Path]]:
    """Step and path of the checkpoints, complete or not; none for a folder that does not exist. Raises OSError."""
    try:
        return sorted(
            ((step, path) for path in checkpoints_and_others(folder) if (step := step_of(path)) is not None),
            reverse=True,
        )
    except FileNotFoundError:
        return []
