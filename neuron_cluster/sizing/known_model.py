"""Sizes of a model of the catalog, or of one that is known by its number of parameters alone."""

from __future__ import annotations

from msgspec import structs

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.model import FUSED, PROJECTIONS, Model
from neuron_cluster.sizing.model_sizes import KEYS_AND_VALUES, ModelSizes, parameters_name


def sizes_of_row(row: Model) -> ModelSizes:
    """Returns the sizes of a dense model with grouped-query attention, in BF16."""
    heads = row.attention_heads + row.key_value_heads
    attention = KEYS_AND_VALUES * row.hidden_size * row.head_size * heads
    # LoRA adapts four matrices of attention and three of the feed-forward network.
    of_layer = (
        4 * row.hidden_size
        + KEYS_AND_VALUES * row.head_size * heads
        + PROJECTIONS * (row.hidden_size + row.intermediate_size)
    )
    return ModelSizes(
        name=row.name,
        family="llama",
        layers=row.layers,
        hidden=row.hidden_size,
        heads=row.attention_heads,
        key_value_heads=row.key_value_heads,
        head_size=row.head_size,
        vocabulary=row.vocabulary_size,
        intermediates=(row.intermediate_size,),
        parameters=row.parameters,
        embedding_parameters=row.vocabulary_size * row.hidden_size * (1 if row.tied_embeddings else FUSED),
        attention_parameters=row.layers * attention,
        adapter_dimensions=row.layers * of_layer,
    )


def sizes_of_count(parameters: float, catalog: Catalog) -> ModelSizes:
    """A dense model of this many parameters, with the layers and heads of the catalog's nearest one.

    Its cache and activations are those of that model: an assumption, which ``assumptions`` states.
    """
    nearest = min(
        catalog.models, key=lambda row: abs(row.parameters / parameters - 1) + abs(parameters / row.parameters - 1)
    )
    sizes = sizes_of_row(nearest)
    return structs.replace(
        sizes,
        name=parameters_name(parameters),
        family="",
        parameters=int(parameters),
        embedding_parameters=min(sizes.embedding_parameters, int(parameters)),
        attention_parameters=min(sizes.attention_parameters, int(parameters)),
        assumptions=(_assumption(nearest),),
    )


def _assumption(row: Model) -> str:
    return (
        f"Only the number of parameters is known: the model is taken as dense, with the layers ({row.layers}), heads "
        f"({row.attention_heads}, of keys and values {row.key_value_heads}) and hidden size ({row.hidden_size:,}) of "
        f"{row.name}. These decide the KV cache, the activations and what divides: --model config.json has "
        "the model's own."
    )
