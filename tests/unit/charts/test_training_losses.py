"""Which failures of a neuron-training job are those of a node or of a Neuron device, and not of its program."""

import time
from collections.abc import Iterator
from pathlib import Path

import devices
import heartbeats
import pytest
import silence
import stop_channel
import verdict
from heartbeats import GAP_SECONDS, Heartbeats, Pulse
from notes import Entry, Note, NoteFolder
from silence import Silence
from stop_channel import StopChannel

LONG = 20
"""Seconds that nothing here takes; a test that waits so long has failed."""


@pytest.fixture
def node(tmp_path: Path) -> Path:
    """The sysfs of a node with two devices; its container has one."""
    (tmp_path / "dev").mkdir()
    for name in ("neuron1", "neuron10", "null"):
        (tmp_path / "dev" / name).touch()
    for name in ("neuron0", "neuron1"):
        write(tmp_path / name / "stats" / "hardware" / "mem_ecc_uncorrected", 2)
        write(tmp_path / name / "neuron_core3" / "stats" / "status" / "hw_nc_ue_error" / "total", 0)
        write(tmp_path / name / "neuron_core3" / "stats" / "status" / "hw_collectives_error" / "total", 0)
    return tmp_path


def write(counter: Path, value: int) -> None:
    counter.parent.mkdir(parents=True, exist_ok=True)
    counter.write_text(f"{value}\n")


def test_errors_of_the_past_and_of_the_devices_of_others_are_none(node: Path) -> None:
    before = devices.read(node, node / "dev")
    assert set(before) == {"neuron1"}
    write(node / "neuron0" / "stats" / "hardware" / "mem_ecc_uncorrected", 3)
    assert devices.new_errors(before, devices.read(node, node / "dev")) == []


@pytest.mark.parametrize(
    ("counter", "texts"),
    [
        ("stats/hardware/mem_ecc_uncorrected", ["neuron1: stats/hardware/mem_ecc_uncorrected was 2, is 9"]),
        (
            "neuron_core3/stats/status/hw_nc_ue_error/total",
            ["neuron1: neuron_core3/stats/status/hw_nc_ue_error/total was 0, is 9"],
        ),
        ("neuron_core3/stats/status/hw_collectives_error/total", []),
    ],
)
def test_a_counter_that_grows_is_an_error_of_the_device(node: Path, counter: str, texts: list[str]) -> None:
    """A hang in a collective is none: the device of another node may have failed, or the program."""
    before = devices.read(node, node / "dev")
    write(node / "neuron1" / counter, 9)
    assert devices.new_errors(before, devices.read(node, node / "dev")) == texts


def test_a_device_that_is_gone_is_an_error(node: Path) -> None:
    before = devices.read(node, node / "dev")
    (node / "dev" / "neuron1").unlink()
    assert devices.new_errors(before, devices.read(node, node / "dev")) == ["neuron1 is gone"]


def beats(*pods: str, at: int = 1) -> list[Entry]:
    return [Entry(at, pod, Note.BEAT) for pod in pods]


def test_a_pod_whose_beats_end_is_silent() -> None:
    seen = Heartbeats("a")
    for now in range(0, 90, 10):
        seen.observe([*beats("a", "c"), *beats("b", at=now)], now)
    assert seen.silent(60) == ["c"]
    assert seen.silent(90) == []
    assert not seen.all_alive_since(0)
    seen.observe(beats("b", "c", at=100), 100)
    assert seen.all_alive_since(90)


def test_a_pod_that_left_is_not_silent() -> None:
    seen = Heartbeats("a")
    for now in range(0, 90, 10):
        seen.observe([*beats("b"), Entry(5, "b", Note.QUIET)], now)
    assert seen.silent(60) == []
    assert seen.all_alive_since(80)


def test_a_volume_that_hung_makes_no_pod_silent() -> None:
    seen = Heartbeats("a")
    seen.observe(beats("b"), 0)
    seen.observe(beats("b"), GAP_SECONDS + 100)
    assert seen.silent(60) == []
    for now in range(GAP_SECONDS + 100, GAP_SECONDS + 200, 10):
        seen.observe(beats("b"), now)
    assert seen.silent(60) == ["b"]


