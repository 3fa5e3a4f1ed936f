"""Runs a command that writes a profile, checks that it did, and copies it to S3 when asked to.

Standard library only. The exit code is the command's own, or 1 when it left no profile.
"""

from __future__ import annotations

import argparse
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

# Device traces end in .ntff; a system profile has one of the other two.
PROFILE_FILES = ("*.ntff", "trace_info.pb", "ntrace.pb")


def profile_files(folder: Path) -> list[Path]:
    """The files below a folder that make it a profile; empty ones do not count."""
    found = (path for pattern in PROFILE_FILES for path in folder.rglob(pattern))
    return sorted(path for path in found if path.stat().st_size > 0)


def put_aside(output: Path) -> None:
    """Renames what an earlier run left in the output: the viewer would take the files of both for one profile."""
    if not output.is_dir() or not any(output.iterdir()):
        return
    number = 1
    while (earlier := output.with_name(f"{output.name}.earlier-{number}")).exists():
        number += 1
    output.rename(earlier)
    print(f"{output} has the files of an earlier run: they are in {earlier} now", flush=True)


def capture(output: Path, command: Sequence[str], neff: Path | None = None) -> int:
    """Runs the command and gives its exit code. A compiled graph is put beside its trace: the viewer needs both."""
    put_aside(output)
    output.mkdir(parents=True, exist_ok=True)
    if neff is not None:
        shutil.copyfile(neff, output / neff.name)
    print(" ".join(command), flush=True)
    return subprocess.run(command, check=False, cwd=output).returncode


def upload(output: Path, destination: str) -> int:
    """Copies the profile to S3; the exit code of the AWS CLI."""
    command = ["aws", "s3", "sync", "--only-show-errors", str(output), destination]
    return subprocess.run(command, check=False).returncode


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Captures one profile.")
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--destination", default="", help="s3://bucket/prefix/name; empty: the output is the place")
    parser.add_argument("--neff", type=Path)
    parser.add_argument("command", nargs="+")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str]) -> int:
    """Captures, checks, copies."""
    # The first process of a container ignores SIGTERM unless it says otherwise.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    options = _options(arguments)
    status = capture(options.output, options.command, options.neff)
    files = profile_files(options.output)
    if not files:
        print(
            f"no profile in {options.output} (exit code {status}): did the program run on NeuronCores, "
            "and is systemProfile or deviceProfile on?",
            file=sys.stderr,
        )
        return status or 1
    if options.destination and upload(options.output, options.destination) != 0:
        print(f"the profile could not be copied to {options.destination}", file=sys.stderr)
        return 1
    print(f"{len(files)} profile files in {options.destination or options.output}; exit code {status}")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
