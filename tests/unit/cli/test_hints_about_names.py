"""Hints about names on the command line, and about the names of files, are followed: what they name works."""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from finding_words import unsaid
from hint_commands import commands_in

from neuron_cluster.cli.catalog import KINDS
from tests.every_run import in_every_run

from .conftest import PROJECT, Command

NAMES = [path.stem for path in sorted((PROJECT / "environments").glob("*.yaml"))]


def finding(command: Command, *arguments: str) -> dict[str, Any]:
    """The one finding of a command that fails."""
    ran = command(*arguments, "--format", "json")
    assert ran.status == 1
    (found,) = ran.document["findings"]
    return dict(found)


def proposed(hint: str) -> list[str]:
    """The names in `did you mean a, b or c?`."""
    found = re.match(r"did you mean (.*)\?", hint)
    assert found, hint
    return re.split(r", | or ", found[1])


def small(name: str) -> str:
    text = (PROJECT / "environments" / "dev-inf2.yaml").read_text()
    return text.replace("name: dev-inf2", f"name: {name}")


@pytest.fixture
def own_project(tmp_path: Path) -> Path:
    (tmp_path / "environments").mkdir()
    (tmp_path / "cdk.json").write_text("{}")
    return tmp_path


@pytest.mark.hints("E0015")
@pytest.mark.parametrize("given", ["trian-trn1", "DEV-INF2", "nothing-like-it", ""])
def test_names_that_are_proposed_for_an_environment_are_known(given: str, command: Command) -> None:
    found = finding(command, "validate", given)
    assert found["id"] == "E0015"
    near = proposed(found["hint"]) if "did you mean" in found["hint"] else []
    assert set(near) <= set(NAMES)
    assert bool(near) == (given in ("trian-trn1", "DEV-INF2"))
    listed = re.search(r"known names: (.*); or give the path of a file$", found["hint"])
    assert listed
    assert listed[1].split(", ") == NAMES
    for name in (near[0] if near else NAMES[0], f"environments/{NAMES[0]}.yaml"):
        assert command("validate", name).status == 0