def test_a_pod_has_one_beat_in_the_folder(tmp_path: Path) -> None:
    pulse = pulse_of(tmp_path)
    pulse.beat(0)
    pulse.beat(heartbeats.BEAT_SECONDS - 1)
    (first,) = tmp_path.iterdir()
    pulse.beat(heartbeats.BEAT_SECONDS)
    (second,) = tmp_path.iterdir()
    assert first.suffix == second.suffix == ".beat"
    assert first.name < second.name


def test_a_pod_that_may_delete_nothing_is_not_judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on an S3 mount without allow-delete, which would fill with beats."""

    def forbid(path: Path, *, missing_ok: bool = False) -> None:
        raise PermissionError(1, "Operation not permitted", str(path))

    monkeypatch.setattr(Path, "unlink", forbid)
    pulse = pulse_of(tmp_path)
    for now in range(0, 10 * heartbeats.BEAT_SECONDS, heartbeats.BEAT_SECONDS):
        pulse.beat(now)
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".beat", ".beat", ".quiet"]


def pulse_of(folder: Path) -> Pulse:
    notes = NoteFolder(folder, "b")
    notes.open()
    return Pulse(notes)


@pytest.fixture
def channel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[StopChannel]:
    """Yields the channel of a pod whose ranks have failed, next to pod b, which is alive as long as it beats."""
    monkeypatch.setattr(stop_channel, "POLL_SECONDS", 0.02)
    monkeypatch.setattr(stop_channel, "TICK_SECONDS", 0.01)
    monkeypatch.setattr(heartbeats, "BEAT_SECONDS", 0.02)
    monkeypatch.setattr(verdict, "SHORTEST_SECONDS", 0.2)
    opened = StopChannel(tmp_path, "a", beats=True)
    opened.await_open(LONG)
    yield opened
    opened.close(LONG)


def await_beats(channel: StopChannel) -> None:
    """Until this pod has seen the other one."""
    begun, deadline = time.monotonic(), time.monotonic() + LONG
    while not channel._heartbeats._newest.keys() - {"a"}:
        channel.look(LONG)
        assert time.monotonic() < deadline, begun


def test_a_failure_beside_pods_that_are_alive_is_one(channel: StopChannel, tmp_path: Path) -> None:
    other = StopChannel(tmp_path, "b", beats=True)
    await_beats(channel)
    assert verdict.without_result(channel, is_alone=False) is Note.FAILED
    assert other.look(LONG) is Note.FAILED
    other.close(LONG)


def test_a_failure_beside_a_silent_pod_is_its_loss(
    channel: StopChannel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(silence, "SILENT_SECONDS", 1)
    pulse_of(tmp_path).beat(0)
    await_beats(channel)
    assert verdict.without_result(channel, is_alone=False) is Note.LOST


def test_a_silent_pod_is_reported_once_before_it_is_lost(
    channel: StopChannel, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(silence, "SILENT_SECONDS", 1)
    pulse_of(tmp_path).beat(0)
    await_beats(channel)
    patient, impatient = Silence(channel, 0), Silence(channel, 1)
    deadline = time.monotonic() + LONG
    while not channel.silent(1):
        channel.look(LONG)
        assert time.monotonic() < deadline
    assert [patient.look(), patient.look(), channel.heard()] == [None] * 3
    assert capsys.readouterr().out.splitlines() == ["neuron-training: no sign of life of b for 1 s"]
    assert impatient.look() is channel.heard() is Note.LOST


def test_a_failure_before_the_note_of_a_lost_device_is_its_loss(channel: StopChannel, tmp_path: Path) -> None:
    other = StopChannel(tmp_path, "b", beats=True)
    await_beats(channel)
    channel.leave(Note.FAILED)
    other.look(LONG)
    other.leave(Note.LOST)
    assert verdict.without_result(channel, is_alone=False) is Note.LOST
    other.close(LONG)


def test_the_loss_of_a_device_counts_where_nothing_limits_its_restarts() -> None:
    alone = StopChannel(None, "a")
    alone.leave(Note.LOST)
    assert verdict.without_result(alone, is_alone=False) is Note.FAILED


def test_codes_are_those_that_the_job_restarts_without_counting() -> None:
    assert {note: verdict.CODES[note] for note in (Note.SAVE, Note.LOST)} == {Note.SAVE: 75, Note.LOST: 76}
