"""Verbs that make no AWS call find the lock of `lock --local` with --local."""

from __future__ import annotations

from pathlib import Path

import pytest

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
    assert "--local" in without.out + without.err
    ran = command(*verb.split(), "mine", "--local")
    assert "E1042" not in ran.out + ran.err
    assert ran.status == 0, ran.err
