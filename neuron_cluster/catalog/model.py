"""Sizes of language models: what decides how they are divided over cores, and how much memory they need."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from neuron_cluster.catalog.sourced_row import SourcedRow
from neuron_cluster.catalog.table import Table
from neuron_cluster.findings.text import on_one_line

PROJECTIONS = 3
"""The projections of the feed-forward network: gate, up, down."""
FUSED = 2
"""The number of projections that NxD keeps in one tensor: gate and up."""
VARIANTS = ("-instruct", "-chat")
"""Last parts of names that do not change the sizes."""


class Model(SourcedRow, frozen=True, kw_only=True):
    """A dense decoder with grouped-query attention, as ``config.json`` describes it."""

    layers: int
    hidden_size: int
    intermediate_size: int
    attention_heads: int
    key_value_heads: int
    head_size: int
    vocabulary_size: int
    tied_embeddings: bool

    @property
    def parameters(self) -> int:
        return dense_parameters(
            layers=self.layers,
            hidden_size=self.hidden_size,
            intermediate_size=self.intermediate_size,
            heads=self.attention_heads + self.key_value_heads,
            head_size=self.head_size,
            vocabulary_size=self.vocabulary_size,
            tied_embeddings=self.tied_embeddings,
        )

    @property
    def largest_tensor(self) -> int:
        return largest_tensor(self.hidden_size, self.intermediate_size, self.vocabulary_size)

    def contradictions(self) -> Iterator[tuple[str, str]]:
        if self.attention_heads % self.key_value_heads:
            yield "key_value_heads", "does not divide attention_heads"


def dense_parameters(
    *,
    layers: int,
    hidden_size: int,
    intermediate_size: int,
    heads: int,
    head_size: int,
    vocabulary_size: int,
    tied_embeddings: bool,
) -> int:
    """Embeddings, and for each layer attention, feed-forward network and two norms; one norm at the end.

    ``heads`` are those of queries, and those of keys, which are as many as those of values.
    """
    attention = 2 * hidden_size * head_size * heads
    feed_forward = PROJECTIONS * hidden_size * intermediate_size
    embeddings = vocabulary_size * hidden_size * (1 if tied_embeddings else 2)
    return embeddings + layers * (attention + feed_forward + 2 * hidden_size) + hidden_size


def largest_tensor(hidden_size: int, intermediate_size: int, vocabulary_size: int) -> int:
    """Parameters of the largest tensor of weights: the embeddings, or gate and up projection of a layer."""
    return hidden_size * max(vocabulary_size, FUSED * intermediate_size)


def name_of_file(file: Path) -> str:
    """Returns the name of the folder of a ``config.json``, else of the file, as a text of one line."""
    return on_one_line(file.resolve().parent.name if file.name == "config.json" else file.stem)


class ModelTable(Table[Model]):
    def served_as(self, name: str) -> Model | None:
        """The model that is served under this name, with or without its owner; None for other names."""
        plain = name.rpartition("/")[2].lower().removeprefix("meta-")
        for variant in VARIANTS:
            plain = plain.removesuffix(variant)
        return self.get(plain)
