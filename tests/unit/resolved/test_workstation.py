"""The defaults that rules assume of a workstation are those that the plan decides."""

from pathlib import Path
from typing import get_args

import pytest
from rule_fixture import Case
from tree_edit import DELETE

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.config.capacity import WorkstationCapacity
from neuron_cluster.config.loader import load_environment
from neuron_cluster.orchestrators.registry import resolve_environment
from neuron_cluster.planning.build import build_plan
from neuron_cluster.rules.node_groups.e3012_capacity_kind_not_sold import OF_WORKSTATIONS

TWO_ZONES: dict[str, object] = {"network.availability_zones": ["usw2-az3", "usw2-az1"]}
ASKED: list[dict[str, object]] = [
    {},
    TWO_ZONES,
    TWO_ZONES | {"workstations[0].home": DELETE},
    TWO_ZONES | {"workstations[0].home": DELETE, "workstations[0].availability_zone": "usw2-az1"},
]


@pytest.mark.parametrize("edits", ASKED, ids=str)
def test_a_workstation_is_asked_for_what_the_plan_makes_of_it(edits: dict[str, object], tmp_path: Path) -> None:
    file = tmp_path / "environment.yaml"
    file.write_text(Case("workstation", edits).text(), encoding="utf-8")
    config, catalog = load_environment(file).config, load_catalog()
    assert config is not None
    environment = resolve_environment(config, catalog)
    (asked,), (machine,) = environment.workstations, environment.compute_groups
    (made,) = build_plan(config, catalog).workstations
    assert (asked.path, asked.zone_id) == (made.path, made.zone_id)
    assert (machine.path, machine.zone_ids) == (made.path, (made.zone_id,))


def test_rules_propose_the_kinds_of_capacity_that_a_workstation_takes() -> None:
    assert {
        arm.model_fields["kind"].annotation.__args__[0] for arm in get_args(get_args(WorkstationCapacity)[0])
    } == set(OF_WORKSTATIONS)
