"""The capacity block offerings of one Region after another, with their prices for an hour."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime
from decimal import Decimal

from msgspec import Struct

from neuron_cluster.aws.capacity_blocks import CapacityBlockOffering, capacity_block_offerings
from neuron_cluster.aws.errors import NoCredentialsError
from neuron_cluster.aws.session import Target
from neuron_cluster.capacity.block_unit import BlockUnit
from neuron_cluster.capacity.query import CapacityBlockQuery
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.errors import ToolkitError
from neuron_cluster.findings.suggestions import did_you_mean
from neuron_cluster.findings.text import counted

SECONDS_AN_HOUR = 3600


class BlockOffer(Struct, frozen=True):
    """One capacity block offering of one Region."""

    region: str
    unit: BlockUnit
    offering: CapacityBlockOffering

    @property
    def instances(self) -> int:
        return self.offering.count * self.unit.instances

    @property
    def hours(self) -> Decimal:
        """From start to end: less than the query's duration when the block starts in the middle of a day."""
        seconds = (self.offering.end - self.offering.start).total_seconds()
        return Decimal(seconds) / SECONDS_AN_HOUR

    @property
    def per_instance_hour(self) -> Decimal:
        """The price of one instance for an hour, in the offering's currency."""
        return self.offering.upfront_fee / (self.instances * self.hours)

    @property
    def per_chip_hour(self) -> Decimal | None:
        """The price of one Neuron device for an hour; None when the catalog does not contain the number of devices."""
        chips = self.unit.chips
        return self.offering.upfront_fee / (self.offering.count * chips * self.hours) if chips else None

    def sort_key(self) -> tuple[Decimal, datetime, str, str, str]:
        """The sort key: the lowest price for an hour first, then the earliest start. All have the same unit."""
        zone_id = self.offering.zone_id or ""
        return self.per_instance_hour, self.offering.start, self.region, zone_id, self.offering.id


def sorted_offers(offers: list[BlockOffer]) -> tuple[BlockOffer, ...]:
    """Returns offers by the price of a device-hour; offers of one unit have the same order by instance-hour."""
    return tuple(sorted(offers, key=BlockOffer.sort_key))


class FailedRegion(Struct, frozen=True):
    """A Region whose query failed."""

    region: str
    message: str
    hint: str


class Offerings(Struct, frozen=True):
    """The offers of all Regions that returned a result, the cheapest device-hour first."""

    offers: tuple[BlockOffer, ...]
    failed: tuple[FailedRegion, ...]


def find_offerings(
    query: CapacityBlockQuery, targets: Iterable[Target], today: date, say: Callable[[str], None]
) -> Offerings:
    """Queries each target. Raises ``ToolkitError`` when every query fails, and immediately without credentials."""
    request, offers, failed, answered = query.request(today), list[BlockOffer](), list[FailedRegion](), 0
    for target in targets:
        try:
            found = capacity_block_offerings(target, request)
        except NoCredentialsError:
            raise  # the same in every Region
        except ToolkitError as error:
            failed.append(FailedRegion(target.region, error.message, error.hint))
            say(f"{target.region}: query failed")
            continue
        answered += 1
        offers += [BlockOffer(target.region, query.unit, offering) for offering in found]
        say(f"{target.region}: {counted(len(found), 'offering')}")
    if not answered:
        raise _all_failed(failed)
    return Offerings(sorted_offers(offers), tuple(failed))


def _all_failed(failed: list[FailedRegion]) -> ToolkitError:
    """One reason for all, such as expired credentials, is reported once."""
    reasons = list(dict.fromkeys((each.message, each.hint) for each in failed))
    if len(reasons) == 1:
        message, hint = reasons[0]
        return ToolkitError(message, hint=hint)
    lines = "".join(f"\n  {each.region}: {each.message}" for each in failed)
    hints = dict.fromkeys(each.hint for each in failed if each.hint)
    return ToolkitError(f"the query failed in every Region:{lines}", hint="; ".join(hints))


def require_regions(names: Sequence[str], catalog: Catalog) -> tuple[str, ...]:
    """The names. Raises ``ToolkitError`` for one that is not in the catalog, and for none."""
    if not names:
        raise ToolkitError(
            "the catalog has no Region for this type", hint="name the Regions to query: --region NAME,..."
        )
    for name in names:
        if catalog.regions.get(name) is None:
            near = did_you_mean(catalog.regions.similar(name))
            raise ToolkitError(
                f"{name!r} is not a Region of the catalog",
                hint=f"{near}`neuron-cluster catalog regions` lists them",
            )
    return tuple(names)
