"""``neuron-cluster new``: one more environment file in a repository or a checkout."""

from __future__ import annotations

import argparse
import contextlib
import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from neuron_cluster.cli.arguments import Verbs, add_verb
from neuron_cluster.cli.starter_arguments import add_starter_arguments, complete, environment_name
from neuron_cluster.cli.starter_output import list_templates, print_written, written_as_data

if TYPE_CHECKING:
    from collections.abc import Mapping

    from neuron_cluster.project import Project

EXAMPLES = """  neuron-cluster new llm70b
  neuron-cluster new --list-templates
  neuron-cluster new llm70b --purpose train --account 210987654321 \\
    --region us-west-2
  neuron-cluster new chat --purpose serve --account 210987654321 \\
    --region us-west-2 --model llama-3.1-8b/config.json --max-hourly 5
  neuron-cluster new shared --purpose research --account 210987654321 \\
    --region us-west-2 --devices 128 --team vision --team speech
  neuron-cluster new probe --template dev-trn2 --account 210987654321 \\
    --region sa-east-1 --project my-clusters"""

TEXT = """Write environments/NAME.yaml into the project: a repository that
`neuron-cluster init DIR` has created, or a checkout of the toolkit. The file
starts from a template, with its comments. It is checked first, and nothing is
written if it has an error. With a model the node group gets the cheapest
instances that fit; its comments are those that hold.

On a terminal it prompts for what is not given; without one, --purpose or
--template, --account and --region are required. Nothing is overwritten."""


def add_to(verbs: Verbs) -> None:
    parser = add_verb(verbs, "new", run, summary="add an environment file to the project", text=TEXT, examples=EXAMPLES)
    parser.add_argument("name", metavar="NAME", nargs="?", type=environment_name, help="name of the environment")
    add_starter_arguments(parser)


def run(options: argparse.Namespace) -> int:
    if options.list_templates:
        return list_templates(options.format)
    if options.name is None:
        options.usage_error("the following arguments are required: NAME")
    from neuron_cluster.catalog.catalog import load_catalog
    from neuron_cluster.cli.terminal import print_json, print_line
    from neuron_cluster.project import require_project, shown_path
    from neuron_cluster.starter.environment_text import environment_text
    from neuron_cluster.starter.template import template

    project = require_project(options.project)
    file = project.environment_file(options.name)
    _require_free(file.path)
    new = complete(options, account=_usual_account(project))
    written = environment_text(template(options.template), new, load_catalog())
    _require_free(file.path)  # a prompt may have waited for hours
    files = {file.path.parent / name: text for name, text in written.files.items()}
    shared = {file.path.parent / name for name in written.bases}
    new_files = {path: text for path, text in files.items() if path not in shared or not _is_there(path, text)}
    _write(new_files)
    if options.format == "json":
        document = {"file": file.display_name, "environment": new.name, "template": options.template}
        details = written_as_data(written, lambda name: shown_path(file.path.parent / name))
        print_json(
            {
                **document,
                "files": list(map(shown_path, new_files)),
                **details,
                "findings": [each.as_dict() for each in written.doubts],
            }
        )
        return 0
    print_line(f"{', '.join(map(shown_path, new_files))}: from the template {options.template}")
    print_written(written)
    project_option = f" --project {shlex.quote(options.project)}" if options.project is not None else ""
    print_line(
        f"Next: neuron-cluster validate {new.name}{project_option}; neuron-cluster plan {new.name}{project_option}"
    )
    return 0


def _write(files: Mapping[Path, str]) -> None:
    """All of them, that of the environment last. Raises ``ToolkitError`` when it cannot; none is then left."""
    from neuron_cluster.atomic_write import write_atomically

    made: list[Path] = []
    try:
        for path, text in reversed(list(files.items())):
            write_atomically(path, text.encode(), with_folders=True)
            made.append(path)
    except BaseException:  # Ctrl-C too leaves nothing behind
        for path in made:
            path.unlink(missing_ok=True)
        raise


def _require_free(path: Path) -> None:
    """Raises ``ToolkitError`` when the file, or a lock of an environment of this name, exists."""
    from neuron_cluster.errors import ToolkitError
    from neuron_cluster.lock.paths import lock_path, locks_beside
    from neuron_cluster.project import shown_path

    if os.path.lexists(path):
        message = f"{shown_path(path)} exists; nothing is overwritten"
        raise ToolkitError(message, hint="choose another name, or delete or rename the file first")
    lock = lock_path(locks_beside(path), path.stem)
    if os.path.lexists(lock):
        message = f"{shown_path(lock)} is the lock of an environment {path.stem} whose file is missing"
        raise ToolkitError(message, hint="choose another name, or delete the lock first")


def _is_there(base: Path, text: str) -> bool:
    """Raises ``ToolkitError`` when the base exists with another text: other environments extend it."""
    from neuron_cluster.bounded_file import read_bounded
    from neuron_cluster.errors import ToolkitError
    from neuron_cluster.project import shown_path

    if not os.path.lexists(base):
        return False
    with contextlib.suppress(OSError):
        if read_bounded(base) == text.encode():
            return True
    message = f"{shown_path(base)} exists and differs from the base of the template; nothing is overwritten"
    hint = "rename the file, or write an environment that extends it: docs/extends.md"
    raise ToolkitError(message, hint=hint)


def _usual_account(project: Project) -> str:
    """The account of the first environment; empty where none can be read."""
    from neuron_cluster.errors import ToolkitError
    from neuron_cluster.opened_environment import default_target

    try:
        return default_target(project)[0]
    except ToolkitError:
        return ""
