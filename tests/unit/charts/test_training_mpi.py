"""The programs of charts/neuron-training in an MPIJob: its launcher, its workers, and ranks below mpirun."""

import os
import subprocess
from pathlib import Path

import launch
import mpi
import pytest
from notes import Note, NoteFolder
from training import LAUNCHER, await_ready, run_alone, start


@pytest.mark.slow
def test_under_mpirun_a_stop_on_demand_ends_well_lest_mpirun_kills_the_others(
    tmp_path: Path, nodes: list[subprocess.Popen[str]]
) -> None:
    nodes += start(tmp_path, "jax", rank="OMPI_COMM_WORLD_RANK")
    for node in nodes:
        await_ready(node, 1)
    NoteFolder(tmp_path / "stop", "a-worker-1").write(Note.SAVE)
    assert [node.wait(timeout=30) for node in nodes] == [0, 0]


@pytest.mark.parametrize(
    ("ssh", "code", "starts"),
    [
        ("kill -TERM $PPID; exit 1", 75, 0),
        ("kill -TERM $PPID", 75, 0),
        ("[ -e stop/1-b.save ] || touch stop/1-b.save", 4, 1),
        ("[ -e stop/1-b.lost ] || touch stop/1-b.lost", 4, 2),
        ("exit 1", 1, 0),
    ],
    ids=[
        "drained before a worker is there",
        "drained as the last comes up",
        "a worker drained",
        "a device lost",
        "no worker in time",
    ],
)
def test_a_drain_while_an_mpi_launcher_awaits_its_workers_uses_up_no_retry(
    tmp_path: Path, ssh: str, code: int, starts: int
) -> None:
    started = tmp_path / "started"
    started.touch()
    (tmp_path / "hosts").write_text("a slots=1\nb slots=1\n")
    (tmp_path / "keys").mkdir()
    (tmp_path / "keys" / "id_rsa.pub").write_text("ecdsa-sha2-nistp521 AAAA\n")
    for name, line in {"ssh": ssh, "mpirun": "echo >> started; exit 4"}.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{line}\n")
        (tmp_path / name).chmod(0o755)
    places = {"TRAINING_SSH_PORT": "2222", "TRAINING_SSH_KEYS": "keys", "TRAINING_RUN": ""}
    timeout = "0" if ssh == "exit 1" else "50"
    ended = run_alone(tmp_path, LAUNCHER, TRAINING_START_TIMEOUT_SECONDS=timeout, **places)
    assert ended.returncode == code, ended.stderr
    assert len(started.read_text().splitlines()) == starts
    assert (tmp_path / "scratch" / "known_hosts").read_text() == "* ecdsa-sha2-nistp521 AAAA\n"


@pytest.mark.slow
def test_an_mpi_launcher_counts_its_attempts(tmp_path: Path) -> None:
    """Attempts in its own pod count too: a worker that is lost again and again is the third loss of three."""
    for name, text in {"hosts": "a slots=1\n", "keys/id_rsa.pub": "key\n", "ssh": "#!/bin/sh\n"}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "mpirun").write_text(
        "#!/bin/sh\ntouch checkpoint-$(wc -l < started) stop/$(date +%s%N)-b.lost\necho >> started\nexit 4\n"
    )
    (tmp_path / "started").touch()
    for program in ("ssh", "mpirun"):
        (tmp_path / program).chmod(0o755)
    places = {"TRAINING_SSH_PORT": "2222", "TRAINING_SSH_KEYS": "keys"}
    ended = run_alone(tmp_path, LAUNCHER, **places, TRAINING_RUN="uid", CHECKPOINT_DIRECTORY=str(tmp_path))
    assert ended.returncode == 1
    assert "lost 3 times" in ended.stderr
    assert len((tmp_path / "started").read_text().splitlines()) == 3


def test_only_hosts_with_the_key_of_the_job_are_connected_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRAINING_SSH_PORT", "2222")
    monkeypatch.setenv("TRAINING_SSH_KEYS", "/keys")
    options = " ".join(mpi.ssh_options())
    assert "StrictHostKeyChecking=yes" in options
    assert f"UserKnownHostsFile={mpi.SCRATCH}/known_hosts" in options


def test_no_variable_of_a_secret_is_written_to_the_configuration_of_sshd(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/opt/amazon/openmpi/bin:/usr/bin")
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    line = mpi.session_environment()
    assert '"PATH=/opt/amazon/openmpi/bin:/usr/bin"' in line
    assert "hf_secret" not in line


def test_a_rank_under_mpirun_has_the_variables_of_its_container(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = tmp_path / "environ"
    first.write_bytes(b"HF_TOKEN=hf_secret=\0OMPI_COMM_WORLD_RANK=9\0broken\0")
    monkeypatch.setenv("OMPI_COMM_WORLD_RANK", "3")
    monkeypatch.delenv("HF_TOKEN", raising=False)
    launch.inherit(first)
    assert (os.environ["HF_TOKEN"], os.environ["OMPI_COMM_WORLD_RANK"]) == ("hf_secret=", "3")
    monkeypatch.delenv("HF_TOKEN")
