"""Numbers of machines, which may have no maximum, as rules read them."""

from __future__ import annotations

import pytest

from neuron_cluster.resolved.scaling import ONE_MACHINE, Scaling, ScalingKind

ON_DEMAND = Scaling(ScalingKind.ON_DEMAND, 0, 0, None)


def test_the_bound_is_said_in_words() -> None:
    assert Scaling(ScalingKind.RANGE, 0, 2, 16).bound == "up to 16"
    assert ON_DEMAND.bound == "any number of"


def test_several_machines_are_possible_without_a_bound() -> None:
    assert [each.may_have_several for each in (ONE_MACHINE, ON_DEMAND)] == [False, True]


def test_a_bound_that_is_not_there_is_no_number() -> None:
    with pytest.raises(LookupError):
        ON_DEMAND.require_maximum()
