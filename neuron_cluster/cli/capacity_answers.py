"""Showing which capacity blocks are offered, and how one is bought."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from neuron_cluster.capacity.block_offer import BlockOffer
    from neuron_cluster.capacity.block_wish import CapacityBlockQuery
    from neuron_cluster.capacity.group_wish import GroupCapacityQuery
    from neuron_cluster.capacity.purchase_command import PurchaseCommand
    from neuron_cluster.capacity.query import Answers, FailedRegion


def show_search(wish: CapacityBlockQuery, regions: Sequence[str], answers: Answers, till: PurchaseCommand) -> None:
    """The offers, the Regions that gave none, and how the first offer is bought."""
    from neuron_cluster.capacity.offers_words import none_found

    silent = {each.region for each in answers.silent}
    if answers.offers:
        _print_offers(answers.offers, f"Capacity blocks: {wish.in_words}")
    else:
        _print_lines(*none_found(wish, [region for region in regions if region not in silent]))
    _print_silent(answers.silent)
    if answers.offers:
        _print_purchase(answers.offers[0], till)


def show_group(wish: GroupCapacityQuery, regions: Sequence[str], answers: Answers, till: PurchaseCommand) -> None:
    """The offers in the group's zones, how the first is bought, and what there is in other zones."""
    from neuron_cluster.capacity.offers_words import elsewhere_words, none_found

    fitting = [offer for offer in answers.offers if wish.fits(offer)]
    elsewhere = [offer for offer in answers.offers if not wish.fits(offer)]
    if wish.note is not None:
        _print_lines(f"{wish.group}: {wish.note}.")
    if fitting:
        _print_offers(fitting, f"{wish.group}: {wish.wish.in_words} in {', '.join(wish.zone_ids)}")
        _print_purchase(fitting[0], till)
    elif elsewhere:
        _print_lines(f"{wish.group}: no offering of {wish.wish.in_words} in {', '.join(wish.zone_ids)}.")
    else:
        first, *others = none_found(wish.wish, regions)
        _print_lines(f"{wish.group}: {first}", *others)
    if elsewhere:
        _print_lines(f"{wish.group}: {elsewhere_words(elsewhere)}")
    print()


def _print_offers(offers: Sequence[BlockOffer], title: str) -> None:
    from neuron_cluster.capacity.offers_table import offers_table
    from neuron_cluster.cli.terminal import print_tables, width

    print_tables([offers_table(offers, title, width())])


def _print_silent(silent: Sequence[FailedRegion]) -> None:
    for each in silent:
        _print_lines(f"{each.region} did not tell: {each.message}{f' (hint: {each.hint})' if each.hint else ''}")


def _print_purchase(offer: BlockOffer, till: PurchaseCommand) -> None:
    """The command, and the lines that then go into the environment."""
    from neuron_cluster.capacity.offers_words import after_purchase, before_purchase
    from neuron_cluster.capacity.purchase_command import environment_lines

    _print_lines(before_purchase(offer, till))
    if till.is_open:
        print(textwrap.indent(till.command(offer), "  "))
    _print_lines(after_purchase(offer))
    print(textwrap.indent(environment_lines(offer), "  "))


def _print_lines(*lines: str) -> None:
    from neuron_cluster.cli.terminal import print_paragraph

    for line in lines:
        print_paragraph(line, sys.stdout)
