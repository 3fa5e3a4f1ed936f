"""Lines of a bill before it is written: what, how many, at which price, for which team."""

from __future__ import annotations

import enum
import math
from collections.abc import Sequence
from datetime import date

from msgspec import Struct

from neuron_cluster.catalog.price_list_query import PriceListQuery
from neuron_cluster.catalog.service_price import HOURS_PER_MONTH

DIGITS = 4
"""Decimal places of a sum in USD: the unit prices of instances have as many."""


class Scenario(enum.Enum):
    """How many instances run."""

    IDLE = "idle"
    """Every group at its minimum; workstations that stop by themselves are stopped."""
    DESIRED = "desired"
    """Every group at the count of the first deployment, every workstation running."""
    MAXIMUM = "maximum"


class Period(enum.Enum):
    """The time for which a unit price is."""

    HOUR = "hour"
    MONTH = "month"


class Section(enum.Enum):
    """The table of a line."""

    INSTANCES = "instances"
    VOLUMES = "volumes"
    CONTROL_PLANE = "control plane and network"
    STORAGE = "storage"
    OTHER = "keys, alarms, dashboards"


class UnitPrice(Struct, frozen=True, kw_only=True):
    """USD for one unit, with source and date."""

    usd: float
    source: str
    as_of: date | None
    """None of a price that the environment file gives."""
    doubt: str | None = None
    is_spot: bool = False
    """A price that changes with supply and demand."""


class Quantities(Struct, frozen=True):
    """Units by scenario; None where nothing bounds them, and of storage where no source states them."""

    idle: float | None
    desired: float | None
    maximum: float | None

    def of(self, scenario: Scenario) -> float | None:
        found: float | None = getattr(self, scenario.value)
        return found

    def times(self, number: float) -> Quantities:
        """So many units for each."""
        return Quantities(*(None if each is None else each * number for each in self.all))

    @property
    def all(self) -> tuple[float | None, ...]:
        return (self.idle, self.desired, self.maximum)


def always(number: float) -> Quantities:
    """The same number, however many instances run."""
    return Quantities(number, number, number)


UNKNOWN = Quantities(None, None, None)


class Sum(Struct, frozen=True):
    """USD. ``exact`` is None where a part is unknown; ``at_least`` is the sum of the others, None without any."""

    exact: float | None
    at_least: float | None


def sum_of(parts: Sequence[float | None]) -> Sum:
    """Returns the sum; of no parts it is 0. A sum beyond the range of numbers is unknown."""
    known = [part for part in parts if part is not None]
    total = round(sum(known), DIGITS) if known or not parts else None
    if total is not None and not math.isfinite(total):
        return Sum(None, None)
    return Sum(total if len(known) == len(parts) else None, total)


class TeamPart(Struct, frozen=True):
    """The part of a group that the quota of a team guarantees: its Neuron devices of those that run, 0 to 1."""

    team: str
    of: Quantities
    """Quantities by scenario; 0 where no instance runs."""


class CostLine(Struct, frozen=True, kw_only=True):
    """One line. A price that no source states makes its amounts None, never 0; no units cost 0 at any price."""

    section: Section
    name: str
    """Name of the group, the workstation or the row of the catalog."""
    what: str
    unit: str
    """The counted unit: instances, GiB, gateways."""
    quantities: Quantities
    period: Period
    """The time for which the price of a unit is."""
    price: UnitPrice | None
    why_unknown: str | None = None
    """Why there is no price; None where there is one."""
    team: str | None = None
    """Whose it is wholly."""
    parts: tuple[TeamPart, ...] = ()
    """Parts of a group that teams share, which their quotas guarantee."""
    is_neuron: bool = False
    """Whether it is there for instances with Neuron devices alone."""
    stepped_usd: float | None = None
    """USD a month, where the price falls with the quantity; ``price`` is that of the first units."""
    price_key: str = ""
    """The key with which ``prices`` of the file sets another price; empty where it cannot."""
    price_list: PriceListQuery | None = None
    """Where AWS's price list has the price; of instances the type is enough."""

    def monthly(self, scenario: Scenario) -> float | None:
        """USD for 730 hours."""
        quantity = self.quantities.of(scenario)
        if quantity == 0:
            return 0.0
        if self.stepped_usd is not None:
            return self.stepped_usd
        if quantity is None or self.price is None:
            return None
        hours = HOURS_PER_MONTH if self.period is Period.HOUR else 1
        return round(quantity * self.price.usd * hours, DIGITS)

    def hourly(self, scenario: Scenario) -> float | None:
        """USD for one hour; of what is billed by the month, its 730th part."""
        quantity = self.quantities.of(scenario)
        if self.price is not None and self.period is Period.HOUR and quantity is not None:
            return round(quantity * self.price.usd, DIGITS)
        monthly = self.monthly(scenario)
        return None if monthly is None else round(monthly / HOURS_PER_MONTH, DIGITS)


class BlockCost(Struct, frozen=True, kw_only=True):
    """The instances of a capacity block, which is paid for once, when it is bought: a sum with dates, no rate."""

    group: str
    instance_type: str
    instances: int | None
    starts: str | None
    ends: str | None
    hours: float | None
    """None where the file has no dates."""
    price: UnitPrice | None
    """The price of an hour of one instance at which a block was offered."""
    usd: float | None
    why_unknown: str | None
    team: str | None = None
    """Whose it is wholly."""
    parts: tuple[TeamPart, ...] = ()
    """As those of ``CostLine``."""


class PriceDifference(Struct, frozen=True, kw_only=True):
    """The price of a unit of a line in the catalog, and the price that AWS returned."""

    name: str | None
    """Name of the group or workstation; None for a price that is the same in every line."""
    what: str
    catalog_usd: float | None
    live_usd: float | None
    why_unknown: str | None = None
    """Why there is no price of AWS; None where there is one."""

    @property
    def share(self) -> float | None:
        """The difference to AWS's price as a share of the catalog's; None where one of them is not known."""
        if self.catalog_usd is None or self.live_usd is None:
            return None
        return self.live_usd / self.catalog_usd - 1


class Rate(Struct, frozen=True):
    """A price by the GB, which is in no sum, because the file does not state how many."""

    name: str
    what: str
    unit: str
    price: UnitPrice | None
    why_unknown: str | None = None
