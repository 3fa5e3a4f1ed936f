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


def test_the_details_of_a_plan_name_its_time_or_have_it(command: Command) -> None:
    pointer = "Expected time of a first deploy, and its critical path: `neuron-cluster plan dev-inf2 --details --time`."
    text = " ".join(command("plan", "dev-inf2", "--details").out.split())
    assert (pointer in text, "a first deploy takes" in text) == (True, False)
    text = command("plan", "dev-inf2", "--details", "--time").out
    assert "Critical path" in text[text.index("dev-inf2: a first deploy takes") :]
    assert pointer not in " ".join(text.split())
    document = command("plan", "dev-inf2", "--details", "--time", "--format", "json").document
    assert (document["plan"]["name"], document["time"]["path"] != []) == ("dev-inf2", True)


def test_time_and_scale_exclude_each_other(command: Command) -> None:
    ran = command("plan", "dev-inf2", "--time", "--scale")
    assert ran.status == 2
    assert "argument --time: not allowed with argument --scale" in ran.err
