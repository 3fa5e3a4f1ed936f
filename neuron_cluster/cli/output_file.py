"""Writing the one file that a verb makes, or standard output: nothing is overwritten without ``--force``."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

STANDARD_OUTPUT = "-"
"""In the place of a file; a file of this name is ``./-``."""


def add_output(parser: argparse.ArgumentParser, *, required: bool, help_text: str) -> None:
    """``--output`` and ``--force``."""
    parser.add_argument("--output", metavar="FILE", type=a_place, required=required, help=help_text)
    parser.add_argument("--force", action="store_true", help="replace FILE if it exists")


def require_free(options: argparse.Namespace) -> None:
    """Raises ``ToolkitError`` for a folder, and where the file exists and may not be replaced: before the work.

    Also for JSON where standard output is the file.
    """
    from neuron_cluster.errors import ToolkitError

    if options.output == STANDARD_OUTPUT:
        if options.format == "json":
            raise ToolkitError(
                f"--output {STANDARD_OUTPUT} and --format json both write to standard output; nothing was written",
                hint="leave out --format json, or name a file: `--output plan.html`",
            )
        return
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
    """Writes the whole file or nothing, or standard output.

    Raises ``ToolkitError`` as ``require_free``, and where the file cannot be written.
    """
    from neuron_cluster.atomic_write import UNENCODABLE, write_atomically

    require_free(options)
    if options.output == STANDARD_OUTPUT:
        sys.stdout.write(text)
        return
    write_atomically(Path(options.output), text.encode(errors=UNENCODABLE))


def a_place(text: str) -> str:
    if not text:
        raise argparse.ArgumentTypeError("the path is empty: expected a file, or a folder with a trailing /")
    return text
