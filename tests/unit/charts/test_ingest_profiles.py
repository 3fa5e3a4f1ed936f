"""The program of charts/neuron-explorer that gives new profiles to the viewer."""

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[3] / "charts" / "neuron-explorer" / "files"))

from ingest_profiles import ingest, profiles, ready, source_arguments

NOW = 1_800_000_000.0


def profile(root: Path, name: str, *files: str, changed: float = NOW - 600) -> Path:
    for file in files:
        path = root / name / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("trace")
        os.utime(path, (changed, changed))
    return root / name


def test_only_folders_with_a_trace_are_profiles(tmp_path: Path) -> None:
    """System traces and device traces, at any depth."""
    profile(tmp_path, "system", "i-1_pid_2/trace_info.pb")
    profile(tmp_path, "device", "a.neff", "a.ntff")
    profile(tmp_path, "graph-alone", "a.neff")
    profile(tmp_path, "lost+found", "x")
    assert [folder.name for folder in profiles(tmp_path)] == ["device", "system"]


def test_a_volume_that_is_not_there_yet_has_no_profiles(tmp_path: Path) -> None:
    """The first copy from S3 makes the folder."""
    assert profiles(tmp_path / "nowhere") == []


def test_one_graph_with_its_trace_goes_as_a_pair(tmp_path: Path) -> None:
    """As `neuron-explorer capture` leaves it."""
    folder = profile(tmp_path, "kernel", "k.neff", "profile_exec_2.ntff")
    assert source_arguments(folder) == ["-n", str(folder / "k.neff"), "-s", str(folder / "profile_exec_2.ntff")]


@pytest.mark.parametrize(
    "files",
    [("i-1_pid_2/trace_info.pb", "i-1_pid_2/a.neff", "i-1_pid_2/a.ntff"), ("k.neff", "rank_0.ntff", "rank_1.ntff")],
    ids=["system and device", "many workers"],
)
def test_anything_else_goes_as_a_folder(tmp_path: Path, files: tuple[str, ...]) -> None:
    """The viewer finds the pairs itself."""
    folder = profile(tmp_path, "run", *files)
    assert source_arguments(folder) == ["-d", str(folder)]


def test_a_profile_that_is_being_written_waits(tmp_path: Path) -> None:
    """And one that was given is not given again."""
    whole = profile(tmp_path, "whole", "a.ntff")
    given = profile(tmp_path, "given", "a.ntff")
    growing = profile(tmp_path, "growing", "a.ntff", changed=NOW - 5)
    assert ready([whole, given, growing], {"given"}, NOW, quiet_seconds=60) == [whole]


def test_the_viewer_gets_source_and_name(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The folder's name is the name in the viewer."""
    folder = profile(tmp_path, "step-100", "i-1/trace_info.pb")
    assert ingest(folder, [sys.executable, "-c", "import sys; print(sys.argv[1:])"])
    assert f"['-d', '{folder}', '--display-name', 'step-100']" in capfd.readouterr().out


def test_a_profile_that_the_viewer_refuses_is_named(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The others go on."""
    folder = profile(tmp_path, "broken", "a.ntff")
    assert not ingest(folder, [sys.executable, "-c", "raise SystemExit(4)"])
    assert "broken: the viewer ended with exit code 4" in capfd.readouterr().out
