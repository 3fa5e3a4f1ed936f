"""The plan page names what machines run in, and when."""

import pytest

from neuron_cluster.plan.machine_plan import MarketPlan
from neuron_cluster.report.market_words import market_in_words

ID = "cr-0123456789abcdef0"
GROUP = "arn:aws:resource-groups:us-west-2:111122223333:group/trn1"


@pytest.mark.parametrize(
    ("market", "words"),
    [
        (MarketPlan("ON_DEMAND", None, None), "on demand"),
        (MarketPlan("ON_DEMAND", None, ID), f"on demand, {ID}"),
        (MarketPlan("ON_DEMAND", None, None, resource_group_arn=GROUP), "on demand, resource group trn1"),
        (MarketPlan("ON_DEMAND", None, None, reservation_preference="open"), "on demand, open reservations first"),
        (
            MarketPlan("CAPACITY_BLOCK", "capacity-block", ID, starts="2026-12-01T11:30Z", ends="2026-12-08T11:30Z"),
            f"capacity block, {ID}, from 2026-12-01T11:30Z, until 2026-12-08T11:30Z",
        ),
    ],
)
def test_a_market_is_said_with_its_target_and_its_time(market: MarketPlan, words: str) -> None:
    assert market_in_words(market) == words
