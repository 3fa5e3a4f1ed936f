"""What `access` prints as JSON, with every property of its schema."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.five_teams import team, written_with_teams
from tests.json_outputs import FORMAT, accepted_mutations, unseen

from .conftest import Command

pytestmark = pytest.mark.slow
RESEARCH = team("research", operators=["arn:aws:iam::111122223333:role/operator"])


def test_every_property_of_decisions_and_permissions_is_printed(command: Command, tmp_path: Path) -> None:
    file = written_with_teams(tmp_path, [RESEARCH], **{"eks.node_groups.1.team": "research"})
    found = command("access", str(file), *FORMAT).document
    assert unseen("access", [found]) == []
    assert accepted_mutations("access", found) == []
    cells = found["cells"]
    assert {type(cell["pods"]) for cell in cells} == {type(cell["prefix"]) for cell in cells} == {str, type(None)}
    assert {each["team"] for each in found["kubernetes"]} == {None, "research"}
