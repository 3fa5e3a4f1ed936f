"""Findings as text."""

from __future__ import annotations

from neuron_cluster.findings.finding import Finding, Location
from neuron_cluster.findings.text import printable
from neuron_cluster.report.findings_text import findings_text, summary
from tests.every_case import every_case

ERROR = Finding("E3007", Location("environments/train.yaml", 31, 7, "eks.node_groups[0]"), "no reservation", "add one")
WARNING = Finding("W6002", Location("environments/train.yaml", 4, 1, "account"), "a placeholder", "write yours")


def test_in_json_what_a_finding_has_none_of_is_null() -> None:
    nowhere = Finding("E9500", Location(""), "it failed", "")
    assert nowhere.as_dict() == {
        "id": "E9500", "severity": "error", "file": None, "line": None, "column": None, "path": None,
        "message": "it failed", "hint": "",
    }  # fmt: skip
    assert [ERROR.as_dict()[key] for key in ("file", "line", "column", "path")] == [
        "environments/train.yaml", 31, 7, "eks.node_groups[0]",
    ]  # fmt: skip


def test_a_finding_says_place_id_path_message_and_hint() -> None:
    assert findings_text([ERROR]).startswith(
        "environments/train.yaml:31  E3007  eks.node_groups[0]\n  no reservation\n  hint: add one\n"
    )


def test_a_finding_in_a_base_names_the_environment_that_extends_it() -> None:
    place = Location("environments/bases/train.yaml", 3, 1, "eks", extended_by="environments/train.yaml")
    finding = Finding("E3007", place, "no reservation", "add one")
    assert "  no reservation\n  note: this file is a base of environments/train.yaml\n  hint:" in findings_text(
        [finding]
    )
    assert finding.as_dict()["extended_by"] == "environments/train.yaml"


def test_findings_are_sorted_by_line_and_counted_at_the_end() -> None:
    text = findings_text([ERROR, WARNING])
    assert text.index("W6002") < text.index("E3007")
    assert text.endswith("\n1 error, 1 warning\n")


def test_lines_keep_to_the_width_and_lose_no_word() -> None:
    long = Finding("E3007", Location("f.yaml", 1), "some words that say what was given " * 8, "and what to do " * 8)
    text = findings_text([long], width=60)
    assert max(map(len, text.splitlines())) <= 60
    assert text.split().count("given") == 8


@every_case("width", range(40, 121))
def test_a_command_in_backticks_is_never_broken(width: int) -> None:
    command = "`neuron-cluster destroy --local llm70b --delete-data llm70b`"
    hint = f"some words of different lengths, then {command}, which removes all of it; or {command} once more"
    text = findings_text([Finding("E3007", Location("f.yaml", 1), "m", hint)], width=width)
    assert text.count(command) == 2
    assert max(len(line) for line in text.splitlines() if command not in line) <= width


def test_control_characters_cannot_reach_the_terminal() -> None:
    evil = Finding("E0013", Location("a\033[2Jb\nc.yaml", 1), "given \033]0;title\a", "")
    text = findings_text([evil])
    assert "\033" not in text
    assert "a\\x1b[2Jb\\nc.yaml:1" in text


def test_colour_changes_nothing_but_colour() -> None:
    import re

    coloured = findings_text([ERROR, WARNING], colour=True)
    assert "\033[31mE3007" in coloured
    assert re.sub(r"\033\[[0-9]+m", "", coloured) == findings_text([ERROR, WARNING])


def test_no_findings_are_no_text() -> None:
    assert findings_text([]) == ""
    assert summary([]) == "no findings"


def test_printable_keeps_line_ends_and_letters() -> None:
    assert printable("Straße\n…") == "Straße\n…"
