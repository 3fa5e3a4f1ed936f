"""What the example trainers take: a training of a tiny model on synthetic data, long enough to be stopped."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """``folder`` is None without a checkpoint volume: nothing is saved, and every start begins at step 0."""

    steps: int
    checkpoint_every: int
    keep: int
    width: int
    batch: int
    folder: Path | None

    def is_due(self, step: int) -> bool:
        """Whether a checkpoint follows this step, which is also the last one's."""
        return step % self.checkpoint_every == 0 or step == self.steps


def read_options(arguments: Sequence[str] | None = None) -> Options:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=_positive, default=1000)
    parser.add_argument("--checkpoint-every", type=_positive, default=100, help="steps between two checkpoints")
    parser.add_argument("--keep", type=_positive, default=3, help="checkpoints that stay")
    parser.add_argument("--width", type=_positive, default=1024, help="of the layers; a multiple of the cores")
    parser.add_argument("--batch", type=_positive, default=8, help="samples of a device in a step")
    given = parser.parse_args(arguments)
    folder = os.environ.get("CHECKPOINT_DIRECTORY")
    return Options(**vars(given), folder=Path(folder) if folder else None)


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a positive number")
    return number
