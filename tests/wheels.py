"""Small wheels under the name of the toolkit, as somebody could upload them to a package index."""

from __future__ import annotations

import hashlib
import zipfile
from pathlib import Path


def write_wheel(folder: Path, version: str, main: str = "", build: str = "") -> Path:
    """A wheel whose command is ``main``, without dependencies."""
    info = f"neuron_cluster_toolkit-{version}.dist-info"
    files = {
        "neuron_cluster/__init__.py": "",
        "neuron_cluster/cli/__init__.py": "",
        "neuron_cluster/cli/main.py": main,
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: neuron-cluster-toolkit\nVersion: {version}\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/RECORD": "",
    }
    path = folder / f"neuron_cluster_toolkit-{version}{build}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path


def write_index(folder: Path, *wheels: Path) -> str:
    """A package index with these wheels; gives its URL."""
    page = folder / "simple" / "neuron-cluster-toolkit" / "index.html"
    page.parent.mkdir(parents=True)
    page.write_text("".join(f'<a href="{wheel.as_uri()}">{wheel.name}</a>' for wheel in wheels))
    return page.parents[1].as_uri()


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
