"""Every subnet is counted once, and whatever stands in it is counted there."""

from __future__ import annotations

from collections.abc import Callable
from ipaddress import IPv4Network
from typing import Any

import pytest

from neuron_cluster.plan.address_plan import AddressPlan, Purpose

PlanOf = Callable[..., Any]


def subnet(plan: Any, zone_id: str, kind: str = "private") -> AddressPlan:
    return next(each for each in plan.addresses if (each.zone_id, each.kind) == (zone_id, kind))


@pytest.mark.parametrize("environment", ["train-trn1", "train-trn2", "dev-inf2", "workstation"])
def test_there_is_one_row_for_each_subnet_without_the_addresses_of_aws(plan_of: PlanOf, environment: str) -> None:
    plan = plan_of(environment)
    assert [(each.cidr, each.kind) for each in plan.addresses] == [(s.cidr, s.tier.value) for s in plan.network.subnets]
    assert all(each.has == IPv4Network(each.cidr).num_addresses - 5 for each in plan.addresses)
    assert all(each.left == each.has - each.needed >= 0 for each in plan.addresses)


def test_the_needs_of_a_training_zone_by_purpose(plan_of: PlanOf) -> None:
    zone = subnet(plan_of("train-trn1"), "usw2-az4")
    assert {purpose.value: zone.needed_for(purpose) for purpose in Purpose} == {
        "nodes": 4 * 60 + 16 * 250,
        "control plane": 6,
        "endpoints": 0,
        "load balancers": 8,
        "storage": 5,
        "other": 1,
    }
    assert zone.needed == 4260


def test_a_group_counts_in_each_zone_that_it_may_run_in_and_in_no_other(plan_of: PlanOf) -> None:
    plan = plan_of("train-trn1")
    assert [need.words for need in subnet(plan, "usw2-az1").needs if need.purpose is Purpose.NODES] == ["system"]


def test_a_public_subnet_holds_nat_gateways_and_load_balancers(plan_of: PlanOf) -> None:
    plan = plan_of("train-trn1")
    assert subnet(plan, "usw2-az4", "public").needed == 1 + 8
    assert subnet(plan, "usw2-az1", "public").needed == 8


def test_without_nat_each_interface_endpoint_takes_an_address_in_each_zone(plan_of: PlanOf) -> None:
    edits = {"network.nat": "none", "eks.addons.neuron_device_plugin": False, "eks.addons.efa_device_plugin": False}
    edits |= {"eks.addons.neuron_node_problem_detector": False, "eks.addons.jobset": False}
    plan = plan_of("train-trn1", edits)
    ends = sum(not endpoint.is_gateway for endpoint in plan.network.endpoints)
    assert ends > 10
    assert [each.needed_for(Purpose.ENDPOINTS) for each in plan.addresses] == [ends, ends]


def test_efa_only_saves_an_address_on_each_further_card(plan_of: PlanOf) -> None:
    plan = plan_of("train-trn1")
    assert subnet(plan, "usw2-az4").saved == 16 * 7
    assert subnet(plan, "usw2-az1").saved == 0


def test_a_group_without_efa_saves_nothing(plan_of: PlanOf) -> None:
    edits = {"eks.node_groups.1.efa": "off", "eks.addons.efa_device_plugin": False}
    assert subnet(plan_of("train-trn1", edits), "usw2-az4").saved == 0


def test_prefixes_and_the_pods_that_are_meant_bring_the_need_down(plan_of: PlanOf) -> None:
    edits = {"eks.prefix_delegation": True, "eks.node_groups.1.pods_per_node": 15}
    (need,) = [n for n in subnet(plan_of("train-trn1", edits), "usw2-az4").needs if n.words == "trn1"]
    assert (need.count, need.each, need.blocks) == (16, 17, 16)


def test_a_workstation_takes_one_address_in_its_zone(plan_of: PlanOf) -> None:
    plan = plan_of("workstation")
    zone_id = plan.workstations[0].zone_id
    assert sum(n.addresses for n in subnet(plan, zone_id).needs if n.words == "workstations") == 1
