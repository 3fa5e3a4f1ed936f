"""The exit codes of charts mean what the programs of the charts give them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from neuron_cluster.workloads.running.exit_code import OF_CHARTS, meaning_of

CHARTS = Path(__file__).parents[4] / "charts"
PROGRAMS = {
    "neuron-training": ("verdict.py", ("STOPPED", "LOST", "FAILED")),
    "collectives-check": ("run_check.py", ("BELOW_FLOOR", "NOT_RUN")),
    "serving-check": ("check_server.py", ("BELOW_LIMIT", "NOT_RUN")),
}


@pytest.mark.parametrize("chart", PROGRAMS)
def test_the_codes_are_those_of_the_program(chart: str) -> None:
    name, constants = PROGRAMS[chart]
    text = (CHARTS / chart / "files" / name).read_text()
    found = {int(code) for each in constants for code in re.findall(rf"^{each} = (\d+)$", text, re.MULTILINE)}
    assert found == set(OF_CHARTS[chart])


def test_a_signal_is_named() -> None:
    assert meaning_of(128 + 7, "neuron-serving").words.startswith("SIGBUS")
    assert meaning_of(128 + 31, "neuron-serving").words.startswith("signal 31")
    assert meaning_of(1, "neuron-serving").words == "the program failed"
    assert "OOMKilled" in meaning_of(137, "neuron-training", "OOMKilled").words
