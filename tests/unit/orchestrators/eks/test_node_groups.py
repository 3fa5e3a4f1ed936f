"""The defaults that rules assume are those that the plan decides."""

from pathlib import Path

import pytest
from rule_fixture import PROJECT, Case
from tree_edit import DELETE

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.config.loader import load_environment
from neuron_cluster.orchestrators.eks.node_groups import node_groups
from neuron_cluster.orchestrators.registry import resolve_environment
from neuron_cluster.planning.build import build_plan
from neuron_cluster.rules.node_groups.e3015_taint_refused import NEURON_TAINT
from neuron_cluster.rules.qualified_name import reserved_domain

GROUP = "arn:aws:resource-groups:us-west-2:111122223333:group/trn1"
ASKED: list[tuple[str, dict[str, object]]] = [
    ("dev-inf2", {}),
    ("dev-inf2", {"eks.node_groups[1].node_repair": "false", "eks.node_groups[0].node_repair": "true"}),
    ("train-trn1", {}),
    ("train-trn1", {"eks.node_groups[1].efa": "off"}),
    ("train-trn1", {"eks.node_groups[1].efa": DELETE}),
    ("train-trn1", {"eks.node_groups[1].placement": "none"}),
    ("train-trn1", {"eks.node_groups[1].efa": "off", "eks.node_groups[1].placement": "cluster"}),
    ("train-trn2", {}),
    (
        "train-trn1",
        {
            "eks.node_groups[1].availability_zone": DELETE,
            "eks.node_groups[1].efa": DELETE,
            "eks.node_groups[1].instance_type": "trn1.2xlarge",
        },
    ),
    (
        "train-trn1",
        {"eks.node_groups[1].capacity": {"kind": "reservation", "reservation_id": "cr-0123456789abcdef0"}},
    ),
    ("train-trn1", {"eks.node_groups[1].capacity": {"kind": "reservation", "match": "open"}}),
    ("train-trn1", {"eks.node_groups[1].capacity": {"kind": "reservation", "resource_group": GROUP}}),
    (
        "train-trn2",
        {
            "eks.node_groups[1].instance_type": "trn2u.48xlarge",
            "eks.node_groups[1].capacity.kind": "ultraserver_block",
            "eks.node_groups[1].capacity.ultraserver": "u-trn2x64",
        },
    ),
]


@pytest.mark.parametrize(("base", "edits"), ASKED, ids=str)
def test_a_node_group_is_asked_for_what_the_plan_makes_of_it(
    base: str, edits: dict[str, object], tmp_path: Path
) -> None:
    file = tmp_path / "environment.yaml"
    file.write_text(Case(base, edits).text(), encoding="utf-8")
    config, catalog = load_environment(file).config, load_catalog()
    assert config is not None
    plan = build_plan(config, catalog)
    assert plan.eks is not None
    for asked, made in zip(node_groups(resolve_environment(config, catalog)), plan.eks.node_groups, strict=True):
        assert asked.path == made.path
        assert asked.zone_ids == made.zone_ids
        assert asked.is_neuron == made.machine.is_neuron
        assert asked.has_efa == bool(made.machine.efa_interfaces)
        assert asked.reservation_id == made.machine.market.reservation_id
        assert asked.is_reserved == made.machine.market.is_reserved
        assert asked.in_placement_group == (made.machine.placement_strategy is not None)
        assert asked.has_node_repair == (made.node_repair is not None)
        own = {(taint.key, taint.effect.lower()) for taint in made.taints}
        assert not asked.is_neuron or NEURON_TAINT in own


def test_the_toolkits_own_labels_are_reserved() -> None:
    """A label of the user cannot take the place of one that the plan sets."""
    config, catalog = load_environment(PROJECT / "environments" / "train-trn1.yaml").config, load_catalog()
    assert config is not None
    eks = build_plan(config, catalog).eks
    assert eks is not None
    assert [key for group in eks.node_groups for key in group.labels if reserved_domain(key, catalog) is None] == []
