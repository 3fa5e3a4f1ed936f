"""The price of machines before and after an edit."""

from __future__ import annotations

from neuron_cluster.report.diff_price import price_table
from neuron_cluster.report.price import GroupPrice, summed_price

TRN1 = GroupPrice("trn1", 21.5, 344.0, 344.0, None)
INF2 = GroupPrice("inf2", 0.76, 0.0, 1.52, None)
OTHER = GroupPrice("system", None, None, None, None)
BEFORE = summed_price((OTHER, TRN1), ())
AFTER = summed_price((OTHER, INF2), ())


def test_groups_that_come_or_go_have_one_price_and_unknown_ones_say_so() -> None:
    assert price_table(BEFORE, AFTER).rows == (
        ("system", "not known", "not known", "not known", "not known"),
        ("trn1", "$344.00", "-", "$344.00", "-"),
        ("inf2", "-", "$0.00", "-", "$1.52"),
        ("in all", "at least $344.00", "not known", "at least $344.00", "at least $1.52"),
    )


def test_without_a_plan_before_only_the_new_prices_stand_there() -> None:
    table = price_table(None, AFTER)
    assert table.columns == ("instances", "at desired", "at most")
    assert table.rows[-1] == ("in all", "not known", "at least $1.52")


def test_a_sum_of_unknown_prices_is_not_known_and_one_of_known_prices_is_exact() -> None:
    unknown = summed_price((OTHER,), ())
    known = summed_price((), (GroupPrice("alice", 0.76, 0.76, 0.76, None),))
    assert price_table(unknown, known).rows == (
        ("system", "not known", "-", "not known", "-"),
        ("alice", "-", "$0.76", "-", "$0.76"),
        ("in all", "not known", "$0.76", "not known", "$0.76"),
    )
