"""The program of charts/compile-cache-warmer that deletes old entries of a cache."""

import itertools
import os
import shutil
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[3] / "charts" / "compile-cache-warmer" / "files"))

from clean_cache import (
    DAY,
    GIB,
    HOUR,
    Entry,
    Limits,
    find_entries,
    main,
    stale_locks,
    to_delete,
)

NOW = 1_800_000_000.0
OLD, NEW = "0" * 32, "f" * 32


def make_entry(folder: Path, age_days: float, size: int = 10, now: float = NOW) -> Path:
    """One compiled graph of that age."""
    folder.mkdir(parents=True)
    (folder / "graph.neff").write_bytes(b"x" * size)
    for path in (folder / "graph.neff", folder):
        os.utime(path, (now - age_days * DAY, now - age_days * DAY))
    return folder


def entry(name: str, age_days: float, size: int = 1) -> Entry:
    return Entry(Path(name), age_days, size)


def names(entries: list[Entry]) -> list[str]:
    return [found.folder.name for found in entries]


def test_entries_of_both_caches_are_found_at_any_depth(tmp_path: Path) -> None:
    """vLLM Neuron's hash folders and the persistent cache's MODULE folders, and nothing else."""
    make_entry(tmp_path / "neuronx-cc-2.27" / "trn2" / "lnc-2" / OLD, 3)
    make_entry(tmp_path / "neuronxcc-2.28" / "MODULE_1+abc", 5, size=20)
    make_entry(tmp_path / "notes", 100)
    found = {item.folder.name: item for item in find_entries(tmp_path, NOW)}
    assert set(found) == {OLD, "MODULE_1+abc"}
    assert found["MODULE_1+abc"].age_days == pytest.approx(5, abs=0.01)
    assert found["MODULE_1+abc"].size == 20


def test_a_recent_read_makes_an_entry_young(tmp_path: Path) -> None:
    """A graph that servers still load is in use, however long ago it was compiled."""
    folder = make_entry(tmp_path / OLD, 90)
    os.utime(folder / "graph.neff", (NOW - DAY, NOW - 90 * DAY))
    assert next(find_entries(tmp_path, NOW)).age_days == pytest.approx(1, abs=0.01)


def test_entries_beyond_the_age_go() -> None:
    """Only those older than the limit."""
    found = [entry("a", 61), entry("b", 59)]
    assert names(to_delete(found, Limits(max_age_days=60, max_bytes=0, keep_days=1, stale_hours=6))) == ["a"]


def test_the_longest_unused_go_until_the_rest_fits() -> None:
    """Not more than needed."""
    found = [entry("young", 2, 4), entry("oldest", 9, 4), entry("older", 5, 4)]
    assert names(to_delete(found, Limits(max_age_days=0, max_bytes=8, keep_days=1, stale_hours=6))) == ["oldest"]


def test_young_entries_stay_even_in_a_cache_that_is_too_big() -> None:
    """One of them may be in the making."""
    found = [entry("young", 0.5, 100), entry("old", 5, 1)]
    assert names(to_delete(found, Limits(max_age_days=1, max_bytes=10, keep_days=1, stale_hours=6))) == ["old"]


def test_no_limit_deletes_nothing() -> None:
    """Zero means no limit, not zero days."""
    assert to_delete([entry("a", 900, 10 * GIB)], Limits(max_age_days=0, max_bytes=0, keep_days=1, stale_hours=6)) == []


LIMITS = Limits(max_age_days=0, max_bytes=0, keep_days=3, stale_hours=6)


def failed_entry(folder: Path, age_days: float, now: float = NOW) -> Path:
    """As an interrupted compilation leaves it: its log, and no graph."""
    make_entry(folder, age_days, now=now)
    (folder / "graph.neff").rename(folder / "model.log")
    for path in (folder / "model.log", folder):
        os.utime(path, (now - age_days * DAY, now - age_days * DAY))
    return folder


def test_a_failed_entry_goes_though_it_is_young_and_no_limit_is_reached(tmp_path: Path) -> None:
    """It ends every later run at once: "Got a cached failed neff"."""
    failed_entry(tmp_path / "MODULE_failed", 0.5)
    make_entry(tmp_path / "MODULE_good", 0.5)
    (tmp_path / "MODULE_good" / "model.log").write_text("warnings")
    (tmp_path / "MODULE_good" / "graph.neff").rename(tmp_path / "MODULE_good" / "model.neff")
    assert names(to_delete(list(find_entries(tmp_path, NOW)), LIMITS)) == ["MODULE_failed"]


def test_a_failed_entry_that_is_being_compiled_again_stays(tmp_path: Path) -> None:
    """Its files are new, however old the failure is. An empty graph is none."""
    (failed_entry(tmp_path / "MODULE_a", 3) / "model.neff").touch()
    os.utime(tmp_path / "MODULE_a" / "model.neff", (NOW - HOUR, NOW - HOUR))
    (found,) = find_entries(tmp_path, NOW)
    assert found.is_failed
    assert to_delete([found], LIMITS) == []


