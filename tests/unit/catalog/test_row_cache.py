"""Rows of the catalog are kept between processes, and never instead of what the data file says."""

from __future__ import annotations

import io
import os
import pickle
import shutil
import sys
from pathlib import Path

import pytest

from neuron_cluster.catalog import row_cache
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.chip import Chip
from neuron_cluster.catalog.frozen_map import FrozenMap
from neuron_cluster.catalog.source_data import DATA_DIRECTORY, CatalogError, read_rows
from neuron_cluster.catalog.table import Table


@pytest.fixture
def chips(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of a data file, in a folder that counts as the catalog's own."""
    monkeypatch.setattr(row_cache, "HOME", tmp_path)
    monkeypatch.setattr(row_cache, "_code_changed", lambda: 1)
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    return Path(shutil.copy(DATA_DIRECTORY / "chips.yaml", tmp_path))


def cached(file: Path) -> Path:
    (found,) = (file.parent / "__pycache__").iterdir()
    return found


def test_what_is_kept_is_what_was_read(chips: Path) -> None:
    rows = read_rows(chips, Chip)
    assert row_cache.cached_rows(chips) == rows
    assert read_rows(chips, Chip) == rows


def test_a_changed_file_is_read_anew(chips: Path) -> None:
    read_rows(chips, Chip)
    text = chips.read_text()
    chips.write_text(text.replace("name: trainium2", "name: trainium9", 1))
    os.utime(chips, ns=(0, 1))
    assert "trainium9" in read_rows(chips, Chip)


def test_a_wrong_file_is_told_although_good_rows_are_kept(chips: Path) -> None:
    read_rows(chips, Chip)
    chips.write_text(chips.read_text() + "- name: half\n")
    with pytest.raises(CatalogError, match="missing field"):
        read_rows(chips, Chip)


def test_other_code_reads_the_file(chips: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read_rows(chips, Chip)
    monkeypatch.setattr(row_cache, "_code_changed", lambda: 2)
    assert row_cache.cached_rows(chips) is None


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.99])
def test_a_cut_off_file_is_no_mistake(chips: Path, share: float) -> None:
    rows = read_rows(chips, Chip)
    content = cached(chips).read_bytes()
    cached(chips).write_bytes(content[: int(len(content) * share)])
    assert row_cache.cached_rows(chips) is None
    assert read_rows(chips, Chip) == rows


def test_nothing_is_kept_where_python_keeps_nothing(chips: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    read_rows(chips, Chip)
    assert not (chips.parent / "__pycache__").exists()


def test_a_file_elsewhere_is_not_kept(tmp_path: Path) -> None:
    read_rows(Path(shutil.copy(DATA_DIRECTORY / "chips.yaml", tmp_path)), Chip)
    assert [path.name for path in tmp_path.iterdir()] == ["chips.yaml"]


class Planted:
    """Runs a command where it is unpickled without care."""

    def __init__(self, proof: Path) -> None:
        self.proof = proof

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.system, (f"touch {self.proof}",)


def test_a_file_that_another_put_there_runs_nothing(chips: Path, tmp_path: Path) -> None:
    rows = read_rows(chips, Chip)
    stamp, _, _ = cached(chips).read_bytes().partition(b"\n")
    dotted = b"\x80\x04\x8c\x20neuron_cluster.catalog.row_cache\x8c\x09os.system\x93\x8c\x04true\x85R."
    imported = b"cneuron_cluster.catalog.row_cache\nstore_rows\n(I1\nI2\ntR."
    for planted in (pickle.dumps(Planted(tmp_path / "ran")), dotted, imported):
        cached(chips).write_bytes(stamp + b"\n" + planted)
        assert row_cache.cached_rows(chips) is None
        assert read_rows(chips, Chip) == rows
    assert not (tmp_path / "ran").exists()


def test_rows_of_every_table_are_the_same_after_they_were_kept() -> None:
    """Where this fails: a field holds something of another room; name it in ``PLAIN``."""
    tables = [member for member in vars(Catalog).values() if isinstance(member, Table)]
    assert len(tables) > 60
    for table in tables:
        rows = FrozenMap(table.by_name)
        assert row_cache._Rows(io.BytesIO(pickle.dumps(rows, pickle.HIGHEST_PROTOCOL))).load() == rows
