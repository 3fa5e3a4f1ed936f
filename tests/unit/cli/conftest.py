"""Running the command in this process."""

from __future__ import annotations

import functools
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from neuron_cluster.cli.main import build_parser, main
from tests.json_outputs import assert_has_format
from tests.kept_sources import kept_sources  # noqa: F401 - a fixture

PROJECT = Path(__file__).parents[3]
sys.path.insert(0, str(PROJECT / "tools"))  # for hint_commands and finding_words


class Ran(NamedTuple):
    status: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        """The JSON document on standard output; nothing else may stand there."""
        return json.loads(self.out)


Command = Callable[..., Ran]
kept_parser = functools.cache(build_parser)


@pytest.fixture(autouse=True)
def helm_is_kept_everywhere(helm_is_kept: None) -> None:
    """Rendering takes longer than what these tests are about."""


@pytest.fixture(autouse=True)
def parsers_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """A test runs several commands; to build the parser of one takes as long as most of them."""
    monkeypatch.setattr("neuron_cluster.cli.main.build_parser", kept_parser)


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    """Runs `neuron-cluster` in the project folder, 80 columns wide; JSON must have the format of the command."""
    monkeypatch.chdir(PROJECT)
    monkeypatch.setenv("COLUMNS", "80")

    def run(*arguments: str) -> Ran:
        try:
            status = main(arguments)
        except SystemExit as end:  # argparse
            status = int(end.code or 0)
        captured = capsys.readouterr()
        assert_has_format(arguments, captured.out)
        return Ran(status, captured.out, captured.err)

    return run
