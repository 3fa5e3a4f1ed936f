"""Writing the one file that a verb makes: nothing is overwritten without ``--force``."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from neuron_cluster.cli.workload_arguments import a_place


def add_output(parser: argparse.ArgumentParser, *, required: bool, words: str) -> None:
    """``--output`` and ``--force``."""
    parser.add_argument("--output", metavar="FILE", type=a_place, required=required, help=words)
    parser.add_argument("--force", action="store_true", help="replace FILE if it exists")


def require_free(options: argparse.Namespace) -> None:
    """Raises ``ToolkitError`` for a folder, and where the file exists and may not be replaced: before the work."""
    from neuron_cluster.errors import ToolkitError

    if options.output.endswith(os.sep) or os.path.isdir(options.output):  # noqa: PTH112 - Path.is_dir raises for some
        raise ToolkitError(
            f"--output {options.output} is a folder, not a file; nothing was written",
            hint=f"name a file in it, such as {os.path.join(options.output, 'FILE')}",  # noqa: PTH118 - keeps ./
        )
    if not options.force and os.path.lexists(options.output):
        raise ToolkitError(
            f"--output {options.output} exists; nothing was written", hint="name a new file, or replace it with --force"
        )


def write_output(options: argparse.Namespace, text: str) -> None:
    """The whole file or nothing. Raises ``ToolkitError`` as ``require_free``, and where it cannot be written."""
    from neuron_cluster.atomic_write import UNENCODABLE, write_atomically

    require_free(options)
    write_atomically(Path(options.output), text.encode(errors=UNENCODABLE))
