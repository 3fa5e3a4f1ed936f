"""Another release of the toolkit in the cache folder of a user, as `upgrade-toolkit` would have installed it."""

from __future__ import annotations

import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterable
from pathlib import Path

from tests.wheels import sha256, write_wheel

CHECKOUT = Path(__file__).parents[1]
FOLDERS = ("neuron_cluster", "local_aws", "local_kubernetes", "stacks", "charts", "functions", "environments")
FILES = (
    *("app.py", "cdk.json", "package.json", "package-lock.json"),
    *("LICENSE", "MANIFEST.in", "README.md", "pyproject.toml", "setup.py"),
)
"""Files from which a wheel is built, in addition to the folders."""
Edit = tuple[str, str, str]
"""A file of the toolkit, a text in it that occurs once, and its replacement."""


def copy_toolkit(to: Path, edits: Iterable[Edit]) -> None:
    """The sources of this checkout with edits."""
    for name in FOLDERS:
        shutil.copytree(CHECKOUT / name, to / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in FILES:
        shutil.copy(CHECKOUT / name, to / name)
    for file, before, after in edits:
        text = (to / file).read_text(encoding="utf-8")
        assert text.count(before) == 1, (file, before)
        (to / file).write_text(text.replace(before, after), encoding="utf-8")


def install_other_release(cache: Path, version: str, edits: Iterable[Edit], sources: Path) -> Path:
    """Gives its wheel, which is empty. ``cache`` is the folder that ``XDG_CACHE_HOME`` names.

    The dependencies are those of this Python.
    """
    copy_toolkit(sources, edits)
    wheel = write_wheel(sources, version)
    environment = cache / "neuron-cluster-toolkit" / "releases" / f"{version}-{sha256(wheel)}"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    (packages,) = environment.glob("lib/python*/site-packages")
    (packages / "release.pth").write_text(f"{sources}\n{sysconfig.get_path('purelib')}\n")
    metadata = packages / f"neuron_cluster_toolkit-{version}.dist-info" / "METADATA"
    metadata.parent.mkdir()
    metadata.write_text(f"Metadata-Version: 2.1\nName: neuron-cluster-toolkit\nVersion: {version}\n")
    (environment / "wheel").mkdir()
    shutil.copy(wheel, environment / "wheel")
    return wheel
