"""Puts the graphs that a server compiled into the shared cache, and marks those that it uses, as long as it runs.

vLLM Neuron reads the shared cache and writes nothing there: without this, each new pod compiles again. An entry is
copied beside its place and then renamed, as the engine's own ``save_cache`` does
(aws-neuron/aws-neuron-sdk:vllm-neuron/docs/design/compilation/compilation_cache.md@81ce03a). The mark makes an entry
young for the clean-up of compile-cache-warmer, whether or not the volume records reads. Standard library only.
"""

from __future__ import annotations

import argparse
import http.client
import os
import re
import shutil
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path

ENTRY = re.compile(r"[0-9a-f]{32}")
STAGED = ".staging-"
"""compile-cache-warmer deletes what an interrupted copy left."""
START_SECONDS = 30.0


def entries(cache: Path) -> set[str]:
    """Names of the entries of a cache; none where there is no folder yet."""
    return {path.name for path in cache.iterdir() if ENTRY.fullmatch(path.name)} if cache.is_dir() else set()


def share(local: Path, shared: Path) -> list[str]:
    """Copies the entries that the shared cache lacks, and gives their names. Raises OSError."""
    shared.mkdir(parents=True, exist_ok=True)
    missing = sorted(entries(local) - entries(shared))
    for name in missing:
        staged = shared / f"{STAGED}{time.time_ns()}-{name}"
        shutil.copytree(local / name, staged, ignore=shutil.ignore_patterns("*.lock"))
        try:
            staged.rename(shared / name)
        except OSError:  # another replica was faster: its entry is the same
            shutil.rmtree(staged)
    return missing


def mark(local: Path, shared: Path) -> None:
    """Makes the entries in use young. Raises OSError."""
    for name in entries(local) & entries(shared):
        os.utime(shared / name)


def answers(port: int) -> bool:
    """Whether the server of this pod is healthy: then every graph is compiled."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", "/health")
        return connection.getresponse().status == http.HTTPStatus.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def keep(local: Path, shared: Path) -> None:
    """One round. What fails is printed and tried in the next one: a full volume must not end the server's pod."""
    try:
        if added := share(local, shared):
            print(f"{len(added)} compiled graphs are now in {shared}", flush=True)
        mark(local, shared)
    except OSError as problem:
        print(f"{shared} could not be written: {problem}", file=sys.stderr, flush=True)


def main(arguments: Sequence[str]) -> None:
    """Until the pod ends."""
    # The first process of a container ignores SIGTERM unless it says otherwise.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    parser = argparse.ArgumentParser(description="Shares the compiled graphs of a server.")
    parser.add_argument("--local", type=Path, required=True)
    parser.add_argument("--shared", type=Path, required=True)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--every-hours", type=float, required=True)
    options = parser.parse_args(arguments)
    while True:
        is_warm = answers(options.port)
        if is_warm:
            keep(options.local, options.shared)
        time.sleep(options.every_hours * 3600 if is_warm else START_SECONDS)


if __name__ == "__main__":
    main(sys.argv[1:])
