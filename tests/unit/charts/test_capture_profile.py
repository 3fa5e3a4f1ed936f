"""The program of charts/neuron-explorer that captures a profile and copies it."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[3] / "charts" / "neuron-explorer" / "files"))

from capture_profile import main, profile_files

# A workload that leaves what the runtime leaves: a folder for each process.
WORKLOAD = "import pathlib; f = pathlib.Path('i-1_pid_2'); f.mkdir(); (f / 'trace_info.pb').write_text('trace')"


def run(output: Path, program: str, *options: str) -> int:
    return main([f"--output={output}", *options, "--", sys.executable, "-c", program])


def test_a_profile_is_captured_into_the_output(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Also what a program leaves in its working directory."""
    output = tmp_path / "run"
    assert run(output, WORKLOAD) == 0
    assert [path.name for path in profile_files(output)] == ["trace_info.pb"]
    assert "1 profile files" in capfd.readouterr().out


def test_the_files_of_an_interrupted_run_are_put_aside(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """After a drain or a preemption: the viewer would read both as one profile."""
    output = tmp_path / "run"
    for _ in range(3):
        assert run(output, WORKLOAD) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["run", "run.earlier-1", "run.earlier-2"]
    assert [len(profile_files(path)) for path in tmp_path.iterdir()] == [1, 1, 1]
    assert "an earlier run: they are in" in capfd.readouterr().out


def test_a_run_without_a_profile_fails_and_says_what_to_look_at(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Profiling that was never on ends with exit code 0 otherwise."""
    assert run(tmp_path / "run", "pass") == 1
    assert "did the program run on NeuronCores" in capfd.readouterr().err


def test_empty_files_are_no_profile(tmp_path: Path) -> None:
    """The runtime makes them for cores that ran nothing."""
    assert run(tmp_path / "run", "open('0_vnc_1.ntff', 'w')") == 1


def test_a_workload_that_fails_keeps_its_exit_code_and_its_profile(tmp_path: Path) -> None:
    """The profile of a failure is worth most."""
    assert run(tmp_path / "run", WORKLOAD + "; raise SystemExit(5)") == 5
    assert profile_files(tmp_path / "run")


def test_the_compiled_graph_lies_beside_its_trace(tmp_path: Path) -> None:
    """The viewer needs both."""
    neff = tmp_path / "kernel.neff"
    neff.write_bytes(b"graph")
    assert run(tmp_path / "run", "open('profile.ntff', 'w').write('trace')", f"--neff={neff}") == 0
    assert (tmp_path / "run" / "kernel.neff").read_bytes() == b"graph"


def test_a_copy_that_fails_fails_the_capture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """The node's disk goes with the pod."""
    aws = tmp_path / "bin" / "aws"
    aws.parent.mkdir()
    aws.write_text("#!/bin/sh\nexit 255\n")
    aws.chmod(0o755)
    monkeypatch.setenv("PATH", str(aws.parent), prepend=":")
    assert run(tmp_path / "run", WORKLOAD, "--destination=s3://bucket/run") == 1
    assert "could not be copied to s3://bucket/run" in capfd.readouterr().err
