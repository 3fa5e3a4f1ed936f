"""Copies the weights of a model from S3 to a folder of the node, once for all pods that start there.

One pod copies, the others wait for its lock: it ends with its process, so that another one goes on with what a killed
pod left. A copy gets its name when it is whole; an empty folder of that name is the kubelet's, for a container whose
weights are gone. Nothing is deleted but parts of copies: a server may restart on the rest. Standard library only.
"""

from __future__ import annotations

import argparse
import fcntl
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

GIB = 1024**3
PART = ".part"
SYNC = ("aws", "s3", "sync", "--only-show-errors", "--exclude", "*.lock")


class CopyFailed(Exception):
    """The weights are not on the node; the text says what to look at."""


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Only one pod of the node is in here."""
    with (folder / ".lock").open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print(f"another pod of this node copies to {folder}: waiting for it", flush=True)
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def has(folder: Path, name: str) -> bool:
    """Whether the node has this copy, whole."""
    return (folder / name).is_dir() and any((folder / name).iterdir())


def require_room(folder: Path, part: Path, needed: int) -> None:
    """Raises CopyFailed where the disk lacks the bytes that are still to come."""
    there = sum(path.stat().st_size for path in part.rglob("*") if path.is_file())
    free = shutil.disk_usage(folder).free
    if there + free < needed:
        others = sorted(path.name for path in folder.iterdir() if path.is_dir() and path != part)
        raise CopyFailed(
            f"the disk of {folder} has {free // GIB} GiB free, and the copy takes {(needed - there) // GIB} more "
            f"(weights.sizeGib): delete copies there that no server uses ({', '.join(others) or 'there are none'}), or "
            "replace the node"
        )


def fetch(url: str, part: Path, environment: Mapping[str, str]) -> None:
    """The fast client does not follow a bucket to another Region: the usual one copies what it left."""
    command = [*SYNC, url, str(part)]
    usual = {**environment, "AWS_CONFIG_FILE": os.devnull}
    if not any(subprocess.run(command, env=each, check=False).returncode == 0 for each in (environment, usual)):
        raise CopyFailed(f"{url} could not be copied: may the service account list and read it?")
    if not any(part.iterdir()):
        raise CopyFailed(f"{url} has no file: is weights.url the folder of the model?")


def provide(folder: Path, name: str, url: str, gib: int, environment: Mapping[str, str]) -> str:
    """The copy is on the node afterwards; returns how. Raises CopyFailed and OSError."""
    with alone(folder):
        if has(folder, name):
            return f"{folder / name} is there already"
        part = folder / f"{name}{PART}"
        for other in folder.glob(f"*{PART}"):  # of pods that ended: there is no other one now
            if other != part:
                shutil.rmtree(other)
        part.mkdir(exist_ok=True)
        require_room(folder, part, gib * GIB)
        fetch(url, part, environment)
        part.rename(folder / name)
        return f"{url} is copied to {folder / name}"


def main(arguments: Sequence[str]) -> int:
    """Exit code 1 and a sentence where the weights cannot be provided."""
    # The first process of a container ignores SIGTERM unless it says otherwise.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    parser = argparse.ArgumentParser(description="Copies weights to the node once for all of its pods.")
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--name", required=True)
    parser.add_argument("--url", required=True)
    parser.add_argument("--gib", type=int, required=True)
    options = parser.parse_args(arguments)
    try:
        print(provide(options.folder, options.name, options.url, options.gib, os.environ), flush=True)
    except CopyFailed as problem:
        print(problem, file=sys.stderr, flush=True)
        return 1
    except OSError as problem:
        print(f"{options.folder} cannot be written as user {os.getuid()}: {problem}", file=sys.stderr, flush=True)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
