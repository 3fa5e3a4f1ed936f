"""A root of this machine's files in which a program runs as root: what it writes, mounts and adds is gone after it.

An overlay in a mount namespace, entered by chroot. Programs of the test replace what needs hardware or a network.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

MAKE = """\
set -e
mount -t tmpfs tmpfs "$1"
mkdir "$1/upper" "$1/work" "$1/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" "$1/root"
mount --rbind /proc "$1/root/proc"
mount -t tmpfs -o dev tmpfs "$1/root/dev"
mknod -m 666 "$1/root/dev/null" c 1 3
ln -s /proc/self/fd "$1/root/dev/fd"
cp --archive "$2/." "$1/root/"
exec chroot "$1/root" bash /checks.sh
"""


def _may_mount_overlays() -> bool:
    if os.geteuid() != 0 or shutil.which("unshare") is None:
        return False
    made = (
        'mount -t tmpfs tmpfs "$0" && cd "$0" && mkdir u w r && mount -t overlay o -o lowerdir=/,upperdir=u,workdir=w r'
    )
    command = ["unshare", "--mount", "bash", "-c", made, "/mnt"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


needs_throwaway_root = pytest.mark.skipif(not _may_mount_overlays(), reason="needs root: overlay mounts, chroot")


def run_in_throwaway_root(folder: Path, files: Mapping[str, str], checks: str) -> subprocess.CompletedProcess[str]:
    """``files`` by path in the root, where those that begin with ``#!`` are programs; ``checks`` is a bash script."""
    (folder / "mount").mkdir()
    added = folder / "added"
    for name, text in {**files, "/checks.sh": checks}.items():
        path = added / name.lstrip("/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755 if text.startswith("#!") else 0o644)
    command = ["unshare", "--mount", "bash", "-c", MAKE, "bash", str(folder / "mount"), str(added)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
