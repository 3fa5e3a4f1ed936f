"""How attention heads are divided over cores: padded, repeated, or each with its own keys and values."""

from __future__ import annotations

from msgspec import Struct

from neuron_cluster.sizing.model_sizes import KEYS_AND_VALUES, ModelSizes


class Heads(Struct, frozen=True):
    """``queries`` and ``keys`` are those that all cores hold together."""

    cores: int
    queries: int
    keys: int
    is_padded: bool
    is_converted: bool
    """Whether each head gets keys and values of its own, because their number and the cores do not divide."""


def heads_on(model: ModelSizes, cores: int) -> Heads:
    """As NxD Inference divides them (aws-neuron/aws-neuron-sdk@81ce03a:
    libraries/nxd-inference/developer_guides/feature-guide.rst)."""
    queries = -(-model.heads // cores) * cores
    keys = model.key_value_heads
    is_converted = keys % cores != 0 and cores % keys != 0
    if is_converted:
        keys = queries
    elif cores > keys:
        keys = cores
    return Heads(cores, queries, keys, queries != model.heads, is_converted)


def added_parameters(model: ModelSizes, heads: Heads) -> int:
    """Returns the number of parameters of padded and repeated heads, over all layers."""
    if model.latent_size is not None:
        return 0
    added = heads.queries - model.heads + heads.keys - model.key_value_heads
    return KEYS_AND_VALUES * model.layers * model.hidden * model.head_size * added


def cached_numbers_on(model: ModelSizes, heads: Heads) -> float:
    """Returns the cached numbers of one token in one layer, on one core."""
    if model.latent_size is not None:
        return model.latent_size
    return KEYS_AND_VALUES * model.head_size * heads.keys / heads.cores
