"""Which instance types, counts and divisions fit a model, the cheapest first, and what nearly fits."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator

from msgspec import Struct, structs

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.instance_type import InstanceType
from neuron_cluster.findings.text import listed
from neuron_cluster.sizing.fit import GIB, Fit, cache_shortfall, fits_on, host_shortfall
from neuron_cluster.sizing.host_memory import Shortfall, host_of_type
from neuron_cluster.sizing.layout import Machine
from neuron_cluster.sizing.machines import Price, compared_types, machines_of, price_of
from neuron_cluster.sizing.model_sizes import ModelSizes
from neuron_cluster.sizing.request import SizingRequest

UNKNOWN_LAST = float("inf")
MANY_NODES = 1024


class Choice(Struct, frozen=True, kw_only=True):
    """Instances of one type with a division that fits them."""

    instance_type: InstanceType
    fit: Fit
    price: Price | None
    doubts: tuple[str, ...]
    has_memory: bool
    """Whether a pod can have the host memory to load the weights, as far as it is known."""

    @property
    def count(self) -> int:
        return self.fit.layout.nodes

    @property
    def usd_hour(self) -> float | None:
        return self.price.usd * self.count if self.price is not None else None

    @property
    def key(self) -> tuple[str, int, int]:
        """Choices with one key differ only in the division."""
        return self.instance_type.name, self.count, self.fit.machine.logical_nc_config


class Miss(Struct, frozen=True, kw_only=True):
    """The nearest division of a type that does not fit, and why."""

    instance_type: InstanceType
    fit: Fit
    reasons: tuple[str, ...]


class Recommendation(Struct, frozen=True, kw_only=True):
    """``choices`` are all that fit, in order of rank; ``misses`` at most one for each type and core configuration."""

    model: ModelSizes
    request: SizingRequest
    choices: tuple[Choice, ...]
    misses: tuple[Miss, ...]

    @property
    def best(self) -> tuple[Choice, ...]:
        """The cheapest count and best division of each type; of types that no Region offers one of each chip."""
        found: dict[object, Choice] = {}
        for choice in self.choices:
            is_offered = choice.instance_type.launchable
            found.setdefault(choice.instance_type.name if is_offered else choice.fit.machine.chip.name, choice)
        return tuple(found.values())

    def others(self, choice: Choice) -> tuple[Choice, ...]:
        """Further divisions on the same instances."""
        row, key = choice.instance_type, choice.key
        of_type = [each for each in self.choices if each.instance_type is row and each is not choice]
        return tuple(each for each in of_type if each.key == key)


def recommend(model: ModelSizes, request: SizingRequest, catalog: Catalog) -> Recommendation:
    """Ranked by known cost; an unknown price comes after those, a host with too little memory for a pod after both, a
    type that no Region offers last.

    A training that fits no count of ``most_nodes`` is tried on more.
    """
    found = _compare(model, request, catalog)
    if found.choices or not request.task.is_training or request.fixed.nodes is not None:
        return found
    more = _compare(model, structs.replace(request, most_nodes=MANY_NODES), catalog)
    return more if more.choices else found


def _compare(model: ModelSizes, request: SizingRequest, catalog: Catalog) -> Recommendation:
    @functools.cache
    def fits(machine: Machine) -> tuple[Fit, ...]:
        return tuple(fits_on(model, request, machine, catalog))

    choices: list[Choice] = []
    misses: list[Miss] = []
    for row in compared_types(request, catalog):
        price = price_of(row, request, catalog)
        fitting, failed = _on_type(model, request, row, price, catalog, fits)
        choices += fitting
        misses += _nearest(failed, min((choice.count for choice in fitting), default=None))
    misses.sort(key=lambda miss: (not miss.instance_type.launchable, miss.fit.fits, _far(miss)))
    return Recommendation(model=model, request=request, choices=tuple(sorted(choices, key=_rank)), misses=tuple(misses))


def _on_type(
    model: ModelSizes,
    request: SizingRequest,
    row: InstanceType,
    price: Price | None,
    catalog: Catalog,
    fits: Callable[[Machine], tuple[Fit, ...]],
) -> tuple[list[Choice], list[Miss]]:
    """Returns the choices that fit instances of one type, and the misses."""
    choices, misses = [], []
    of_type, host = tuple(_limits_of_type(request, row, price)), host_of_type(row, catalog)

    @functools.cache
    def of_host(weight_format: str) -> tuple[Shortfall, str] | None:
        return host_shortfall(model, request, host, weight_format, catalog)

    for machine in machines_of(row, request, catalog):
        for fit in fits(machine):
            shortfall, reason = of_host(fit.weight_format) or (None, "")
            is_doubt = shortfall is not None and not shortfall.is_of_type
            reasons = (*of_type, *_reasons(request, fit, price, None if is_doubt else reason))
            if reasons:
                misses.append(Miss(instance_type=row, fit=fit, reasons=reasons))
            else:
                doubts = (*fit.doubts, *_doubts_of_type(request, row, fit, catalog), *([reason] if reason else []))
                has_memory = shortfall is not Shortfall.FREE
                choices.append(Choice(instance_type=row, fit=fit, price=price, doubts=doubts, has_memory=has_memory))
    return choices, misses


def _limits_of_type(request: SizingRequest, row: InstanceType, price: Price | None) -> Iterator[str]:
    modes = row.purchase_modes
    if modes is not None and request.purchase_option not in modes:
        yield f"it is not sold as {request.purchase_option} (sold: {listed(modes)})"
    if request.max_usd_hour is not None and price is None:
        yield "its price is not known, so --max-hourly cannot be checked"
    if request.region is not None and not row.launchable:
        yield f"no Region offers it, {request.region} neither"
    if request.region is not None and row.launchable and row.zone_ids and not row.offered_zone_ids(request.region):
        yield f"{request.region} did not offer it on {row.zone_ids_as_of}"


def _reasons(request: SizingRequest, fit: Fit, price: Price | None, of_host: str | None) -> tuple[str, ...]:
    """Why these instances cannot be used; none where they can."""
    reasons = list(fit.reasons)
    if not fit.fits:
        term = fit.largest
        reasons.append(
            f"more than {fit.most_percent} % of a core; the largest term is {term.name}, {term.size / GIB:,.2f} of "
            f"{fit.machine.core_bytes / GIB:,.2f} GiB"
        )
    reasons += [of_host] if of_host and fit.terms else []
    most = request.max_usd_hour
    if most is not None and price is not None and price.usd * fit.layout.nodes > most:
        reasons.append(f"{price.usd * fit.layout.nodes:,.2f} USD an hour is above --max-hourly {most:g}")
    return tuple(reasons)


def _doubts_of_type(request: SizingRequest, row: InstanceType, fit: Fit, catalog: Catalog) -> tuple[str, ...]:
    found: list[str | None] = []
    if not row.launchable:
        found.append("no Region offers the type")
    if row.memory_gib is None and not request.task.is_training:
        found.append("its host memory is not known")
    if request.task.caches:
        found.append(cache_shortfall(fit, catalog))
    return tuple(each for each in found if each)


def _rank(choice: Choice) -> tuple[object, ...]:
    """Memory of the host, cost, then fewest devices; of the same instances the least doubtful division, then the least
    divided."""
    fit, usd = choice.fit, choice.usd_hour
    layout, row = fit.layout, choice.instance_type
    return (
        not row.launchable,
        not choice.has_memory,
        UNKNOWN_LAST if usd is None else usd,
        choice.count * (row.neuron_devices or 0),
        row.name,
        not fit.machine.is_default_config,
        len(choice.doubts),
        fit.recompute == "full",
        layout.context,
        layout.pipeline,
        layout.expert,
        layout.tensor,
    )


def _nearest(failed: list[Miss], fitting_count: int | None) -> list[Miss]:
    """The one with the fewest reasons, and of these the one that needs the least memory: on fewer instances than fit,
    or on as few where one fits."""
    near = failed
    if fitting_count is not None:
        near = [miss for miss in failed if miss.fit.layout.nodes < max(2, fitting_count) and miss.fit.terms]
    return [min(near, key=_far)] if near else []


def _far(miss: Miss) -> tuple[bool, int, float, int]:
    fit = miss.fit
    return not fit.terms, len(miss.reasons), 0 if fit.fits else fit.percent, fit.layout.nodes
