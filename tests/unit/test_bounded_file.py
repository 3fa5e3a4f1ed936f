"""Files that the user names are read in bounded memory, and a pipe without a writer does not block."""

import os
import threading
from pathlib import Path

import pytest

from neuron_cluster.bounded_file import MAX_BYTES, read_bounded


def test_an_endless_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="larger than 1,024 KiB"):
        read_bounded(Path("/dev/zero"))


def test_a_file_of_the_largest_size_is_read(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"a" * MAX_BYTES)
    assert len(read_bounded(tmp_path / "file")) == MAX_BYTES


def test_a_pipe_that_nothing_writes_to_is_empty_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert read_bounded(tmp_path / "pipe") == b""


def test_a_pipe_is_read_to_its_end_in_parts(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.write(writing, b"first ")

    def finish() -> None:
        os.write(writing, b"x" * 100_000)
        os.close(writing)

    writer = threading.Thread(target=finish)
    writer.start()
    assert read_bounded(Path(f"/dev/fd/{reading}")) == b"first " + b"x" * 100_000
    writer.join()
    os.close(reading)


def test_a_folder_and_a_missing_file_are_errors_of_the_system(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError):
        read_bounded(tmp_path)
    with pytest.raises(FileNotFoundError):
        read_bounded(tmp_path / "none")
