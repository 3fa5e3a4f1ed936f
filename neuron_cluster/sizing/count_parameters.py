"""Numbers of parameters, term by term, as the family of a model has them."""

from __future__ import annotations

from msgspec import Struct

from neuron_cluster.sizing.config_fields import ConfigFields
from neuron_cluster.sizing.model_sizes import KEYS_AND_VALUES


class Counted(Struct, frozen=True):
    """Parameters of all layers. ``adapter_dimensions`` are rows and columns of the matrices that LoRA adapts."""

    total: int
    embeddings: int
    attention: int
    experts: int
    adapter_dimensions: int


class _Part(Struct, frozen=True):
    """Parameters of one layer, and rows and columns of its matrices."""

    parameters: int
    dimensions: int


def head_size(fields: ConfigFields) -> int:
    """Returns the size of a head: that of the file, else the hidden size divided by the heads.

    Raises ``ToolkitError`` where the heads do not divide the hidden size.

    Attention through matrices of a low rank has sizes of its own.
    """
    hidden, heads = fields.positive("hidden"), fields.positive("heads")
    own = fields.optional("head_size", least=1)
    size = own or hidden // heads
    if not size:
        raise fields.contradiction("heads", "more than the hidden size")
    if fields.family.attention != "latent" and own is None and hidden % heads:
        raise fields.contradiction("heads", f"which does not divide the hidden size of {hidden}")
    return size


def key_value_heads(fields: ConfigFields) -> int:
    """As many as heads where the field is missing or null (huggingface/transformers@008e574:
    models/llama/configuration_llama.py). Raises ``ToolkitError`` where they do not divide these."""
    heads = fields.positive("heads")
    if fields.flag("multi_query") and not fields.flag("grouped_query"):
        return 1
    keys = fields.optional("key_value_heads", least=1) or heads
    if heads % keys:
        raise fields.contradiction("key_value_heads", f"which does not divide the {heads} heads")
    return keys


def expert_layers(fields: ConfigFields) -> int:
    """How many layers have experts."""
    layers, kind = fields.positive("layers"), fields.family.expert_layers
    if kind in ("step", "interleaved"):
        step = max(1, fields.optional("expert_step") or 1)
        without = {each for each in fields.items("expert_layer_list") if each in range(step - 1, layers, step)}
        return layers // step - (0 if kind == "interleaved" else len(without))
    if kind == "after_first":
        return max(0, layers - (fields.optional("dense_layers") or 0))
    if kind == "listed":
        return sum(bool(each) for each in fields.items("expert_layer_list")[:layers])
    return layers if kind == "all" else 0


def count_parameters(fields: ConfigFields) -> Counted:
    """Raises ``ToolkitError`` for a size that is missing."""
    family, layers, with_experts = fields.family, fields.positive("layers"), expert_layers(fields)
    norm = fields.positive("hidden") * (2 if family.norm_biases else 1)
    norms = 1 if fields.flag("has_one_norm") else family.norms
    attention = _latent_attention(fields) if family.attention == "latent" else _grouped_attention(fields)
    dense = _feed_forward(fields) if with_experts < layers else _Part(0, 0)
    routed, shared = _experts(fields) if with_experts else (0, _Part(0, 0))
    embeddings = _embeddings(fields)
    total = (
        embeddings
        + _after_layers(fields)
        + (norm if family.norms else 0)
        + layers * (attention.parameters + norms * norm)
        + (layers - with_experts) * dense.parameters
        + with_experts * (routed + shared.parameters)
    )
    dimensions = (
        layers * attention.dimensions + (layers - with_experts) * dense.dimensions + with_experts * shared.dimensions
    )
    return Counted(total, embeddings, layers * attention.parameters, with_experts * routed, dimensions)


def _embeddings(fields: ConfigFields) -> int:
    """Returns the parameters for tokens, positions and token types, and of the matrix of the output layer."""
    family, hidden = fields.family, fields.positive("hidden")
    has_one_matrix = family.encoder or fields.flag("tied", family.tied_by_default)
    vectors = fields.positive("vocabulary") * (1 if has_one_matrix else 2)
    vectors += fields.count("positions") + family.further_positions if family.position_vectors else 0
    return (vectors + (fields.optional("token_types") or 0)) * hidden


def _after_layers(fields: ConfigFields) -> int:
    """Biases of the output layer; the pooler of an encoder."""
    family, hidden = fields.family, fields.positive("hidden")
    has_biases = family.output_biases or fields.flag("output_bias")
    return (fields.positive("vocabulary") if has_biases else 0) + (hidden * (hidden + 1) if family.pooler else 0)


