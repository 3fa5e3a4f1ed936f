"""The program of charts/neuron-explorer that gives new profiles to the viewer."""

import errno
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[3] / "charts" / "neuron-explorer" / "files"))

from ingest_profiles import Ingestion, Source, look, profiles, ready, sources

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


def arguments_of(folder: Path) -> dict[str, tuple[str, ...]]:
    """Returns the arguments of the viewer, with paths below the folder, by the name there."""
    return {
        source.name: tuple(each.removeprefix(f"{folder}/") for each in source.arguments) for source in sources(folder)
    }


def test_one_graph_with_its_trace_goes_as_a_pair(tmp_path: Path) -> None:
    """As `neuron-explorer capture` leaves it."""
    folder = profile(tmp_path, "kernel", "k.neff", "profile_exec_2.ntff")
    assert arguments_of(folder) == {"kernel": ("-n", "k.neff", "-s", "profile_exec_2.ntff")}


def test_one_graph_with_several_traces_goes_as_several_pairs(tmp_path: Path) -> None:
    """As `neuron-explorer capture` of several workers leaves it."""
    folder = profile(tmp_path, "run", "k.neff", "profile_rank_0.ntff", "profile_rank_1.ntff")
    assert arguments_of(folder) == {
        "run-profile_rank_0": ("-n", "k.neff", "-s", "profile_rank_0.ntff"),
        "run-profile_rank_1": ("-n", "k.neff", "-s", "profile_rank_1.ntff"),
    }


def test_a_system_profile_goes_as_a_folder(tmp_path: Path) -> None:
    """The viewer finds the pairs itself."""
    folder = profile(tmp_path, "run", "i-1_pid_2/trace_info.pb", "i-1_pid_2/neff_1.neff", "i-1_pid_2/1_instid_0.ntff")
    assert list(sources(folder)) == [Source("run", ("-d", str(folder)))]


def test_each_trace_of_several_graphs_goes_with_its_own(tmp_path: Path) -> None:
    """As the runtime writes them without a system profile, which the viewer then does not take as a folder."""
    first, second = "i-1_pid_2", "i-1_pid_3"
    folder = profile(
        tmp_path,
        "run",
        *(f"{place}/{name}" for place in (first, second) for name in ("neff_11.neff", "neff_22_vnc_0.neff")),
        f"{first}/11_instid_0_vnc_0.ntff",
        f"{second}/22_instid_0_vnc_0.ntff",
        f"{second}/11_instid_0_vnc_1.ntff",
    )
    (folder / second / "11_instid_0_vnc_9.ntff").touch()  # of a core that ran nothing
    assert arguments_of(folder) == {
        f"run-{first}-11_instid_0_vnc_0": ("-n", f"{first}/neff_11.neff", "-s", f"{first}/11_instid_0_vnc_0.ntff"),
        f"run-{second}-11_instid_0_vnc_1": ("-n", f"{second}/neff_11.neff", "-s", f"{second}/11_instid_0_vnc_1.ntff"),
        f"run-{second}-22_instid_0_vnc_0": (
            "-n", f"{second}/neff_22_vnc_0.neff", "-s", f"{second}/22_instid_0_vnc_0.ntff",
        ),
    }  # fmt: skip


@pytest.mark.parametrize(
    "files", [("neff_1.neff", "neff_2.neff", "profile_nc_0_session_0.ntff"), ("neff_1.neff", "3_instid_0_vnc_0.ntff")]
)
def test_a_trace_whose_graph_no_name_tells_is_named(
    tmp_path: Path, files: tuple[str, ...], capfd: pytest.CaptureFixture[str]
) -> None:
    """Graphs of another compilation make the viewer fail."""
    folder = profile(tmp_path, "run", *files)
    assert arguments_of(folder) == {}
    assert "capture with systemProfile too" in capfd.readouterr().out


def test_a_profile_that_is_being_written_waits(tmp_path: Path) -> None:
    """And one that was given is not given again."""
    whole = profile(tmp_path, "whole", "a.ntff")
    given = profile(tmp_path, "given", "a.ntff")
    growing = profile(tmp_path, "growing", "a.ntff", changed=NOW - 5)
    assert ready([whole, given, growing], {"given"}, NOW, quiet_seconds=60) == [whole]


def ingestion(program: str) -> Ingestion:
    return Ingestion([sys.executable, "-c", program])


def test_the_viewer_gets_source_and_name(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The folder's name is the name in the viewer."""
    folder = profile(tmp_path, "step-100", "i-1/trace_info.pb")
    viewer = ingestion("import sys; print(sys.argv[1:])")
    viewer.ingest(folder)
    assert f"['-d', '{folder}', '--display-name', 'step-100']" in capfd.readouterr().out
    assert viewer.seen == {"step-100"}


def test_a_profile_that_the_viewer_refuses_is_named_and_tried_again(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Three times, with only what it refused: the viewer may have lacked memory."""
    folder = profile(tmp_path, "run", "k.neff", "good.ntff", "bad.ntff")
    viewer = ingestion("import sys; print(sys.argv[-1]); raise SystemExit(4 * ('bad' in sys.argv[-1]))")
    viewer.ingest(folder)
    assert "run-bad: the viewer ended with exit code 4, see above; it is tried again" in capfd.readouterr().out
    assert viewer.seen == set()
    viewer.ingest(folder)
    viewer.ingest(folder)
    out = capfd.readouterr().out
    assert "run-good" not in out
    assert "it is not tried again" in out
    assert viewer.seen == {"run"}


def test_a_file_system_that_does_not_answer_is_met_again_at_the_next_look(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The viewer is another process of the pod: it goes on."""
    profile(tmp_path, "run", "i-1/trace_info.pb", changed=0.0)
    viewer = ingestion("")
    with monkeypatch.context() as stale:
        stale.setattr(Path, "iterdir", _stale)
        look(tmp_path, "", viewer)
    assert "Stale file handle" in capfd.readouterr().err
    assert viewer.seen == set()
    look(tmp_path, "", viewer)
    assert viewer.seen == {"run"}


def _stale(path: Path) -> Iterator[Path]:
    raise OSError(errno.ESTALE, os.strerror(errno.ESTALE), str(path))
