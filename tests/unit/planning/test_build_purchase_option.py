"""How each kind of capacity is asked for, in the words of EC2 and EKS."""

import pytest
from msgspec import structs
from pydantic import TypeAdapter

from neuron_cluster.config.capacity import Capacity
from neuron_cluster.plan.machine_plan import PurchaseOptionPlan
from neuron_cluster.planning.build_purchase_option import build_purchase_option

ID = "cr-0123456789abcdef0"
GROUP = "arn:aws:resource-groups:us-west-2:111122223333:group/trn1"
STARTS, ENDS = "2026-12-01T11:30:00Z", "2026-12-08T11:30:00Z"
WINDOW = {"starts": STARTS, "ends": ENDS}
BLOCK = PurchaseOptionPlan("capacity_block", "capacity-block", ID)


def purchase(**wish: str) -> PurchaseOptionPlan:
    return build_purchase_option(TypeAdapter(Capacity).validate_python(wish))


@pytest.mark.parametrize(
    ("wish", "plan"),
    [
        ({"kind": "on_demand"}, PurchaseOptionPlan("on_demand", None, None)),
        ({"kind": "spot"}, PurchaseOptionPlan("spot", None, None)),
        ({"kind": "reservation", "reservation_id": ID}, PurchaseOptionPlan("on_demand", None, ID)),
        (
            {"kind": "reservation", "resource_group": GROUP},
            PurchaseOptionPlan("on_demand", None, None, resource_group_arn=GROUP),
        ),
        (
            {"kind": "reservation", "match": "open"},
            PurchaseOptionPlan("on_demand", None, None, reservation_preference="open"),
        ),
        ({"kind": "capacity_block", "reservation_id": ID}, BLOCK),
        (
            {"kind": "capacity_block", "reservation_id": ID, **WINDOW},
            structs.replace(BLOCK, starts=STARTS, ends=ENDS),
        ),
        (
            {"kind": "ultraserver_block", "reservation_id": ID, "ultraserver": "u-trn2x64", **WINDOW},
            structs.replace(BLOCK, starts=STARTS, ends=ENDS),
        ),
    ],
)
def test_each_kind_becomes_its_market(wish: dict[str, str], plan: PurchaseOptionPlan) -> None:
    assert purchase(**wish) == plan


def test_reserved_is_what_has_its_place_already() -> None:
    assert not purchase(kind="spot").is_reserved
    assert not purchase(kind="on_demand").is_reserved
    assert purchase(kind="reservation", match="open").is_reserved
    assert purchase(kind="reservation", resource_group=GROUP).is_reserved
    assert purchase(kind="capacity_block", reservation_id=ID).is_reserved
