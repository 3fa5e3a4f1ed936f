"""Device memory of one logical core, term by term."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.training_memory import ActivationMemory
from neuron_cluster.catalog.weight_format import PLAIN, WeightFormat
from neuron_cluster.sizing.heads import Heads, added_parameters, cached_numbers_on, heads_on
from neuron_cluster.sizing.layout import Layout
from neuron_cluster.sizing.model_sizes import ModelSizes, parameters_text
from neuron_cluster.sizing.request import SizingRequest, Task

CACHE = "KV cache"
SCORE_BYTES = 4
"""Bytes of a score of an indexer, in fp32."""
SCORE_COPIES = 2
"""Before and after the mask of later tokens (aws-neuron/neuronx-distributed-inference@4bcdc54:
contrib/models/MiniMax-M3/src/modeling_minimax_m3.py; README.md there has about 30 GB of a core for 8 sequences of 8,192
tokens)."""


class Term(Struct, frozen=True):
    """``formula`` is computed for the terms that are shown."""

    name: str
    size: float
    formula: Callable[[], str]


class Weights(Struct, frozen=True):
    """Bytes of all weights in a format: outside of routed experts, and of these."""

    dense: float
    experts: float

    @property
    def total(self) -> float:
        return self.dense + self.experts


def weights_of(model: ModelSizes, row: WeightFormat, catalog: Catalog) -> Weights:
    """With the parts that the format leaves out in BF16."""
    plain, small = catalog.weight_formats[PLAIN].size, row.size
    dense = model.parameters - model.expert_parameters
    if row.scope == "experts" and model.experts:
        return Weights(dense * plain, model.expert_parameters * small)
    whole = 0 if row.scope == "all" else model.embedding_parameters
    return Weights(whole * plain + (dense - whole) * small, model.expert_parameters * small)


def serving_terms(
    model: ModelSizes, request: SizingRequest, layout: Layout, row: WeightFormat, catalog: Catalog
) -> Iterator[Term]:
    """Weights, what padded and repeated heads add, keys and values, scores of an indexer."""
    weights = weights_of(model, row, catalog)
    yield Term(
        "weights",
        weights.dense / layout.tensor,
        lambda: f"{parameters_text(model.parameters - model.expert_parameters)} in {row.name} / TP{layout.tensor}",
    )
    if model.experts:
        yield Term(
            "expert weights",
            weights.experts / layout.expert_cores,
            lambda: f"{parameters_text(model.expert_parameters)} in {row.name} / {layout.expert_cores} cores",
        )
    yield from _added_attention(model, layout, row, catalog)
    heads = heads_on(model, layout.tensor // layout.attention_data)
    if request.task.caches:
        yield _cache(model, request, layout, heads, catalog)
    if model.index_heads:
        yield Term(
            "indexer scores",
            SCORE_COPIES * request.sequences * model.index_heads * request.length**2 * SCORE_BYTES,
            lambda: (
                f"{SCORE_COPIES} x {request.sequences} x {model.index_heads} heads x {request.length:,}² x "
                f"{SCORE_BYTES} bytes, before and after the mask"
            ),
        )


def _added_attention(model: ModelSizes, layout: Layout, row: WeightFormat, catalog: Catalog) -> Iterator[Term]:
    """Heads that are padded or repeated; groups of attention data parallelism and prefill with a context size hold the
    attention once more."""
    heads = heads_on(model, layout.tensor // layout.attention_data)
    size = row.size if row.scope != "experts" else catalog.weight_formats[PLAIN].size
    added = added_parameters(model, heads) * size / heads.cores
    if added:
        yield Term(
            "repeated heads",
            added,
            lambda: (
                f"{model.heads} query and {model.key_value_heads} key heads as {heads.queries} and {heads.keys} on "
                f"{heads.cores} cores"
            ),
        )
    copies = layout.attention_data - 1 + (layout.context if layout.context > 1 else 0)
    if copies:
        yield Term(
            "attention copies",
            copies * model.attention_parameters * size / layout.tensor,
            lambda: (
                f"{copies} x {parameters_text(model.attention_parameters)} of attention in {row.name} / "
                f"TP{layout.tensor}"
            ),
        )


def _cache(model: ModelSizes, request: SizingRequest, layout: Layout, heads: Heads, catalog: Catalog) -> Term:
    width = catalog.weight_formats[request.cache_format].size
    sequences = -(-request.sequences // layout.attention_data)
    numbers = cached_numbers_on(model, heads)
    tokens = model.cached_tokens(request.length)
    return Term(
        CACHE,
        sequences * tokens * numbers * width,
        lambda: f"{sequences} x {_cached(model, request.length)} x {numbers:g} numbers x {width:g} bytes",
    )


def _cached(model: ModelSizes, length: int) -> str:
    """Tokens and layers of the cache."""
    whole = f"{length:,} tokens x {model.whole_layers} layers"
    if not model.window_layers or model.window is None or model.window >= length:
        return f"{length:,} tokens x {model.layers} layers"
    in_window = f"{model.window:,} x {model.window_layers} with a window"
    return f"({whole} + {in_window})" if model.whole_layers else f"({in_window})"


def training_terms(model: ModelSizes, request: SizingRequest, layout: Layout, catalog: Catalog) -> Iterator[Term]:
    """Weights and gradients on the cores of a copy, the optimizer over all copies, adapters: all but activations."""
    row, stages = catalog.training_memories[request.task.value], layout.stages
    added = added_parameters(model, heads_on(model, layout.tensor))
    dense = model.parameters - model.expert_parameters + added
    of_core = dense / stages + model.expert_parameters / (stages * layout.expert)
    total = model.parameters + added

    def shared(factor: float, copies: str = "") -> str:
        experts = f" (experts also / EP{layout.expert})" if layout.expert > 1 and not copies else ""
        return f"{factor:g} x {parameters_text(total)} / (TP{layout.tensor} x PP{layout.pipeline}{copies}){experts}"

    yield Term("weights", row.weight_bytes * of_core, lambda: shared(row.weight_bytes))
    if row.gradient_bytes:
        yield Term("gradients", row.gradient_bytes * of_core, lambda: shared(row.gradient_bytes))
        yield Term(
            "optimizer",
            row.optimizer_bytes * total / (stages * layout.data),
            lambda: shared(row.optimizer_bytes, f" x DP{layout.data}"),
        )
    if request.task is Task.FINETUNE:
        adapters = request.rank * model.adapter_dimensions
        yield Term(
            "adapters",
            row.adapter_bytes * adapters / stages,
            lambda: (
                f"{row.adapter_bytes:g} x {adapters / 1e6:,.1f} million parameters of rank {request.rank} / "
                f"(TP{layout.tensor} x PP{layout.pipeline})"
            ),
        )


def activations_of(model: ModelSizes, request: SizingRequest, layout: Layout, row: ActivationMemory) -> Term:
    """Returns the bytes of all layers of a stage, for the micro-batches that are in the pipeline at once."""
    layers = -(-model.layers // layout.pipeline)
    flying = layout.pipeline
    if request.task is Task.TRAIN and request.batch:
        flying = min(flying, max(1, request.batch // (layout.data * request.micro_batch)))
    tokens = request.sequences * request.length / layout.context
    kept = row.per_hidden * layers * flying
    return Term(
        "activations",
        (kept + row.per_hidden_of_one_layer) * tokens * model.hidden / layout.tensor,
        lambda: (
            f"({row.per_hidden} x {layers} layers x {flying} in the pipeline"
            f"{f' + {row.per_hidden_of_one_layer}' if row.per_hidden_of_one_layer else ''}) x {tokens:,.0f} tokens x "
            f"{model.hidden:,} / TP{layout.tensor}, {row.name} recompute"
        ),
    )
