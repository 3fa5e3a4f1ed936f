"""Findings about the file that were not there at the last deploy."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from neuron_cluster.findings.finding import Finding
from neuron_cluster.pipeline import check_environment
from neuron_cluster.protocol.status import Verdict
from neuron_cluster.rules.block_window import Today
from neuron_cluster.status.since_deploy import file_section, undated_section

ENVIRONMENTS = Path(__file__).parents[3] / "environments"
RESERVED = "reservation_id: cr-0123456789abcdef0"
WINDOW = f'{RESERVED}\n        starts: "2026-12-01T11:30:00Z"\n        ends: "2026-12-08T11:30:00Z"'
DEPLOYED, AFTER = datetime(2026, 12, 2, tzinfo=UTC), datetime(2026, 12, 9, tzinfo=UTC)
COMMAND = "neuron-cluster validate train-trn2"


@pytest.fixture
def block(tmp_path: Path) -> Path:
    """train-trn2 with the window of its block."""
    file = tmp_path / "train-trn2.yaml"
    file.write_text((ENVIRONMENTS / "train-trn2.yaml").read_text().replace(RESERVED, WINDOW))
    return file


def found(file: Path, at: datetime) -> tuple[Finding, ...]:
    return check_environment(file, as_of=Today.at(at)).findings


def test_a_block_that_ended_since_the_deploy_is_an_error(block: Path) -> None:
    section = file_section(found(block, DEPLOYED), found(block, AFTER), DEPLOYED, COMMAND)
    (line,) = section.lines
    assert (line.subject[:6], line.verdict, line.command) == ("E3043 ", Verdict.ERROR, COMMAND)
    assert "2026-12-08" in line.cause


def test_findings_of_the_deploy_are_not_repeated(block: Path) -> None:
    then = found(block, DEPLOYED)
    assert then
    (line,) = file_section(then, then, DEPLOYED, COMMAND).lines
    assert (line.verdict, line.cause) == (Verdict.HEALTHY, "no other than at the last deploy, 2026-12-02")


def test_without_a_time_of_the_deploy_the_findings_are_not_read() -> None:
    (line,) = undated_section(COMMAND).lines
    assert (line.verdict, line.command) == (Verdict.NOT_READ, COMMAND)
