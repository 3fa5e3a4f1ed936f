"""Machines that a deploy leaves running are paid for."""

from __future__ import annotations

from neuron_cluster.report.left_price import price_with_left
from neuron_cluster.report.price import EnvironmentPrice, GroupPrice, price_sentence, summed_price

TRN1 = GroupPrice("trn1", 21.5, 344.0, 688.0, None)
ALICE = GroupPrice("alice", 0.76, 0.76, 0.76, None)
BOB = GroupPrice("bob", 1.5, 1.5, 1.5, None)
BEFORE = summed_price((TRN1,), (ALICE, BOB))


def test_what_is_left_costs_what_it_did() -> None:
    price = price_with_left(summed_price((), (BOB,)), BEFORE, ["trn1"], ["alice"])
    assert price == EnvironmentPrice((TRN1,), 346.26, 690.26, 346.26, 690.26, (), workstations=(BOB, ALICE))


def test_what_the_new_file_has_too_is_counted_once() -> None:
    assert price_with_left(BEFORE, BEFORE, ["trn1"], ["bob"]) == BEFORE


def test_without_the_plan_before_its_price_is_not_known() -> None:
    price = price_with_left(summed_price((), ()), None, [], ["alice"])
    assert price.unpriced == ("alice",)
    assert "not known" in price_sentence(price)
