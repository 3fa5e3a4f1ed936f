"""Rows of the change table on keys of ``slurm``."""

from __future__ import annotations

import pytest

from neuron_cluster.providers.pcs.changes.change_rows import LOGIN, SLURM_ROWS

ROWS = {row.path: row.what for row in SLURM_ROWS}


@pytest.mark.parametrize("path", sorted(path for path in ROWS if path.startswith(f"{LOGIN}.")))
def test_the_login_group_has_no_queue(path: str) -> None:
    assert "queue" not in ROWS[path]


@pytest.mark.parametrize("key", ["version", "dlami", "ami_id"])
def test_what_nodes_start_from_replaces_them(key: str) -> None:
    assert "PCS replaces each node when its jobs end" in ROWS[f"slurm.{key}"]
