"""The JSON of commands that write or read environment files has every property of its schema."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.json_outputs import FORMAT, accepted_mutations, unseen, validator

from .conftest import PROJECT, Command

TWO_REGIONS = PROJECT / "tests" / "fixtures" / "two_regions"


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
    base = tmp_path / "base.yaml"
    shutil.copy(PROJECT / "environments" / "dev-inf2.yaml", base)
    file, page = tmp_path / "dev-inf2.yaml", tmp_path / "plan.html"
    file.write_text(f"extends: {base.name}\n")
    found = command("report", str(file), "--output", str(page), *FORMAT).document
    assert unseen("report", [found]) == []
    assert accepted_mutations("report", found) == []
    assert (found["environment"], found["file"]) == ("dev-inf2", str(page))
