"""`report` and `diagram` on the command line."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import pytest

from neuron_cluster.cli.output_file import write_output

from .conftest import PROJECT, Command

GOLDEN = PROJECT / "tests" / "unit" / "diagram" / "train-trn1.svg"
AS_OF = ("--as-of", "2026-11-27")


@pytest.mark.slow
def test_report_writes_a_page_with_the_totals_of_cost_and_the_roles_of_access(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "plan.html"
    ran = command("report", "train-trn1", "--output", str(file), *AS_OF, "--format", "json")
    assert ran.status == 0
    assert set(ran.document) == {"environment", "file", "findings"}
    text = file.read_text()
    totals = command("cost", "train-trn1", *AS_OF, "--format", "json").document["totals"]
    sums = [f"{totals[each]['monthly_usd']:,.2f}" for each in ("idle", "desired", "maximum")]
    assert [each for each in sums if f'<td class="number">{each}</td>' not in text] == []
    cells = command("access", "train-trn1", "--format", "json").document["cells"]
    writers = {cell["role"] for cell in cells if cell["allowed"] and cell["action"] == "s3:PutObject"}
    assert writers
    assert all(f'<th scope="row">{role}</th>' in text for role in writers)
    assert "/aws/eks/train-trn1/cluster" in text
    again = tmp_path / "again.html"
    assert command("report", "train-trn1", "--output", str(again), *AS_OF).status == 0
    assert again.read_text() == text


def test_diagram_prints_the_picture_or_writes_it(command: Command, tmp_path: Path) -> None:
    assert command("diagram", "train-trn1").out == GOLDEN.read_text()
    file = tmp_path / "picture.mmd"
    ran = command("diagram", "train-trn1", "--format", "mermaid", "--output", str(file))
    assert (ran.status, ran.out) == (0, f"{file}: the picture of train-trn1\n")
    assert file.read_text().startswith("flowchart TB\n")


@pytest.mark.parametrize("verb", ["report", "diagram"])
def test_an_existing_file_stays_without_force(verb: str, command: Command, tmp_path: Path) -> None:
    file = tmp_path / "plan"
    file.write_text("mine")
    ran = command(verb, "train-trn1", "--output", str(file))
    assert ran.status == 1
    assert ran.err.startswith(f"error: --output {file} exists; nothing was written\n  hint: ")
    assert "--force" in ran.err
    assert file.read_text() == "mine"


def test_force_replaces_the_file(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "picture.svg"
    file.write_text("mine")
    assert command("diagram", "train-trn1", "--output", str(file), "--force").status == 0
    assert file.read_text() == GOLDEN.read_text()
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize("place", ["no-such-folder/plan.svg", ".", "/proc/plan.svg"])
def test_a_place_that_cannot_be_written_is_an_error(place: str, command: Command, tmp_path: Path) -> None:
    ran = command("diagram", "train-trn1", "--output", str(tmp_path / place), "--force")
    assert ran.status == 1
    assert ran.err.startswith("error: ")
    assert "hint: " in ran.err
    assert "Traceback" not in ran.err


@pytest.mark.parametrize("verb", ["report", "diagram"])
def test_an_environment_with_an_error_has_findings_and_no_file(verb: str, command: Command, tmp_path: Path) -> None:
    environment, file = tmp_path / "train-trn1.yaml", tmp_path / "out"
    shipped = (PROJECT / "environments" / "train-trn1.yaml").read_text(encoding="utf-8")
    environment.write_text(shipped.replace("cost-center: ml-platform", 'cost-center: "<script>"'))
    ran = command(verb, str(environment), "--output", str(file))
    assert ran.status == 1
    assert "E6003" in ran.out + ran.err
    assert not file.exists()


@pytest.mark.parametrize("verb", ["report", "diagram"])
@pytest.mark.parametrize("place", ["", "new/"])
def test_a_folder_is_not_a_file(place: str, verb: str, command: Command, tmp_path: Path) -> None:
    ran = command(verb, "train-trn1", "--output", f"{tmp_path}/{place}", "--force")
    assert ran.status == 1
    assert f"--output {tmp_path}/{place} is a folder, not a file; nothing was written" in ran.err
    assert list(tmp_path.iterdir()) == []


def test_a_page_has_a_file_name_that_is_not_utf_8(tmp_path: Path) -> None:
    options = argparse.Namespace(output=str(tmp_path / "plan.html"), force=False)
    write_output(options, os.fsdecode(b"From p\xff.yaml"))
    assert (tmp_path / "plan.html").read_text() == "From p\\udcff.yaml"


def test_report_writes_the_page_to_standard_output_for_a_dash(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "plan.html"
    command("report", "train-trn1", "--output", str(file), *AS_OF)
    ran = command("report", "train-trn1", "--output", "-", *AS_OF)
    assert (ran.status, ran.out) == (0, file.read_text())
    assert "W6002" in ran.err
    assert not (PROJECT / "-").exists()


def test_report_rejects_standard_output_for_the_page_and_for_json(command: Command) -> None:
    ran = command("report", "dev-inf2", "--output", "-", "--format", "json")
    assert ran.status == 1
    (error,) = ran.document["findings"]
    assert "both write to standard output" in error["message"]
    assert error["hint"].startswith("leave out --format json")


def test_diagram_writes_to_standard_output_for_a_dash(command: Command) -> None:
    assert command("diagram", "train-trn1", "--output", "-").out == GOLDEN.read_text()


def test_report_requires_a_file(command: Command) -> None:
    ran = command("report", "train-trn1")
    assert ran.status == 2
    assert "--output" in ran.err


@pytest.mark.parametrize("verb", ["diagram", "report"])
def test_control_characters_of_a_file_name_do_not_reach_the_terminal(
    verb: str, command: Command, tmp_path: Path
) -> None:
    ran = command(verb, "train-trn1", "--output", str(tmp_path / "\x9b31m"))
    assert ran.status == 0
    assert "\\x9b31m: the p" in ran.out
