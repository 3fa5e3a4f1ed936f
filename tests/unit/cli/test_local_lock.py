"""Verbs that make no AWS call find the lock of `lock --local` with --local."""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from neuron_cluster.cli.main import build_parser, main

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
IN_CLUSTER = ("--context", "here")
STOPS_WITHOUT_LOCK: dict[str, tuple[str, ...]] = {
    "validate": ("mine",),
    "plan": ("mine",),
    "cost": ("mine",),
    "usage": ("mine", *IN_CLUSTER),
    "access": ("mine",),
    "report": ("mine", "--output", "plan.html"),
    "diagram": ("mine",),
    "schedule": ("mine",),
    "image build": ("mine", "--yes"),
    "synth": ("mine",),
    "diff": ("mine", "--against", "mine"),
    "import": ("mine", "--bucket", "some-bucket", "--yes"),
    "preflight": ("mine",),
    "deploy": ("mine", "--yes"),
    "drift": ("mine",),
    "images": ("mine",),
    "capacity offers": ("mine",),
    "storage simulate": ("mine",),
    "storage drill": ("mine", "--bucket", "some-bucket", "--prefix", "a/", "--into", "b"),
    "workload list": ("mine",),
    "workload render": ("collectives-check", "mine"),
    "workload rehearse": ("collectives-check", "mine"),
    "workload submit": ("collectives-check", "mine", *IN_CLUSTER, "--namespace", "a", "--dry-run"),
    "workload why": ("one", "mine", *IN_CLUSTER),
    "workload status": ("one", "mine", *IN_CLUSTER),
    "workload logs": ("one", "mine", *IN_CLUSTER),
    "workload stop": ("one", "mine", *IN_CLUSTER),
    "onboard": ("mine", "--team", "a", "--output", "pack"),
    "offboard": ("mine", "--team", "a"),
}
"""Arguments of every verb that requires a file without errors."""
NODES = ("node list", "node replace", "node reboot")
READS_FILE_WITH_ERRORS = {"lock", "destroy", "status", "upgrade", "cache status", "cache clean", *NODES}


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


def test_every_verb_that_reads_a_lock_is_tried_without_one() -> None:
    opens = {verb for verb, given in actions(build_parser()) if given & {"environment", "environments"}}
    assert opens == STOPS_WITHOUT_LOCK.keys() | READS_FILE_WITH_ERRORS | READS_NO_LOCK


@pytest.fixture(scope="module")
def new_repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("new") / "clusters"
    assert main(("init", str(folder), "--template", "existing-vpc", "--name", "mine", *ACCOUNT)) == 0
    return folder


@pytest.fixture
def repository(tmp_path: Path, new_repository: Path) -> Path:
    """A file with a VPC that exists, of which only the local AWS has a lock."""
    folder = shutil.copytree(new_repository, tmp_path / "clusters")
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
    ran = command(*verb.split(), "mine", "--local")
    assert "E1042" not in ran.out + ran.err
    assert ran.status == 0, ran.err


def words_without_lock(verb: str, command: Command, *options: str) -> str:
    ran = command(*verb.split(), *STOPS_WITHOUT_LOCK[verb], *options)
    text = " ".join((ran.out + ran.err).split())
    assert (ran.status, "E1042" in text) == (1, True)
    return text


@pytest.mark.parametrize("verb", STOPS_WITHOUT_LOCK)
def test_the_hint_about_a_missing_lock_names_the_command_for_the_aws_in_use(
    verb: str, repository: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repository)
    lock = repository / ".local" / "locks" / "mine.yaml"
    reads_local = "; with --local the command reads .local/locks/mine.yaml, the lock of the local AWS"
    text = words_without_lock(verb, command)
    assert f"run `neuron-cluster lock mine`, which queries the VPC and its subnets{reads_local}" in text
    assert "lock --local" not in text
    lock.unlink()
    text = words_without_lock(verb, command)
    assert "`neuron-cluster lock mine`, which queries the VPC" in text
    assert "--local" not in text.replace("deploy --local", "")
    text = words_without_lock(verb, command, "--local")
    assert "run `neuron-cluster lock --local mine`, which queries the VPC and its subnets" in text
    assert "`neuron-cluster lock mine`" not in text


def test_upgrade_names_the_commands_for_the_aws_in_use(
    repository: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repository)
    to_older = ("upgrade", "mine", "--to", "2.31.1", "--write")
    text = " ".join(command(*to_older, "--local").out.split())
    assert "Next: `neuron-cluster lock --local mine`, then `neuron-cluster diff --local mine`, then deploy." in text


@pytest.mark.exhaustive  # as report above, of which the app reads the lock too
def test_diff_with_a_file_reads_the_lock_of_the_local_aws(
    repository: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repository)
    ran = command("diff", "mine", "--against", "mine", "--local")
    assert (ran.status, ran.err.count("E1042")) == (0, 0)
    assert "mine: no difference from environments/mine.yaml" in " ".join(ran.out.split())
