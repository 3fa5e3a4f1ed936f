"""Charts in namespaces of teams: `workload render` and `submit` state what the user may not create."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.fake_api_server import FakeApiServer

from .conftest import Command

pytestmark = pytest.mark.slow
TRAINING = ("neuron-training", "research-teams", "--namespace", "language", "--claim", "lustre", "--group", "trn1")
CHECK = ("collectives-check", "research-teams", "--namespace", "language", "--nodes", "2")


def named(command: Command, *arguments: str) -> list[dict[str, str]]:
    """Findings about the team of the namespace."""
    document = command("workload", "render", *arguments, "--format", "json").document
    return [each for each in document["findings"] if each["id"] in ("W9273", "E9274")]


@pytest.mark.hints("W9273")
def test_a_chart_has_only_objects_that_a_member_may_create_unless_options_add_others(command: Command) -> None:
    assert named(command, *TRAINING, "--nodes", "2") == []
    (own,) = named(command, *TRAINING, "--nodes", "2", "--set", "networkPolicy.enabled=true")
    assert "no member of the team may create NetworkPolicy neuron-training in namespace language" in own["message"]
    assert own["hint"] == "set networkPolicy.enabled=false, or have it submitted by operators"


def test_roles_of_a_chart_are_for_administrators(command: Command) -> None:
    (found,) = named(command, *CHECK)
    assert "Role collectives-check-result and RoleBinding collectives-check-result" in found["message"]
    assert found["hint"] == "have it submitted by an administrator"


def test_a_server_of_a_team_has_the_queue_of_its_group(command: Command) -> None:
    serving = ("neuron-serving", "research-teams", "--claim", "lustre")
    for namespace, group, queue in (("language", "trn1-dev", "development"), ("robotics", "inf2", "")):
        ran = command("workload", "render", *serving, "--namespace", namespace, "--group", group, "--format", "json")
        assert ran.document["values"]["queue"]["name"] == queue


@pytest.mark.hints("E9274")
def test_a_chart_larger_than_the_quota_is_an_error(command: Command) -> None:
    (error,) = named(command, *TRAINING, "--nodes", "8")
    assert "limits requests.aws.amazon.com/neuron to 116, requested: 128" in error["message"]
    assert named(command, *TRAINING, "--nodes", "7") == []


@pytest.mark.hints("E9276")
def test_a_chart_on_nodes_of_another_team_is_an_error(command: Command) -> None:
    """``--group`` gives its pods the tolerations of the group."""
    serving = ("neuron-serving", "research-teams", "--claim", "lustre", "--group", "inf2", "--format", "json")
    for namespace, number in (("language", 1), ("robotics", 0)):
        document = command("workload", "render", *serving, "--namespace", namespace).document
        found = [each for each in document["findings"] if each["id"] == "E9276"]
        assert len({each["message"] for each in found}) == number
        assert all(each["hint"] == "name key and value of the taints of your own nodes" for each in found)


def test_a_job_of_a_team_without_its_queue_is_a_warning(command: Command) -> None:
    arguments = ("workload", "render", *TRAINING, "--nodes", "2", "--queue", "", "--format", "json")
    (found,) = [each for each in command(*arguments).document["findings"] if each["id"] == "W9251"]
    assert found["message"].endswith("no member of the team may create them")
    assert found["hint"].startswith("set --queue training")


@pytest.fixture
def stub_helm(tmp_path: Path) -> Path:
    """Notes that it was called."""
    stub = tmp_path / "helm"
    text = "import pathlib\npathlib.Path(__file__).with_suffix('.called').touch()\nprint('STATUS: deployed')\n"
    stub.write_text(f"#!{sys.executable}\n{text}")
    stub.chmod(0o755)
    return stub


@pytest.mark.hints("E9275")
@pytest.mark.parametrize(("forbidden", "status"), [(["roles"], 1), ([], 0)])
def test_submit_asks_the_cluster_before_helm_creates_anything(
    forbidden: list[str],
    status: int,
    stub_helm: Path,
    tmp_path: Path,
    command: Command,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("KUBECACHEDIR", str(tmp_path / "cache"))
    arn = "arn:aws:eks:us-west-2:111122223333:cluster/research-teams"
    with FakeApiServer([], may_not_create=forbidden) as server:
        config = server.kubeconfig(tmp_path / "config", arn)
        place = ("--context", "here", "--kubeconfig", str(config), "--helm", str(stub_helm))
        ran = command("workload", "submit", *CHECK, *place)
    assert ran.status == status
    assert ("E9275" in ran.err) is bool(forbidden)
    assert stub_helm.with_suffix(".called").exists() is not bool(forbidden)
