"""The command as a whole: help, exit status, errors in both formats."""

from __future__ import annotations

import itertools
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from neuron_cluster.cli.main import _report, main
from neuron_cluster.deploy.deployment import DeployError
from neuron_cluster.errors import ToolkitError
from tests.every_case import every_case
from tests.every_run import in_every_run

from .conftest import PROJECT, Command, kept_parser

NO_FILES = (
    "no-such-name", "", "environments", "../x", "x.yaml", "nul\0byte", "nul\0byte.yaml", "\udcff", "a\nb", ".",
    "n" * 300, f"{'n' * 300}.yaml", "n/" * 3000,
)  # fmt: skip
VERBS = (
    "init", "new", "setup", "validate", "expand", "plan", "cost", "access", "report", "diagram", "schedule", "explain",
    "lock", "synth", "diff", "import", "deploy", "destroy", "upgrade", "capacity", "catalog", "recommend", "onboard",
    "offboard", "local", "completion",
)  # fmt: skip


def test_help_names_every_verb(command: Command) -> None:
    ran = command("--help")
    assert ran.status == 0
    assert all(re.search(rf"^    {verb} +\w", ran.out, re.MULTILINE) for verb in VERBS)


@pytest.mark.parametrize("verb", VERBS)
def test_the_help_of_a_verb_has_an_example_and_fits_80_columns(verb: str, command: Command) -> None:
    ran = command(verb, "--help")
    assert ran.status == 0
    before, _, examples = ran.out.partition("examples:\n")
    assert f"neuron-cluster {verb}" in examples
    assert max(map(len, before.splitlines())) <= 80


@pytest.mark.parametrize("verb", [verb for verb in VERBS if verb not in ("catalog", "local")])
def test_the_examples_of_a_verb_are_commands_that_parse(verb: str, command: Command) -> None:
    _, _, examples = command(verb, "--help").out.partition("examples:\n")
    lines = [line.split("  ")[0] for line in map(str.strip, examples.splitlines()) if line.startswith("neuron-cluster")]
    for line in lines:
        arguments = line.partition(" | ")[0].removesuffix(" \\").split()[1:]
        kept_parser(arguments[0]).parse_args(arguments)


@pytest.mark.parametrize(
    "arguments",
    [[], ["no-such-verb"], ["plan"], ["plan", "a", "b"], ["validate", "--format", "xml"], ["local", "--port", "x"],
     ["catalog", "regions", "--efa"], ["catalog", "cars"], ["local", "--account", "12"], ["local", "--region", "mars"],
     ["catalog", "instances", "--min-chips", "-1"]],
)  # fmt: skip
def test_a_wrong_command_line_ends_with_2_and_a_usage_line(arguments: list[str], command: Command) -> None:
    ran = command(*arguments)
    assert ran.status == 2
    assert ran.err.startswith("usage: neuron-cluster")
    assert "Traceback" not in ran.err


@every_case(
    "verb, name", itertools.product(("validate", "plan", "cost", "schedule", "synth", "deploy", "destroy"), NO_FILES)
)
def test_a_name_that_means_no_file_is_a_finding_in_every_verb(verb: str, name: str, command: Command) -> None:
    ran = command(verb, name, "--format", "json")
    assert ran.status == 1
    (finding,) = ran.document["findings"]
    assert finding["severity"] == "error"
    assert finding["message"]
    assert finding["hint"]


@pytest.mark.parametrize("verb", ["validate", "plan", "schedule", "synth", "deploy", "destroy"])
def test_text_says_the_same_without_a_traceback(verb: str, command: Command) -> None:
    ran = command(verb, "train-trn9")
    assert ran.status == 1
    assert "E0015" in ran.out + ran.err
    assert "train-trn1" in ran.out + ran.err
    assert "1 error" in ran.out + ran.err


@pytest.mark.parametrize("name", [".", "n" * 300])
def test_no_project_is_a_finding(name: str, tmp_path: Path, command: Command) -> None:
    ran = command("validate", "--project", str(tmp_path / name), "--format", "json")
    assert ran.status == 1
    assert [finding["id"] for finding in ran.document["findings"]] == ["E0016"]


