"""The newest checkpoint of a folder that is complete by its manifest."""

from __future__ import annotations

from pathlib import Path

from neuron_cluster.checkpoints.checkpoint_manifest import (
    MANIFEST,
    InvalidManifest,
    read_manifest,
    size_faults,
    sizes_of,
)

SET_ASIDE = "_incomplete"
"""Folder to which resume.py of charts/neuron-training moves those that are not."""


def newest_checkpoint(folder: Path) -> str | None:
    """Its path below the folder. None without one."""
    found = []
    for file in folder.rglob(MANIFEST):
        try:
            manifest = read_manifest(file.read_text(encoding="utf-8"))
        except (InvalidManifest, UnicodeDecodeError):
            continue
        if not size_faults(manifest, sizes_of(file.parent)) and SET_ASIDE not in file.parts:
            found.append((manifest.step, file.parent.relative_to(folder).as_posix()))
    return max(found)[1] if found else None