@pytest.mark.hints("E0015")
def test_a_dash_is_answered_with_the_path_of_standard_input(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    found = finding(command, "validate", "-")
    assert found["id"] == "E0015"
    (path,) = re.findall(r"/dev/\w+", found["hint"])
    before = os.dup(0)
    with (PROJECT / "environments" / "dev-inf2.yaml").open() as file:
        os.dup2(file.fileno(), 0)
        try:
            assert command("validate", path).status == 0
        finally:
            os.dup2(before, 0)
            os.close(before)


def test_a_project_without_files_gets_one(own_project: Path, command: Command) -> None:
    project = ("--project", str(own_project))
    found = finding(command, "validate", *project)
    assert (found["id"], found["hint"]) == (
        "E0015",
        "environments/ holds no *.yaml file yet: put NAME.yaml into it; or give the path of a file",
    )
    (own_project / "environments" / "mine.yaml").write_text(small("mine"))
    assert command("validate", *project).status == 0
    assert command("validate", str(own_project / "environments" / "mine.yaml"), *project).status == 0


@pytest.mark.hints("E0016")
def test_a_project_is_found_where_the_hint_says(own_project: Path, command: Command, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    found = finding(command, "validate", "--project", str(tmp_path / "elsewhere"))
    assert found["id"] == "E0016"
    assert found["hint"] == (
        "run this inside a repository that `neuron-cluster init DIR` has created or a checkout of the toolkit, or name "
        "one with --project DIR"
    )
    assert command("validate", NAMES[0], "--project", str(PROJECT)).status == 0
    assert command("validate", NAMES[0]).status == 0, "the working directory is a checkout"


@pytest.mark.hints("E0017")
@pytest.mark.parametrize("kind", in_every_run(KINDS, ["instances", "sdk", "frameworks", "regions"]))
def test_a_name_that_the_catalog_lacks_is_one_that_it_has(kind: str, command: Command) -> None:
    rows = command("catalog", kind, "--format", "json").document
    name = next(str(row["name"]) for row in rows)
    near = finding(command, "catalog", kind, f"{name}x")
    assert near["id"] == "E0017"
    for meant in proposed(near["hint"]):
        assert command("catalog", kind, meant).status == 0
    assert finding(command, "catalog", kind, "§")["hint"] == "leave the name out to see all"
    assert command("catalog", kind).status == 0


FILTERS = {
    "--chip": ("instances", "trainum2", "§"),
    "--sdk": ("containers", "2.32", "§"),
    "--family": ("instances", "trn11", "§"),
    "--region": ("instances", "us-west2", "§"),
}


@pytest.mark.parametrize("option", FILTERS)
def test_values_that_the_catalog_is_not_chosen_by_are_some_that_it_is(option: str, command: Command) -> None:
    kind, misspelt, strange = FILTERS[option]
    near = finding(command, "catalog", kind, option, misspelt)
    assert near["id"] == "E0017"
    known = finding(command, "catalog", kind, option, strange)["hint"].removeprefix("known: ").split(", ")
    for value in (*proposed(near["hint"]), known[0], known[-1]):
        assert value in known
        assert command("catalog", kind, option, value).status == 0


def test_a_family_is_chosen_and_not_named(command: Command) -> None:
    hint = finding(command, "catalog", "instances", "trn1")["hint"]
    found = re.fullmatch(r"trn1 is a family: leave the name out and choose with (--family trn1)", hint)
    assert found
    rows = command("catalog", "instances", *found[1].split(), "--format", "json").document
    assert {row["family"] for row in rows} == {"trn1"}


@pytest.mark.hints("E0018")
@pytest.mark.parametrize("topic", ["E30001", "W3001", "eks.nodegroups", "ekz", "§", ""])
def test_what_can_be_explained_is_proposed_or_listed(topic: str, command: Command) -> None:
    found = finding(command, "explain", topic)
    assert found["id"] == "E0018"
    (listing,) = commands_in(found["hint"])
    assert listing == "neuron-cluster explain"
    near = proposed(found["hint"]) if "did you mean" in found["hint"] else []
    assert bool(near) == (topic not in ("§", ""))
    for arguments in (shlex.split(listing)[1:], *(["explain", each] for each in near)):
        assert command(*arguments).status == 0


@pytest.mark.hints("W0019")
def test_a_file_and_its_environment_get_one_name(own_project: Path, command: Command) -> None:
    file = own_project / "environments" / "copy.yaml"
    file.write_text(small("dev-inf2"))
    (found,) = [
        f for f in command("validate", str(file), "--format", "json").document["findings"] if f["id"] == "W0019"
    ]
    ways = re.fullmatch(r"write (name: \S+), or rename the file to (\S+)", found["hint"])
    assert ways
    file.write_text(file.read_text().replace("name: dev-inf2", ways[1]))
    assert "W0019" not in command("validate", str(file)).out
    file.write_text(small("dev-inf2"))
    renamed = file.rename(file.with_name(ways[2]))
    assert "W0019" not in command("validate", str(renamed)).out


SOURCES = (
    "neuron_cluster/project.py:require_project",
    "neuron_cluster/project.py:_unknown",
    "neuron_cluster/project.py:_no_environment",
    "neuron_cluster/project.py:require_environment_files",
    "neuron_cluster/report/catalog_filter.py:unknown_values",
    "neuron_cluster/report/catalog_page.py:unknown_row",
    "neuron_cluster/report/explain_finding.py:unknown_topic",
    "neuron_cluster/config/file_findings.py:file_name_findings",
)


def test_nothing_that_can_be_said_of_a_name_is_left_out(own_project: Path, command: Command, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    calls = [
        ("validate", ""),
        ("validate", "x"),
        ("validate", "-"),
        ("validate", "--project", str(own_project)),
        ("validate", "--project", str(tmp_path / "elsewhere")),
        *(("catalog", "instances", name) for name in ("trn1", "§")),
        ("catalog", "instances", "--chip", "§"),
        ("explain", ""),
        ("explain", "§"),
    ]
    found = [finding(command, *arguments) for arguments in calls]
    for name in ("copy", "dev-inf2"):
        (own_project / "environments" / f"{name}.yaml").write_text(small("dev-inf2"))
    file = str(own_project / "environments" / "copy.yaml")
    found += command("validate", file, "--format", "json").document["findings"]
    here = "no project here: cdk.json beside environments/ is in no folder from here upward"
    assert unsaid(SOURCES, [*(f"{each['message']}\n{each['hint']}" for each in found), here]) == []
