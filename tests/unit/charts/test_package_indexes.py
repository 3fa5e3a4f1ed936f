"""From which index the images and scripts that this repository ships take packages: pip prefers none of several."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

PROJECT = Path(__file__).parents[3]
DOCKERFILE = PROJECT / "charts" / "neuron-training" / "images" / "torchtitan" / "Dockerfile"
NEURON = "--index-url https://pip.repos.neuron.amazonaws.com"
ONLY_THERE = {"torch-neuronx", "neuronx-cc", "nki"}


def installs() -> list[str]:
    """The pip commands of the image, each on one line."""
    text = DOCKERFILE.read_text(encoding="utf-8").replace("\\\n", " ")
    return [" ".join(each.split()) for each in re.findall(r"pip install ([^&\n]*)", text)]


def test_no_shipped_file_adds_an_index_to_pypi() -> None:
    """A package that only the added index has would be taken from whoever uploads its name to PyPI."""
    folders = ("charts", "docs/examples", "environments", "functions", "neuron_cluster", "stacks")
    paths = [path for folder in folders for path in (PROJECT / folder).rglob("*") if path.is_file()]
    added = re.compile(rb"(?i)extra.index.url[ =]+https?:")
    assert [str(path) for path in paths if path.suffix != ".pyc" and added.search(path.read_bytes())] == []


def test_packages_of_neuron_come_from_its_index_alone_and_first() -> None:
    own = [each for each in installs() if NEURON in each]
    assert len(own) == 1
    assert "--no-deps" in own[0].split()
    assert {re.split(r"[=\"]", word.strip('"'))[0] for word in own[0].split()} >= ONLY_THERE
    later = installs()[installs().index(own[0]) + 1 :]
    assert [each for each in later if "index-url" in each] == []
    assert "ENV PIP_CONSTRAINT=" in DOCKERFILE.read_text(encoding="utf-8").partition(own[0].split()[-1])[2]


def test_a_package_of_neuron_from_pypi_ends_the_build(tmp_path: Path) -> None:
    check = re.search(r"&& (! pip list [^\\\n]*)", DOCKERFILE.read_text(encoding="utf-8"))
    assert check is not None
    (tmp_path / "neuron.txt").write_text("torch-neuronx==2.14.3.0\nnki==0.7.0\n", encoding="ascii")
    command = check[1].replace("/opt/neuron-packages.txt", str(tmp_path / "neuron.txt"))
    for more, status in (("", 0), ("libneuronxla==1.0", 1), ("nki_library==0.0.1", 1)):
        (tmp_path / "pip").write_text(f"#!/bin/sh\nprintf '%s\\n' torch-neuronx==2.14.3.0 nki==0.7.0 numpy==1 {more}\n")
        (tmp_path / "pip").chmod(0o755)
        ran = subprocess.run(
            ["sh", "-c", command],
            env={"PATH": f"{tmp_path}:/usr/bin:/bin"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert (ran.returncode, ran.stdout.strip()) == (status, more)
