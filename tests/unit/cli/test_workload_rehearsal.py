"""Options that `workload rehearse` rejects before it renders or runs anything."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import Command

GIVEN = ("workload", "rehearse", "neuron-training", "train-trn1")


@pytest.mark.parametrize("value", ["nan", "inf", "-1", "1e400", "", "ten"])
def test_a_time_that_is_no_number_of_seconds_is_refused(command: Command, value: str) -> None:
    ran = command(*GIVEN, "--time", f"image_pull={value}")
    assert ran.status == 1
    assert f"--time 'image_pull={value}': not a number of seconds from 0" in ran.err


def test_a_chart_has_no_time_limit_of_slurm(command: Command) -> None:
    ran = command(*GIVEN, "--time", "60")
    assert ran.status == 1
    assert "--time '60': no such time" in " ".join(ran.err.split())


def test_options_of_jobs_are_named_for_a_chart(command: Command) -> None:
    ran = command(*GIVEN, "--sbatch=--mem=1G")
    assert ran.status == 1
    assert "--sbatch is an option of jobs, and neuron-training is a chart" in " ".join(ran.err.split())


def test_a_folder_with_content_is_not_written_to(command: Command, tmp_path: Path) -> None:
    (tmp_path / "notes").write_text("mine")
    ran = command(*GIVEN, "--keep", str(tmp_path))
    assert ran.status == 1
    assert f"--keep {tmp_path} is not empty" in ran.err
    assert [each.name for each in tmp_path.iterdir()] == ["notes"]


def test_a_drawing_needs_its_folder_before_the_rehearsal_begins(command: Command, tmp_path: Path) -> None:
    ran = command(*GIVEN, "--svg", str(tmp_path / "absent" / "timeline.svg"))
    assert ran.status == 1
    assert f"there is no folder {tmp_path / 'absent'}" in ran.err


def test_a_file_for_a_claim_must_exist_before_the_rehearsal_begins(command: Command, tmp_path: Path) -> None:
    ran = command(*GIVEN, "--file", f"lustre/a={tmp_path / 'absent'}")
    assert ran.status == 1
    assert f"there is no file {tmp_path / 'absent'}" in ran.err
