"""The programs that a workstation runs: read by bash, and run here with stand-ins for what only a machine has."""

from __future__ import annotations

import os
import re
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from neuron_cluster.bootstrap.workstation_boot import NOT_CLEAR, boot_shell, program

HOUR = 3600
NOBODY = {"pgrep": "exit 1", "find": "true", "awk": "exit 1"}
"""No session, no terminal in use, no process on a Neuron device, nothing for the processors to do."""

Stops = Callable[..., bool]
Attaches = Callable[[Path, int], tuple[int, list[str]]]


@pytest.mark.parametrize("name", ["attach-home", "stop-when-idle"])
def test_bash_can_read_every_program(name: str) -> None:
    ran = subprocess.run(["bash", "-n"], input=program(name), text=True, capture_output=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")


@pytest.fixture
def stops(tmp_path: Path) -> Stops:
    """``stops(idle_seconds, pgrep="exit 0")``: whether a machine that was last used then shuts itself down."""

    def run(idle_seconds: int | None, **commands: str) -> bool:
        placeholders = {**NOBODY, "shutdown": f"touch {tmp_path}/stopped", **commands}
        for name, body in placeholders.items():
            (tmp_path / name).write_text(f"#!/bin/bash\n{body}\n")
            (tmp_path / name).chmod(0o755)
        (tmp_path / "stop-when-idle").write_text(program("stop-when-idle"))
        used = tmp_path / "last-used"
        if idle_seconds is not None:
            used.touch()
            before = used.stat().st_mtime - idle_seconds
            os.utime(used, (before, before))
        environment = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "RUNTIME_DIRECTORY": str(tmp_path)}
        subprocess.run(["bash", tmp_path / "stop-when-idle", "60"], env=environment, check=True)
        assert used.exists()
        return (tmp_path / "stopped").exists()

    return run


def test_an_idle_machine_stops_after_the_minutes_that_were_asked_for(stops: Stops) -> None:
    assert not stops(HOUR - 60)
    assert stops(HOUR + 60)


def test_a_machine_that_has_just_started_counts_as_used(stops: Stops) -> None:
    assert not stops(None)


@pytest.mark.parametrize(
    "use",
    [
        {"pgrep": "echo 4711"},
        {"find": "[[ $1 != /dev/pts ]] || echo /dev/pts/0"},
        {"find": "[[ $1 == /dev/pts ]] || echo /proc/1/fd/3"},
        {"awk": "exit 0"},
    ],
    ids=["session", "terminal", "neuron device", "processors"],
)
def test_any_use_keeps_the_machine_running_and_starts_the_hour_again(use: dict[str, str], stops: Stops) -> None:
    assert not stops(2 * HOUR, **use)
    assert not stops(None)


def test_a_terminal_counts_while_it_is_typed_into(tmp_path: Path) -> None:
    """The very words of the program, asked of a terminal of our own."""
    command = re.search(r"find /dev/pts .*-quit", program("stop-when-idle"))
    assert command is not None
    main, terminal = os.openpty()
    try:
        name = os.ttyname(terminal)
        arguments = command[0].replace("/dev/pts", name).split()

        def found() -> str:
            return subprocess.run(arguments, capture_output=True, text=True, check=True).stdout.strip()

        used = time.time()
        os.utime(name, (used - 300, used))
        assert found() == ""
        os.utime(name, (used, used))
        assert found() == name
    finally:
        os.close(main)
        os.close(terminal)


@pytest.fixture
def attach(tmp_path: Path) -> Attaches:
    """``attach(volume)``: what the program does to a file in the volume's place, and its exit status."""
    done, folder = tmp_path / "done", tmp_path / "bin"
    folder.mkdir()
    for name in ("curl", "aws", "mountpoint", "mkfs.ext4", "e2fsck", "mount", "umount", "cp", "chown", "resize2fs"):
        # Everything is noted, and done by nobody: nothing is mounted, and what was put into a mount goes with it.
        ends = {"mountpoint": "exit 1", "umount": "rm -f $1/.neuron-cluster-home"}.get(name, "")
        (folder / name).write_text(f"#!/bin/bash\necho {name} >> {done}\n{ends}\n")
        (folder / name).chmod(0o755)

    def run(volume: Path, blkid: int) -> tuple[int, list[str]]:
        (folder / "blkid").write_text(f"#!/bin/bash\nexit {blkid}\n")
        (folder / "blkid").chmod(0o755)
        text = program("attach-home").replace("/dev/disk/by-id/nvme-Amazon_Elastic_Block_Store_", f"{volume.parent}/")
        text = text.replace("[[ -b $device ]]", "[[ -e $device ]]")
        environment = {"PATH": f"{folder}:{os.environ['PATH']}"}
        command = ["bash", "-c", text, "attach-home", volume.name, "root", "us-west-2"]
        ran = subprocess.run(command, env=environment, check=False, capture_output=True)
        return ran.returncode, done.read_text().split()

    return run


