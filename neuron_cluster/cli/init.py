"""``neuron-cluster init``: creates a repository for environment files."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path

from neuron_cluster.cli.arguments import Verbs, add_verb
from neuron_cluster.cli.starter_arguments import add_starter_arguments, complete, environment_name
from neuron_cluster.cli.starter_output import list_templates, print_written, written_as_data

EXAMPLES = """  neuron-cluster init --list-templates
  neuron-cluster init my-clusters
  neuron-cluster init my-clusters --purpose develop --name dev \\
    --account 210987654321 --region us-west-2
  neuron-cluster init my-clusters --template train-trn1 --name llm70b \\
    --account 210987654321 --region us-west-2"""

TEXT = """Create a repository of your own in DIR, a new folder, an empty one, or one with
nothing but .git (a clone of a repository without commits): an environment file
from a template, JSON schemas for editors, cdk.json (plain
`cdk deploy -c environment=NAME` works there), requirements.txt with this
release of the toolkit (a wheel in wheels/, which is copied where the running
toolkit was installed from one), README.md, .gitignore, and CI examples for
GitHub and GitLab.

On a terminal it prompts for what is not given; without one, --purpose or
--template, --name, --account and --region are required. Nothing is
overwritten: everything is written, or nothing. The environment file is checked
first. `neuron-cluster new NAME` adds further environments."""

BESIDES = (".git",)
"""Entries that the folder may have: a clone of a repository without commits."""


def add_to(verbs: Verbs) -> None:
    parser = add_verb(
        verbs, "init", run, summary="create a repository for environment files", text=TEXT, examples=EXAMPLES,
        has_project=False,
    )  # fmt: skip
    parser.add_argument("folder", metavar="DIR", nargs="?", type=_folder, help="a new or empty folder")
    parser.add_argument("--name", metavar="NAME", type=environment_name, help="name of the environment")
    add_starter_arguments(parser)


def _folder(text: str) -> Path:
    """Not the working directory for an empty text, such as a variable of the shell without a value."""
    if not text:
        raise argparse.ArgumentTypeError("the path is empty: expected a folder; `.` is this one")
    return Path(text)


def run(options: argparse.Namespace) -> int:
    if options.list_templates:
        return list_templates(options.format)
    if options.folder is None:
        options.usage_error("the following arguments are required: DIR")
    from importlib.metadata import version

    from neuron_cluster.catalog.catalog import load_catalog
    from neuron_cluster.cli.terminal import print_json, print_line
    from neuron_cluster.new_folder import require_new, write_folder
    from neuron_cluster.pinned_toolkit.requirement import wheel_line
    from neuron_cluster.pinned_toolkit.running_wheel import running_wheel
    from neuron_cluster.starter.environment_text import environment_text
    from neuron_cluster.starter.repository import repository_files
    from neuron_cluster.starter.template import template

    require_new(options.folder, BESIDES)
    first = complete(options)
    written = environment_text(template(options.template), first, load_catalog())
    release = version("neuron-cluster-toolkit")
    files: dict[str, str | bytes] = {**repository_files(first, written.files, release)}
    pinned, wheel = wheel_line(release).removeprefix("./"), running_wheel()
    if wheel is not None:
        files[pinned] = wheel.read_bytes()
    write_folder(options.folder, files, BESIDES)
    if options.format == "json":
        document = {"folder": str(options.folder), "environment": first.name, "template": options.template}
        details = written_as_data(written, lambda name: f"environments/{name}")
        print_json(
            {**document, "files": sorted(files), **details, "findings": [each.as_dict() for each in written.doubts]}
        )
        return 0
    print_line(f"{options.folder}: {', '.join(sorted(files))}")
    print_written(written)
    if wheel is None:
        print(f"requirements.txt needs {pinned}, the wheel of the toolkit: copy it there (`make wheel` builds it)")
    there = f"cd {shlex.quote(str(options.folder))}; " if options.folder.absolute() != Path.cwd() else ""
    print_line(f"Next: {there}neuron-cluster setup; neuron-cluster validate {first.name}")
    return 0
