"""Resources of a process other than memory: threads, children, sockets, files in its own temporary folder."""

from __future__ import annotations

import os
import threading
from collections import Counter
from pathlib import Path

LONGEST_END_SECONDS = 10
"""Time for a thread that answers a connection, once the connection is closed."""


def children() -> list[str]:
    """The command lines of the processes that this one started and that still run."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            parent = (process / "stat").read_text().rpartition(")")[2].split()[1]
            if parent == str(os.getpid()):
                found.append((process / "cmdline").read_text().replace("\0", " ")[:80])
        except OSError:
            continue  # it has ended while we looked
    return sorted(found)


def sockets() -> int:
    """How many this process has open; 0 where no /proc tells."""
    links = []
    for number in Path("/proc/self/fd").glob("*"):
        try:
            links.append(str(number.readlink()))
        except OSError:
            continue  # the listing itself
    return sum(link.startswith("socket:") for link in links)


def process_state(folder: Path, stable: set[threading.Thread]) -> dict[str, object]:
    """Waits for the threads that did not run before; then names everything that is there."""
    for thread in set(threading.enumerate()) - stable:
        thread.join(LONGEST_END_SECONDS)
    return {
        "threads": Counter(thread.name for thread in threading.enumerate()),
        "children": children(),
        "sockets": sockets(),
        "files": sorted(str(path.relative_to(folder)) for path in folder.iterdir()),
    }
