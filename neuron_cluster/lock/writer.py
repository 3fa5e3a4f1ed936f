"""Writing a lock: the same values give the same bytes, and the file is written whole or not at all."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from neuron_cluster.atomic_write import write_atomically
from neuron_cluster.lock.model import Lock
from neuron_cluster.lock.tree import CHECKSUM, NOT_KNOWN, LockPath, checksum, lock_tree

HEAD = """\
# Values that AWS returned for this environment. Written by `{again}`; do not edit it, run that again.
# Synthesis reads this file and sends no queries: an unchanged lock gives unchanged templates.
"""
LAST = "# Checksum of every entry above: it detects accidental edits and truncated files. It is not a signature."
UNQUOTED = ("format",)
"""Numbers. Every other value is a quoted text, so that no reader parses 1.30 as a number."""


def lock_text(lock: Lock, sources: Mapping[LockPath, str], again: str) -> str:
    """The file. ``sources`` names the origin of an entry, in a comment above it; ``again`` is the command."""
    tree = lock_tree(lock)
    lines = [*_lines(tree, (), sources), LAST, f"{CHECKSUM}: {json.dumps(checksum(tree))}"]
    return HEAD.format(again=again) + "\n".join(lines) + "\n"


def sources_in(text: str) -> dict[LockPath, str]:
    """Where each entry of a written lock comes from: the comment above it."""
    found: dict[LockPath, str] = {}
    above: list[str] = []
    source = ""
    for line in text.splitlines():
        stripped = line.strip()
        if stripped.startswith("# "):
            source = stripped.removeprefix("# ")
        elif key := re.match(r'("(?:[^"\\\\]|\\\\.)*"|[\w-]+):', stripped):
            name = key[1]
            above = [*above[: (len(line) - len(line.lstrip())) // 2], json.loads(name) if name[0] == '"' else name]
            if source and above != ["format"]:  # what is above the first key is the head
                found[tuple(above)] = source
            source = ""
    return {path: source for path, source in found.items() if path != (CHECKSUM,)}


def _lines(tree: Mapping[str, Any], above: LockPath, sources: Mapping[LockPath, str]) -> Iterator[str]:
    indent = "  " * len(above)
    for key, value in tree.items():
        path = (*above, key)
        if path in sources:
            yield f"{indent}# {sources[path]}"
        if isinstance(value, Mapping):
            yield f"{indent}{_key(key)}:"
            yield from _lines(value, path, sources)
        else:
            yield f"{indent}{_key(key)}: {value if key in UNQUOTED or value == NOT_KNOWN else json.dumps(value)}"


def _key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]*", key) else json.dumps(key)


def write_lock(path: Path, text: str) -> bool:
    """Writes the file whole or not at all; returns whether it is another one now. Raises ``ToolkitError``."""
    data = text.encode()
    if _bytes(path) == data:
        return False
    write_atomically(path, data, with_folders=True)
    return True


def _bytes(path: Path) -> bytes | None:
    """Returns the bytes of the file; None when it is not there or cannot be read, which the write will report."""
    try:
        return path.read_bytes()
    except OSError:
        return None
