"""Synthesizes environments one after another: ``python synthesize_all.py FOLDER NAME…``, in a project's folder.

One process for all of them, because the start of CDK and of its validation costs more than any environment does.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import aws_cdk as cdk

from neuron_cluster.deploy.synthesis import cdk_context


def synthesize_all(folder: Path, names: list[str]) -> None:
    """Writes one cloud assembly for each environment of the working directory, with its app: ``FOLDER/NAME``."""
    project = Path.cwd()
    sys.path.insert(0, str(project))
    main = importlib.import_module("app").main
    for name in names:
        context = cdk_context(project, name)
        app = cdk.App(outdir=str(folder / name), context=context, analytics_reporting=False)
        if wrong := main(app):
            sys.exit(wrong)


if __name__ == "__main__":
    synthesize_all(Path(sys.argv[1]), sys.argv[2:])
