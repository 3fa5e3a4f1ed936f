"""The release that requirements.txt of a repository pins, on the command line."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

import pytest

from .conftest import PROJECT, Command

RUNNING = version("neuron-cluster-toolkit")


@pytest.fixture
def repository(tmp_path: Path, command: Command) -> Path:
    folder = tmp_path / "clusters"
    options = ("--template", "dev-inf2", "--name", "first", "--account", "210987654321", "--region", "us-west-2")
    assert command("init", str(folder), *options).status == 0
    return folder


def pin(repository: Path, release: str) -> None:
    (repository / "requirements.txt").write_text(f"./wheels/neuron_cluster_toolkit-{release}-py3-none-any.whl\n")


def findings(command: Command, repository: Path, verb: str, *arguments: str) -> tuple[int, dict[str, dict[str, str]]]:
    """Exit status, and the findings about the pin by id."""
    ran = command(verb, *arguments, "--project", str(repository), "--format", "json")
    return ran.status, {
        each["id"]: each for each in ran.document["findings"] if each["id"].startswith(("E106", "W106"))
    }


@pytest.mark.hints("E1061")
def test_a_repository_of_a_newer_toolkit_is_refused_until_the_line_is_changed(
    repository: Path, command: Command
) -> None:
    assert findings(command, repository, "validate") == (0, {})
    pin(repository, "999.0")
    for verb, *arguments in (("validate",), ("validate", "first"), ("plan", "first"), ("deploy", "first", "--local")):
        status, found = findings(command, repository, verb, *arguments)
        assert (status, list(found)) == (1, ["E1061"]), verb
    hint = found["E1061"]["hint"]
    assert f"`pip install -r {repository}/requirements.txt`" in hint
    (repository / "requirements.txt").write_text(hint.rpartition("change the line to ")[2])
    assert findings(command, repository, "validate") == (0, {})


@pytest.mark.hints("W1062")
def test_a_bare_name_is_a_warning_until_the_wheel_is_named(repository: Path, command: Command) -> None:
    (repository / "requirements.txt").write_text(f"boto3\nneuron-cluster-toolkit=={RUNNING}\n")
    status, found = findings(command, repository, "validate")
    assert (status, list(found), found["W1062"]["line"]) == (0, ["W1062"], 2)
    (repository / "requirements.txt").write_text(found["W1062"]["hint"].rpartition("change the line to ")[2])
    assert findings(command, repository, "validate") == (0, {})


@pytest.mark.hints("W1060")
def test_a_repository_of_an_older_toolkit_is_planned_with_a_warning(repository: Path, command: Command) -> None:
    pin(repository, "0.0.1")
    for verb, *arguments in (("validate",), ("plan", "first"), ("plan", "first", "--scale")):
        status, found = findings(command, repository, verb, *arguments)
        assert (status, list(found)) == (0, ["W1060"]), verb
    hint = found["W1060"]["hint"]
    assert "`neuron-cluster upgrade-toolkit`" in hint
    (repository / "requirements.txt").write_text(hint.partition("change the line to ")[2].partition(",")[0])
    assert findings(command, repository, "plan", "first") == (0, {})


def test_a_file_of_another_folder_is_checked_with_the_pin_of_the_project(repository: Path, command: Command) -> None:
    pin(repository, "999.0")
    shipped = str(PROJECT / "environments" / "dev-inf2.yaml")
    assert list(findings(command, repository, "validate", shipped)[1]) == ["E1061"]
    assert command("validate", shipped).status == 0, "a checkout pins nothing"


def test_synthesis_does_not_read_the_pin(repository: Path) -> None:
    from neuron_cluster.pipeline import check_environment

    pin(repository, "999.0")
    assert check_environment(repository / "environments" / "first.yaml").require_plan().name == "first"
