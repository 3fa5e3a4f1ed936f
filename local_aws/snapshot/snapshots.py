"""Writes the state of a local AWS into a file, and puts that of a file in its place."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from local_aws.snapshot.archive import opened, written
from local_aws.snapshot.cloud_state import collected, install
from local_aws.snapshot.graph_reader import GraphReader
from local_aws.snapshot.graph_writer import GraphWriter

if TYPE_CHECKING:
    from local_aws.server import LocalAws


def write_snapshot(aws: LocalAws, path: Path) -> None:
    """Nothing may change the state meanwhile. Raises SnapshotError."""
    with written(path) as archive:
        graph = GraphWriter(archive)
        root = graph.write(collected(aws), "state")
        archive.finish([graph.mutable, graph.immutable, root], clock=aws.clock.now().isoformat())


def restore_snapshot(aws: LocalAws, path: Path) -> None:
    """Raises SnapshotError; the state is then as it was."""
    with opened(path) as archive:
        mutable, immutable, root = archive.objects()
        graph = GraphReader(archive)
        state = graph.read(mutable, immutable, root)
    install(aws, state)
