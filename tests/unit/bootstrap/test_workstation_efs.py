"""Shell that mounts access points: run twice it has the same result, and what is no longer named is taken out."""

from __future__ import annotations

import subprocess
from pathlib import Path

from neuron_cluster.bootstrap.workstation_efs import efs_mount_commands

PROGRAMS = ("dnf", "mount", "umount", "mountpoint")


def run(folder: Path, points: dict[str, str]) -> tuple[str, str]:
    """The table of file systems, and what was called, after the commands ran with the paths of a folder."""
    for name in PROGRAMS:
        program = folder / "bin" / name
        program.parent.mkdir(exist_ok=True)
        status = 1 if name == "mountpoint" else 0
        program.write_text(f'#!/bin/sh\necho "{name} $*" >> {folder}/calls\nexit {status}\n')
        program.chmod(0o755)
    (folder / "calls").write_text("")
    script = "\n".join(efs_mount_commands("fs-1", points, "amazon-efs-utils"))
    script = script.replace("/etc/fstab", f"{folder}/fstab").replace("/efs/", f"{folder}/efs/")
    path = f"{folder / 'bin'}:/usr/bin:/bin"
    subprocess.run(["sh", "-euc", script], check=True, env={"PATH": path})
    return (folder / "fstab").read_text(), (folder / "calls").read_text()


def test_it_is_repeatable_and_takes_out_what_is_no_longer_named(tmp_path: Path) -> None:
    (tmp_path / "fstab").write_text("UUID=1 / xfs defaults 0 0\n")
    both = {"home": "fsap-1", "data": "fsap-2"}
    table, calls = run(tmp_path, both)
    line = f"fs-1:/ {tmp_path}/efs/home efs _netdev,nofail,noresvport,tls,accesspoint=fsap-1 0 0"
    assert table.splitlines()[:2] == ["UUID=1 / xfs defaults 0 0", line]
    assert f"mount {tmp_path}/efs/data" in calls.splitlines()
    assert run(tmp_path, both)[0] == table
    table, calls = run(tmp_path, {"home": "fsap-1"})
    assert table.splitlines() == ["UUID=1 / xfs defaults 0 0", line]
    assert f"umount --lazy {tmp_path}/efs/data" in calls.splitlines()
    assert f"umount --lazy {tmp_path}/efs/home" not in calls.splitlines()
