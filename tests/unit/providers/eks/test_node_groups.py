"""Defaults of a node group follow from its instance type and its capacity; what the file gives wins."""

from pathlib import Path

import pytest
from rule_fixture import PROJECT
from tree_edit import DELETE

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.config.loader import load_environment
from neuron_cluster.config.machine import EfaLayout
from neuron_cluster.planning.build import build_plan
from neuron_cluster.protocol.registry import resolve_environment
from neuron_cluster.providers.eks.node_groups import EksNodeGroup, node_groups
from neuron_cluster.schedulers.kubernetes.qualified_name import reserved_domain
from neuron_cluster.schedulers.kubernetes.rules.compute.e3015_invalid_taint import NEURON_TAINT
from tests.unit.resolved.resolved_file import resolved_of

GROUP = "arn:aws:resource-groups:us-west-2:111122223333:group/trn1"
RESERVATION = "cr-0123456789abcdef0"
EFA, CAPACITY = "eks.node_groups[1].efa", "eks.node_groups[1].capacity"


def second_group(folder: Path, base: str, edits: dict[str, object]) -> EksNodeGroup:
    return node_groups(resolved_of(folder, base, edits))[1]


@pytest.mark.parametrize(
    ("base", "edits", "layout", "is_packed"),
    [
        ("dev-inf2", {}, EfaLayout.OFF, False),
        ("train-trn1", {}, EfaLayout.EFA, True),
        ("train-trn1", {EFA: "off"}, EfaLayout.OFF, False),
        ("train-trn1", {EFA: "efa_all"}, EfaLayout.EFA_ALL, True),
        ("train-trn1", {"eks.node_groups[1].placement": "none"}, EfaLayout.EFA, False),
        (
            "train-trn1",
            {EFA: "off", "eks.node_groups[1].placement": "cluster"},
            EfaLayout.OFF,
            True,
        ),
        ("train-trn1", {"eks.node_groups[1].instance_type": "trn1.2xlarge"}, EfaLayout.OFF, False),
        ("train-trn1", {CAPACITY: {"kind": "reservation", "reservation_id": RESERVATION}}, EfaLayout.EFA, False),
        ("train-trn1", {CAPACITY: {"kind": "reservation", "match": "open"}}, EfaLayout.EFA, False),
        ("train-trn1", {CAPACITY: {"kind": "reservation", "resource_group": GROUP}}, EfaLayout.EFA, False),
        ("train-trn1", {CAPACITY: {"kind": "spot"}}, EfaLayout.EFA, True),
    ],
    ids=str,
)
def test_efa_is_on_where_the_type_has_it_and_packs_nodes_that_nothing_reserves(
    base: str, edits: dict[str, object], layout: EfaLayout, is_packed: bool, tmp_path: Path
) -> None:
    group = second_group(tmp_path, base, edits)
    assert (group.efa_layout, group.in_placement_group) == (layout, is_packed)


@pytest.mark.parametrize(
    ("edits", "has_repair"),
    [
        ({}, (False, True)),
        ({"eks.node_groups[1].node_repair": "false", "eks.node_groups[0].node_repair": "true"}, (True, False)),
    ],
)
def test_node_repair_is_on_for_neuron_devices(
    edits: dict[str, object], has_repair: tuple[bool, bool], tmp_path: Path
) -> None:
    assert tuple(group.has_node_repair for group in node_groups(resolved_of(tmp_path, "dev-inf2", edits))) == has_repair


def test_zones_are_those_of_the_group_else_of_the_network(tmp_path: Path) -> None:
    zones = {"network.availability_zones": ["usw2-az4", "usw2-az1"]}
    assert second_group(tmp_path, "train-trn1", zones).zone_ids == ("usw2-az4",)
    anywhere = zones | {"eks.node_groups[1].availability_zone": DELETE}
    assert second_group(tmp_path, "train-trn1", anywhere).zone_ids == ("usw2-az4", "usw2-az1")


def test_the_logical_cores_are_those_of_the_file_else_of_the_chip(tmp_path: Path) -> None:
    assert second_group(tmp_path, "dev-inf2", {}).logical_nc_config == 1
    assert second_group(tmp_path, "train-trn2", {}).logical_nc_config == 2
    assert second_group(tmp_path, "train-trn2", {"eks.node_groups[1].logical_nc_config": 1}).logical_nc_config == 1


def test_groups_of_the_plan_are_those_of_the_file_in_its_order(tmp_path: Path) -> None:
    environment = resolved_of(tmp_path, "train-trn1", {})
    plan = build_plan(environment, load_catalog())
    assert plan.kubernetes is not None
    assert [made.path for made in plan.kubernetes.node_groups] == [group.path for group in node_groups(environment)]
    taints = [{(taint.key, taint.effect.lower()) for taint in made.taints} for made in plan.kubernetes.node_groups]
    assert [NEURON_TAINT in own for own in taints] == [group.is_neuron for group in node_groups(environment)]


def test_the_toolkits_own_labels_are_reserved() -> None:
    """A label of the user cannot take the place of one that the plan sets."""
    config, catalog = load_environment(PROJECT / "environments" / "train-trn1.yaml").config, load_catalog()
    assert config is not None
    eks = build_plan(resolve_environment(config, catalog), catalog).kubernetes
    assert eks is not None
    assert [key for group in eks.node_groups for key in group.labels if reserved_domain(key, ()) is None] == []
