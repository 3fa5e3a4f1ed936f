"""The JSON of commands that write or read environment files has every property of its schema."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.json_outputs import FORMAT, accepted_mutations, unseen, validator

from .conftest import PROJECT, Command

TWO_REGIONS = PROJECT / "tests" / "fixtures" / "two_regions"

PLACE = ("--account", "210987654321", "--region", "us-west-2")
SIZED = ("--purpose", "serve", "--model", "llama-3.1-8b", "--max-hourly", "15", "--team", "red", "--team", "blue")
"""A cheaper instance has one device, which two teams cannot share."""
WITH_BASE = ("--template", "train-west")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project without environments."""
    (tmp_path / "environments").mkdir()
    shutil.copy(PROJECT / "cdk.json", tmp_path)
    return tmp_path


def test_every_property_of_a_new_environment_is_printed(command: Command, project: Path) -> None:
    sized, with_base, second = (
        command("new", name, *PLACE, *options, "--project", str(project), *FORMAT).document
        for name, options in (("sized", SIZED), ("west", WITH_BASE), ("second", WITH_BASE))
    )
    found = [sized, with_base, second, command("new", "--list-templates", *FORMAT).document]
    assert unseen("new", found) == []
    assert [change for each in found for change in accepted_mutations("new", each)] == []
    assert (sized["rejected"][0]["instance_type"], sized["rejected"][0]["count"]) == ("inf2.8xlarge", 1)
    base, keys = str(project / "environments" / "bases" / "train.yaml"), ["eks.access.admins[0]"]
    assert with_base["files"] == [with_base["file"], base]
    assert second["files"] == [second["file"]]
    assert [(each["file"], each["keys"]) for each in second["to_edit"]] == [(base, keys)]


def test_every_property_of_a_new_repository_is_printed(command: Command, tmp_path: Path) -> None:
    made, with_base = (
        command("init", str(tmp_path / name), "--name", name, *PLACE, *options, *FORMAT).document
        for name, options in (("sized", SIZED), ("west", WITH_BASE))
    )
    found = [made, with_base, command("init", "--list-templates", *FORMAT).document]
    assert unseen("init", found) == []
    assert [change for each in found for change in accepted_mutations("init", each)] == []
    for each in (made, with_base):
        assert all((Path(each["folder"]) / name).is_file() for name in each["files"])
        assert {edit["file"] for edit in each["to_edit"]} <= set(each["files"])
    assert made["rejected"][0]["count"] == 1


def test_the_default_template_of_a_purpose_is_the_first(command: Command, project: Path) -> None:
    listed = command("new", "--list-templates", *FORMAT).document
    purposes = {each["name"]: each["templates"] for each in listed["purposes"]}
    names = {each["name"]: each["purposes"] for each in listed["templates"]}
    assert {name: sorted(each) for name, each in purposes.items()} == {
        purpose: sorted(name for name in names if purpose in names[name]) for purpose in purposes
    }
    made = command("new", "probe", "--purpose", "develop", *PLACE, "--project", str(project), *FORMAT).document
    assert made["template"] == purposes["develop"][0]


def test_every_property_of_an_expansion_is_printed(command: Command) -> None:
    found = command("expand", "train-east", "--project", str(TWO_REGIONS), *FORMAT).document
    assert unseen("expand", [found]) == []
    assert accepted_mutations("expand", found) == []
    assert {Path(each["file"]).name for each in found["values"]} == {"train-east.yaml", "train.yaml"}


@pytest.mark.parametrize(
    ("text", "value"), [("", None), ("7", "7"), ("true", "true"), ('"a"', "a"), ("[]", []), ("{}", {})]
)
def test_a_value_is_the_text_of_the_file(text: str, value: Any, command: Command, tmp_path: Path) -> None:
    file = tmp_path / "probe.yaml"
    file.write_text(f"schema: 1\nname: probe\ntags: {text}\n")
    found = {each["path"]: each for each in command("expand", str(file), *FORMAT).document["values"]}
    assert (found["tags"]["value"], found["tags"]["line"], found["tags"]["column"]) == (value, 3, 1)


@pytest.mark.parametrize("value", [7, True, 0.5])
def test_a_value_is_never_a_number_or_a_boolean(value: Any, command: Command) -> None:
    (found, *_) = command("expand", "dev-inf2", *FORMAT).document["values"]
    assert validator("expand", "ExpandedValue").is_valid(found)
    assert not validator("expand", "ExpandedValue").is_valid({**found, "value": value})


def test_every_property_of_a_report_is_printed(command: Command, tmp_path: Path) -> None:
    page = tmp_path / "plan.html"
    found = command("report", "train-trn1", "--output", str(page), *FORMAT).document
    assert unseen("report", [found]) == ["Report.status"], "tests/unit/status/test_report.py has it"
    assert accepted_mutations("report", found) == []
    assert (found["environment"], found["file"]) == ("train-trn1", str(page))
