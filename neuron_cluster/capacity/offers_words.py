"""What is said around a table of offers: none found, none in this zone, how one is bought."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from neuron_cluster.capacity.block_offer import BlockOffer
from neuron_cluster.capacity.block_wish import CapacityBlockQuery
from neuron_cluster.capacity.purchase_command import ID_TO_FILL_IN, PurchaseCommand


def none_found(wish: CapacityBlockQuery, regions: Sequence[str]) -> Iterator[str]:
    """What to try when nobody offers anything."""
    yield f"No offering of {wish.in_words} in {', '.join(regions)}."
    unknown = [region for region in regions if region not in wish.unit.regions]
    if unknown:
        known = ", ".join(wish.unit.regions) or "none"
        yield f"The catalog knows {wish.unit.instance_type} in these Regions: {known}; not in {', '.join(unknown)}."
    yield "Other days (--from, --until), another --duration or fewer machines may be on offer; offers come and go."


def elsewhere_words(offers: Sequence[BlockOffer]) -> str:
    """Offers that lie in other zones than the node group."""
    zones = sorted({offer.offering.zone_id or "a zone that is not known" for offer in offers})
    return (
        f"there are {len(offers)} in {', '.join(zones)}, where the group is not; `neuron-cluster capacity search` "
        f"shows them. To use one, change the group's availability_zone."
    )


def before_purchase(offer: BlockOffer, till: PurchaseCommand) -> str:
    """What stands above the command that buys."""
    if not till.is_open:
        return (
            "These offerings ended with the local AWS of this command; `neuron-cluster local`, in another terminal, "
            "keeps one that sells."
        )
    price = f"{offer.offering.upfront_fee:,.2f} {offer.offering.currency}"
    pays = (
        f"that takes {price} at once and cannot be undone"
        if till.endpoint is None
        else "the local AWS takes no money; its variables are those that `neuron-cluster local` printed"
    )
    return f"To buy the first, in {offer.offering.zone_id or offer.region} ({pays}; nothing was bought now):"


def after_purchase(offer: BlockOffer) -> str:
    """What stands above the lines of the environment."""
    start = f"{offer.offering.start:%Y-%m-%d %H:%M}"
    return (
        f"Then in the node group, with the id for {ID_TO_FILL_IN} (count.desired is 0 until the block starts, {start} "
        f"UTC):"
    )