@pytest.mark.slow
def test_the_installed_command_says_its_version() -> None:
    ran = subprocess.run(
        [Path(sys.executable).parent / "neuron-cluster", "--version"], capture_output=True, text=True, check=True
    )
    assert re.fullmatch(r"neuron-cluster \d+\.\d+\.\d+\n", ran.stdout)


def test_ctrl_c_while_a_verb_is_loaded_ends_as_it_does_later(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(verb: str | None) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("neuron_cluster.cli.main.build_parser", interrupted)
    assert main(["validate", "train-trn1"]) == 130
    assert capsys.readouterr().err == "interrupted\n"


@pytest.mark.slow
def test_a_reader_that_leaves_early_causes_no_traceback() -> None:
    read, write = os.pipe()
    os.close(read)
    ran = subprocess.run(
        [sys.executable, "-m", "neuron_cluster.cli.main", "catalog", "instances", "--format", "json"],
        cwd=PROJECT, stdout=write, stderr=subprocess.PIPE, text=True, check=False,
    )  # fmt: skip
    os.close(write)
    assert ran.stderr == ""
    assert ran.returncode == 141


def in_a_shell(arguments: str, redirected: str) -> subprocess.CompletedProcess[str]:
    """Runs the command with what a shell does to its streams."""
    line = f"exec {shlex.quote(sys.executable)} -m neuron_cluster.cli.main {arguments} {redirected}"
    return subprocess.run(["/bin/sh", "-c", line], cwd=PROJECT, capture_output=True, text=True, check=False)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("verb", "closed"),
    in_every_run(itertools.product(("validate", "plan", "schedule"), (">&-", "2>&-", "<&- >&- 2>&-")),
                 [("validate", ">&-"), ("schedule", "<&- >&- 2>&-")]),
)  # fmt: skip
def test_a_closed_stream_changes_no_exit_status(verb: str, closed: str) -> None:
    ran = in_a_shell(f"{verb} train-trn1", closed)
    assert (ran.returncode, "Traceback" in ran.stderr) == (0, False)
    assert bool(ran.stdout) == (closed == "2>&-")


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="has no device that is always full")
@pytest.mark.parametrize(
    ("arguments", "redirected"),
    in_every_run([("validate train-trn1", "> /dev/full"), ("validate nosuch --format json", "> /dev/full"),
                  ("catalog instances --format json", "> /dev/full"), ("validate train-trn1", "1< /dev/null")],
                 [("validate nosuch --format json", "> /dev/full"), ("validate train-trn1", "1< /dev/null")]),
)  # fmt: skip
def test_output_that_cannot_be_written_is_one_line(arguments: str, redirected: str) -> None:
    ran = in_a_shell(arguments, redirected)
    assert ran.returncode == 1
    assert re.fullmatch(r"error: the output cannot be written: [\w ]+\n", ran.stderr)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="has no device that is always full")
def test_with_nowhere_left_to_say_it_the_exit_status_does() -> None:
    ran = in_a_shell("plan nosuch", "2> /dev/full")
    assert (ran.returncode, ran.stdout, ran.stderr) == (1, "", "")


@pytest.mark.slow
def test_a_narrow_encoding_breaks_no_output() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "neuron_cluster.cli.main", "plan", "train-trn1"],
        cwd=PROJECT, env={**os.environ, "PYTHONIOENCODING": "ascii"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ran.returncode == 0
    assert "Traceback" not in ran.stderr


def test_a_wrong_argument_is_named_without_its_control_characters(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["validate", "--no-such", "\x1b[2Jgone"])
    assert "\x1b" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("error", "first"),
    [
        (DeployError("the deploy failed\n  the cause"), "error: the deploy failed (E9529)"),
        (ToolkitError("no project\n  more"), "error: no project"),
    ],
)
def test_an_error_with_an_id_that_pages_name_shows_it_as_text_too(
    error: ToolkitError, first: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _report(error, "text") == 1
    assert capsys.readouterr().err.splitlines()[0] == first
