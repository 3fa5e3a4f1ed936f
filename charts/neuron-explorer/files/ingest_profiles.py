"""Gives each new profile to Neuron Explorer, again and again.

Every folder below the root is one profile and its name there; with device traces alone each of them is one, named after
the folder and the trace. Standard library only.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from device_profiles import graph_of, traces

SYSTEM_PROFILE = "trace_info.pb"
ATTEMPTS = 3
# A profile in which nothing changed for this long is whole. `aws s3 sync` keeps the objects' times.
QUIET_SECONDS = 60.0


def profiles(root: Path) -> list[Path]:
    """The folders below the root that hold a profile, by name."""
    folders = sorted(path for path in root.iterdir() if path.is_dir()) if root.is_dir() else []
    return [folder for folder in folders if any(folder.rglob(SYSTEM_PROFILE)) or any(folder.rglob("*.ntff"))]


@dataclass(frozen=True)
class Source:
    """What the viewer reads at once: its name there, and the arguments that say where it is."""

    name: str
    arguments: tuple[str, ...]


def sources(folder: Path) -> Iterator[Source]:
    """A folder with a system profile as it is; without one the viewer takes pairs of a graph and its trace alone.

    Source: aws-neuron/aws-neuron-sdk:tools/neuron-explorer/troubleshooting.rst@81ce03a, "No metadata found".
    """
    if any(folder.rglob(SYSTEM_PROFILE)):
        yield Source(folder.name, ("-d", str(folder)))
        return
    found = list(traces(folder))
    for trace in found:
        graph = graph_of(trace, folder)
        if graph is None:
            print(f"{trace}: no graph (.neff) has its number: capture with systemProfile too", flush=True)
            continue
        place = "-".join(trace.relative_to(folder).with_suffix("").parts)
        name = folder.name if len(found) == 1 else f"{folder.name}-{place}"
        yield Source(name, ("-n", str(graph), "-s", str(trace)))


def newest_change(folder: Path) -> float:
    """When a file of the profile last changed, in seconds since 1970."""
    return max(path.stat().st_mtime for path in folder.rglob("*") if path.is_file())


def ready(folders: Iterable[Path], seen: set[str], now: float, quiet_seconds: float) -> list[Path]:
    """Profiles that were not given yet and that nobody writes any more."""
    return [folder for folder in folders if folder.name not in seen and now - newest_change(folder) >= quiet_seconds]


@dataclass
class Ingestion:
    """What was given to the viewer since this program started."""

    command: Sequence[str]
    seen: set[str] = field(default_factory=set)
    """Folders of which every source was given, or refused as often as it is tried."""
    given: set[str] = field(default_factory=set)
    refusals: Counter[str] = field(default_factory=Counter)

    def ingest(self, folder: Path) -> None:
        """Gives the sources of one profile that the viewer does not have yet."""
        waiting = [source for source in sources(folder) if not self._is_done(source)]
        for source in waiting:
            self._give(source)
        if all(self._is_done(source) for source in waiting):
            self.seen.add(folder.name)

    def _is_done(self, source: Source) -> bool:
        return source.name in self.given or self.refusals[source.name] >= ATTEMPTS

    def _give(self, source: Source) -> None:
        arguments = [*self.command, *source.arguments, "--display-name", source.name]
        status = subprocess.run(arguments, check=False).returncode
        if status == 0:
            self.given.add(source.name)
            return
        self.refusals[source.name] += 1
        then = "is tried again" if self.refusals[source.name] < ATTEMPTS else "is not tried again"
        print(f"{source.name}: the viewer ended with exit code {status}, see above; it {then}", flush=True)


def sync(url: str, root: Path) -> None:
    """Copies new profiles from S3; a failure is printed and met again at the next look."""
    command = ["aws", "s3", "sync", "--only-show-errors", url, str(root)]
    status = subprocess.run(command, check=False).returncode
    if status != 0:
        print(f"{url} could not be read (exit code {status})", file=sys.stderr, flush=True)


def look(root: Path, url: str, ingestion: Ingestion) -> None:
    """Gives what is new. A file system that does not answer is met again at the next look: the viewer goes on."""
    if url:
        sync(url, root)
    try:
        for folder in ready(profiles(root), ingestion.seen, time.time(), QUIET_SECONDS):
            ingestion.ingest(folder)
    except OSError as error:
        print(f"{root} could not be read: {error}", file=sys.stderr, flush=True)


def main(arguments: Sequence[str]) -> int:
    """Looks for profiles until it is stopped."""
    parser = argparse.ArgumentParser(description="Gives new profiles to Neuron Explorer.")
    parser.add_argument("--root", type=Path, required=True)
    parser.add_argument("--url", default="")
    parser.add_argument("--refresh-seconds", type=float, required=True)
    parser.add_argument("command", nargs="+")
    options = parser.parse_args(arguments)
    ingestion = Ingestion(options.command)
    while True:
        look(options.root, options.url, ingestion)
        time.sleep(options.refresh_seconds)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
