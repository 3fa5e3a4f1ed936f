"""``neuron-cluster init``: creates a repository for environment files."""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from neuron_cluster.cli.arguments import Verbs, a_region, add_verb, an_account

if TYPE_CHECKING:
    from collections.abc import Callable

    from neuron_cluster.table import Table

EXAMPLES = """  neuron-cluster init --list-templates
  neuron-cluster init my-clusters
  neuron-cluster init my-clusters --template train-trn1 --name llm70b \\
    --account 210987654321 --region us-west-2"""

TEXT = """Create a repository of your own in DIR, a new folder, an empty one, or one with
nothing but .git (a clone of a repository without commits): an environment file
from a template, JSON schemas for editors, cdk.json (plain
`cdk deploy -c environment=NAME` works there), requirements.txt with this
release of the toolkit, README.md, .gitignore, and CI examples for GitHub and
GitLab.

On a terminal it prompts for what is not given; without one, the four options
are required. Nothing is overwritten: everything is written, or nothing. The
environment file is checked first."""

DEFAULT_TEMPLATE = "dev-inf2"
BESIDES = (".git",)
"""What the folder may have: a clone of a repository without commits."""


def add_to(verbs: Verbs) -> None:
    parser = add_verb(
        verbs, "init", run, summary="create a repository for environment files", text=TEXT, examples=EXAMPLES,
        has_project=False,
    )  # fmt: skip
    parser.add_argument("folder", metavar="DIR", nargs="?", type=_folder, help="a new or empty folder")
    parser.add_argument("--template", metavar="NAME", help="the shipped environment that the file starts from")
    parser.add_argument("--name", metavar="NAME", type=_name, help="name of the environment")
    parser.add_argument("--account", metavar="ID", type=an_account, help="its AWS account, twelve digits")
    parser.add_argument("--region", metavar="REGION", type=a_region, help="its AWS Region")
    parser.add_argument("--list-templates", action="store_true", help="list the templates; writes nothing")
    parser.set_defaults(usage_error=parser.error)


def _folder(text: str) -> Path:
    """Not the working directory for an empty text, such as a variable of the shell without a value."""
    if not text:
        raise argparse.ArgumentTypeError("the path is empty: expected a folder; `.` is this one")
    return Path(text)


def _name(text: str) -> str:
    import re

    from neuron_cluster.config.environment_config import NAME_PATTERN

    if re.fullmatch(NAME_PATTERN, text) is None:
        words = "lower-case letters, digits and hyphens, the first one a letter"
        raise argparse.ArgumentTypeError(f"{text!r} is not the name of an environment: {words}")
    return text


def run(options: argparse.Namespace) -> int:
    if options.list_templates:
        return _list(options)
    if options.folder is None:
        options.usage_error("the following arguments are required: DIR")
    from importlib.metadata import version

    from neuron_cluster.catalog.catalog import load_catalog
    from neuron_cluster.cli.terminal import print_json
    from neuron_cluster.new_folder import require_new, write_folder
    from neuron_cluster.starter.environment_text import FirstEnvironment, environment_text
    from neuron_cluster.starter.repository import repository_files
    from neuron_cluster.starter.template import template

    require_new(options.folder, BESIDES)
    _complete(options)
    first = FirstEnvironment(options.name, options.account, options.region)
    text = environment_text(template(options.template), first, load_catalog())
    files = repository_files(first, text, version("neuron-cluster-toolkit"))
    write_folder(options.folder, files, BESIDES)
    if options.format == "json":
        print_json({"folder": str(options.folder), "files": sorted(files), "environment": first.name, "findings": []})
        return 0
    print(f"{options.folder}: {', '.join(sorted(files))}")
    there = f"cd {shlex.quote(str(options.folder))}; " if options.folder.absolute() != Path.cwd() else ""
    print(f"Next: {there}neuron-cluster setup; neuron-cluster validate {first.name}")
    return 0


def _complete(options: argparse.Namespace) -> None:
    """Prompts for the options that are missing; without a terminal they are an invalid command line."""
    names = ("template", "name", "account", "region")
    missing = [name for name in names if getattr(options, name) is None]
    if missing and (sys.stdin is None or not sys.stdin.isatty()):
        options.usage_error(f"without a terminal these are required: {', '.join(f'--{name}' for name in missing)}")
    from neuron_cluster.starter.template import template
    from neuron_cluster.upgrade.file_edit import scalar_values

    if options.template is None:
        options.template = _prompt("template", DEFAULT_TEMPLATE, lambda text: template(text).name)
    chosen = template(options.template)
    if options.name is None:
        options.name = _prompt("name", chosen.name, _name)
    if options.account is None:
        options.account = _prompt("account", "", an_account)
    if options.region is None:
        options.region = _prompt("region", scalar_values(chosen.text)[("region",)], a_region)


def _prompt(name: str, default: str, parse: Callable[[str], str]) -> str:
    """Until the input is valid. Raises ``ToolkitError`` at the end of the input."""
    from neuron_cluster.errors import ToolkitError

    while True:
        print(f"{name}{f' [{default}]' if default else ''}: ", end="", file=sys.stderr, flush=True)
        line = sys.stdin.readline()
        if not line:
            raise ToolkitError("the input has ended; nothing was written", hint=f"add --{name}")
        try:
            return parse(line.strip() or default)
        except argparse.ArgumentTypeError as error:
            print(error, file=sys.stderr)
        except ToolkitError as error:
            print(f"{error.message}; {error.hint}", file=sys.stderr)


def _list(options: argparse.Namespace) -> int:
    from neuron_cluster.cli.terminal import print_json, print_tables
    from neuron_cluster.starter.template import templates

    if options.format == "json":
        rows = [{"name": each.name, "summary": each.summary} for each in templates()]
        print_json({"templates": rows, "findings": []})
    else:
        print_tables([_table()])
    return 0


def _table() -> Table:
    from neuron_cluster.starter.template import templates
    from neuron_cluster.table import Table

    rows = tuple((each.name, each.summary) for each in templates())
    return Table("Templates of environment files", ("template", "environment"), rows)
