"""The price of an hour, and the order of offers."""

from datetime import timedelta
from decimal import Decimal

from neuron_cluster.capacity.block_unit import ultraserver_unit
from neuron_cluster.capacity.offerings import sorted_offers
from neuron_cluster.catalog.catalog import load_catalog

from .offers import START, an_offer


def test_the_recorded_price_of_a_day_gives_the_known_price_of_a_chip_hour() -> None:
    """858.26 USD for 24 hours of a trn2.48xlarge are 2.235 for a chip-hour."""
    offer = an_offer(fee="858.26", hours=24)
    assert round(offer.per_instance_hour, 2) == Decimal("35.76")
    assert offer.per_chip_hour is not None
    assert round(offer.per_chip_hour, 3) == Decimal("2.235")


def test_hours_are_those_from_start_to_end() -> None:
    """A block that starts in the middle of a day is shorter than asked for, and its hours cost more."""
    short = an_offer(fee="240", hours=12)
    assert (short.hours, short.per_instance_hour) == (12, 20)


def test_an_ultraserver_counts_all_its_instances_and_chips() -> None:
    offer = an_offer(unit=ultraserver_unit("u-trn2x64", load_catalog()), count=2, fee="1280", hours=10)
    assert (offer.instances, offer.per_instance_hour, offer.per_chip_hour) == (8, 16, 1)


def test_the_cheapest_hour_stands_first_whatever_the_total_then_the_earliest() -> None:
    long_and_cheap = an_offer(fee="1000", hours=240)
    late = an_offer(fee="480", hours=24, start=START + timedelta(days=1))
    early = an_offer(fee="480", hours=24)
    dear = an_offer(fee="500", hours=24)
    assert sorted_offers([dear, late, early, long_and_cheap]) == (long_and_cheap, early, late, dear)
