"""The plan page names what machines run in, and when."""

import pytest

from neuron_cluster.plan.machine_plan import PurchaseOptionPlan
from neuron_cluster.report.purchase_option import describe_purchase_option

ID = "cr-0123456789abcdef0"
GROUP = "arn:aws:resource-groups:us-west-2:111122223333:group/trn1"


@pytest.mark.parametrize(
    ("purchase", "text"),
    [
        (PurchaseOptionPlan("on_demand", None, None), "on demand"),
        (PurchaseOptionPlan("on_demand", None, ID), f"on demand, {ID}"),
        (PurchaseOptionPlan("on_demand", None, None, resource_group_arn=GROUP), "on demand, resource group trn1"),
        (
            PurchaseOptionPlan("on_demand", None, None, reservation_preference="open"),
            "on demand, open reservations first",
        ),
        (
            PurchaseOptionPlan(
                "capacity_block", "capacity-block", ID, starts="2026-12-01T11:30Z", ends="2026-12-08T11:30Z"
            ),
            f"capacity block, {ID}, from 2026-12-01T11:30Z, until 2026-12-08T11:30Z",
        ),
    ],
)
def test_a_purchase_option_has_its_target_and_its_time(purchase: PurchaseOptionPlan, text: str) -> None:
    assert describe_purchase_option(purchase) == text
