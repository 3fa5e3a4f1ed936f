"""Whether a divided model fits the device memory of a core and the memory of the host."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.weight_format import PLAIN, WeightFormat
from neuron_cluster.sizing.host_memory import HostMemory, Shortfall, loading_memory, shortfall_of
from neuron_cluster.sizing.layout import Layout, Machine, layouts_of
from neuron_cluster.sizing.limits_of import doubts_of, limits_of
from neuron_cluster.sizing.memory import (
    CACHE,
    Term,
    activations_of,
    serving_terms,
    training_terms,
)
from neuron_cluster.sizing.model_sizes import ModelSizes
from neuron_cluster.sizing.request import SizingRequest, Task

GIB = 2**30
WHOLE = 100


class Fit(Struct, frozen=True, kw_only=True):
    """One division on instances with these cores. ``reasons`` are why it cannot be used: none for one that can."""

    machine: Machine
    layout: Layout
    weight_format: str
    recompute: str | None
    terms: tuple[Term, ...]
    """Empty where there are reasons that have nothing to do with memory."""
    percent: float
    """Percent of the device memory of a core."""
    most_percent: int
    reasons: tuple[str, ...]
    doubts: tuple[str, ...]

    @property
    def fits(self) -> bool:
        return self.percent <= self.most_percent

    @property
    def largest(self) -> Term:
        return max(self.terms, key=lambda term: term.size)


def fits_on(model: ModelSizes, request: SizingRequest, machine: Machine, catalog: Catalog) -> Iterator[Fit]:
    """One for each division of the model, those that do not fit included."""
    most = catalog.limits["device_memory_of_a_model"].require_maximum()
    row, note = format_on(model, request, machine, catalog)
    is_impossible = bool(note) and request.weight_format is not None
    of_formats = [note] if is_impossible else []
    cache = catalog.weight_formats[request.cache_format]
    if request.task.caches and cache.chips and machine.chip.name not in cache.chips:
        of_formats.append(f"{machine.chip.title} has no KV cache in {cache.name}")
    for layout in layouts_of(model, request, machine):
        reasons = (*limits_of(model, request, machine, layout, catalog), *of_formats)
        recompute, terms = (None, ()) if reasons else _terms(model, request, machine, layout, row, most, catalog)
        percent = WHOLE * _size(terms) / machine.core_bytes
        doubts = () if reasons or percent > most else tuple(doubts_of(model, request, machine, layout, catalog))
        yield Fit(
            machine=machine,
            layout=layout,
            weight_format=row.name,
            recompute=recompute,
            terms=terms,
            percent=percent,
            most_percent=most,
            reasons=reasons,
            doubts=(*doubts, note) if note and not is_impossible else doubts,
        )


def format_on(
    model: ModelSizes, request: SizingRequest, machine: Machine, catalog: Catalog
) -> tuple[WeightFormat, str]:
    """The format of weights, and a note about it: BF16 where the devices lack that of the checkpoint."""
    formats = catalog.weight_formats
    if request.task.is_training:
        return formats[PLAIN], ""
    row = formats[request.weight_format or model.stored_format]
    if not row.chips or machine.chip.name in row.chips:
        return row, ""
    if request.weight_format is not None:
        return row, f"{machine.chip.title} does not compute with {row.name} weights"
    return formats[PLAIN], f"{machine.chip.title} does not compute with {row.name}: the weights are converted to BF16"


def _terms(
    model: ModelSizes,
    request: SizingRequest,
    machine: Machine,
    layout: Layout,
    weights: WeightFormat,
    most: int,
    catalog: Catalog,
) -> tuple[str | None, tuple[Term, ...]]:
    """With the least recompute that fits, else with that of the least memory."""
    if not request.task.is_training:
        return None, tuple(serving_terms(model, request, layout, weights, catalog))
    kept = tuple(training_terms(model, request, layout, catalog))
    free = most * machine.core_bytes / WHOLE - _size(kept)
    found: dict[str, Term] = {}
    for row in catalog.activation_memories:
        found[row.name] = activations_of(model, request, layout, row)
        if found[row.name].size <= free:
            return row.name, (*kept, found[row.name])
    name, term = min(found.items(), key=lambda each: each[1].size)
    return name, (*kept, term)


def _size(terms: tuple[Term, ...]) -> float:
    return sum([term.size for term in terms])


def host_shortfall(
    model: ModelSizes, request: SizingRequest, host: HostMemory | None, weight_format: str, catalog: Catalog
) -> tuple[Shortfall, str] | None:
    """Why the host cannot load the weights, or may not; None where it can, or where its memory is not known."""
    if request.task is Task.TRAIN or request.has_divided_weights or host is None:
        return None
    loading = loading_memory(model, weight_format, catalog)
    found = shortfall_of(loading, host)
    if found is None:
        return None
    takes = f"{host.text}, and loading takes {loading.text}"
    if found is Shortfall.SHARE:
        return found, f"{takes}: DaemonSets and EFA may leave {host.share // GIB:,.0f} GiB"
    return found, f"{takes}: a checkpoint that is already divided by core (--pre-sharded) takes less"


def cache_shortfall(fit: Fit, catalog: Catalog) -> str | None:
    """Why the default share of vLLM Neuron for the KV cache is too small; None where it is enough."""
    cache = next((term.size for term in fit.terms if term.name == CACHE), 0.0)
    share = (
        catalog.limits["vllm_device_memory"].require_maximum() * catalog.limits["vllm_kv_cache_share"].require_maximum()
    )
    most = fit.machine.core_bytes * share / WHOLE**2
    if cache <= most:
        return None
    return (
        f"vLLM Neuron takes {most / GIB:,.1f} GiB of a core for the KV cache at most, this needs {cache / GIB:,.1f}: "
        "set VLLM_NEURON_KV_GMU_BUDGET_CAP_FRACTION higher"
    )
