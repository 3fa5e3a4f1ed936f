"""A real slurmctld starts with the values that rule E2115 accepts, and ends with those that the rule reports."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from tests.slurm_values import NOT_READ, READ

from .slurm_cluster import END_WITH_THIS_PROCESS, SECONDS, eventually, free_ports, needs_slurm

pytestmark = [pytest.mark.system, pytest.mark.slow, *needs_slurm]

Setting = tuple[str, str, str]
NODE = "CPUs=8 NodeAddr=127.0.0.1"


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """With munged, which slurmctld asks before it reads weights; in /tmp, because the path of a socket is short."""
    with tempfile.TemporaryDirectory(prefix="slurm-", dir="/tmp") as name:
        folder = Path(name)
        folder.chmod(0o755)
        munge = folder / "munge"
        munge.mkdir(mode=0o700)
        (munge / "key").write_bytes(os.urandom(64))
        (munge / "key").chmod(0o400)
        paths = {"key-file": munge / "key", "socket": folder / "munge.socket", "pid-file": munge / "pid"}
        paths |= {"log-file": munge / "log", "seed-file": munge / "seed"}
        options = [f"--{name}={path}" for name, path in paths.items()]
        command = [*END_WITH_THIS_PROCESS, "munged", "--force", "--foreground", *options]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            eventually((folder / "munge.socket").exists, bool)
            yield folder
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(SECONDS)


def started(folder: Path, settings: Iterable[Setting]) -> tuple[bool, str]:
    """Whether slurmctld started with the settings, and its log. Each setting of a group or queue has one of its own."""
    (port,) = free_ports(1)
    state = Path(tempfile.mkdtemp(dir=folder))
    lines = [
        "ClusterName=neuron",
        f"SlurmctldHost={socket.gethostname()}(127.0.0.1)",
        f"SlurmctldPort={port}",
        f"AuthInfo=socket={folder}/munge.socket",
        f"StateSaveLocation={state}",
        f"SlurmctldPidFile={state}/pid",
        "SlurmUser=root",
        "ProctrackType=proctrack/linuxproc",
        "TaskPlugin=task/none",
        "SelectType=select/cons_tres",
        "MailProg=/bin/true",
        f"NodeName=node {NODE}",
    ]
    for number, (level, name, value) in enumerate(settings):
        before = {
            "cluster": "",
            "group": f"NodeName=node{number} {NODE} ",
            "queue": f"PartitionName=queue{number} Nodes=node ",
        }
        lines.append(f"{before[level]}{name}={value}")
    file = state / "slurm.conf"
    file.write_text("\n".join(lines) + "\n", encoding="ascii")
    log = state / "log"
    with log.open("wb") as output:
        command = [*END_WITH_THIS_PROCESS, "slurmctld", "-D", "-i", "-f", str(file)]
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output)
    try:
        text = eventually(
            lambda: log.read_text(errors="replace"),
            lambda text: process.poll() is not None or "Running as primary controller" in text,
        )
        return process.poll() is None, text
    finally:
        process.kill()
        process.wait()


def test_slurmctld_starts_with_values_that_are_read(folder: Path) -> None:
    is_started, log = started(folder, READ)
    assert is_started, log


@pytest.mark.parametrize("setting", NOT_READ)
def test_slurmctld_ends_with_a_value_that_is_not_read(setting: Setting, folder: Path) -> None:
    is_started, log = started(folder, [setting])
    assert not is_started
    assert "fatal: " in log
