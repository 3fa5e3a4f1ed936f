"""The JSON of `usage` has every property that its schema describes."""

from __future__ import annotations

import json
from pathlib import Path

from tests.five_teams import written_with_teams
from tests.json_outputs import FORMAT, accepted_mutations, unseen

from .conftest import PROJECT, Command

RECORDING = PROJECT / "tests" / "fixtures" / "usage" / "two-teams.json"
NO_SERIES = {"status": "success", "data": {"resultType": "matrix", "result": []}}


def test_every_property_of_the_usage_is_printed(command: Command, tmp_path: Path) -> None:
    file = str(written_with_teams(tmp_path))
    found = command("usage", file, "--recording", str(RECORDING), *FORMAT).document
    assert unseen("usage", [found]) == []
    assert accepted_mutations("usage", found) == []


def test_without_any_metric_the_sums_are_null(command: Command, tmp_path: Path) -> None:
    recorded = json.loads(RECORDING.read_text("utf-8"))
    recorded["answers"] = dict.fromkeys(recorded["answers"], NO_SERIES)
    (tmp_path / "recording.json").write_text(json.dumps(recorded))
    file = str(written_with_teams(tmp_path))
    found = command("usage", file, "--recording", str(tmp_path / "recording.json"), *FORMAT).document
    assert found["capacity_device_hours"] == {"exact": None, "at_least": None}
    assert {team["used_share"] for team in found["teams"]} == {None}
    assert accepted_mutations("usage", found) == []
