"""`expand` on the command line, and the example of docs/extends.md: two Regions from one base."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from neuron_cluster.pipeline import check_environment

from .conftest import PROJECT, Command

EXAMPLE = PROJECT / "tests" / "fixtures" / "two_regions"
PAGE = PROJECT / "docs" / "extends.md"
NAMES = ("train-east", "train-west")


@pytest.fixture
def example(tmp_path: Path) -> Path:
    """A project with the example."""
    return Path(shutil.copytree(EXAMPLE, tmp_path / "project"))


@pytest.mark.parametrize("name", NAMES)
def test_the_expansion_is_an_environment_file_with_the_same_plan(name: str, example: Path, command: Command) -> None:
    ran = command("expand", name, "--project", str(example))
    assert (ran.status, ran.err) == (0, "")
    alone = example / "alone.yaml"
    alone.write_text(ran.out)
    before, after = check_environment(example / "environments" / f"{name}.yaml"), check_environment(alone)
    assert before.plan is not None
    assert after.plan == before.plan
    assert [line for line in ran.out.splitlines() if len(line) > 80] == []
    assert "  # bases/train.yaml:" in ran.out


def test_both_regions_are_environments_and_their_base_is_none(example: Path, command: Command) -> None:
    ran = command("validate", "--project", str(example), "--format", "json")
    assert ran.status == 0
    found = ran.document["findings"]
    assert {Path(each["file"]).stem for each in found if "extended_by" not in each} == set(NAMES)
    assert {Path(each["file"]).stem for each in found if "extended_by" in each} == {"train"}
    assert {Path(each["extended_by"]).stem for each in found if "extended_by" in each} == set(NAMES)
    unknown = command("validate", "train", "--project", str(example))
    assert f"known names: {', '.join(NAMES)}" in " ".join(unknown.out.split())


def test_json_has_each_value_with_its_place(example: Path, command: Command) -> None:
    document = command("expand", "train-east", "--project", str(example), "--format", "json").document
    assert [Path(name).name for name in document["files"]] == ["train-east.yaml", "train.yaml"]
    values = {each["path"]: each for each in document["values"]}
    assert values["eks.node_groups[1].count.max"]["value"] == "8"
    assert Path(values["eks.node_groups[1].count.min"]["file"]).name == "train.yaml"
    assert [(each["path"], each["line"]) for each in document["removed"]] == [("tags.cost-center", 6)]


def test_a_file_that_cannot_be_merged_is_reported(example: Path, command: Command) -> None:
    (example / "environments" / "bases" / "train.yaml").unlink()
    ran = command("expand", "train-east", "--project", str(example))
    assert (ran.status, ran.out) == (1, "")
    assert "E1050  extends" in ran.err
    (example / "environments" / "train-east.yaml").write_text("- a\n")
    assert "E0012" in command("expand", "train-east", "--project", str(example)).err


def test_an_error_in_the_base_names_the_environments_that_extend_it(example: Path, command: Command) -> None:
    base = example / "environments" / "bases" / "train.yaml"
    base.write_text(base.read_text().replace("nat: single", "nat: sngle"))
    ran = command("validate", "--project", str(example))
    assert ran.status == 1
    line = base.read_text().splitlines().index("  nat: sngle") + 1
    assert ran.out.count(f"train.yaml:{line}  E0013  network.nat") == 1
    note = r"note: this file is a base of \S+train-east\.yaml and \S+train-west\.yaml"
    assert re.search(note, " ".join(ran.out.split()))
    assert "1 error," in ran.out


def test_the_page_shows_the_files_of_the_example() -> None:
    page = PAGE.read_text("utf-8")
    for file in sorted(EXAMPLE.rglob("*.yaml")):
        _, _, text = file.read_text("utf-8").partition("\n")
        block = "\n".join(f"    {line}".rstrip() for line in text.strip().splitlines())
        assert block in page, file.name
