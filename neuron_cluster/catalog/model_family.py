"""Families of models: where their ``config.json`` has the sizes, and which tensors their layers have."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Literal

from neuron_cluster.catalog.frozen_map import FrozenMap
from neuron_cluster.catalog.source_data import DATA_DIRECTORY, read_rows
from neuron_cluster.catalog.sourced_row import SourcedRow

USUAL = "usual"
"""Name of the row whose ``fields`` hold for every family that does not have its own."""


class ModelFamily(SourcedRow, frozen=True, kw_only=True):
    """``model_types`` are those of ``config.json``. ``fields``: name of a size to its path in the file, steps with
    dots; an empty path: the family has none.

    ``norms``: vectors of the hidden size in a layer. ``head_norms``: of queries and keys, by head or over all of
    them. ``attention_biases``: of queries, keys and values (``inputs``), or of the output too. ``attention_gate``: a
    matrix as large as that of the queries. ``expert_layers``: which layers have experts. ``shared_experts``: of a
    layer, where the file does not have their number. ``window_layers``: which keep the last tokens alone.
    ``sparse_indexer``: a small attention that chooses tokens, whose scores are whole on each core.
    """

    model_types: tuple[str, ...] = ()
    fields: FrozenMap[str, str] = FrozenMap()
    attention: Literal["grouped", "latent"] = "grouped"
    projections: int = 3
    norms: int = 2
    norm_biases: bool = False
    head_norms: Literal["none", "each", "all"] = "none"
    attention_biases: Literal["configured", "inputs", "all"] = "configured"
    attention_gate: bool = False
    attention_sinks: bool = False
    feed_forward_biases: bool = False
    expert_biases: bool = False
    router_biases: bool = False
    position_vectors: bool = False
    tied_by_default: bool = False
    expert_layers: Literal["none", "all", "step", "interleaved", "after_first", "listed"] = "none"
    shared_experts: int = 0
    window_layers: Literal["none", "all", "configured", "listed", "alternating"] = "none"
    sparse_indexer: bool = False

    def contradictions(self) -> Iterator[tuple[str, str]]:
        if not self.model_types and self.name != USUAL:
            yield "model_types", "a family has a model_type at least"

    def path(self, size: str) -> str:
        """Where ``config.json`` has a size; empty where the family has none."""
        usual = model_families()[USUAL].fields
        return self.fields.get(size, usual.get(size, ""))


@functools.cache
def model_families() -> FrozenMap[str, ModelFamily]:
    """All by name."""
    return read_rows(DATA_DIRECTORY / "model_families.yaml", ModelFamily)


def model_family(model_type: str) -> ModelFamily | None:
    """The family with this ``model_type``; None for one that the catalog does not have."""
    return next((row for row in model_families().values() if model_type in row.model_types), None)
