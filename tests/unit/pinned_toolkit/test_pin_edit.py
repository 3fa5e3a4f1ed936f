"""The pin in requirements.txt is changed, and nothing else of the file."""

from __future__ import annotations

from pathlib import Path

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.errors import ToolkitError
from neuron_cluster.pinned_toolkit.pin_edit import repinned

CATALOG = load_catalog()


def edited(folder: Path, text: str, version: str = "2.0") -> str:
    (folder / "requirements.txt").write_bytes(text.encode())
    before, after = repinned(folder, version, CATALOG)
    assert before == text.encode()
    return after.decode()


@pytest.mark.parametrize(
    ("line", "after"),
    [
        ("neuron-cluster-toolkit==1.0", "neuron-cluster-toolkit==2.0"),
        ("neuron_cluster_toolkit[rehearse] ~= 1.0  # ours", "neuron_cluster_toolkit[rehearse] ==2.0  # ours"),
        ("neuron-cluster-toolkit>=1,<2", "neuron-cluster-toolkit==2.0"),
        (
            'neuron-cluster-toolkit==1.0 ; python_version >= "3"',
            'neuron-cluster-toolkit==2.0 ; python_version >= "3"',
        ),
        ("neuron-cluster-toolkit>=1.0", "neuron-cluster-toolkit>=1.0"),
        (
            "dist/neuron_cluster_toolkit-1.0-py3-none-any.whl  # ours",
            "./wheels/neuron_cluster_toolkit-2.0-py3-none-any.whl  # ours",
        ),
    ],
)
def test_the_version_is_edited(line: str, after: str, tmp_path: Path) -> None:
    around = "\ufeff# packages\r\nboto3==1.0\r\n{}\r\nrich==1.0"
    assert edited(tmp_path, around.format(line)) == around.format(after)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("neuron-cluster-toolkit\n", "no line has a version"),
        (f"./neuron_cluster_toolkit-1.0-py3-none-any.whl --hash=sha256:{'0' * 64}\n", "line 1 has hashes"),
        ("toolkit @ https://example.com/neuron_cluster_toolkit-1.0-py3-none-any.whl\n", "no line has a version"),
        ("https://example.com/neuron_cluster_toolkit-1.0-py3-none-any.whl\n", "line 1 has hashes, a URL,"),
        ("neuron-cluster-toolkit==1.0\nneuron-cluster-toolkit==1.1\n", "several lines have a version"),
        (
            "neuron-cluster-toolkit==1.0 \\\n  --hash=sha256:00\n",
            "line 1 has hashes, a URL, or goes on in the next line",
        ),
        ("\nneuron-cluster-toolkit==1.0 --hash=sha256:00\n", "line 2 has hashes"),
        ("neuron-cluster-toolkit \\\n  ==1.0\n", "line 1 has hashes, a URL, or goes on in the next line"),
    ],
)
def test_a_line_that_cannot_be_edited_is_named(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(ToolkitError, match=message) as raised:
        edited(tmp_path, text)
    assert raised.value.hint.startswith("write ./wheels/neuron_cluster_toolkit-2.0-py3-none-any.whl there")


def test_a_file_that_is_no_text_is_named(tmp_path: Path) -> None:
    with pytest.raises(ToolkitError, match="it cannot be read"):
        repinned(tmp_path, "2.0", CATALOG)
    (tmp_path / "requirements.txt").write_bytes(b"\xff\n")
    with pytest.raises(ToolkitError, match="it cannot be read"):
        repinned(tmp_path, "2.0", CATALOG)
