"""The offerings of capacity blocks in one Region after another, with what an hour of each costs."""

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
    """One block of one Region that can be bought."""

    region: str
    unit: BlockUnit
    offering: CapacityBlockOffering

    @property
    def instances(self) -> int:
        return self.offering.count * self.unit.instances

    @property
    def hours(self) -> Decimal:
        """From start to end: less than was asked for when the block starts in the middle of a day."""
        seconds = (self.offering.end - self.offering.start).total_seconds()
        return Decimal(seconds) / SECONDS_AN_HOUR

    @property
    def per_instance_hour(self) -> Decimal:
        """What an hour of one instance costs, in the offering's currency."""
        return self.offering.upfront_fee / (self.instances * self.hours)

    @property
    def per_chip_hour(self) -> Decimal | None:
        """What an hour of one Neuron device costs; None when the catalog does not know how many there are."""
        chips = self.unit.chips
        return self.offering.upfront_fee / (self.offering.count * chips * self.hours) if chips else None

    def sort_key(self) -> tuple[Decimal, datetime, str, str, str]:
        """Its sort key: the cheapest hour first, then the earliest start. All have the same unit."""
        zone_id = self.offering.zone_id or ""
        return self.per_instance_hour, self.offering.start, self.region, zone_id, self.offering.id


def sorted_offers(offers: list[BlockOffer]) -> tuple[BlockOffer, ...]:
    """By price of a device-hour, which among offers of one unit is the order of instance-hours too."""
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
    """Queries each target. Raises ``ToolkitError`` when every query fails, and at once without credentials."""
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
    """The names again. Raises ``ToolkitError`` for one that the catalog does not know, and when there is none."""
    if not names:
        raise ToolkitError(
            "the catalog has no Region for this type", hint="name the Regions to query: --region NAME,..."
        )
    for name in names:
        if catalog.region(name) is None:
            near = did_you_mean(catalog.near_regions(name))
            raise ToolkitError(
                f"{name!r} is not a Region of the catalog",
                hint=f"{near}`neuron-cluster catalog regions` lists them",
            )
    return tuple(names)
