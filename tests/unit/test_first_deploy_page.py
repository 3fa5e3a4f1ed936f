"""docs/first-deploy.md: its commands are understood, its findings exist, its permissions are those of the questions."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from neuron_cluster.deploy.preflight.finding_specs import ROWS
from neuron_cluster.deploy.preflight.table import preflight_checks
from neuron_cluster.findings.registry import finding_specs
from neuron_cluster.providers.eks.finding_specs import BEFORE
from tests.docs.blocks import text_without_fences

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
from hint_commands import command_error, commands_in

PAGE = (Path(__file__).parents[2] / "docs" / "first-deploy.md").read_text(encoding="utf-8")


def test_every_command_in_the_text_is_understood() -> None:
    """Commands of blocks have their tests in tests/docs."""
    named = [command for command in commands_in(text_without_fences(PAGE)) if command.startswith("neuron-cluster ")]
    assert len(named) > 2
    assert {command: flaw for command in named if (flaw := command_error(command.replace("NAME", "my-cluster")))} == {}


def test_every_finding_exists_and_every_question_is_there() -> None:
    ids = set(re.findall(r"\b[EW]\d{4}\b", PAGE))
    assert ids <= set(finding_specs())
    assert {*ROWS, *BEFORE} <= ids


def test_the_permissions_are_those_of_the_questions() -> None:
    rows = re.findall(r"^\| .*\| ([^|]+) \|$", PAGE, re.MULTILINE)
    named = {action for row in rows for action in re.findall(r"`([a-z0-9-]+:[A-Z]\w+)`", row)}
    assert named == {action for check in preflight_checks() for action in check.permissions}
