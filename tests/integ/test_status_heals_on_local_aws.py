"""Stacks that are half made, rolled back or half deleted: the command that `status` prints heals them."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from local_aws.server import LocalAws

from .only_data import ONLY_DATA, with_only_data

pytestmark = [pytest.mark.slow, pytest.mark.exhaustive]
NAME = "only-data"
Command = Callable[..., Any]


@pytest.fixture(scope="module")
def project(project: Path) -> Path:
    return with_only_data(project)


@pytest.fixture
def status(command: Command, local_aws: LocalAws) -> Callable[[], list[dict[str, Any]]]:
    """The lines of the state that are not healthy, the worst first."""

    def read() -> list[dict[str, Any]]:
        ran = command("status", "--local", NAME)
        lines = [line for section in ran.document["sections"] for line in section["lines"]]
        bad = [line for line in lines if line["verdict"] != "healthy"]
        assert ran.status == (3 if bad else 0), bad
        return bad

    return read


@pytest.fixture
def carry_out(command: Command) -> Callable[[str], None]:
    """Runs a command of the toolkit that a line has, which must end well."""

    def run(text: str) -> None:
        program, *words = shlex.split(text)
        assert program == "neuron-cluster"
        ran = command(*words)
        assert ran.status == 0, json.dumps(ran.document)

    return run


def test_a_half_made_deploy_is_continued(
    command: Command, status: Any, carry_out: Callable[[str], None], aws: LocalAws
) -> None:
    with aws.faults.failing("create", "AWS::FSx::FileSystem"):
        assert command("deploy", "--local", NAME).status == 1
    first = status()[0]
    assert first["subject"] == "only-data-storage"
    assert "ROLLBACK" in first["cause"]
    assert "Lustre (AWS::FSx::FileSystem): " in first["cause"]
    assert "The service failed on request of a test." in first["cause"]
    carry_out(first["command"])
    assert status() == []


def test_an_update_that_was_rolled_back_is_made_again(
    command: Command, status: Any, carry_out: Callable[[str], None], aws: LocalAws, project: Path
) -> None:
    with_only_data(
        project, ONLY_DATA.replace("checkpoint_bucket: {}", "checkpoint_bucket: {noncurrent_version_days: 60}")
    )
    with aws.faults.failing("update", "AWS::S3::Bucket", times=1):
        assert command("deploy", "--local", NAME).status == 1
    (line,) = status()
    assert (line["subject"], line["verdict"]) == ("only-data-storage", "warning")
    assert line["cause"].startswith("UPDATE_ROLLBACK_COMPLETE: its last update failed")
    carry_out(line["command"])
    assert status() == []


def test_an_interrupted_destroy_is_ended_and_a_deploy_brings_it_back(
    command: Command, status: Any, carry_out: Callable[[str], None], aws: LocalAws
) -> None:
    with aws.faults.failing("delete", "AWS::EC2::VPC"):
        assert command("destroy", "--local", NAME, "--delete-data", NAME).status == 1
    bad = status()
    line = next(each for each in bad if each["cause"].startswith("DELETE_FAILED"))
    assert "AWS::EC2::VPC" in line["cause"]
    assert line["command"] == f"neuron-cluster destroy --local {NAME}"
    carry_out(line["command"])
    gone = status()[0]
    assert gone["cause"] == "the stack does not exist"
    carry_out(gone["command"])
    assert status() == []
