"""How programs divide the sizes of a model over the cores that share it."""

from __future__ import annotations

import functools
from typing import Literal

from neuron_cluster.catalog.frozen_map import FrozenMap
from neuron_cluster.catalog.source_data import DATA_DIRECTORY, read_rows
from neuron_cluster.catalog.sourced_row import SourcedRow


class ModelDivision(SourcedRow, frozen=True, kw_only=True):
    """What one program requires of the sizes of a model. ``name`` is that of a framework, or ``training``."""

    title: str
    heads: Literal["divided", "padded"]
    """Of queries."""
    key_value_heads: Literal["repeated", "converted"]
    intermediate: Literal["divided", "padded"]
    """Of the feed-forward network and of experts."""
    vocabulary_multiple: int
    """To which the vocabulary is padded before it is divided; 0: to any number."""


@functools.cache
def model_divisions() -> FrozenMap[str, ModelDivision]:
    """All rows by name."""
    return read_rows(DATA_DIRECTORY / "model_divisions.yaml", ModelDivision)
