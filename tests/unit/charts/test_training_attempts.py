"""Restarts of a neuron-training job that the JobSet does not count are limited by what the job gained."""

import os
from pathlib import Path

import attempts
import pytest
from attempts import Attempts, Limits, TooManyRestarts
from notes import Entry, Note

NONE = Limits(losses=0, without_checkpoint=0)


@pytest.fixture
def checkpoints(tmp_path: Path) -> Path:
    (tmp_path / "checkpoints").mkdir()
    return tmp_path / "checkpoints"


def begin(folder: Path, *earlier: Entry, run: str = "uid") -> Attempts:
    return attempts.begin(folder, run, folder / "checkpoints", earlier)


def test_restarts_without_a_newer_checkpoint_add_up(tmp_path: Path, checkpoints: Path) -> None:
    assert [begin(tmp_path).without_checkpoint for _ in range(3)] == [0, 1, 2]
    (checkpoints / "step-100").mkdir()
    assert [begin(tmp_path).without_checkpoint for _ in range(2)] == [0, 1]
    assert len(list((tmp_path / attempts.FOLDER).iterdir())) == 1


def test_losses_add_up_over_the_whole_run(tmp_path: Path, checkpoints: Path) -> None:
    """Two pods that report one loss, and a note of an attempt before the last, count once and not at all."""
    first = begin(tmp_path)
    lost = [Entry(first.at + 1, "a", Note.LOST), Entry(first.at + 2, "b", Note.LOST)]
    (checkpoints / "1").mkdir()
    second = begin(tmp_path, *lost)
    (checkpoints / "2").mkdir()
    third = begin(tmp_path, *lost, Entry(second.at + 1, "a", Note.SAVE))
    assert [each.losses for each in (first, second, third)] == [0, 1, 1]


def test_another_run_of_the_release_begins_anew(tmp_path: Path, checkpoints: Path) -> None:
    begin(tmp_path)
    assert begin(tmp_path).without_checkpoint == 1
    assert begin(tmp_path, run="another").without_checkpoint == 0


def test_numbers_that_were_not_written_to_their_end_are_left_out(tmp_path: Path, checkpoints: Path) -> None:
    begin(tmp_path)
    (tmp_path / attempts.FOLDER / f"{10**30}.json").write_text('{"run": "uid", "at')
    assert begin(tmp_path).without_checkpoint == 1


@pytest.mark.parametrize(
    ("limits", "text"),
    [
        (Limits(losses=2, without_checkpoint=0), "lost 3 times .restarts.maxLosses"),
        (Limits(losses=0, without_checkpoint=3), "newer checkpoint than step-5, .* 4 times .restarts.maxWithout"),
    ],
)
def test_a_run_beyond_a_limit_may_not_start(limits: Limits, text: str) -> None:
    beyond = Attempts(run="uid", at=1, checkpoint="step-5", losses=3, without_checkpoint=4)
    with pytest.raises(TooManyRestarts, match=text):
        beyond.check(limits)
    beyond.check(Limits(losses=3, without_checkpoint=4))
    beyond.check(NONE)


@pytest.mark.parametrize(
    ("names", "newest"),
    [
        (["checkpoint/step-90", "checkpoint/step-100", "tb/20260101-1200"], "checkpoint/step-100"),
        (["90/default", "100/default", "200.orbax-checkpoint-tmp-17"], "100"),
        (["step_500/model/dp_rank_9999", "step_400/done", "latest"], "step_500"),
        (["checkpoint-8", "checkpoint-10"], "checkpoint-10"),
        (
            ["run/megatron--step=300-consumed_samples=9", "run/megatron--step=200-last"],
            "run/megatron--step=300-consumed_samples=9",
        ),
        ([], ""),
    ],
    ids=["TorchTitan", "Orbax", "NxD", "Hugging Face", "Lightning", "none"],
)
def test_the_newest_checkpoint_has_the_highest_step(checkpoints: Path, names: list[str], newest: str) -> None:
    for name in names:
        (checkpoints / name).mkdir(parents=True)
    assert attempts.newest_checkpoint(checkpoints) == newest


def test_without_steps_any_change_is_progress(checkpoints: Path) -> None:
    """A trainer whose checkpoints have other names must not be stopped for it."""
    file = checkpoints / "weights.bin"
    file.touch()
    os.utime(file, ns=(1, 1))
    before = attempts.newest_checkpoint(checkpoints)
    assert attempts.newest_checkpoint(checkpoints) == before
    os.utime(file, ns=(2, 2))
    assert attempts.newest_checkpoint(checkpoints) != before


def test_a_folder_that_does_not_exist_yet_holds_no_checkpoint(tmp_path: Path) -> None:
    assert attempts.newest_checkpoint(tmp_path / "none") == ""


def test_a_volume_that_takes_no_numbers_stops_no_start(
    tmp_path: Path, checkpoints: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / attempts.FOLDER).touch()
    attempts.count(tmp_path, "uid", checkpoints, [], NONE)
    assert "restarts are not limited" in capsys.readouterr().err


@pytest.mark.parametrize(("run", "has_volume"), [("", True), ("uid", False)])
def test_nothing_is_counted_without_an_id_or_a_volume(
    tmp_path: Path, checkpoints: Path, run: str, has_volume: bool
) -> None:
    attempts.count(tmp_path if has_volume else None, run, checkpoints, [], NONE)
    assert list(tmp_path.iterdir()) == [checkpoints]
