"""Gives each new profile to Neuron Explorer, again and again.

Every folder below the root is one profile and its name there. Standard library only.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

SYSTEM_PROFILE = "trace_info.pb"
# A profile in which nothing changed for this long is whole. `aws s3 sync` keeps the objects' times.
QUIET_SECONDS = 60.0


def profiles(root: Path) -> list[Path]:
    """The folders below the root that hold a profile, by name."""
    folders = sorted(path for path in root.iterdir() if path.is_dir()) if root.is_dir() else []
    return [folder for folder in folders if any(folder.rglob(SYSTEM_PROFILE)) or any(folder.rglob("*.ntff"))]


def source_arguments(folder: Path) -> list[str]:
    """How the viewer is told what to read: one graph with its trace as a pair, anything else as a folder."""
    graphs, traces = sorted(folder.rglob("*.neff")), sorted(folder.rglob("*.ntff"))
    if len(graphs) == 1 and len(traces) == 1 and not any(folder.rglob(SYSTEM_PROFILE)):
        return ["-n", str(graphs[0]), "-s", str(traces[0])]
    return ["-d", str(folder)]


def newest_change(folder: Path) -> float:
    """When a file of the profile last changed, in seconds since 1970."""
    return max(path.stat().st_mtime for path in folder.rglob("*") if path.is_file())


def ready(folders: Iterable[Path], seen: set[str], now: float, quiet_seconds: float) -> list[Path]:
    """Profiles that were not given yet and that nobody writes any more."""
    return [folder for folder in folders if folder.name not in seen and now - newest_change(folder) >= quiet_seconds]


def ingest(folder: Path, command: Sequence[str]) -> bool:
    """Gives one profile to the viewer; False when it refuses, with the sentence printed."""
    status = subprocess.run(
        [*command, *source_arguments(folder), "--display-name", folder.name], check=False
    ).returncode
    if status != 0:
        print(f"{folder.name}: the viewer ended with exit code {status}, see above; it is not tried again", flush=True)
    return status == 0


def sync(url: str, root: Path) -> None:
    """Copies new profiles from S3; a failure is printed and met again at the next look."""
    command = ["aws", "s3", "sync", "--only-show-errors", url, str(root)]
    status = subprocess.run(command, check=False).returncode
    if status != 0:
        print(f"{url} could not be read (exit code {status})", file=sys.stderr, flush=True)


def main(arguments: Sequence[str]) -> int:
    """Looks for profiles until it is stopped."""
    parser = argparse.ArgumentParser(description="Gives new profiles to Neuron Explorer.")
    parser.add_argument("--root", type=Path, required=True)
    parser.add_argument("--url", default="")
    parser.add_argument("--refresh-seconds", type=float, required=True)
    parser.add_argument("command", nargs="+")
    options = parser.parse_args(arguments)
    seen: set[str] = set()
    while True:
        if options.url:
            sync(options.url, options.root)
        for folder in ready(profiles(options.root), seen, time.time(), QUIET_SECONDS):
            seen.add(folder.name)
            ingest(folder, options.command)
        time.sleep(options.refresh_seconds)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
