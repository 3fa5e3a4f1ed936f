"""The arguments of ``init`` and ``new``: what a new environment is made from. On a terminal they prompt for them."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from neuron_cluster.cli.arguments import a_region, an_account

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from neuron_cluster.starter.environment_text import NewEnvironment
    from neuron_cluster.table import Table

DEFAULT_PURPOSE = "develop"


def add_starter_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--purpose", metavar="NAME", type=_purpose, help="what it is for; chooses the template")
    parser.add_argument("--template", metavar="NAME", help="the shipped environment that the file starts from")
    parser.add_argument("--account", metavar="ID", type=an_account, help="its AWS account, twelve digits")
    parser.add_argument("--region", metavar="REGION", type=a_region, help="its AWS Region")
    parser.add_argument("--list-templates", action="store_true", help="list purposes and templates; writes nothing")
    parser.set_defaults(usage_error=parser.error)


def environment_name(text: str) -> str:
    """A name that an environment can have. Raises ``ArgumentTypeError``."""
    import re

    from neuron_cluster.config.environment_config import NAME_PATTERN

    if re.fullmatch(NAME_PATTERN, text) is None:
        words = "lower-case letters, digits and hyphens, the first one a letter"
        raise argparse.ArgumentTypeError(f"{text!r} is not the name of an environment: {words}")
    return text


def _purpose(text: str) -> str:
    from neuron_cluster.findings.suggestions import did_you_mean, suggestions
    from neuron_cluster.starter.data_file import purposes

    if text not in purposes():
        near = did_you_mean(suggestions(text, purposes()))
        raise argparse.ArgumentTypeError(f"{text!r} is not a purpose; {near}known purposes: {', '.join(purposes())}")
    return text


def complete(options: argparse.Namespace, *, account: str = "") -> NewEnvironment:
    """What the options describe. On a terminal it prompts for those that are missing; elsewhere that is a usage error.

    ``account`` is the default that is proposed. Raises ``ToolkitError`` at the end of the input.
    """
    from neuron_cluster.starter.environment_text import NewEnvironment

    _complete_template(options)
    _require_given(options)
    if missing := _missing(options):
        _prompt_for(options, missing, account)
    return NewEnvironment(options.name, options.account, options.region)


def _complete_template(options: argparse.Namespace) -> None:
    from neuron_cluster.starter.template import templates_for

    if options.template is None and options.purpose is not None:
        options.template = templates_for(options.purpose)[0]


def _missing(options: argparse.Namespace) -> list[str]:
    return [name for name in ("template", "name", "account", "region") if getattr(options, name) is None]


def _require_given(options: argparse.Namespace) -> None:
    missing = _missing(options)
    if missing and (sys.stdin is None or not sys.stdin.isatty()):
        words = ["--purpose or --template" if name == "template" else f"--{name}" for name in missing]
        options.usage_error(f"without a terminal these are required: {', '.join(words)}")


def _prompt_for(options: argparse.Namespace, missing: list[str], account: str) -> None:
    from neuron_cluster.starter.template import template
    from neuron_cluster.upgrade.file_edit import scalar_values

    if "template" in missing:
        options.template = _prompt_for_template()
    chosen = template(options.template)
    if "name" in missing:
        options.name = prompt("name", chosen.name, environment_name)
    if "account" in missing:
        options.account = prompt("account", account, an_account)
    if "region" in missing:
        options.region = prompt("region", scalar_values(chosen.text)[("region",)], a_region)


def _prompt_for_template() -> str:
    from neuron_cluster.starter.data_file import purposes
    from neuron_cluster.starter.template import template, templates_for

    purpose = prompt("purpose", DEFAULT_PURPOSE, _purpose, allowed=purposes())
    names = templates_for(purpose)
    return names[0] if len(names) == 1 else prompt("template", names[0], lambda text: template(text).name, names)


def prompt(name: str, default: str, parse: Callable[[str], str], allowed: Iterable[str] = ()) -> str:
    """Until the input is valid. Raises ``ToolkitError`` at the end of the input."""
    from neuron_cluster.errors import ToolkitError

    values = f" ({', '.join(allowed)})" if allowed else ""
    while True:
        print(f"{name}{values}{f' [{default}]' if default else ''}: ", end="", file=sys.stderr, flush=True)
        line = sys.stdin.readline()
        if not line:
            raise ToolkitError("the input has ended; nothing was written", hint=f"add --{name}")
        try:
            return parse(line.strip() or default)
        except argparse.ArgumentTypeError as error:
            print(error, file=sys.stderr)
        except ToolkitError as error:
            print(f"{error.message}; {error.hint}", file=sys.stderr)


def list_templates(output_format: str) -> int:
    """Prints the templates with their purposes."""
    from neuron_cluster.cli.terminal import print_json, print_tables
    from neuron_cluster.starter.data_file import purposes
    from neuron_cluster.starter.template import templates

    if output_format == "json":
        rows = [
            {"name": each.name, "purposes": list(each.row.purposes), "summary": each.summary} for each in templates()
        ]
        of_purposes = [{"name": name, "text": row.text} for name, row in purposes().items()]
        print_json({"purposes": of_purposes, "templates": rows, "findings": []})
    else:
        print_tables(_tables())
    return 0


def _tables() -> list[Table]:
    from neuron_cluster.starter.data_file import purposes
    from neuron_cluster.starter.template import templates, templates_for
    from neuron_cluster.table import Table

    by_purpose = tuple((name, row.text, ", ".join(templates_for(name))) for name, row in purposes().items())
    rows = tuple((each.name, each.summary) for each in templates())
    return [
        Table("Purposes of environments", ("purpose", "for", "templates, the default first"), by_purpose),
        Table("Templates of environment files", ("template", "environment"), rows),
    ]


def print_placeholders(text: str) -> None:
    """Keys of the written file whose values stand for one of the user's."""
    from neuron_cluster.starter.placeholders import placeholders_in

    for keys, write in placeholders_in(text):
        print(f"Edit before a deploy to AWS: {', '.join(keys)}: {write}")
