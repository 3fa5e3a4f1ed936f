"""A node takes the addresses that the VPC CNI gives it, with prefixes and without."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.pipeline import check_environment
from neuron_cluster.plan.machine_plan import InterfacePlan, MachinePlan, SecurityGroupRole
from neuron_cluster.plan.node_addresses import node_addresses

ROOT = Path(__file__).parents[3]
CATALOG = load_catalog()
MACHINES = {
    group.machine.instance_type: group.machine
    for name in ("train-trn1", "train-trn2", "dev-inf2")
    for group in check_environment(ROOT / "environments" / f"{name}.yaml", catalog=CATALOG).require_plan().node_groups
}


def all_cards_addressed(machine: MachinePlan) -> MachinePlan:
    first, *others = machine.interfaces
    return replace(
        machine,
        interfaces=(first, *(InterfacePlan(i.network_card_index, 1, "efa", (SecurityGroupRole.EFA,)) for i in others)),
    )


@pytest.mark.parametrize(
    ("instance_type", "pods", "addresses"),
    [
        # 5 interfaces of 50 addresses on card 0: EKS's 250 pods do not bound 245.
        ("trn1.32xlarge", 245, 250),
        # 2 interfaces of 50 on card 0.
        ("trn2.48xlarge", 98, 100),
        ("m7i.xlarge", 56, 60),
    ],
)
def test_an_address_for_each_pod_fills_whole_interfaces(instance_type: str, pods: int, addresses: int):
    node = node_addresses(MACHINES[instance_type], None, CATALOG, with_prefixes=False)
    assert (node.pods, node.addresses, node.prefixes, node.single) == (pods, addresses, 0, addresses)


def test_fewer_pods_leave_one_spare_interface_and_no_more():
    node = node_addresses(MACHINES["trn1.32xlarge"], 15, CATALOG, with_prefixes=False)
    assert (node.pods, node.addresses) == (15, 100)


@pytest.mark.parametrize(("pods", "prefixes"), [(1, 1), (15, 1), (16, 2), (31, 2), (32, 3), (250, 16)])
def test_prefixes_hold_the_pods_and_one_spare_address(pods: int, prefixes: int):
    node = node_addresses(MACHINES["trn2.48xlarge"], pods, CATALOG, with_prefixes=True)
    assert (node.prefixes, node.single, node.addresses) == (prefixes, 1, 1 + 16 * prefixes)


def test_both_bounds_of_pods_are_known_whichever_way_is_chosen():
    for with_prefixes in (True, False):
        node = node_addresses(MACHINES["trn2.48xlarge"], None, CATALOG, with_prefixes=with_prefixes)
        assert (node.pods_without_prefixes, node.pods_with_prefixes) == (98, 250)


def test_small_nodes_are_bound_to_110_pods_with_prefixes():
    node = node_addresses(MACHINES["m7i.xlarge"], None, CATALOG, with_prefixes=True)
    assert node.pods == 110


def test_an_interface_without_address_takes_none_and_one_with_address_takes_one():
    machine = MACHINES["trn2.48xlarge"]
    lean = node_addresses(machine, 15, CATALOG, with_prefixes=True)
    full = node_addresses(all_cards_addressed(machine), 15, CATALOG, with_prefixes=True)
    assert full.addresses - lean.addresses == 15
    assert full.interfaces == lean.interfaces == 16


def test_a_type_whose_numbers_are_not_known_is_not_counted():
    machine = replace(MACHINES["m7i.xlarge"], instance_type="trn3.48xlarge")
    assert node_addresses(machine, None, CATALOG, with_prefixes=False) is None


def test_a_type_that_no_rule_should_have_let_through_is_an_error():
    with pytest.raises(LookupError):
        node_addresses(replace(MACHINES["m7i.xlarge"], instance_type="x9.large"), None, CATALOG, with_prefixes=False)


def test_an_interface_of_the_layout_on_card_0_leaves_pods_one_less() -> None:
    machine = MACHINES["trn2.48xlarge"]
    first, *others = machine.interfaces
    beside = InterfacePlan(0, 1, "efa-only", (SecurityGroupRole.EFA,))
    with_it = node_addresses(replace(machine, interfaces=(first, beside, *others)), None, CATALOG, with_prefixes=False)
    assert with_it is not None
    assert with_it.pods == 49
