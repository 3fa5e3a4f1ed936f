"""`status` of environments that are as their files: every part is read, and nothing is wrong."""

from __future__ import annotations

from typing import Any

import pytest
from botocore.client import BaseClient

from neuron_cluster.cli.main import main
from tests.golden_stacks import GOLDEN

from .conftest import Deployed, Environment, Read
from .permissions import undocumented

pytestmark = pytest.mark.slow
SCREEN = 24
"""Lines of a terminal of 80 columns."""
READS = ("Describe", "List", "Get")
OTHERS = {"existing-vpc", "research-teams", "__pycache__"}
"""Not deployed here: a VPC that exists before, and a stack of charts only."""


@pytest.fixture(scope="module")
def training(deployed: Deployed) -> Environment:
    return deployed("train-trn1")


def test_every_part_of_the_plan_has_a_section(training: Environment, command: Read) -> None:
    status = command(training.plan.name)
    assert (status.exit, status.document["verdict"]) == (0, "healthy")
    assert [section["title"] for section in status.document["sections"]] == [
        "Stacks",
        "Control plane",
        "Add-ons",
        "Access",
        "Compute groups",
        "Storage and keys",
        "Network",
        "Alarms",
        "Environment file",
    ]
    groups = {line.subject: line.cause for line in status.lines if line.section == "Compute groups"}
    assert groups["trn1"] == "16 of 16 instances in service, ACTIVE"
    assert groups["status checks"] == "18 instances without a failed check or a scheduled event"


def test_a_healthy_environment_fits_one_screen(
    training: Environment, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert main(["status", "--local", "train-trn1", "--project", str(training.project)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) <= SCREEN, "\n".join(lines)
    assert max(map(len, lines)) <= 80
    assert "healthy   Compute groups    system: 2 of 2 instances in service, ACTIVE" in lines


def test_what_no_line_is_about_is_named(deployed: Deployed, read: Read) -> None:
    deployed("storage-kinds", ())
    assert read("storage-kinds").document["not_looked_at"][-1].split(", ") == [
        "contents of checkpoints (`neuron-cluster storage drill`)",
        "copies in checkpoints-replica (`aws s3api list-object-versions`)",
    ]
    deployed("serve-trn2", ())
    assert "alarms of prometheus in the cluster" in read("serve-trn2").document["not_looked_at"]


def test_status_makes_no_call_that_changes_anything(
    training: Environment, read: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[tuple[str, str]] = []
    call = BaseClient._make_api_call

    def noted(client: Any, operation: str, parameters: Any) -> Any:
        made.append((client.meta.service_model.service_name, operation))
        return call(client, operation, parameters)

    monkeypatch.setattr(BaseClient, "_make_api_call", noted)
    assert read("train-trn1").exit == 0
    assert [operation for _, operation in made if not operation.startswith(READS)] == []
    assert undocumented(made) == []
    assert len(made) <= 60


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", sorted({each.parent.name for each in GOLDEN.glob("*/*.template.json")} - {*OTHERS}))
def test_an_environment_as_its_file_is_healthy(name: str, deployed: Deployed, read: Read) -> None:
    deployed(name)
    status = read(name)
    assert [line for line in status.others if line.section != "Capacity"] == []
