"""The files of a node below ``script_settings.FOLDER``: what Slurm runs, job scripts, and programs that jobs start."""

from __future__ import annotations

from pathlib import Path

from neuron_cluster.orchestrators.slurm.node_settings import FILE, NodeSettings
from neuron_cluster.orchestrators.slurm.script_settings import SLURM
from neuron_cluster.toolkit_files import CHARTS

JOBS = "jobs"
PROGRAMS = {"training": "neuron-training", "collectives": "collectives-check", "warmer": "compile-cache-warmer"}
"""Folder of a node, and the bundled chart whose programs it has."""
SCRIPTS = Path(__file__).with_name("scripts")


def node_files(settings: NodeSettings) -> dict[str, str]:
    """Text by path below the folder. What begins with ``#!`` is a program."""
    sources = [(SLURM, SCRIPTS.glob("*.sh")), (JOBS, (SCRIPTS / "jobs").iterdir())]
    sources += [(folder, (CHARTS / chart / "files").glob("*.py")) for folder, chart in PROGRAMS.items()]
    files = {
        f"{folder}/{path.name}": path.read_text(encoding="utf-8")
        for folder, paths in sources
        for path in sorted(paths)
        if path.is_file()
    }
    return {**files, f"{SLURM}/{FILE}": settings.text()}
