"""The text of an environment file whose keys are all in it, for tools and tests that edit the tree of one."""

from __future__ import annotations

from pathlib import Path

from neuron_cluster.config.bases import read_with_bases
from neuron_cluster.config.expansion import expanded_text


def merged_text(file: Path) -> str:
    """Returns the text of the file; of one that extends a base, as `neuron-cluster expand` prints it."""
    read = read_with_bases(file, file.name)
    return expanded_text(read) if len(read.files) > 1 else file.read_text(encoding="utf-8")