def test_a_read_does_not_make_a_failed_entry_young(tmp_path: Path) -> None:
    """Every run that it ends reads it."""
    folder = failed_entry(tmp_path / "MODULE_a", 1)
    os.utime(folder / "model.log", (NOW, NOW - DAY))
    assert names(to_delete(list(find_entries(tmp_path, NOW)), LIMITS)) == ["MODULE_a"]


def test_only_locks_that_are_older_than_a_compilation_are_stale(tmp_path: Path) -> None:
    """At any depth, in entries too."""
    folder = make_entry(tmp_path / "neuronxcc-2.28" / "MODULE_a", 1)
    for name, hours in (("old.lock", 7), ("new.lock", 5)):
        (folder / name).touch()
        os.utime(folder / name, (NOW - hours * HOUR, NOW - hours * HOUR))
    assert stale_locks(tmp_path, LIMITS, NOW) == [folder / "old.lock"]


def run(root: Path, *further: str) -> int:
    return main([str(root), "--max-age-days=30", "--max-size-gib=0", "--keep-days=1", "--stale-hours=6", *further])


def test_the_program_deletes_old_entries_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing of them is left; the young one is untouched."""
    make_entry(tmp_path / "lnc-2" / OLD, 20_000)
    young = tmp_path / "lnc-2" / NEW
    young.mkdir()
    (young / "graph.neff").write_bytes(b"x")
    assert run(tmp_path) == 0
    assert [path.name for path in (tmp_path / "lnc-2").iterdir()] == [NEW]
    assert "2 entries" in capsys.readouterr().out


def test_the_program_deletes_failed_entries_and_stale_locks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Graphs that were compiled stay, without the lock for which runs would wait."""
    failed_entry(tmp_path / "MODULE_failed", 20_000)
    (tmp_path / "MODULE_good").mkdir()
    (tmp_path / "MODULE_good" / "model.neff").write_bytes(b"x")
    lock = tmp_path / "MODULE_good" / "model.hlo_module.pb.lock"
    lock.touch()
    os.utime(lock, (NOW - 20_000 * DAY, NOW - 20_000 * DAY))
    assert run(tmp_path, "--dry-run") == 0
    assert lock.exists()
    assert run(tmp_path) == 0
    assert [path.name for path in tmp_path.rglob("*")] == ["MODULE_good", "model.neff"]
    assert "1 stale locks; 1 deleted" in capsys.readouterr().out


def test_what_an_interrupted_clean_up_left_goes_too(tmp_path: Path) -> None:
    """The folder was renamed, but not yet emptied."""
    make_entry(tmp_path / f".deleted-{OLD}", 20_000)
    assert run(tmp_path) == 0
    assert list(tmp_path.iterdir()) == []


def test_an_entry_goes_though_an_interrupted_clean_up_left_one_of_its_name(tmp_path: Path) -> None:
    """It was compiled again in the meantime, and has grown old again."""
    make_entry(tmp_path / "MODULE_x", 20_001)
    make_entry(tmp_path / ".deleted-MODULE_x", 20_000)
    assert run(tmp_path) == 0
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("name", "call"), [("graph.neff", 1), ("graph.neff", 2), (OLD, 1)])
def test_what_vanishes_while_its_age_is_read_does_not_end_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, call: int
) -> None:
    """Another program of the volume deletes too, or a compiler renames its file."""
    make_entry(tmp_path / OLD, 90)
    make_entry(tmp_path / NEW, 3)
    stat, calls = Path.stat, itertools.count(1)

    def after_another_deleted_it(path: Path, *, follow_symlinks: bool = True) -> os.stat_result:
        if path.name == name and OLD in path.parts and next(calls) == call:
            shutil.rmtree(tmp_path / OLD) if name == OLD else path.unlink()
        return stat(path, follow_symlinks=follow_symlinks)

    monkeypatch.setattr(Path, "stat", after_another_deleted_it)
    assert NEW in [found.folder.name for found in find_entries(tmp_path, NOW)]


def test_the_others_go_when_one_cannot_be_deleted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A name that leaves no room for the grave's; the run says which, and fails."""
    stuck = make_entry(tmp_path / f"MODULE_{'x' * 240}", 20_001)
    make_entry(tmp_path / OLD, 20_000)
    assert run(tmp_path) == 1
    assert list(tmp_path.iterdir()) == [stuck]
    captured = capsys.readouterr()
    assert f"{stuck} could not be deleted" in captured.err
    assert "1 deleted" in captured.out


def test_a_dry_run_only_says_what_would_go(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The entry is named and stays."""
    make_entry(tmp_path / OLD, 20_000)
    assert run(tmp_path, "--dry-run") == 0
    assert (tmp_path / OLD).is_dir()
    out = capsys.readouterr().out
    assert OLD in out
    assert "1 would go" in out


def test_a_missing_folder_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An unmounted cache must not look like a clean one."""
    assert run(tmp_path / "nowhere") == 1
    assert "is the cache mounted?" in capsys.readouterr().err
