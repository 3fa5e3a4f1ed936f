"""Machines for a model, by the sizing behind ``recommend``, or for a number of Neuron devices."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, structs

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.errors import ToolkitError
from neuron_cluster.findings.text import counted, listed
from neuron_cluster.sizing.machines import compared_types
from neuron_cluster.sizing.model_sizes import ModelSizes
from neuron_cluster.sizing.recommend import Choice, Miss, recommend
from neuron_cluster.sizing.request import Fixed, SizingRequest, Task
from neuron_cluster.starter.machines import Machines
from neuron_cluster.starter.purchase_options import ON_DEMAND, PURCHASE_OPTIONS, RESERVED

TOKENS = 8192
"""Tokens of a sequence, as the default of ``recommend``."""
RECOMMENDED_OPTIONS = tuple(each for each in PURCHASE_OPTIONS if each != RESERVED[0])
"""A Capacity Reservation is billed as On-Demand."""


class SizedModel(Struct, frozen=True, kw_only=True):
    """A model with what it is sized for. ``max_usd_hour``: of all instances together."""

    model: ModelSizes
    task: Task
    region: str
    purchase_option: str = ON_DEMAND
    devices: int | None = None
    max_usd_hour: float | None = None

    @property
    def request(self) -> SizingRequest:
        option = self.purchase_option if self.purchase_option in RECOMMENDED_OPTIONS else ON_DEMAND
        return SizingRequest(
            task=self.task,
            length=min(TOKENS, self.model.longest or TOKENS),
            batch=None if self.task is Task.TRAIN else 1,
            region=self.region,
            purchase_option=option,
            max_usd_hour=self.max_usd_hour,
        )


class Sized(Struct, frozen=True, kw_only=True):
    """Machines, and how the model is divided over those of one copy."""

    machines: Machines
    division: str


def sizes(wanted: SizedModel, catalog: Catalog) -> Iterator[Sized]:
    """One for each type that fits, the cheapest first. Raises ``ToolkitError`` when none does."""
    found: list[tuple[Choice, int]] = []
    misses: list[Miss] = []
    for request, count in _requests(wanted, catalog):
        result = recommend(wanted.model, request, catalog)
        found += [(choice, count or choice.count) for choice in result.best if choice.instance_type.can_be_planned]
        misses += result.misses
    if wanted.max_usd_hour is not None:
        found = [each for each in found if (_usd_hour(*each) or 0) <= wanted.max_usd_hour]
    if not found:
        raise _none_fits(wanted, misses, catalog)
    for choice, count in sorted(found, key=lambda each: _rank(*each)):
        name = choice.instance_type.name
        machines = Machines(instance_type=name, count=count, purchase_option=wanted.purchase_option)
        yield Sized(machines=machines, division=str(choice.fit.layout))


def count_for_devices(instance_type: str, devices: int, catalog: Catalog) -> int:
    """Instances that have this many Neuron devices. Raises ``ToolkitError`` when no number of them does."""
    row = catalog.instance_types.get(instance_type)
    of_one = (row.neuron_devices if row is not None else None) or 1
    if devices % of_one:
        fewer = devices // of_one * of_one
        near = f"{fewer} or {fewer + of_one}" if fewer else str(of_one)
        message = f"--devices {devices} is not a multiple of {of_one}, the Neuron devices of {instance_type}"
        raise ToolkitError(message, hint=f"write --devices {near}")
    return devices // of_one


def _requests(wanted: SizedModel, catalog: Catalog) -> Iterator[tuple[SizingRequest, int | None]]:
    """Yields the compared requests, with the number of instances where the devices decide it.

    A copy that serves is on one instance; more instances hold more copies. A training is divided over all.
    """
    if wanted.devices is None:
        yield wanted.request, None
        return
    for row in compared_types(wanted.request, catalog):
        count, rest = divmod(wanted.devices, row.neuron_devices or wanted.devices + 1)
        if count and not rest:
            fixed = Fixed(nodes=count if wanted.task.is_training else None)
            yield structs.replace(wanted.request, instance_types=(row.name,), fixed=fixed), count


def _usd_hour(choice: Choice, count: int) -> float | None:
    return choice.price.usd * count if choice.price is not None else None


def _rank(choice: Choice, count: int) -> tuple[bool, float, int, str]:
    """An unknown price comes last."""
    usd = _usd_hour(choice, count)
    return usd is None, usd or 0.0, count * (choice.instance_type.neuron_devices or 0), choice.instance_type.name


def _none_fits(wanted: SizedModel, misses: list[Miss], catalog: Catalog) -> ToolkitError:
    limits = [counted(wanted.devices, "Neuron device")] if wanted.devices is not None else []
    limits += [f"{wanted.max_usd_hour:g} USD an hour"] if wanted.max_usd_hour is not None else []
    within = f" with {' and '.join(limits)}" if limits else ""
    message = f"no instances ({wanted.purchase_option}) in {wanted.region} fit {wanted.task.value} {wanted.model.name}"
    hint = "change --devices, --max-hourly, --purchase-option or --region; `neuron-cluster recommend` lists what fits"
    return ToolkitError(f"{message}{within}\n{_nearest(wanted, misses, catalog)}", hint=hint)


def _nearest(wanted: SizedModel, misses: list[Miss], catalog: Catalog) -> str:
    """The cheapest that fits without the limits, else what nearly fits."""
    unlimited = structs.replace(wanted, devices=None, max_usd_hour=None).request
    choices = [each for each in recommend(wanted.model, unlimited, catalog).best if each.instance_type.can_be_planned]
    if choices:
        near = choices[0]
        devices = counted(near.count * (near.instance_type.neuron_devices or 0), "Neuron device")
        usd = f", {near.usd_hour:,.2f} USD an hour" if near.usd_hour is not None else ""
        return f"the nearest that fits: {near.count} x {near.instance_type.name}, {devices}{usd}"
    if not misses:
        return "no instance type has such a number of Neuron devices"
    miss = min(misses, key=_far)
    row = miss.instance_type
    regions = [] if row.offered_zone_ids(wanted.region) else [name for name, zones in row.zone_ids.items() if zones]
    also = f"; {listed(sorted(regions))} did" if regions else ""
    return f"the nearest, {miss.fit.layout.nodes} x {row.name}: {'; '.join(miss.reasons)}{also}"


def _far(miss: Miss) -> tuple[bool, bool, int, float]:
    """Least for what lacks least. Without terms the type is not for such a task."""
    return not miss.instance_type.launchable, not miss.fit.terms, len(miss.reasons), miss.fit.percent
