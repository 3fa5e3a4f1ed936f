"""A table reads its file once, at the first query; a table of a folder reads one file for a name."""

from __future__ import annotations

from pathlib import Path

import pytest

from neuron_cluster.catalog import table as table_module
from neuron_cluster.catalog.source_data import CatalogError, read_rows
from neuron_cluster.catalog.sourced_row import SourcedRow
from neuron_cluster.catalog.table import FolderTable, Table

ROW = "- name: {}\n  source: somewhere\n  checked_on: 2026-11-21\n  size: {}\n"


class Thing(SourcedRow, frozen=True, kw_only=True):
    size: int


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the files that tables have read."""
    names: list[str] = []

    def recorded(file: Path, *arguments: object, **options: object) -> object:
        names.append(file.name)
        return read_rows(file, *arguments, **options)

    monkeypatch.setattr(table_module, "read_rows", recorded)
    return names


@pytest.fixture
def things(tmp_path: Path) -> Table[Thing]:
    file = tmp_path / "things.yaml"
    file.write_text(ROW.format("beta", 2) + ROW.format("alpha", 1))
    return Table(file, Thing)


@pytest.fixture
def folder(tmp_path: Path) -> FolderTable[Thing]:
    """Names of things begin with the letter of their file."""
    (tmp_path / "b.yaml").write_text(ROW.format("beta", 2))
    (tmp_path / "a.yaml").write_text(ROW.format("alpha", 1) + ROW.format("apex", 3))
    return FolderTable(tmp_path, Thing, lambda name: name[:1])


def test_a_table_has_the_rows_of_its_file_in_their_order(things: Table[Thing]) -> None:
    assert [row.size for row in things] == [2, 1]
    assert [row.name for row in things.rows] == ["beta", "alpha"]
    assert things.names == ("beta", "alpha")
    assert len(things) == 2


def test_a_row_is_found_by_name_and_an_unknown_name_is_not(things: Table[Thing]) -> None:
    row = things.get("alpha")
    assert row is not None
    assert row.size == 1
    assert things["alpha"] is row
    assert things.get("gamma") is None
    assert "alpha" in things
    assert "gamma" not in things
    assert row not in things


def test_an_unknown_name_in_code_raises_an_error_with_similar_names(things: Table[Thing]) -> None:
    with pytest.raises(LookupError, match=r"no 'alpa' in things\.yaml; similar names: alpha"):
        things["alpa"]
    with pytest.raises(LookupError, match="similar names: none"):
        things["zzz"]


def test_a_file_is_read_once_at_the_first_query(things: Table[Thing], reads: list[str]) -> None:
    assert reads == []
    assert things.get("alpha") is things.get("alpha")
    assert things.rows is things.rows
    assert reads == ["things.yaml"]


def test_a_wrong_file_raises_at_each_query(tmp_path: Path) -> None:
    (tmp_path / "things.yaml").write_text("- name: half\n")
    broken = Table(tmp_path / "things.yaml", Thing)
    for _ in range(2):
        with pytest.raises(CatalogError, match="missing field"):
            broken.get("half")


def test_a_table_with_other_rows_reads_no_file_and_leaves_the_first(things: Table[Thing], reads: list[str]) -> None:
    given = [Thing(name="gamma", source="a test", checked_on=things.rows[0].checked_on, size=9)]
    other = things.with_rows(given)
    assert reads == ["things.yaml"]
    assert other.rows == tuple(given)
    assert other["gamma"] is given[0]
    assert other.get("alpha") is None
    assert things.names == ("beta", "alpha")


def test_a_query_by_name_reads_only_the_file_of_the_name(folder: FolderTable[Thing], reads: list[str]) -> None:
    assert folder["alpha"].size == 1
    assert folder["apex"].size == 3
    assert folder.get("ceta") is None
    assert folder.get("../secret") is None
    assert reads == ["a.yaml"]
    assert list(folder.rows_with("a")) == ["alpha", "apex"]
    assert reads == ["a.yaml"]


def test_rows_of_a_folder_come_by_file_name_and_each_file_is_read_once(
    folder: FolderTable[Thing], reads: list[str]
) -> None:
    assert folder["beta"].size == 2
    assert folder.names == ("alpha", "apex", "beta")
    assert folder.get("apex") is folder.rows[1]
    assert reads == ["b.yaml", "a.yaml"]


def test_a_folder_with_other_rows_finds_them_where_there_is_no_file(folder: FolderTable[Thing]) -> None:
    other = folder.with_rows([Thing(name="zeta", source="a test", checked_on=folder.rows[0].checked_on, size=9)])
    assert other["zeta"].size == 9
    assert other.get("alpha") is None
    assert folder["alpha"].size == 1


@pytest.mark.parametrize(
    ("name", "reason"), [("beta", "belongs into b.yaml"), ("1", "begins like the name of no such row")]
)
def test_a_row_in_the_wrong_file_of_a_folder_is_rejected(folder: FolderTable[Thing], name: str, reason: str) -> None:
    (folder.place / "a.yaml").write_text(ROW.format("alpha", 1) + ROW.format(name, 2))
    with pytest.raises(CatalogError, match=reason) as caught:
        folder.get("alpha")
    found = caught.value
    assert (found.file, found.line, found.row, found.field) == (folder.place / "a.yaml", 5, name, "name")
