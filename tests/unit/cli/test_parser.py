"""Wrong verbs, options and values get the name that was meant."""

from __future__ import annotations

import re

import pytest

from neuron_cluster.cli.main import VERBS, build_parser
from neuron_cluster.cli.near_names import OPTIONS
from neuron_cluster.cli.near_names import VERBS as SYNONYMS
from neuron_cluster.cli.parser import Parser

from .conftest import Command


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["apply"], "error: unknown verb apply; did you mean deploy? `neuron-cluster --help` lists all"),
        (["delete", "x"], "unknown verb delete; did you mean destroy?"),
        (["depoy", "x"], "unknown verb depoy; did you mean deploy or destroy?"),
        (["health"], "unknown verb health; did you mean status?"),
        (["logs", "x"], "unknown verb logs; did you mean workload logs?"),
        (["zzz"], "neuron-cluster: error: unknown verb zzz; `neuron-cluster --help` lists all"),
        (["--verison"], "unknown option --verison; did you mean --version?"),
        (["workload", "lst"], "neuron-cluster workload: error: unknown action lst; did you mean list? allowed: list, "),
        (["storage", "sim"], "unknown action sim; did you mean simulate? allowed: size, simulate, drill"),
        (["catalog", "instance"], "unknown kind instance; did you mean instances? `neuron-cluster catalog --help`"),
        (["plan", "x", "--formt", "json"], "plan: error: unknown option --formt; did you mean --format?"),
        (["plan", "x", "--format", "jso"], "--format jso is unknown; did you mean json? allowed: text, json"),
        (["report", "x", "--outptu=y"], "report: error: unknown option --outptu; did you mean --output or --status?"),
        (["workload", "render", "x", "y", "--vales", "f"], "unknown option --vales; did you mean --values, "),
        (["deploy", "x", "-y"], "deploy: error: unknown option -y; did you mean --yes?"),
        (["lock", "x", "--qqqq"], "unknown option --qqqq; `neuron-cluster lock --help` lists the options"),
        (["plan", "a", "b"], "plan: error: unexpected argument: b"),
    ],
)  # fmt: skip
def test_a_wrong_argument_gets_the_name_that_was_meant(arguments: list[str], error: str, command: Command) -> None:
    ran = command(*arguments)
    assert ran.status == 2
    assert error in ran.err.splitlines()[-1]
    assert ran.err.startswith("usage: neuron-cluster")


def test_the_error_of_a_wrong_verb_does_not_list_every_verb(command: Command) -> None:
    words = re.findall(r"[a-z-]+", command("zzz").err.splitlines()[-1])
    assert set(words) & set(VERBS) == set()


def test_words_after_run_are_those_of_the_job(command: Command) -> None:
    ran = command("workload", "render", "train-torchrun", "no-such", "--run", "train.py", "--formt", "json")
    assert (ran.status, "E0015" in ran.err) == (1, True)


def parsers() -> dict[str, Parser]:
    top = build_parser()
    assert isinstance(top, Parser)
    below = top.commands()
    return below | {
        f"{verb} {name}": each for verb, parser in below.items() for name, each in parser.commands().items()
    }


def test_the_names_of_other_tools_lead_to_commands_and_options_that_exist() -> None:
    known = parsers()
    targets = {each for names in SYNONYMS.values() for each in names}
    assert targets - {*known, "--help", "--version"} == set()
    assert set(SYNONYMS) & set(VERBS) == set()
    options = {name for parser in known.values() for name in parser._option_string_actions}
    assert {each for names in OPTIONS.values() for each in names} <= options
    assert set(OPTIONS) & options == {"--purpose", "--task"}, "the one is a near name where a verb has the other"


def test_every_parser_names_what_is_near() -> None:
    assert [name for name, parser in parsers().items() if not isinstance(parser, Parser)] == []
