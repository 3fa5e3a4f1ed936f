"""Blocks marked ``console`` run in the order of the page, in a folder like a checkout, and print what it shows."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from hint_commands import command_error

from neuron_cluster.cli.main import main
from tests.docs.blocks import EXECUTED, FENCE, PAGES, ROOT, SETUP, Block, Shown, blocks_of, name_of
from tests.docs.setups import SETUPS

ALONE = re.compile(r"neuron-cluster (?P<arguments>[^|;&<>`$]*?)(?: >(?P<file> \S+))?")
"""A command that needs no shell."""
COMMENT = re.compile(r"\s+# .*")
FAILURE = re.compile(r"\d+ errors?\b.*")
SLOW = re.compile(r"neuron-cluster (report|access|drift) ")
"""Commands that synthesize."""
WIDTH = 100
Runner = Callable[[str], tuple[int, str]]


def steps_of(page: Path) -> Iterator[Block | str]:
    """Executed blocks and names of set-ups, in the order of the page."""
    text = page.read_text(encoding="utf-8")
    blocks = iter(blocks_of(text, name_of(page)))
    for found in re.finditer(f"{FENCE.pattern}|{SETUP.pattern}", text, FENCE.flags):
        if (name := found[found.re.groups]) is not None:
            yield name
        elif (block := next(blocks)).info == EXECUTED:
            yield block


def shown_pattern(lines: tuple[str, ...]) -> re.Pattern[str]:
    """A line `...` stands for any lines, `...` in a line for any text; blank lines at the end do not count."""
    patterns = (
        r"(?:.*\n)*?" if line.strip() == "..." else re.escape(line.rstrip()).replace(r"\.\.\.", ".*") + "\n"
        for line in "\n".join(lines).rstrip().splitlines()
    )
    return re.compile("".join(patterns))


def flaw_of(shown: Shown, status: int, printed: str) -> str:
    """How the run differs from the page; a command fails only where the page shows its number of errors."""
    text = "\n".join(line.rstrip() for line in printed.splitlines()).rstrip() + "\n"
    lines = [line for line in shown.output if line.strip()]
    expected = 1 if lines and FAILURE.fullmatch(lines[-1]) else 0
    if status != expected or (lines and not shown_pattern(shown.output).fullmatch(text)):
        return f"$ {shown.command}\n(exit status {status})\n{text}"
    return ""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Returns a checkout's files as the working directory of a command; no credentials and no network.

    The home stays that of the user: jsii has unpacked CDK there, and assemblies are kept by it.
    """
    root = tmp_path / "checkout"
    shutil.copytree(ROOT / "environments", root / "environments")
    for name in ("app.py", "cdk.json", "stacks", "charts", "functions", "node_modules"):
        (root / name).symlink_to(ROOT / name)
    command = tmp_path / "bin" / "neuron-cluster"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m neuron_cluster.cli.main "$@"\n')
    command.chmod(0o755)
    for name in [each for each in os.environ if each.startswith("AWS_")]:
        monkeypatch.delenv(name)
    settings = {
        "COLUMNS": str(WIDTH),
        "AWS_CONFIG_FILE": str(tmp_path / "config"),
        "AWS_SHARED_CREDENTIALS_FILE": str(tmp_path / "credentials"),
        "HTTPS_PROXY": "http://127.0.0.1:9",
        "NO_PROXY": "127.0.0.1,localhost",
        "PATH": f"{command.parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
    }
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(root)
    return root


@pytest.fixture
def run(project: Path, helm_is_kept: None, capsys: pytest.CaptureFixture[str]) -> Runner:
    """Runs a line, in this process where it is one command; returns the exit status and what a terminal shows."""

    def in_process(arguments: str, file: str | None) -> tuple[int, str]:
        try:
            status = main(shlex.split(arguments, comments=True))
        except SystemExit as end:  # argparse
            status = int(end.code or 0)
        captured = capsys.readouterr()
        if file is None:
            return status, captured.out + captured.err
        Path(file.strip()).write_text(captured.out, encoding="utf-8")
        return status, captured.err

    def line(command: str) -> tuple[int, str]:
        if alone := ALONE.fullmatch(COMMENT.sub("", command.replace("\\\n", " "))):
            return in_process(alone["arguments"], alone["file"])
        ran = subprocess.run(
            ["sh", "-c", command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
        )
        return ran.returncode, ran.stdout

    return line


def _is_slow(page: Path) -> bool:
    return any(SLOW.search(step.body) for step in steps_of(page) if isinstance(step, Block))


def is_silent_deploy(shown: Shown) -> bool:
    return shown.command.startswith("neuron-cluster deploy --local ") and not shown.output


def _deploys(page: Path) -> bool:
    return any(is_silent_deploy(shown) for step in steps_of(page) if isinstance(step, Block) for shown in step.shown)


EXECUTING = [
    pytest.param(page, id=name_of(page), marks=[pytest.mark.slow] * _is_slow(page))
    for page in PAGES
    if any(isinstance(step, Block) for step in steps_of(page))
]


@pytest.mark.parametrize("page", EXECUTING)
def test_the_commands_print_what_the_page_shows(page: Path, project: Path, run: Runner) -> None:
    """A deploy whose output is not shown is only parsed: tests/integ deploys environments."""
    execute(page, project, run, is_parsed=is_silent_deploy)


@pytest.mark.exhaustive
@pytest.mark.parametrize("page", [page for page in PAGES if _deploys(page)], ids=name_of)
def test_the_deploys_of_a_page_succeed(page: Path, project: Path, run: Runner) -> None:
    execute(page, project, run)


def execute(page: Path, project: Path, run: Runner, *, is_parsed: Callable[[Shown], bool] = lambda _: False) -> None:
    with ExitStack() as until_the_end_of_the_page:
        for step in steps_of(page):
            if isinstance(step, str):
                SETUPS[step](project, until_the_end_of_the_page)
                continue
            for shown in step.shown:
                flaw = flaw_of(shown, *(parsed if is_parsed(shown) else run)(shown.command))
                assert not flaw, f"{step.place}\n{flaw}"


def parsed(command: str) -> tuple[int, str]:
    error = command_error(COMMENT.sub("", command))
    return (2, error) if error else (0, "")


@pytest.mark.parametrize(
    ("output", "printed", "is_shown"),
    [
        (("a", "...", "d"), "a\nb\nc\nd\n", True),
        (("a", "...", "d"), "a\nd\n", True),
        (("a", "..."), "a\nb\n", True),
        (("on ..., USD",), "on 2026-11-27, USD\n", True),
        (("a",), "a\nb\n", False),
        (("a", "...", "d"), "a\nb\n", False),
        (("a.b",), "axb\n", False),
    ],
)
def test_dots_stand_for_what_is_left_out(output: tuple[str, ...], printed: str, is_shown: bool) -> None:
    assert (flaw_of(Shown("x", output), 0, printed) == "") is is_shown


@pytest.mark.parametrize(
    ("output", "status", "is_shown"),
    [((), 1, False), (("2 errors",), 1, True), (("2 errors",), 0, False), (("2 errors",), 2, False)],
)
def test_a_command_fails_only_where_the_page_shows_errors(output: tuple[str, ...], status: int, is_shown: bool) -> None:
    assert (flaw_of(Shown("x", output), status, "\n".join(output)) == "") is is_shown
