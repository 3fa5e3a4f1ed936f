"""The values of a setting that Slurm reads, where slurm.conf(5) documents them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from neuron_cluster.catalog.frozen_map import FrozenMap

WITH_WORDS_ALONE = ("word", "plugin", "list")


class SlurmValue(Struct, frozen=True, kw_only=True):
    """Values of one setting."""

    kind: Literal[
        "number", "time", "switch", "word", "plugin", "list", "ranges", "ports", "weights", "counts", "size", "pattern"
    ]
    """``plugin`` is a word whose capital and small letters count, ``list`` several of ``words``, ``ranges`` is 1-9,18,
    ``ports`` 60001-63000, ``weights`` CPU=1.0,Mem=0.25G, ``counts`` foo:4,bar, ``size`` 600G of memory."""
    unit: str | None = None
    """The unit of a number."""
    minimum: int | None = None
    """The smallest number; of a time in seconds."""
    maximum: int | None = None
    """The largest number, or the largest of ``ranges``."""
    words: FrozenMap[str, str] = FrozenMap()
    """The allowed words, also in place of a number or a time: each with the first version that has it."""
    one_of: tuple[str, ...] = ()
    """Words of a list that exclude each other."""
    pattern: str = ""
    """Regular expression of a ``pattern``."""
    form: str = ""
    """What a ``pattern`` is, after ``it must be``."""

    def contradictions(self) -> Iterator[str]:
        if self.kind in WITH_WORDS_ALONE and not self.words:
            yield f"a {self.kind} needs words"
        if self.kind == "number" and (self.minimum is None or self.maximum is None or self.minimum > self.maximum):
            yield "a number needs a minimum and a maximum"
        if (self.kind == "pattern") is not bool(self.pattern and self.form):
            yield "a pattern, and no other kind, needs pattern and form"
        if not set(self.one_of) <= set(self.words):
            yield "one_of has a word that is not in words"
