"""Prints offers of capacity blocks, and how one is bought."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from neuron_cluster.capacity.group_query import GroupCapacityQuery
    from neuron_cluster.capacity.offerings import BlockOffer, FailedRegion, Offerings
    from neuron_cluster.capacity.purchase_command import PurchaseCommand
    from neuron_cluster.capacity.query import CapacityBlockQuery


def show_search(query: CapacityBlockQuery, regions: Sequence[str], found: Offerings, purchase: PurchaseCommand) -> None:
    """The offers, the Regions whose query failed, and how the first offer is bought."""
    from neuron_cluster.report.capacity_page import none_found

    failed = {each.region for each in found.failed}
    if found.offers:
        _print_offers(found.offers, f"Capacity blocks: {query.summary}")
    else:
        _print_lines(*none_found(query, [region for region in regions if region not in failed]))
    _print_failed(found.failed)
    if found.offers:
        _print_purchase(found.offers[0], purchase)


def show_group(query: GroupCapacityQuery, regions: Sequence[str], found: Offerings, purchase: PurchaseCommand) -> None:
    """The offers in the group's zones, how the first is bought, and what there is in other zones."""
    from neuron_cluster.report.capacity_page import elsewhere as elsewhere_line
    from neuron_cluster.report.capacity_page import none_found

    fitting = [offer for offer in found.offers if query.fits(offer)]
    other_zones = [offer for offer in found.offers if not query.fits(offer)]
    if query.note is not None:
        _print_lines(f"{query.group}: {query.note}.")
    if fitting:
        _print_offers(fitting, f"{query.group}: {query.block.summary} in {', '.join(query.zone_ids)}")
        _print_purchase(fitting[0], purchase, query.tags)
    elif other_zones:
        _print_lines(f"{query.group}: no offering of {query.block.summary} in {', '.join(query.zone_ids)}.")
    else:
        first, *others = none_found(query.block, regions)
        _print_lines(f"{query.group}: {first}", *others)
    if other_zones:
        _print_lines(f"{query.group}: {elsewhere_line(other_zones)}")
    print()


def _print_offers(offers: Sequence[BlockOffer], title: str) -> None:
    from neuron_cluster.cli.terminal import print_tables, width
    from neuron_cluster.report.capacity_page import offers_table

    print_tables([offers_table(offers, title, width())])


def _print_failed(failed: Sequence[FailedRegion]) -> None:
    for each in failed:
        _print_lines(f"{each.region} query failed: {each.message}{f' (hint: {each.hint})' if each.hint else ''}")


def _print_purchase(offer: BlockOffer, purchase: PurchaseCommand, tags: Mapping[str, str] | None = None) -> None:
    """The command, and the lines that then go into the environment."""
    from neuron_cluster.capacity.purchase_command import environment_lines
    from neuron_cluster.report.capacity_page import after_purchase, before_purchase

    _print_lines(before_purchase(offer, purchase))
    if purchase.is_open:
        print(textwrap.indent(purchase.command(offer, tags), "  "))
    _print_lines(after_purchase(offer))
    print(textwrap.indent(environment_lines(offer), "  "))


def _print_lines(*lines: str) -> None:
    from neuron_cluster.cli.terminal import print_paragraph

    for line in lines:
        print_paragraph(line, sys.stdout)
