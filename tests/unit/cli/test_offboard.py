"""`offboard` on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.five_teams import FIVE, ROOT, team, written_with_teams

from .conftest import Command


@pytest.mark.parametrize("columns", [80, 200])
def test_tables_fit_the_terminal_and_commands_stay_whole(
    columns: int, tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    file = written_with_teams(tmp_path)
    before = file.read_bytes()
    ran = command("offboard", str(file), "--team", "research")
    assert ran.status == 0
    lines = [line for line in ran.out.splitlines() if not line.startswith("     ")]
    assert max(map(len, lines)) <= columns
    text = " ".join(ran.out.split())
    assert "Removed by the next deploy of train-trn1 without team research" in text
    assert "Stays until you delete it" in text
    assert "\n     kubectl delete namespace research\n" in ran.out
    assert file.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == [file.name]


def test_json_has_the_same_in_order(tmp_path: Path, command: Command) -> None:
    file = written_with_teams(tmp_path)
    document = command("offboard", str(file), "--team", "research", "--format", "json").document
    assert set(document) == {"environment", "team", "removed", "kept", "steps", "findings"}
    assert {"kind": "LocalQueue", "name": "research/training"}.items() <= document["removed"][2].items()
    assert all({"words", "commands", "deletes_data"} == set(step) for step in document["steps"])


def test_a_team_of_slurm_leaves_its_home(command: Command) -> None:
    file = ROOT / "tests" / "fixtures" / "environments" / "slurm-storage.yaml"
    document = command("offboard", str(file), "--team", "product", "--format", "json").document
    assert {part["kind"] for part in document["removed"]} == {"user of Slurm nodes"}
    assert {"kind": "home directory", "name": "/fsx/home/team-product", "note": "all files"} in document["kept"]


def test_warnings_of_the_environment_are_shown(tmp_path: Path, command: Command) -> None:
    quota = [{"node_group": "trn1", "devices": 0, "borrow": 0}]
    file = written_with_teams(tmp_path, [*FIVE[1:], team("guests", quota=quota)])
    assert "W2067" in command("offboard", str(file), "--team", "guests").err
    document = command("offboard", str(file), "--team", "guests", "--format", "json").document
    assert "W2067" in {finding["id"] for finding in document["findings"]}


def test_an_unknown_team_and_an_environment_without_teams_are_errors(tmp_path: Path, command: Command) -> None:
    ran = command("offboard", str(written_with_teams(tmp_path)), "--team", "visoin")
    assert ran.status == 1
    assert "did you mean vision?" in ran.err
    assert "has no teams" in command("offboard", "train-trn1", "--team", "research").err