FOUND_NOTHING = 2
"""Exit status of ``blkid -p``: no trace of anything, or no way to read."""


def test_a_volume_of_zeros_is_formatted(tmp_path: Path, attach: Attaches) -> None:
    volume = tmp_path / "vol0"
    with volume.open("wb") as file:
        file.truncate(1 << 30)
    status, done = attach(volume, FOUND_NOTHING)
    assert (status, "mkfs.ext4" in done, "mount" in done) == (0, True, True)


@pytest.mark.parametrize("place", [1024, 128 << 20], ids=["superblock", "its copy"])
def test_a_volume_with_anything_on_it_is_left_as_it_is_though_blkid_finds_nothing(
    tmp_path: Path, attach: Attaches, place: int
) -> None:
    """The start of a good file system may be damaged; e2fsck brings it back from a copy of the superblock."""
    volume = tmp_path / "vol0"
    with volume.open("wb") as file:
        file.truncate(1 << 30)
        file.seek(place)
        file.write(b"S")
    status, done = attach(volume, FOUND_NOTHING)
    assert (status, "mkfs.ext4" in done, "mount" in done) == (NOT_CLEAR, False, False)


def test_a_volume_that_cannot_be_read_is_left_as_it_is(tmp_path: Path, attach: Attaches) -> None:
    """Reading a folder fails, also for root."""
    volume = tmp_path / "vol0"
    volume.mkdir()
    status, done = attach(volume, FOUND_NOTHING)
    assert (status, "mkfs.ext4" in done) == (NOT_CLEAR, False)


def test_a_home_that_is_there_is_mounted_and_nothing_else(tmp_path: Path, attach: Attaches) -> None:
    volume = tmp_path / "vol0"
    volume.write_bytes(b"ext4")
    status, done = attach(volume, 0)
    assert (status, "mkfs.ext4" in done, done[-1]) == (0, False, "resize2fs")


def test_what_is_not_asked_for_is_not_installed() -> None:
    nothing = boot_shell(
        login_user="ubuntu", region="us-west-2", virtual_environment=None, has_home=False, stops_when_idle=False
    )
    assert nothing == ""


def test_files_are_written_as_they_are_but_for_the_home_volume(tmp_path: Path) -> None:
    """The shell is run with folders of its own; programs arrive unchanged, the unit names the volume."""
    shell = boot_shell(
        login_user="ubuntu", region="us-west-2", virtual_environment="/opt/env", has_home=True, stops_when_idle=True
    )
    for folder in ("/etc/profile.d", "/usr/local/sbin", "/etc/systemd/system"):
        (tmp_path / folder[1:]).mkdir(parents=True)
    for start in ("cat > /", "chmod 755 /"):
        shell = shell.replace(start, f"{start[:-1]}{tmp_path}/")
    script = f"systemctl() {{ :; }}\nHOME_VOLUME_ID=vol-0123456789abcdef0\n{shell}"
    subprocess.run(["bash", "-euo", "pipefail", "-c", script], check=True)
    assert (tmp_path / "usr/local/sbin/attach-home").read_text() == program("attach-home")
    assert (tmp_path / "usr/local/sbin/stop-when-idle").read_text() == program("stop-when-idle")
    unit = (tmp_path / "etc/systemd/system/attach-home.service").read_text()
    assert "attach-home vol-0123456789abcdef0 ubuntu us-west-2\n" in unit
    assert "stop-when-idle 60\n" in (tmp_path / "etc/systemd/system/stop-when-idle.service").read_text()
    assert ". /opt/env/bin/activate" in (tmp_path / "etc/profile.d/neuron-cluster.sh").read_text()
