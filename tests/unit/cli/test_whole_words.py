"""No width of the output breaks a command or a name: people copy both from the terminal, scripts from a pipe."""

from __future__ import annotations

import itertools
import json

import pytest
from hint_commands import SPAN

from neuron_cluster.cli.catalog import KINDS
from neuron_cluster.cli.main import VERBS
from neuron_cluster.findings.finding import Finding, Location
from neuron_cluster.report.findings_text import findings_text
from neuron_cluster.rules.examples import FILE
from tests.every_run import in_every_run

from .conftest import PROJECT, Command

# The longest tables: teams, images of a private registry, queues.
FILES = [path.stem for path in sorted((PROJECT / "environments").glob("*.yaml"))]
NAMES = in_every_run(FILES, ("private-trn1", "research-teams", "slurm-trn2-block"))
WIDE = "1000"
WIDTHS = ["80", "200", None]
"""Widths of the terminal; None is a pipe."""
VERBS_OF_A_FILE = [
    ("validate",),
    ("plan",),
    ("plan", "--details"),
    ("plan", "--scale"),
    ("cost",),
    ("images",),
    ("images", "--commands"),
]
NARROW_TITLES = {"what", "by,"}
"""Titles of `images` on a narrow terminal."""


def printed(command: Command, monkeypatch: pytest.MonkeyPatch, columns: str | None, *arguments: str) -> str:
    """Standard output and standard error."""
    if columns is None:
        monkeypatch.delenv("COLUMNS", raising=False)
    else:
        monkeypatch.setenv("COLUMNS", columns)
    ran = command(*arguments)
    return ran.out + ran.err


def words(text: str) -> set[str]:
    """Returns the words of the text, without the lines below the titles of a table."""
    return {word for word in text.split() if word.strip("\u2500")}


def broken_spans(text: str) -> list[str]:
    """Lines that begin or end inside backticks."""
    return [line for line in text.splitlines() if line.count("`") % 2]


@pytest.mark.parametrize(
    ("name", "verb"),
    in_every_run(
        itertools.product(FILES, VERBS_OF_A_FILE),
        [
            *(("private-trn1", verb) for verb in (("images",), ("images", "--commands"))),
            *(("research-teams", verb) for verb in (("validate",), ("plan",), ("plan", "--scale"))),
            *(("slurm-trn2-block", verb) for verb in (("plan", "--details"), ("cost",))),
        ],
    ),
)
def test_no_width_breaks_a_name_or_a_command(
    name: str, verb: tuple[str, ...], command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = printed(command, monkeypatch, WIDE, *verb, name)
    for columns in WIDTHS:
        text = printed(command, monkeypatch, columns, *verb, name)
        # a narrow table has versions at the end of names, a wide one in a column of their own
        unknown = words(text) - words(whole) - NARROW_TITLES
        assert [word for word in unknown if word.rpartition(":")[0] not in words(whole)] == []
        assert broken_spans(text) == []


@pytest.mark.parametrize("name", NAMES)
def test_no_width_breaks_the_name_of_a_workload(name: str, command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """A narrow terminal has short names of kinds, and columns of its own."""
    workloads = command("schedule", name, "--format", "json").document["workloads"]
    names = {each["workload"].rpartition("/")[2] for each in workloads}
    for columns in WIDTHS:
        text = printed(command, monkeypatch, columns, "schedule", name)
        assert [each for each in names if each not in text] == []
        assert broken_spans(text) == []


# The longest names and the most columns; tests/unit/cli/test_catalog.py prints every kind on 80 columns.
@pytest.mark.parametrize("kind", in_every_run(KINDS, ["instances", "frameworks", "containers", "amis", "charts"]))
def test_no_width_breaks_a_name_of_the_catalog(kind: str, command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = printed(command, monkeypatch, WIDE, "catalog", kind)
    for columns in WIDTHS:
        assert words(printed(command, monkeypatch, columns, "catalog", kind)) - words(whole) == set(), columns


@pytest.mark.parametrize("name", NAMES)
def test_the_commands_of_findings_are_whole(name: str, command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    findings = command("validate", name, "--format", "json").document["findings"]
    spans = {span for each in findings for key in ("message", "hint") for span in SPAN.findall(each[key] or "")}
    for columns in WIDTHS:
        text = printed(command, monkeypatch, columns, "validate", name)
        assert [span for span in spans if f"`{span}`" not in text] == []


@pytest.mark.parametrize("width", [40, 80, 100, 200])
def test_the_commands_of_every_rule_are_whole(width: int) -> None:
    examples = json.loads(FILE.read_text("utf-8"))
    assert len(examples) > 100
    for rule_id, each in examples.items():
        text = findings_text([Finding(rule_id, Location(each["path"]), each["message"], each["hint"])], width=width)
        assert [span for span in SPAN.findall(each["message"] + each["hint"]) if f"`{span}`" not in text] == []


@pytest.mark.parametrize("columns", in_every_run(["60", "80", "200"], ["60"]))
@pytest.mark.parametrize("verb", VERBS)
def test_the_commands_in_the_help_are_whole(
    verb: str, columns: str, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = printed(command, monkeypatch, columns, verb, "--help")
    assert "\noptions:\n" in text
    assert broken_spans(text) == []