def _grouped_attention(fields: ConfigFields) -> _Part:
    family, hidden, size = fields.family, fields.positive("hidden"), head_size(fields)
    queries, keys = fields.positive("heads") * size, key_value_heads(fields) * size
    outputs = queries + KEYS_AND_VALUES * keys
    matrices = hidden * (outputs + queries) + (hidden * queries if family.attention_gate else 0)
    has_norms = not fields.path("has_head_norms") or fields.flag("has_head_norms")
    extra = {"none": 0, "each": 2 * size, "all": queries + keys}[family.head_norms] if has_norms else 0
    biased = _attention_biases(fields)
    extra += (outputs if biased in ("inputs", "all") else 0) + (hidden if biased == "all" else 0)
    extra += fields.positive("heads") if family.attention_sinks else 0
    return _Part(matrices + extra, 4 * hidden + outputs + queries)


def _attention_biases(fields: ConfigFields) -> str:
    """``none``, ``inputs`` or ``all``."""
    kind = fields.family.attention_biases
    if kind.startswith("configured"):
        has_biases = fields.flag("attention_bias")
        return ("all" if kind == "configured" else "inputs") if has_biases else "none"
    return kind


def _latent_attention(fields: ConfigFields) -> _Part:
    """Queries and keys through matrices of a low rank (MLA)."""
    hidden, heads = fields.positive("hidden"), fields.positive("heads")
    plain, rotary = fields.positive("plain_head_size"), fields.positive("rotary_head_size")
    value, rank = fields.positive("value_head_size"), fields.positive("key_value_rank")
    query_rank = fields.optional("query_rank")
    queries = heads * (plain + rotary)
    from_queries = hidden * query_rank + query_rank + query_rank * queries if query_rank else hidden * queries
    keys = hidden * (rank + rotary) + rank + rank * heads * (plain + value)
    dimensions = 2 * hidden + (query_rank or 0) + queries + rank + rotary + heads * (plain + 2 * value)
    return _Part(from_queries + keys + heads * value * hidden + _indexer(fields), dimensions + rank)


def _indexer(fields: ConfigFields) -> int:
    """Matrices of queries, keys and weights, and a norm of the keys with biases."""
    if not fields.family.sparse_indexer:
        return 0
    heads, size = fields.positive("index_heads"), fields.positive("index_head_size")
    return fields.positive("query_rank") * heads * size + fields.positive("hidden") * (size + heads) + 2 * size


def _feed_forward(fields: ConfigFields) -> _Part:
    family, hidden, inner = fields.family, fields.positive("hidden"), _intermediate(fields)
    has_biases = family.feed_forward_biases or fields.flag("feed_forward_bias")
    biases = (family.projections - 1) * inner + hidden if has_biases else 0
    extra = biases + family.activation_parameters
    return _Part(family.projections * hidden * inner + extra, family.projections * (hidden + inner))


def _intermediate(fields: ConfigFields) -> int:
    """Returns the intermediate size of a dense layer."""
    inner = fields.optional("intermediate", least=1) or fields.family.intermediate_ratio * fields.positive("hidden")
    return inner or fields.positive("intermediate")


def intermediate_sizes(fields: ConfigFields) -> tuple[int, ...]:
    """Returns the intermediate sizes of dense layers, and of the shared experts of the others."""
    with_experts = expert_layers(fields)
    dense = _intermediate(fields) if with_experts < fields.positive("layers") else 0
    shared = _shared_intermediate(fields) if with_experts else 0
    return tuple(size for size in (dense, shared) if size)


def _shared_intermediate(fields: ConfigFields) -> int:
    return fields.optional("shared_intermediate") or _shared_experts(fields) * fields.positive("expert_intermediate")


def _experts(fields: ConfigFields) -> tuple[int, _Part]:
    """Parameters of the routed experts of a layer; router and shared experts."""
    family, hidden = fields.family, fields.positive("hidden")
    number, inner = fields.positive("experts"), fields.positive("expert_intermediate")
    matrices = 3 * hidden * inner
    biases = 2 * inner + hidden if family.expert_biases else 0
    shared_inner = _shared_intermediate(fields)
    router = hidden * number + (number if family.router_biases else 0) + (hidden if family.shared_expert_gate else 0)
    dimensions = 3 * (hidden + shared_inner) if shared_inner else 0
    return number * (matrices + biases), _Part(router + 3 * hidden * shared_inner, dimensions)


def _shared_experts(fields: ConfigFields) -> int:
    number = fields.optional("shared_experts")
    return fields.family.shared_experts if number is None else number
