"""The JSON of `onboard` and `offboard` has every property of its schema, with the type that is described."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.five_teams import GROUP, team, written_with_teams
from tests.json_outputs import FORMAT, accepted_mutations, unseen

from .conftest import Command

SERVING = "public.ecr.aws/neuron/pytorch-inference-vllm-neuronx"
RESEARCH = team("research", quota=[{"node_group": GROUP, "devices": 8}])
WITHOUT_TRAINING = team("vision", quota=[{"node_group": GROUP, "devices": 16}], images=[SERVING])
CPU = {"eks.node_groups.0.queue": "cpu"}
WITHOUT_SHELL = team("tools", quota=[], namespaces=[{"name": "tools", "queue": "cpu"}])


def pack(command: Command, folder: Path, teams: Sequence[Mapping[str, Any]], **edits: Any) -> Any:
    """Returns the output of `onboard` for the pack of the first team."""
    folder.mkdir()
    file, name = written_with_teams(folder, teams, **edits), str(teams[0]["name"])
    return command("onboard", str(file), "--team", name, "--output", str(folder / "pack"), *FORMAT).document


def test_every_property_of_a_pack_is_printed(command: Command, tmp_path: Path) -> None:
    whole = pack(command, tmp_path / "whole", [RESEARCH])
    without = pack(command, tmp_path / "without", [WITHOUT_TRAINING])
    assert unseen("onboard", [whole, without]) == []
    assert [change for each in (whole, without) for change in accepted_mutations("onboard", each)] == []
    assert whole["jobs"]["jobs/training.yaml"]["note"] != ""
    assert without["jobs"]["jobs/training.yaml"]["is_written"] is False
    assert "jobs/training.yaml" not in without["files"]


def test_a_team_without_a_node_group_has_no_jobs_and_the_reasons(command: Command, tmp_path: Path) -> None:
    found = pack(command, tmp_path / "tools", [WITHOUT_SHELL], **CPU)
    assert set(found["files"]) == {"README.md", "index.html", "runbook.md"}
    assert {each["is_written"] for each in found["jobs"].values()} == {False}
    assert all(each["reasons"] for each in found["jobs"].values())


def test_every_property_of_a_departure_is_printed(command: Command, tmp_path: Path) -> None:
    file = written_with_teams(tmp_path, [RESEARCH, WITHOUT_SHELL], **CPU)
    found = [command("offboard", str(file), "--team", name, *FORMAT).document for name in ("research", "tools")]
    assert unseen("offboard", found) == []
    assert [change for each in found for change in accepted_mutations("offboard", each)] == []
    assert "" in {part["note"] for part in found[0]["removed"]}
    assert [] in [step["commands"] for step in found[1]["steps"]]
