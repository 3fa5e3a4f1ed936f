"""The exit codes of charts mean what the programs of the charts give them."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from neuron_cluster.schedulers.kubernetes.running.exit_code import OF_CHARTS, meaning_of

CHARTS = Path(__file__).parents[5] / "charts"
PROGRAMS = {
    "neuron-training": ("verdict.py", ("STOPPED", "LOST", "FAILED")),
    "collectives-check": ("run_check.py", ("BELOW_FLOOR", "NOT_RUN")),
    "serving-check": ("check_server.py", ("BELOW_LIMIT", "NOT_RUN")),
    "model-store": ("problem.py", ("USAGE", "DATA", "NO_INPUT", "FULL", "RETRY", "NO_ACCESS")),
    "batch-inference": ("run_batch.py", ("TOO_MANY_FAILED", "INVALID", "BROKEN", "STOPPED")),
}


@pytest.mark.parametrize("chart", PROGRAMS)
def test_the_codes_are_those_of_the_program(chart: str) -> None:
    name, constants = PROGRAMS[chart]
    given = numbers_of(CHARTS / chart / "files" / name)
    assert {given[each] for each in constants} == set(OF_CHARTS[chart])


def numbers_of(program: Path) -> dict[str, int]:
    """The constants of a module: ``A = 1`` and ``A, B = 1, 2``."""
    found: dict[str, int] = {}
    for node in ast.parse(program.read_text()).body:
        if isinstance(node, ast.Assign):
            [target] = node.targets
            names = target.elts if isinstance(target, ast.Tuple) else [target]
            values = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
            pairs = zip(names, values, strict=False)
            found |= {ast.unparse(key): value.value for key, value in pairs if isinstance(value, ast.Constant)}
    return found


def test_a_signal_is_named() -> None:
    assert meaning_of(128 + 7, "neuron-serving").text.startswith("SIGBUS")
    assert meaning_of(128 + 31, "neuron-serving").text.startswith("signal 31")
    assert meaning_of(1, "neuron-serving").text == "the program failed"
    assert "OOMKilled" in meaning_of(137, "neuron-training", "OOMKilled").text
