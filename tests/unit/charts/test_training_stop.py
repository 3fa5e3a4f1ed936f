"""How the pods of a neuron-training job tell each other to stop, on volumes that work and on volumes that do not."""

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import stop_channel
from notes import OLD_SECONDS, Entry, Note, NoteFolder
from stop_channel import StopChannel

LONG = 20
"""Seconds that no look takes; a test that waits so long has failed."""
Open = Callable[..., StopChannel]


@pytest.fixture
def channel(monkeypatch: pytest.MonkeyPatch) -> Iterator[Open]:
    """Opens channels whose threads look often, and closes them."""
    monkeypatch.setattr(stop_channel, "POLL_SECONDS", 0.05)
    monkeypatch.setattr(stop_channel, "TICK_SECONDS", 0.01)
    opened: list[StopChannel] = []

    def open_channel(folder: Path | None, pod: str, **options: bool) -> StopChannel:
        opened.append(StopChannel(folder, pod, **options))
        opened[-1].await_open(LONG)
        return opened[-1]

    yield open_channel
    for each in opened:
        each.close(LONG)


def hear(listener: StopChannel, note: Note) -> None:
    deadline = time.monotonic() + LONG
    while listener.look(LONG) is not note:
        assert time.monotonic() < deadline, f"{note} was not heard"


def test_a_note_is_heard_by_all_pods_of_the_attempt_and_by_none_of_the_next(tmp_path: Path, channel: Open) -> None:
    first, second = channel(tmp_path, "a"), channel(tmp_path, "b")
    first.leave(Note.SAVE)
    assert first.heard() is Note.SAVE
    hear(second, Note.SAVE)
    assert channel(tmp_path, "a").look(LONG) is None


def test_a_failure_outweighs_a_wish_to_save(tmp_path: Path, channel: Open) -> None:
    first, second = channel(tmp_path, "a"), channel(tmp_path, "b")
    first.leave(Note.SAVE)
    second.leave(Note.FAILED)
    hear(first, Note.FAILED)


def test_without_a_shared_folder_a_pod_hears_itself(channel: Open) -> None:
    alone = channel(None, "a")
    assert alone.heard() is None
    alone.leave(Note.SAVE)
    assert alone.look(LONG) is Note.SAVE


def test_a_note_is_written_before_its_pod_ends(tmp_path: Path, channel: Open) -> None:
    first = channel(tmp_path, "a")
    first.leave(Note.FAILED)
    first.close(LONG)
    assert {path.suffix for path in tmp_path.iterdir()} == {".failed"}


def test_a_folder_that_cannot_be_used_is_said_at_the_start(tmp_path: Path, channel: Open) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(NotADirectoryError):
        channel(tmp_path / "file" / "stop", "a")


def test_a_folder_that_is_gone_keeps_no_pod_from_its_own_stop(
    tmp_path: Path, channel: Open, capsys: pytest.CaptureFixture[str]
) -> None:
    """As on a full disk or a stale file handle: the pod hears itself, says what is wrong once, and goes on trying."""
    folder = tmp_path / "stop"
    first, second = channel(folder, "a"), channel(folder, "b")
    folder.rmdir()
    first.leave(Note.SAVE)
    assert first.heard() is Note.SAVE
    assert second.look(0.2) is None
    folder.mkdir()
    hear(second, Note.SAVE)
    first.look(LONG)
    said = capsys.readouterr().err.splitlines()
    assert len([line for line in said if "cannot tell each other" in line]) == 2, "once for each pod"


def test_a_volume_that_does_not_answer_keeps_no_pod_from_its_own_stop(
    tmp_path: Path, channel: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers, asked = threading.Event(), threading.Event()
    first = channel(tmp_path, "a")

    def hang(_: NoteFolder) -> list[Entry]:
        asked.set()
        answers.wait(LONG)
        return []

    monkeypatch.setattr(NoteFolder, "read", hang)
    assert asked.wait(LONG)
    first.leave(Note.SAVE)
    assert first.heard() is Note.SAVE
    assert first.look(0.05) is Note.SAVE
    first.close(0.05)
    answers.set()


def test_a_volume_that_hangs_at_the_start_is_waited_for_as_long_as_a_pod_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = threading.Event()
    monkeypatch.setattr(NoteFolder, "open", lambda _: answers.wait(LONG))
    hung = StopChannel(tmp_path, "a")
    with pytest.raises(TimeoutError, match="does not answer"):
        hung.await_open(0)
    hung.leave(Note.SAVE)
    hung.await_open(LONG)
    answers.set()
    hung.close(LONG)


def test_old_notes_are_deleted_at_the_start_and_nothing_else(tmp_path: Path, channel: Open) -> None:
    now = time.time_ns()
    old, young = f"{now - 2 * OLD_SECONDS * 10**9}-a.save", f"{now}-b.save"
    for name in (old, young, "notes.txt"):
        (tmp_path / name).touch()
    channel(tmp_path, "b").close(LONG)
    assert (tmp_path / old).exists(), "only the first pod deletes"
    channel(tmp_path, "a", cleans=True).close(LONG)
    assert {path.name for path in tmp_path.iterdir()} == {young, "notes.txt"}


def test_a_volume_that_deletes_nothing_keeps_old_notes(
    tmp_path: Path, channel: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As an S3 mount without allow-delete."""

    def forbid(path: Path) -> None:
        raise PermissionError(1, "Operation not permitted", str(path))

    (tmp_path / "1-a.save").touch()
    monkeypatch.setattr(Path, "unlink", forbid)
    first = channel(tmp_path, "a", cleans=True)
    second = channel(tmp_path, "b")
    first.leave(Note.SAVE)
    hear(second, Note.SAVE)
    assert (tmp_path / "1-a.save").exists()
