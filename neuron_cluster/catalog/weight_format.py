"""Formats in which a server keeps the weights of a model."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from neuron_cluster.catalog.sourced_row import SourcedRow

BITS = 8
"""The number of bits of a byte."""
PLAIN = "bf16"
"""Format of what a quantized format leaves out, and of models as they are published."""


class WeightFormat(SourcedRow, frozen=True, kw_only=True):
    """``config_names``: words of ``dtype`` or ``quant_method`` in a ``config.json``. ``scope``: which weights have the
    format, the others BF16. ``chips`` that compute with it; empty: all."""

    bits: float
    scope: Literal["all", "linear", "experts"]
    config_names: tuple[str, ...]
    is_cache_format: bool = False
    """Whether keys and values can have it, too."""
    chips: tuple[str, ...] = ()

    @property
    def size(self) -> float:
        """Bytes of a weight."""
        return self.bits / BITS

    def contradictions(self) -> Iterator[tuple[str, str]]:
        if self.bits <= 0:
            yield "bits", "a weight has at least one bit"
