"""Families of models: where their ``config.json`` has the sizes, and which tensors their layers have."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal

from msgspec.structs import replace

from neuron_cluster.catalog.frozen_map import FrozenMap
from neuron_cluster.catalog.sourced_row import SourcedRow
from neuron_cluster.catalog.table import Table

USUAL = "usual"
"""Name of the row whose ``fields`` hold for every family that does not have its own."""


class ModelFamily(SourcedRow, frozen=True, kw_only=True):
    """Models whose ``config.json`` has the same fields, and whose layers have the same tensors."""

    model_types: tuple[str, ...] = ()
    """Values of ``model_type`` in ``config.json``."""
    fields: FrozenMap[str, str] = FrozenMap()
    """Name of a size to its path in the file, steps with dots; an empty path: the family has none."""
    defaults: FrozenMap[str, int] = FrozenMap()
    """Sizes that the class of the library has where a ``text_config`` omits them."""

    attention: Literal["grouped", "latent"] = "grouped"
    head_norms: Literal["none", "each", "all"] = "none"
    """Norms of queries and keys, by head or over all: with ``has_head_norms`` in ``fields`` if the file sets it."""
    attention_biases: Literal["none", "configured", "configured_inputs", "inputs", "all"] = "configured"
    """Biases of queries, keys and values (``inputs``), or of the output too; ``configured``: if the file sets them."""
    attention_gate: bool = False
    """A matrix as large as that of the queries."""
    attention_sinks: bool = False
    """A number for each head."""

    norms: int = 2
    """Vectors of the hidden size in a layer, one if the file sets ``has_one_norm``. 0: no norm has weights."""
    norm_biases: bool = False

    projections: int = 3
    """Matrices of the feed-forward network; 2: it has no gate."""
    intermediate_ratio: int = 0
    """To the hidden size, where the file does not have the intermediate size."""
    feed_forward_biases: bool = False
    activation_parameters: int = 0
    """The number of parameters of the activation function of a layer."""

    tied_by_default: bool = False
    output_biases: bool = False
    position_vectors: bool = False
    further_positions: int = 0
    """Rows of the table of positions, in addition to those of the file."""
    encoder: bool = False
    """Returns embeddings of a whole text: without output layer and KV cache."""
    pooler: bool = False
    """A dense layer after the last one of an encoder."""

    expert_layers: Literal["none", "all", "step", "interleaved", "after_first", "listed"] = "none"
    """Which layers have experts."""
    expert_biases: bool = False
    router_biases: bool = False
    shared_experts: int = 0
    """Shared experts of a layer, where the file does not have their number."""
    shared_expert_gate: bool = False
    """A vector of the hidden size."""

    window_layers: Literal["none", "all", "configured", "listed"] = "none"
    """Which layers keep the last tokens alone."""
    window_period: int = 0
    """One of so many layers keeps all tokens, where the file has no list of layers."""
    sparse_indexer: bool = False
    """A small attention that chooses tokens, whose scores are whole on each core."""

    def contradictions(self) -> Iterator[tuple[str, str]]:
        if not self.model_types and self.name != USUAL:
            yield "model_types", "a family has a model_type at least"

    @property
    def is_unknown(self) -> bool:
        """Whether the catalog has no row for it."""
        return not self.model_types


class ModelFamilyTable(Table[ModelFamily]):
    def of_model_type(self, model_type: str) -> ModelFamily | None:
        """The family with this ``model_type``; None for one that the catalog does not have."""
        return next((row for row in self if model_type in row.model_types), None)

    def path(self, family: ModelFamily, size: str) -> str:
        """Where ``config.json`` of the family has a size; empty where the family has none."""
        return family.fields.get(size, self[USUAL].fields.get(size, ""))

    def names_of_size(self, size: str) -> tuple[str, ...]:
        """Every path under which a family has a size, the usual one first."""
        rows = (self[USUAL], *self)
        return tuple(dict.fromkeys(path for row in rows if (path := row.fields.get(size))))

    def unknown(self, name: str, has: Callable[[str], bool]) -> ModelFamily:
        """A decoder of which only sizes are known: each under the first of its names that ``has`` finds in the file."""
        usual = self[USUAL]
        sizes = dict.fromkeys(size for row in (usual, *self) for size in row.fields)
        found = {size: next(filter(has, self.names_of_size(size)), usual.fields.get(size, "")) for size in sizes}
        return replace(usual, name=name, fields=FrozenMap(found))
