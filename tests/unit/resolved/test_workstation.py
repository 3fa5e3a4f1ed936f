"""Defaults of a workstation: its zone, and the kinds of capacity that it takes."""

from pathlib import Path
from typing import get_args

import pytest
from tree_edit import DELETE

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.config.capacity import WorkstationCapacity
from neuron_cluster.planning.build import build_plan
from neuron_cluster.rules.compute.e3012_purchase_option_not_supported import OF_WORKSTATIONS
from tests.unit.resolved.resolved_file import resolved_of

TWO_ZONES: dict[str, object] = {"network.availability_zones": ["usw2-az3", "usw2-az1"]}
OF_HOME = {"storage.homes[0].availability_zone": "usw2-az1"}


@pytest.mark.parametrize(
    ("edits", "zone_id"),
    [
        ({"workstations[0].home": DELETE}, "usw2-az3"),
        (OF_HOME, "usw2-az1"),
        ({"workstations[0].home": DELETE, "workstations[0].availability_zone": "usw2-az1"}, "usw2-az1"),
    ],
    ids=str,
)
def test_a_workstation_is_in_the_zone_of_the_file_else_of_its_home_else_in_the_first(
    edits: dict[str, object], zone_id: str, tmp_path: Path
) -> None:
    environment = resolved_of(tmp_path, "workstation", TWO_ZONES | edits)
    (workstation,) = environment.workstations
    assert (workstation.zone_ids, workstation.zone_id) == ((zone_id,), zone_id)
    (made,) = build_plan(environment, load_catalog()).workstations
    assert (made.path, made.zone_id) == (workstation.path, zone_id)


def test_rules_propose_the_kinds_of_capacity_that_a_workstation_takes() -> None:
    assert {
        arm.model_fields["kind"].annotation.__args__[0] for arm in get_args(get_args(WorkstationCapacity)[0])
    } == set(OF_WORKSTATIONS)
