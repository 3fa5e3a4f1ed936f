"""Plans of launch templates: interfaces, placement, purchase option, volume, LNC."""

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.catalog.instance_type import InstanceType
from neuron_cluster.config.machine import Machine
from neuron_cluster.plan.compute_group_plan import BootstrapPlan
from neuron_cluster.plan.machine_plan import LocalDisksPlan, MachinePlan, SecurityGroupRole
from tests.every_case import every_case
from tests.unit.planning.planned import bootstrap_of, machine_of

CATALOG = load_catalog()


def planned(instance_type: str, **wish: object) -> MachinePlan:
    machine = Machine.model_validate({"instance_type": instance_type, "count": {"max": "2"}} | wish)
    return machine_of(machine)


def first_boot(instance_type: str, **wish: object) -> BootstrapPlan:
    return bootstrap_of(Machine.model_validate({"instance_type": instance_type, "count": {"max": "2"}} | wish))


@every_case("instance_type", [row.name for row in CATALOG.instance_types if row.can_be_planned])
def test_every_type_gets_exactly_the_efa_interfaces_that_the_catalog_knows(instance_type: str):
    row = CATALOG.instance_types.get(instance_type)
    plan = planned(instance_type)
    assert plan.efa_interfaces == row.efa_interfaces
    slots = [(i.network_card_index, i.device_index) for i in plan.interfaces]
    assert len(set(slots)) == len(slots)
    assert slots[0] == (0, 0)
    assert max(card for card, _ in slots) < (row.network_cards or row.efa_interfaces)


def test_trn1_has_one_efa_interface_on_each_of_its_eight_cards():
    plan = planned("trn1.32xlarge")
    assert [(i.network_card_index, i.device_index, i.interface_type) for i in plan.interfaces] == [
        (0, 0, "efa"),
        *((card, 1, "efa-only") for card in range(1, 8)),
    ]


def test_the_cluster_group_is_first_and_efa_only_interfaces_have_only_the_efa_group():
    first, *others = planned("trn1.32xlarge").interfaces
    assert first.groups == (
        SecurityGroupRole.CLUSTER,
        SecurityGroupRole.NODE,
        SecurityGroupRole.EFA,
        SecurityGroupRole.STORAGE_CLIENT,
    )
    assert {interface.groups for interface in others} == {(SecurityGroupRole.EFA,)}


def test_efa_off_leaves_one_plain_interface_without_the_efa_group():
    (interface,) = planned("trn1.32xlarge", efa="off").interfaces
    assert interface.interface_type == "interface"
    assert interface.groups == (SecurityGroupRole.CLUSTER, SecurityGroupRole.NODE, SecurityGroupRole.STORAGE_CLIENT)


RESERVED = {"kind": "reservation", "reservation_id": "cr-0123456789abcdef0"}
BLOCK = {"kind": "capacity_block", "reservation_id": "cr-0123456789abcdef0"}


@pytest.mark.parametrize(
    ("wish", "strategy"),
    [
        ({}, "cluster"),
        ({"placement": "none"}, None),
        ({"efa": "off"}, None),
        ({"efa": "off", "placement": "cluster"}, "cluster"),
        ({"capacity": {"kind": "spot"}}, "cluster"),
        ({"capacity": RESERVED}, None),
        ({"capacity": BLOCK}, None),
        ({"capacity": RESERVED, "placement": "cluster"}, "cluster"),
    ],
)
def test_placement_follows_efa_unless_a_reservation_already_has_its_place(wish: dict, strategy: str | None):
    assert planned("trn1.32xlarge", **wish).placement_strategy == strategy


@pytest.mark.parametrize(
    ("capacity", "kind", "market", "reservation"),
    [
        ({"kind": "on_demand"}, "on_demand", None, None),
        ({"kind": "spot"}, "spot", None, None),
        (RESERVED, "on_demand", None, RESERVED["reservation_id"]),
        (BLOCK, "capacity_block", "capacity-block", BLOCK["reservation_id"]),
    ],
)
def test_each_purchase_option_has_its_market_type_and_target(capacity: dict, kind: str, market: str, reservation: str):
    plan = planned("trn1.32xlarge", capacity=capacity).purchase
    assert (plan.kind, plan.market_type, plan.reservation_id) == (kind, market, reservation)


def test_lnc_is_written_at_boot_only_where_it_differs_from_the_chips_default():
    assert first_boot("trn2.48xlarge").shell is None
    shell = first_boot("trn2.48xlarge", logical_nc_config="1").shell
    assert "NEURON_LOGICAL_NC_CONFIG=1 > /opt/aws/neuron/logical_nc_config" in shell
    assert planned("trn2.48xlarge", logical_nc_config="1").logical_nc_config == 1


def test_without_a_wish_the_root_volume_has_the_documented_minimum():
    assert planned("trn1.32xlarge").root_volume.size_gib == 512
    assert planned("trn1.32xlarge", root_volume={"size_gib": "900"}).root_volume.size_gib == 900


@pytest.mark.parametrize(
    ("instance_type", "lnc", "neuroncores"),
    [("trn2.48xlarge", None, 64), ("trn2.48xlarge", "1", 128), ("trn2.3xlarge", None, 4), ("trn1.32xlarge", None, 32)],
)
def test_a_node_offers_the_neuroncores_of_its_lnc(instance_type: str, lnc: str | None, neuroncores: int):
    assert planned(instance_type, logical_nc_config=lnc).neuroncores == neuroncores


@every_case("row", [row for row in CATALOG.instance_types if row.can_be_planned], ids=lambda row: row.name)
def test_neuroncores_at_the_default_are_those_that_the_catalog_lists_as_a_resource(row: InstanceType):
    listed = (row.kubernetes_resources or {}).get("aws.amazon.com/neuroncore")
    assert planned(row.name).neuroncores == listed


def test_a_machine_without_neuron_devices_has_no_neuroncores():
    assert planned("m7i.xlarge").neuroncores is None


@pytest.mark.parametrize(
    ("instance_type", "wish", "disks"),
    [
        ("trn1.32xlarge", None, 4),
        ("trn1.2xlarge", None, 1),
        ("trn1.32xlarge", "raid0", 4),
        ("trn1.32xlarge", "none", None),
        ("inf2.xlarge", None, None),
        ("trn3.48xlarge", None, None),
    ],
)
def test_local_disks_are_joined_where_the_type_is_known_to_have_them(instance_type: str, wish: str, disks: int | None):
    plan = planned(instance_type, local_disks=wish)
    assert (plan.local_disks.count if plan.local_disks else None) == disks
    assert ("RAID0" in (first_boot(instance_type, local_disks=wish).node_config or "")) == (disks is not None)


def test_disks_that_nobody_has_counted_are_joined_when_the_file_says_so():
    plan = planned("trn3.48xlarge", local_disks="raid0")
    assert plan.local_disks == LocalDisksPlan(None, None)
    assert "RAID0" in first_boot("trn3.48xlarge", local_disks="raid0").node_config
