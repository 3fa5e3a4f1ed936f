"""`plan --time` on the command line."""

from __future__ import annotations

import pytest

from .conftest import Command

pytestmark = pytest.mark.slow


def test_the_time_of_a_first_deploy_comes_from_the_templates(command: Command) -> None:
    ran = command("plan", "dev-inf2", "--time", "--format", "json")
    assert (ran.status, ran.err) == (0, "Synthesizing templates …\n")
    found = ran.document["time"]
    steps = [(step["stack"], step["type"]) for step in found["path"]]
    assert ("dev-inf2-cluster", "AWS::EKS::Cluster") in steps
    assert steps[-1] == ("dev-inf2-nodes", "AWS::EKS::Nodegroup")
    assert 0 < found["seconds"]["low"] < found["seconds"]["high"]
    text = command("plan", "dev-inf2", "--time").out
    assert text.startswith("dev-inf2: a first deploy takes ")
    assert "Counted as no time, as no source has a figure: " in text


def test_time_and_details_exclude_each_other(command: Command) -> None:
    ran = command("plan", "dev-inf2", "--time", "--details")
    assert ran.status == 2
    assert "not allowed with argument" in ran.err
