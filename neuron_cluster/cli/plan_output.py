"""Prints offers of training plans by target, what was not read, and how a plan is bought."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from neuron_cluster.capacity.plan_offers import PlanOfferings
    from neuron_cluster.capacity.plan_query import PlanQuery
    from neuron_cluster.capacity.purchase_command import PurchaseCommand
    from neuron_cluster.catalog.training_plan_type import PlanTarget


def show_plans(query: PlanQuery, regions: Sequence[str], found: PlanOfferings, purchase: PurchaseCommand) -> None:
    """A table for each target, with the command for its first offer."""
    from neuron_cluster.cli.terminal import print_paragraph
    from neuron_cluster.report.plan_offers_page import after_plan_purchase, unread_lines

    print()
    if query.impossible is not None:
        print_paragraph(query.impossible, sys.stdout)
        return
    for target in query.row.targets:
        _show_target(target, query, regions, found, purchase)
    for line in unread_lines(found.unread):
        print_paragraph(line, sys.stdout)
    if found.offers:
        print_paragraph(after_plan_purchase(query.row, purchase), sys.stdout)


def _show_target(
    target: PlanTarget, query: PlanQuery, regions: Sequence[str], found: PlanOfferings, purchase: PurchaseCommand
) -> None:
    from neuron_cluster.capacity.plan_purchase import plan_command
    from neuron_cluster.cli.terminal import print_paragraph, print_tables
    from neuron_cluster.report.plan_offers_page import before_plan_purchase, no_plans, plans_table

    offers = found.of(target)
    unread = {each.region for each in found.unread if each.target == target.name}
    read = [region for region in regions if region not in unread]
    if offers:
        print_tables([plans_table(target, offers, query)])
        if purchase.is_open:
            print_paragraph(before_plan_purchase(offers[0], purchase), sys.stdout)
            print(textwrap.indent(plan_command(offers[0], purchase), "  "))
    elif read:
        print_paragraph(no_plans(target, query, read), sys.stdout)
