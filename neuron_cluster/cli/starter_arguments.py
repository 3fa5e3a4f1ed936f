"""The arguments of ``init`` and ``new``: what a new environment is made from. On a terminal they prompt for them."""

from __future__ import annotations

import argparse
import contextlib
import sys
from typing import TYPE_CHECKING

from neuron_cluster.cli.arguments import a_region, an_account
from neuron_cluster.cli.checkpoint_arguments import a_number, a_parameter_count, a_positive
from neuron_cluster.cli.starter_prompts import prompt, prompt_for
from neuron_cluster.starter.purchase_options import PURCHASE_OPTIONS

if TYPE_CHECKING:
    from neuron_cluster.starter.new_environment import NewEnvironment

DEFAULT_PURPOSE = "develop"
NOTHING, CHEAPEST = "empty: as in the template", "empty: the cheapest that fit"
TEAM = "a team, on Kubernetes with a namespace and an equal quota of the devices; may be repeated"


def add_starter_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--purpose", metavar="NAME", type=_purpose, help="what it is for; chooses the template")
    parser.add_argument("--template", metavar="NAME", help="the shipped environment that the file starts from")
    parser.add_argument("--account", metavar="ID", type=an_account, help="its AWS account, twelve digits")
    parser.add_argument("--region", metavar="REGION", type=a_region, help="its AWS Region")
    _add_size(parser.add_argument_group("instances (default: those of the template)"))
    parser.add_argument("--team", metavar="NAME", type=_team, action="append", default=[], help=TEAM)
    parser.add_argument("--list-templates", action="store_true", help="list purposes and templates; writes nothing")
    parser.set_defaults(usage_error=parser.error)


def _add_size(group: argparse._ArgumentGroup) -> None:
    model = group.add_mutually_exclusive_group()
    model.add_argument(
        "--model", metavar="FILE", help="the cheapest that fit: config.json, or a model of the catalog: llama-3.1-70b"
    )
    model.add_argument("--parameters", metavar="N", type=a_parameter_count, help="instead: 70B, 8e9 (dense model)")
    group.add_argument("--devices", metavar="N", type=a_number, help="Neuron devices of all instances together")
    group.add_argument(
        "--max-hourly", metavar="USD", type=a_positive, help="with a model: highest price of all instances an hour"
    )
    group.add_argument(
        "--purchase-option",
        metavar="NAME",
        choices=PURCHASE_OPTIONS,
        help=f"{', '.join(PURCHASE_OPTIONS)} (default with a model: on_demand)",
    )


def _team(text: str) -> str:
    """A name that a team can have. Raises ``ArgumentTypeError``."""
    import re

    from neuron_cluster.config.team import TEAM_NAME_PATTERN

    if re.fullmatch(TEAM_NAME_PATTERN, text) is None:
        form = "at most 40 lower-case letters, digits and hyphens, the first one a letter"
        raise argparse.ArgumentTypeError(f"{text!r} is not the name of a team: {form}")
    return text


def environment_name(text: str) -> str:
    """A name that an environment can have. Raises ``ArgumentTypeError``."""
    import re

    from neuron_cluster.config.environment_config import NAME_PATTERN

    if re.fullmatch(NAME_PATTERN, text) is None:
        form = "lower-case letters, digits and hyphens, the first one a letter"
        raise argparse.ArgumentTypeError(f"{text!r} is not the name of an environment: {form}")
    return text


def _purpose(text: str) -> str:
    from neuron_cluster.cli.near_names import near_values
    from neuron_cluster.findings.suggestions import did_you_mean
    from neuron_cluster.starter.data_file import purposes

    if text not in purposes():
        near = did_you_mean(near_values(text, list(purposes()), {}))
        raise argparse.ArgumentTypeError(f"{text!r} is not a purpose; {near}known purposes: {', '.join(purposes())}")
    return text


def complete(options: argparse.Namespace, *, account: str = "") -> NewEnvironment:
    """Returns the described environment. On a terminal it prompts for missing options; elsewhere that is a usage error.

    ``account`` is the default that is proposed. Raises ``ToolkitError`` at the end of the input.
    """
    from neuron_cluster.catalog.catalog import load_catalog
    from neuron_cluster.sizing.find_model import find_model
    from neuron_cluster.starter.new_environment import NewEnvironment

    _complete_template(options)
    _require_given(options)
    if missing := _missing(options):
        _prompt_for(options, missing, account)
        prompt_for_size(options)
    _require_consistent(options)
    has_model = options.model is not None or options.parameters is not None
    return NewEnvironment(
        name=options.name,
        account=options.account,
        region=options.region,
        purpose=options.purpose,
        model=find_model(options.model, options.parameters, load_catalog()) if has_model else None,
        devices=options.devices,
        max_usd_hour=options.max_hourly,
        purchase_option=options.purchase_option,
        teams=tuple(options.team),
    )


