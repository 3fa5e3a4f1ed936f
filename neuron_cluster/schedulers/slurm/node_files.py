"""The files of a node below ``script_settings.FOLDER``: what Slurm runs, job scripts, and programs that jobs start."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from neuron_cluster.schedulers.slurm.node_settings import FILE, NodeSettings
from neuron_cluster.schedulers.slurm.script_settings import FOLDER, SLURM
from neuron_cluster.toolkit_files import CHARTS

JOBS = "jobs"
PROGRAMS = {"training": "neuron-training", "collectives": "collectives-check", "warmer": "compile-cache-warmer"}
"""Folder of a node, and the bundled chart whose programs it has."""
SCRIPTS = Path(__file__).with_name("scripts")
END = "END_OF_FILE"


def slurm_scripts() -> dict[str, str]:
    """Returns the scripts that Slurm runs, on every node and in the AMI of `image build`: text by relative path.

    In the AMI too, so that a node whose start did not write them has a prolog, which then fails and drains it. The
    start of a node writes them again, since it may be of a newer toolkit.
    """
    return _texts(SLURM, SCRIPTS.glob("*.sh"))


def node_files(settings: NodeSettings) -> dict[str, str]:
    """Text by path below the folder. What begins with ``#!`` is a program."""
    files = slurm_scripts() | _texts(JOBS, (SCRIPTS / "jobs").iterdir())
    for folder, chart in PROGRAMS.items():
        files |= _texts(folder, (CHARTS / chart / "files").glob("*.py"))
    return {**files, f"{SLURM}/{FILE}": settings.text()}


def writing_commands(files: Mapping[str, str]) -> Iterator[str]:
    """Shell that writes them, word for word. Raises ``ValueError`` for a text that would end its own here-document."""
    yield f"mkdir -p {' '.join(sorted({f'{FOLDER}/{Path(name).parent}' for name in files}))}\n"
    for name, text in files.items():
        if END in text.splitlines() or not text.endswith("\n"):
            raise ValueError(f"{name} has a line {END}, or no end of line at its end")
        yield f"cat >{FOLDER}/{name} <<'{END}'\n{text}{END}\n"
    yield f"chmod 755 {' '.join(f'{FOLDER}/{name}' for name in programs(files))}\n"


def programs(files: Mapping[str, str]) -> list[str]:
    """Names of those that are run."""
    return [name for name, text in files.items() if text.startswith("#!")]


def _texts(folder: str, paths: Iterable[Path]) -> dict[str, str]:
    return {f"{folder}/{path.name}": path.read_text(encoding="utf-8") for path in sorted(paths) if path.is_file()}
