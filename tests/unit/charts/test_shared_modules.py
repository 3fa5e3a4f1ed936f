"""Modules that charts and the toolkit share: each has a copy, because a chart has only its own files."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PACKAGE = "neuron_cluster.checkpoints."
COPIES = {
    "checkpoint_manifest.py": ("charts/neuron-training/files", "charts/model-store/files"),
    "checkpoint_drill.py": ("charts/model-store/files",),
}


@pytest.mark.parametrize("name", COPIES)
def test_the_copies_are_equal(name: str) -> None:
    source = (ROOT / PACKAGE.replace(".", "/") / name).read_text().replace(PACKAGE, "")
    assert [folder for folder in COPIES[name] if (ROOT / folder / name).read_text() != source] == []