def _require_consistent(options: argparse.Namespace) -> None:
    """Options that do not belong together are a usage error."""
    if options.max_hourly is not None and options.model is None and options.parameters is None:
        options.usage_error("--max-hourly requires --model or --parameters: it is the price of what fits a model")
    if len(set(options.team)) < len(options.team):
        options.usage_error("--team: each team is named once")


def _complete_template(options: argparse.Namespace) -> None:
    from neuron_cluster.starter.template import templates_for

    if options.template is None and options.purpose is not None:
        options.template = templates_for(options.purpose)[0]


def _missing(options: argparse.Namespace) -> list[str]:
    return [name for name in ("template", "name", "account", "region") if getattr(options, name) is None]


def _require_given(options: argparse.Namespace) -> None:
    missing = _missing(options)
    if missing and (sys.stdin is None or not sys.stdin.isatty()):
        needed = ["--purpose or --template" if name == "template" else f"--{name}" for name in missing]
        options.usage_error(f"without a terminal these are required: {', '.join(needed)}")


def _prompt_for(options: argparse.Namespace, missing: list[str], account: str) -> None:
    from neuron_cluster.starter.template import template

    if "template" in missing:
        options.purpose, options.template = _prompt_for_template()
    chosen = template(options.template)
    if "name" in missing:
        options.name = prompt("name", chosen.name, environment_name)
    if "account" in missing:
        options.account = prompt("account", account, an_account)
    if "region" in missing:
        options.region = prompt("region", chosen.value("region"), a_region)


def _prompt_for_template() -> tuple[str, str]:
    """Purpose and template."""
    from neuron_cluster.starter.data_file import purposes
    from neuron_cluster.starter.template import template, templates_for

    purpose = prompt("purpose", DEFAULT_PURPOSE, _purpose, allowed=purposes())
    names = templates_for(purpose)
    one = names[0] if len(names) == 1 else prompt("template", names[0], lambda text: template(text).name, names)
    return purpose, one


def prompt_for_size(options: argparse.Namespace) -> None:
    """The model, devices or a budget, the purchase option, and teams; an empty line leaves each out."""
    if options.model is None and options.parameters is None:
        kinds = ("config.json", "a model of the catalog", "a number of parameters: 70B", NOTHING)
        options.model, options.parameters = prompt_for("model", _model, kinds) or (None, None)
    has_model = options.model is not None or options.parameters is not None
    if options.devices is None and options.max_hourly is None:
        empty = CHEAPEST if has_model else NOTHING
        options.devices = prompt_for("devices", a_number, ("Neuron devices of all instances", empty))
        if options.devices is None and has_model:
            options.max_hourly = prompt_for("max-hourly", a_positive, ("USD of all instances", CHEAPEST))
    if options.purchase_option is None:
        options.purchase_option = prompt_for("purchase-option", _purchase_option, (*PURCHASE_OPTIONS, NOTHING))
    if not options.team:
        options.team = prompt_for("team", _teams, ("names with spaces between", "empty: none")) or []


def _model(text: str) -> tuple[str | None, float | None]:
    """The model, or its parameters. Raises ``ToolkitError`` for a model that is not known."""
    from neuron_cluster.catalog.catalog import load_catalog
    from neuron_cluster.sizing.find_model import find_model

    with contextlib.suppress(argparse.ArgumentTypeError):
        return None, a_parameter_count(text)
    find_model(text, None, load_catalog())
    return text, None


def _purchase_option(text: str) -> str:
    from neuron_cluster.findings.suggestions import did_you_mean_one_of

    if text not in PURCHASE_OPTIONS:
        near = did_you_mean_one_of(text, PURCHASE_OPTIONS)
        raise argparse.ArgumentTypeError(f"{text!r} is not a purchase option; {near}".rstrip("; "))
    return text


def _teams(text: str) -> list[str]:
    return [_team(each) for each in text.split()]
