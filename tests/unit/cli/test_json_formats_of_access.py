"""JSON output of `access`, with every property of its schema."""

from __future__ import annotations

from pathlib import Path

import pytest

from neuron_cluster.cli.access_records import kubernetes_access_of
from neuron_cluster.pipeline import check_environment
from neuron_cluster.report.access_page import kubernetes_access_as_data
from tests.five_teams import team, written_with_teams
from tests.json_outputs import FORMAT, accepted_mutations, unseen, validator

from .conftest import Command

pytestmark = pytest.mark.slow
RESEARCH = team("research", operators=["arn:aws:iam::111122223333:role/operator"])


def test_every_property_of_decisions_and_permissions_is_printed(command: Command, tmp_path: Path) -> None:
    """Rights of principals in Kubernetes are read from a plan: it has a team here, without a synthesis of its own."""
    found = command("access", "train-trn1", *FORMAT).document
    plan = check_environment(written_with_teams(tmp_path, [RESEARCH])).require_plan()
    with_team = {**found, "kubernetes": kubernetes_access_as_data(kubernetes_access_of(plan))}
    assert list(validator("access").iter_errors(with_team)) == []
    assert unseen("access", [with_team]) == []
    assert accepted_mutations("access", with_team) == []
    assert {type(cell["prefix"]) for cell in found["cells"]} == {str, type(None)}
    assert {each["team"] for each in with_team["kubernetes"]} == {None, "research"}


@pytest.mark.exhaustive
def test_decisions_and_permissions_of_a_team_have_the_same_properties(command: Command, tmp_path: Path) -> None:
    file = written_with_teams(tmp_path, [RESEARCH], **{"eks.node_groups.1.team": "research"})
    found = command("access", str(file), *FORMAT).document
    assert unseen("access", [found]) == []
    assert accepted_mutations("access", found) == []
    cells = found["cells"]
    assert {type(cell["pods"]) for cell in cells} == {type(cell["prefix"]) for cell in cells} == {str, type(None)}
    assert {each["team"] for each in found["kubernetes"]} == {None, "research"}
