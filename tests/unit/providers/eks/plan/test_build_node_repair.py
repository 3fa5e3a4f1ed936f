"""Node repair: every reason with an action, and brakes that stop it before it costs the group."""

from __future__ import annotations

import pytest
from botocore.session import Session

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.config.machine import Machine
from neuron_cluster.plan.machine_plan import MachinePlan
from neuron_cluster.providers.eks.plan.build_node_repair import ACTIONS, build_node_repair
from tests.unit.planning.planned import machine_of

CATALOG = load_catalog()


def machine(instance_type: str, **spec: object) -> MachinePlan:
    wanted = Machine.model_validate({"instance_type": instance_type, "count": {"max": "2"}} | spec)
    return machine_of(wanted)


TRN1 = machine("trn1.32xlarge")
NEURON_REASONS = {
    "NeuronSRAMUncorrectableError",
    "NeuronNCUncorrectableError",
    "NeuronHBMUncorrectableError",
    "NeuronDMAError",
}


def test_every_neuron_reason_of_the_agent_is_mapped() -> None:
    overrides = build_node_repair(4, TRN1, CATALOG).overrides
    of_hardware = {each.reason for each in overrides if each.condition == "AcceleratedHardwareReady"}
    assert of_hardware == NEURON_REASONS


def test_broken_hardware_is_replaced_and_a_node_that_is_merely_stuck_is_rebooted() -> None:
    overrides = {each.reason: each for each in build_node_repair(4, TRN1, CATALOG).overrides}
    assert {overrides[reason].action for reason in NEURON_REASONS} == {"Replace"}
    assert overrides["PodStuckTerminating"].action == "Reboot"
    assert overrides["PodStuckTerminating"].wait_minutes == 30


def test_no_node_is_touched_sooner_than_eks_would_touch_it() -> None:
    assert [row.name for row in CATALOG.node_repairs if row.wait_minutes < row.eks_wait_minutes] == []


def test_actions_are_words_of_the_api() -> None:
    actions = Session().get_service_model("eks").shape_for("RepairAction").enum
    assert sorted(ACTIONS.values()) == sorted(actions)


@pytest.mark.parametrize(("largest", "unhealthy", "parallel"), [(1, 2, 1), (4, 2, 1), (16, 3, 1), (100, 20, 5)])
def test_brakes_fit_the_size_of_the_group(largest: int, unhealthy: int, parallel: int) -> None:
    plan = build_node_repair(largest, TRN1, CATALOG)
    assert (plan.unhealthy_at_most, plan.parallel_at_most) == (unhealthy, parallel)


def test_one_unhealthy_node_is_repaired_in_any_group_and_an_unhealthy_group_is_not() -> None:
    for largest in range(3, 451):
        plan = build_node_repair(largest, TRN1, CATALOG)
        assert 1 <= plan.parallel_at_most <= plan.unhealthy_at_most < largest


def test_a_group_without_neuron_devices_keeps_what_eks_does_by_itself() -> None:
    assert build_node_repair(4, machine("m7i.xlarge"), CATALOG).overrides == ()


def test_a_further_interface_that_is_down_replaces_no_node() -> None:
    """The agent checks all interfaces of the host, and efa_all gives it fifteen more that carry no pod."""
    several = {
        each.reason: each.action
        for each in build_node_repair(8, machine("trn1n.32xlarge", efa="efa_all"), CATALOG).overrides
    }
    assert (several["InterfaceNotUp"], several["InterfaceNotRunning"]) == ("NoAction", "NoAction")
    single = {each.reason for each in build_node_repair(8, machine("trn1n.32xlarge"), CATALOG).overrides}
    assert single == set(several) - {"InterfaceNotUp", "InterfaceNotRunning"}
