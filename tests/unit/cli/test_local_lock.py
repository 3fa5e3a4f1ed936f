"""Verbs that make no AWS call find the lock of `lock --local` with --local."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import pytest

from neuron_cluster.cli.main import build_parser

from .conftest import Command

ACCOUNT = ("--account", "111122223333", "--region", "us-west-2")
VERBS = (
    "plan",
    "cost",
    "diagram",
    "schedule",
    "access",
    "images",
    "report --output plan.html",
    "synth --output templates",
    "workload list",
    "workload render collectives-check",
)
IN_SUITE = {"plan", "report --output plan.html", "workload list"}


READS_NO_LOCK = {"expand"}


def actions(parser: argparse.ArgumentParser, verb: str = "") -> Iterator[tuple[str, set[str]]]:
    """Every verb without verbs below it, and the names of its arguments."""
    below = [each for each in parser._actions if isinstance(each, argparse._SubParsersAction)]
    if not below:
        yield verb.strip(), {each.dest for each in parser._actions}
    for name, choice in ((name, choice) for each in below for name, choice in each.choices.items()):
        yield from actions(choice, f"{verb} {name}")


def test_every_verb_that_opens_an_environment_has_the_option() -> None:
    opens = {verb: given for verb, given in actions(build_parser()) if given & {"environment", "environments"}}
    assert {"plan", "upgrade", "storage simulate", "workload why"} <= opens.keys()
    assert {verb for verb, given in opens.items() if "local" not in given} == READS_NO_LOCK


@pytest.fixture
def repository(tmp_path: Path, command: Command) -> Path:
    """A file with a VPC that exists, of which only the local AWS has a lock."""
    folder = tmp_path / "clusters"
    assert command("init", str(folder), "--template", "existing-vpc", "--name", "mine", *ACCOUNT).status == 0
    local = folder / ".local" / "locks"
    local.mkdir(parents=True)
    (folder / "environments" / "locks" / "mine.yaml").rename(local / "mine.yaml")
    return folder


@pytest.mark.parametrize(
    "verb", [pytest.param(verb, marks=[pytest.mark.exhaustive] * (verb not in IN_SUITE)) for verb in VERBS]
)
def test_an_offline_verb_reads_the_lock_of_the_local_aws(
    verb: str, repository: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repository)
    without = command(*verb.split(), "mine")
    assert without.status == 1
    assert "E1042" in without.out + without.err
    assert "`neuron-cluster lock --local mine`" in " ".join((without.out + without.err).split())
    ran = command(*verb.split(), "mine", "--local")
    assert "E1042" not in ran.out + ran.err
    assert ran.status == 0, ran.err
