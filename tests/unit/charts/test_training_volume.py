"""A checkpoint volume that is full or stale when a pod starts: it is waited for, and a wrong one is not."""

import errno
import os
from pathlib import Path

import attempts
import pytest
import volume
from attempts import Limits
from notes import NoteFolder
from stop_channel import StopChannel, Stopped
from training import ENDS, run_alone

LONG = 20
"""Seconds that nothing here takes; a test that waits so long has failed."""


def error(number: int) -> OSError:
    return OSError(number, os.strerror(number))


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(volume, "RETRY_SECONDS", 0.01)


class Broken:
    """Fails with these errors, one a call, then works."""

    def __init__(self, *numbers: int) -> None:
        self.numbers = list(numbers)

    def __call__(self, *_: object) -> None:
        if self.numbers:
            raise error(self.numbers.pop(0))


def test_work_is_done_again_while_the_volume_is_out_of_order(capsys: pytest.CaptureFixture[str]) -> None:
    broken = Broken(errno.ENOSPC, errno.ENOSPC, errno.ESTALE)
    volume.patiently(broken, LONG, lambda: None)
    assert broken.numbers == []
    said = capsys.readouterr().err.splitlines()
    assert [line.rpartition("] ")[2] for line in said] == [os.strerror(errno.ENOSPC), os.strerror(errno.ESTALE)]


def test_an_error_that_does_not_pass_is_raised_at_once() -> None:
    broken = Broken(errno.EACCES, errno.EACCES)
    with pytest.raises(PermissionError):
        volume.patiently(broken, LONG, lambda: None)
    assert broken.numbers == [errno.EACCES]


def test_the_wait_ends_with_the_error_that_stays() -> None:
    with pytest.raises(OSError, match=os.strerror(errno.EDQUOT)):
        volume.patiently(Broken(*[errno.EDQUOT] * 100), 0, lambda: None)


def test_a_stop_ends_the_wait() -> None:
    def stop() -> None:
        raise Stopped

    with pytest.raises(Stopped):
        volume.patiently(Broken(errno.ESTALE), LONG, stop)


def test_a_folder_of_notes_is_opened_when_its_volume_is_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken, works = Broken(errno.ESTALE, errno.ENOSPC), NoteFolder.open

    def open_folder(folder: NoteFolder) -> None:
        broken()
        works(folder)

    monkeypatch.setattr(NoteFolder, "open", open_folder)
    channel = StopChannel(tmp_path / "stop", "a")
    channel.await_open(LONG)
    channel.close(LONG)
    assert (tmp_path / "stop").is_dir()


def test_a_volume_that_does_not_come_back_is_named_in_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(NoteFolder, "open", Broken(*[errno.ESTALE] * 10_000))
    channel = StopChannel(tmp_path, "a")
    with pytest.raises((OSError, TimeoutError)):
        channel.await_open(0.1)
    channel.close(LONG)


def test_a_full_volume_does_not_lift_the_limit_of_restarts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attempts, "begin", Broken(errno.ENOSPC))
    limits = Limits(losses=0, without_checkpoint=0)
    with pytest.raises(OSError, match=os.strerror(errno.ENOSPC)):
        attempts.count(tmp_path, "uid", tmp_path, [], limits)


def test_a_pod_that_never_came_is_a_lost_node_and_no_failure_of_the_program(tmp_path: Path) -> None:
    ended = run_alone(tmp_path, ENDS, TRAINING_START_TIMEOUT_SECONDS="0", TRAINING_TOPOLOGY_PORT="0")
    assert "1 of 2 pods were there in 0 s" in ended.stderr
    assert ended.returncode == 76
    assert [path.suffix for path in (tmp_path / "stop").iterdir() if path.suffix in (".lost", ".failed")] == [".lost"]
