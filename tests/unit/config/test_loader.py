"""From bytes to a model: what cannot be read is a finding, never a traceback."""

from pathlib import Path

import pytest

from neuron_cluster.bounded_file import MAX_BYTES
from neuron_cluster.config.loader import load_environment


def write(folder: Path, data: bytes) -> Path:
    path = folder / "e.yaml"
    path.write_bytes(data)
    return path


@pytest.mark.parametrize(
    ("data", "finding_id", "line"),
    [
        (b"schema: 1\nname: \xff\n", "E0002", 2),
        (b"schema: 1\nname: a\0b\n", "E0002", 2),
        (b"a" * (MAX_BYTES + 1), "E0002", 0),
        ("schema: 1\n".encode("utf-16"), "E0002", 1),
        (b"\x89PNG\r\n\x1a\n", "E0002", 1),
    ],
)
def test_what_is_no_text_is_a_finding_with_its_line(tmp_path: Path, data: bytes, finding_id: str, line: int):
    loaded = load_environment(write(tmp_path, data))
    assert [(f.id, f.location.line) for f in loaded.findings] == [(finding_id, line)]
    assert loaded.config is None


def test_a_missing_file_and_a_directory_are_findings(tmp_path: Path):
    assert [f.id for f in load_environment(tmp_path / "none.yaml").findings] == ["E0001"]
    assert [f.id for f in load_environment(tmp_path).findings] == ["E0001"]


def test_a_path_with_a_nul_byte_is_a_finding():
    assert [f.id for f in load_environment(Path("a\0b")).findings] == ["E0001"]


def test_a_byte_order_mark_is_read_over(tmp_path: Path):
    loaded = load_environment(write(tmp_path, b"\xef\xbb\xbfschema: 1\n"))
    assert "E0002" not in [f.id for f in loaded.findings]


def test_ten_megabytes_are_refused_without_being_read_whole(tmp_path: Path):
    path = write(tmp_path, b"x: 1\n" * 2_000_000)
    assert [f.id for f in load_environment(path).findings] == ["E0002"]
