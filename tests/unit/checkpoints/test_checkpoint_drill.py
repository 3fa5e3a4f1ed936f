"""A drill restores the newest complete checkpoint, and names each fault that was planted in a newer one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from neuron_cluster.checkpoints.checkpoint_drill import Drill, FolderSource, NoSpace, Report
from neuron_cluster.checkpoints.checkpoint_manifest import MANIFEST, write_manifest

NOW = 1_800_000_000.0


def _checkpoint(folder: Path, step: int, *, checksums: bool = True) -> Path:
    target = folder / f"step-{step}"
    (target / "shards").mkdir(parents=True)
    for index, name in enumerate(("a", "b")):
        (target / "shards" / name).write_bytes(bytes([index]) * step)
    completed = f"2027-01-15T07:{step // 100:02}:00Z"
    write_manifest(target, step, parallelism={"ranks": 2}, sdk="2.32.0", checksums=checksums, completed=completed)
    return target


def _missing(target: Path) -> None:
    (target / "shards" / "a").unlink()


def _short(target: Path) -> None:
    (target / "shards" / "a").write_bytes(b"\0")


def _exchanged(target: Path) -> None:
    one, other = target / "shards" / "a", target / "shards" / "b"
    content = one.read_bytes()
    one.write_bytes(other.read_bytes())
    other.write_bytes(content)


def _changed(target: Path) -> None:
    (target / "shards" / "a").write_bytes(b"\7" * 200)


def _unreadable(target: Path) -> None:
    (target / MANIFEST).write_text('{"version": 1')


PLANTED: dict[str, Callable[[Path], None]] = {
    "missing": _missing,
    "short": _short,
    "exchanged": _exchanged,
    "changed": _changed,
}


def _drill(tmp_path: Path, *, wait_seconds: float = 0, sleep: Callable[[float], None] = lambda _: None) -> Report:
    source = FolderSource(tmp_path / "run")
    into = tmp_path / "into"
    return Drill(source=source, into=into, wait_seconds=wait_seconds, sleep=sleep, now=lambda: NOW).run()


@pytest.fixture
def newest(tmp_path: Path) -> Path:
    """Returns the newest of two checkpoints."""
    _checkpoint(tmp_path / "run", 100)
    return _checkpoint(tmp_path / "run", 200)


def test_the_newest_is_restored_with_its_files(tmp_path: Path, newest: Path) -> None:
    report = _drill(tmp_path)
    data = report.as_data()
    assert (report.passed, data["restored"], data["step"], data["files"]) == (True, "step-200", 200, 2)
    assert (data["bytes"], data["sdk"], data["checksums"], data["age_seconds"]) == (400, "2.32.0", True, 3480)
    assert (tmp_path / "into" / "shards" / "b").read_bytes() == b"\1" * 200
    assert (tmp_path / "into" / MANIFEST).read_text() == (newest / MANIFEST).read_text()
    assert next(iter(report.sentences())).startswith("restored step-200: step 200, 2 files, 400 bytes")


@pytest.mark.parametrize("fault", PLANTED)
def test_each_planted_fault_is_named_and_the_one_before_is_restored(fault: str, tmp_path: Path) -> None:
    _checkpoint(tmp_path / "run", 100)
    PLANTED[fault](_checkpoint(tmp_path / "run", 200))
    report = _drill(tmp_path)
    assert not report.passed
    assert {each.kind.value for each in report.faults} == {fault}
    assert report.faults[0].path == "shards/a"
    assert report.restored is not None
    assert report.restored.path == "step-100"
    assert [path.stat().st_size for path in sorted((tmp_path / "into" / "shards").iterdir())] == [100, 100]


def test_a_file_that_comes_after_the_manifest_is_late(tmp_path: Path, newest: Path) -> None:
    late = newest / "shards" / "a"
    content = late.read_bytes()
    late.unlink()
    report = _drill(tmp_path, wait_seconds=60, sleep=lambda _: late.write_bytes(content) and None)
    assert [str(fault) for fault in report.faults] == [
        "shards/a is late: it came after the manifest, within 60 s: exports have no order"
    ]
    assert not report.passed


def test_a_manifest_that_cannot_be_read_is_a_fault(tmp_path: Path, newest: Path) -> None:
    _unreadable(newest)
    report = _drill(tmp_path)
    assert [(fault.kind.value, fault.path) for fault in report.faults] == [("changed", MANIFEST)]
    assert report.as_data()["restored"] == "step-100"


def test_without_checksums_contents_are_not_compared_and_the_report_says_so(tmp_path: Path) -> None:
    _exchanged(_checkpoint(tmp_path / "run", 100, checksums=False))
    report = _drill(tmp_path)
    assert report.passed
    assert "has no checksums" in list(report.sentences())[-1]


def test_what_has_no_manifest_or_was_set_aside_is_no_checkpoint(tmp_path: Path) -> None:
    (_checkpoint(tmp_path / "run", 100) / MANIFEST).unlink()
    _checkpoint(tmp_path / "run" / "_incomplete", 200)
    report = _drill(tmp_path)
    assert (report.passed, report.examined) == (False, [])
    assert list(report.sentences()) == [
        "no complete checkpoint: 0 with a _manifest.json, none of which can be restored"
    ]


def test_a_folder_that_is_too_small_gets_nothing(tmp_path: Path) -> None:
    target = _checkpoint(tmp_path / "run", 100)
    size = 2**62

    class Large(FolderSource):
        def sizes(self) -> dict[str, int]:
            return dict.fromkeys(super().sizes(), size)

    manifest = (target / MANIFEST).read_text().replace('"size": 100', f'"size": {size}')
    (target / MANIFEST).write_text(manifest)
    with pytest.raises(NoSpace, match="free"):
        Drill(source=Large(tmp_path / "run"), into=tmp_path / "into").run()
    assert list((tmp_path / "into").iterdir()) == []
