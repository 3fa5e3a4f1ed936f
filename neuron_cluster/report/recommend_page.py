"""A recommendation as tables with the formula of each term, as sentences, and as data for ``--format json``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.findings.text import counted, listed
from neuron_cluster.sizing.fit import GIB, Fit
from neuron_cluster.sizing.model_sizes import parameters_text
from neuron_cluster.sizing.recommend import Choice, Miss, Recommendation
from neuron_cluster.sizing.serving_software import LastRelease, last_release_of_servers
from neuron_cluster.table import Table

NOT_KNOWN = "not known"
SHOWN_OTHERS = 4
FAR = 200
"""Percent of a core: what needs more is shown only where nothing is nearer."""
EXPLAINED = 2
"""Rows whose memory is shown term by term."""
NONE_FITS = (
    "Nothing fits. Lower --sequence-length or --batch, choose a smaller --dtype, or read in the near misses which "
    "term is too large."
)
NONE_ALLOWED = (
    "Nothing fits, and device memory is not the reason: the near misses name what prevents each of them, such as a "
    "price, a Region, the memory of the host or a size of the division. Change that option, or leave it out."
)
NO_DIVISION = (
    "No division with the sizes that are set uses the cores of an instance: TP x PP x CP x DP is the number of "
    "instances times their logical cores (`neuron-cluster catalog instances`). Leave one of them out."
)
NOT_MEASURED = (
    "Computed from published formulas (docs/recommend.md): nothing was measured on hardware. Compile the model with "
    "this division before you buy capacity."
)
NAMES = ("tensor_parallel", "pipeline_parallel", "context_parallel", "expert_parallel", "data_parallel")


def recommendation_tables(found: Recommendation, top: int) -> list[Table]:
    """Returns tables of what fits, of the memory of the first rows, and of what nearly fits."""
    best = found.best[:top]
    tables = [_choices_table(found, best)] if best else []
    different = {(choice.fit.machine, choice.fit.layout): choice for choice in reversed(best)}
    explained = sorted(different.values(), key=best.index)[:EXPLAINED]
    tables += [_memory_table(choice) for choice in explained]
    misses = tuple(_miss_row(miss) for miss in _shown_misses(found, top))
    if misses:
        note = "%: of the device memory of a core."
        tables.append(Table("Near misses", ("instances", "division", "%", "why it does not fit"), misses, note))
    return tables


def recommendation_notes(found: Recommendation, top: int, catalog: Catalog) -> Iterator[str]:
    """Assumptions, doubts of the rows that are shown, and where prices are from."""
    if not found.choices:
        yield _why_none_fits(found.misses)
    yield from found.model.assumptions
    longest = found.model.longest
    if longest is not None and found.request.length > longest:
        yield f"The model's file has sequences of {longest:,} tokens at most, not {found.request.length:,}."
    doubts: dict[str, list[str]] = {}
    for choice in found.best[:top]:
        for doubt in choice.doubts:
            doubts.setdefault(doubt, []).append(choice.instance_type.name)
    for doubt, names in doubts.items():
        yield f"In doubt for {listed(names)}: {doubt}."
    yield from _release_notes(found, top, catalog)
    yield _price_note(found)
    if found.request.task.is_training and found.choices and found.request.fixed.nodes is None:
        yield "The count is the smallest that fits, without a promise of speed: --nodes N compares another one."
    yield NOT_MEASURED


def _release_notes(found: Recommendation, top: int, catalog: Catalog) -> Iterator[str]:
    """Yields notes on chips on which the newest releases serve nothing."""
    shown: dict[str, LastRelease] = {}
    for choice in found.best[:top]:
        last = _last_release(found, choice, catalog)
        if last is not None:
            shown.setdefault(choice.fit.machine.chip.title, last)
    for chip, last in shown.items():
        yield f"Neuron SDK {last.sdk} is the last release with vLLM for {chip} ({last.title}): set neuron.sdk to it."


def _last_release(found: Recommendation, choice: Choice, catalog: Catalog) -> LastRelease | None:
    return last_release_of_servers(choice.fit.machine.chip.name, catalog) if found.request.task.caches else None


def _why_none_fits(misses: Sequence[Miss]) -> str:
    if not misses:
        return NO_DIVISION
    computed = [miss for miss in misses if miss.fit.terms]
    return NONE_ALLOWED if not computed or any(miss.fit.fits for miss in computed) else NONE_FITS


def next_step(found: Recommendation, catalog: Catalog) -> list[str]:
    """Lines of an environment file that the first row becomes; none where nothing fits."""
    if not found.choices:
        return []
    choice, option = found.best[0], found.request.purchase_option
    name, count = choice.instance_type.name, choice.count
    comment = "  # with the keys of its reservation" if option == "capacity_block" else ""
    capacity = [f"      capacity: {{kind: {option}}}{comment}"] if option != "on_demand" else []
    last = _last_release(found, choice, catalog)
    release = ["  neuron:", f"    sdk: {last.sdk}", f"    frameworks: [{last.framework}]"] if last is not None else []
    return [
        f"Next, in an environment file, for {choice.fit.layout}:",
        "",
        *release,
        "  eks:",
        "    node_groups:",
        f"    - name: {found.request.task.value}",
        f"      instance_type: {name}",
        f"      count: {{min: 0, desired: {count}, max: {count}}}",
        *capacity,
        "",
        "`neuron-cluster explain eks.node_groups` shows the other keys, and",
        "`neuron-cluster plan NAME` the price of the whole environment.",
    ]


def recommendation_as_data(found: Recommendation, top: int, catalog: Catalog) -> dict[str, Any]:
    """Sizes in bytes, prices in USD an hour. ``fits`` has every division that fits, ``recommended`` the best of each
    type."""
    model = found.model
    return {
        "model": {
            "name": model.name,
            "family": model.family or None,
            "parameters": model.parameters,
            "active_parameters": model.active_parameters,
            "layers": model.layers,
            "attention_heads": model.heads,
            "key_value_heads": model.key_value_heads,
            "stored_format": model.stored_format,
        },
        "task": found.request.task.value,
        "sequence_length": found.request.length,
        "batch": found.request.batch,
        "recommended": [
            {**_choice_as_data(choice), "memory": _memory_as_data(choice.fit), "doubts": list(choice.doubts)}
            for choice in found.best[:top]
        ],
        "fits": [_choice_as_data(choice) for choice in found.choices],
        "near_misses": [
            {
                **_division_as_data(miss.instance_type.name, miss.fit),
                "memory": _memory_as_data(miss.fit),
                "reasons": list(miss.reasons),
            }
            for miss in found.misses
        ],
        "notes": list(recommendation_notes(found, top, catalog)),
        "next": next_step(found, catalog),
    }


def _choice_as_data(choice: Choice) -> dict[str, Any]:
    return {
        **_division_as_data(choice.instance_type.name, choice.fit),
        "usd_hour": round(choice.usd_hour, 6) if choice.usd_hour is not None else None,
        "region": choice.price.region if choice.price is not None else None,
        "is_in_doubt": bool(choice.doubts),
    }


def _division_as_data(name: str, fit: Fit) -> dict[str, Any]:
    return {
        "instance_type": name,
        "count": fit.layout.nodes,
        "logical_nc_config": fit.machine.logical_nc_config,
        **dict(zip(NAMES, fit.layout.sizes, strict=True)),
        "attention_data_parallel": fit.layout.attention_data,
        "dtype": fit.weight_format,
        "recompute": fit.recompute,
        "percent": round(fit.percent, 1),
    }


def _memory_as_data(fit: Fit) -> dict[str, Any]:
    return {
        "core_bytes": fit.machine.core_bytes,
        "most_percent": fit.most_percent,
        "terms": [{"name": term.name, "bytes": round(term.size), "formula": term.formula()} for term in fit.terms],
    }


def _choices_table(found: Recommendation, best: Sequence[Choice]) -> Table:
    model, request = found.model, found.request
    batch = f"batch {request.batch}, " if request.batch else ""
    title = f"{request.task.value} {model.name}: {parameters_text(model.parameters)}, {batch}{request.length:,} tokens"
    rows = tuple(_choice_row(found, choice) for choice in best)
    left = len(found.best) - len(best)
    rest = f" {counted(left, 'more type')} below: --top {len(found.best)}." if left else ""
    most = best[0].fit.most_percent
    note = f"?: in doubt, see below. %: of the device memory of a core; at most {most} % are planned.{rest}"
    return Table(title, ("instances", "division", "%", "USD/h", "also"), rows, note)


def _choice_row(found: Recommendation, choice: Choice) -> tuple[str, ...]:
    usd = f"{choice.usd_hour:,.2f}" if choice.usd_hour is not None else NOT_KNOWN
    sizes = {each.fit.layout.tensor for each in found.others(choice)} - {choice.fit.layout.tensor}
    others = [f"TP{size}" for size in sorted(sizes)]
    also = ", ".join(others[:SHOWN_OTHERS]) + (", …" if len(others) > SHOWN_OTHERS else "")
    doubt = " ?" if choice.doubts else ""
    return (
        _instances(choice.count, choice.instance_type.name),
        f"{_division(choice.fit)}{doubt}",
        _percent(choice.fit),
        usd,
        also,
    )


def _memory_table(choice: Choice) -> Table:
    fit = choice.fit
    core, used = fit.machine.core_bytes, sum(term.size for term in fit.terms)
    rows = [(term.name, _gib(term.size), f"{100 * term.size / core:.1f}", term.formula()) for term in fit.terms]
    rows.append(("all", _gib(used), f"{fit.percent:.1f}", f"of {_gib(core)} GiB; {fit.most_percent} % at most"))
    title = f"Memory of a core: {_instances(choice.count, choice.instance_type.name)}, {_division(fit)}"
    return Table(title, ("term", "GiB", "%", "formula"), tuple(rows))


def _shown_misses(found: Recommendation, top: int) -> Sequence[Miss]:
    """Returns the misses of types that a Region offers, with equal ones once."""
    shown: dict[tuple[Any, ...], Miss] = {}
    for miss in found.misses:
        is_near = miss.instance_type.launchable and miss.fit.percent <= FAR
        if is_near or not shown:
            shown.setdefault((miss.fit.machine.chip.name, miss.fit.layout, miss.reasons), miss)
    return list(shown.values())[:top]


def _miss_row(miss: Miss) -> tuple[str, ...]:
    percent = _percent(miss.fit) if miss.fit.terms else "-"
    count, name = miss.fit.layout.nodes, miss.instance_type.name
    return _instances(count, name), _division(miss.fit), percent, "; ".join(miss.reasons)


def _price_note(found: Recommendation) -> str:
    request = found.request
    option = request.purchase_option.replace("_", " ")
    where = f"in {request.region}" if request.region else "in the cheapest Region that the catalog knows"
    unknown = [
        choice.instance_type.name for choice in found.best if choice.price is None and choice.instance_type.launchable
    ]
    has_others = any(choice.price is not None for choice in found.best)
    order = ": those are listed after the others" if has_others else ""
    rest = f" Not known for {listed(unknown)}{order}." if unknown else ""
    return f"USD/h: {option}, {where}, instances alone.{rest}"


def _division(fit: Fit) -> str:
    cores = "" if fit.machine.is_default_config else f", LNC{fit.machine.logical_nc_config}"
    return f"{fit.layout}{cores}"


def _instances(count: int, name: str) -> str:
    return f"{count} x {name}"


def _percent(fit: Fit) -> str:
    return f"{fit.percent:.1f}"


def _gib(size: float) -> str:
    return f"{size / GIB:,.2f}"
