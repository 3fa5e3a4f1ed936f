"""Hooks with which several pytest processes share the files of one run: each takes the next file when it is free.

``tools/run_tests.py`` starts the processes. A process imports only the files that it takes, and keeps its session
fixtures from one file to the next.
"""

from __future__ import annotations

import fcntl
import itertools
import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

UNITS, TAKEN, COUNTS, FAILED = "units.txt", "taken", "counts", "failed.txt"
"""Names in the folder of a run: its units, how many of them were taken, the counts of each process, what failed."""

FILES = pytest.StashKey[dict[str, pytest.File]]()
"""Files by their absolute paths."""


def write_queue(folder: Path, units: Iterable[str]) -> None:
    """A unit is the absolute path of a test file, or of a folder whose files one process runs."""
    (folder / UNITS).write_text("\n".join(units), encoding="utf-8")
    (folder / TAKEN).write_text("0", encoding="utf-8")
    (folder / COUNTS).mkdir()


def units_of_this_process(folder: Path) -> Iterator[str]:
    """Takes one unit after the other; no two processes get the same one."""
    units = (folder / UNITS).read_text(encoding="utf-8").splitlines()
    while (place := _next_place(folder)) < len(units):
        yield units[place]


def _next_place(folder: Path) -> int:
    with (folder / TAKEN).open("r+", encoding="utf-8") as taken:
        fcntl.flock(taken, fcntl.LOCK_EX)
        place = int(taken.read())
        taken.seek(0)
        taken.write(str(place + 1))
    return place


def folder_of_run(config: pytest.Config) -> Path | None:
    """The folder of the run that this process is part of; None where pytest was started directly."""
    folder: Path | None = config.getoption("file_queue", None)
    return folder


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--file-queue", metavar="FOLDER", type=Path, help="takes files from a run of tools/run_tests.py")


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> bool | None:
    """Finds the files of the arguments; a file is imported when it is taken."""
    if folder_of_run(session.config) is None:
        return None
    session.perform_collect(genitems=False)
    return True


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[Any]) -> None:
    """Folders are searched while the collection lasts: pytest drops the fixtures of a ``conftest.py`` after it."""
    if folder_of_run(config) is not None and FILES not in config.stash:
        config.stash[FILES] = {str(file.path): file for file in _files(items)}
        items.clear()


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool | None:
    folder = folder_of_run(session.config)
    if folder is None:
        return None
    tests = _tests(session, session.config.stash[FILES], units_of_this_process(folder))
    for item, following in itertools.pairwise(itertools.chain(tests, [None])):
        assert item is not None
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if session.shouldfail:
            raise session.Failed(session.shouldfail)
        if session.shouldstop:
            raise session.Interrupted(session.shouldstop)
    return True


def _files(nodes: Iterable[Any]) -> Iterator[pytest.File]:
    for node in nodes:
        if isinstance(node, pytest.File):
            yield node
        elif isinstance(node, pytest.Directory):
            yield from _files(node.ihook.pytest_make_collect_report(collector=node).result)


def _tests(session: pytest.Session, files: dict[str, pytest.File], units: Iterable[str]) -> Iterator[pytest.Item]:
    """The selected tests of each unit, collected when the one before it has ended."""
    for unit in units:
        items = [
            item
            for name, file in files.items()
            if name == unit or name.startswith(f"{unit}/")
            for item in session.genitems(file)
        ]
        session.config.hook.pytest_collection_modifyitems(session=session, config=session.config, items=items)
        session.items = items
        session.testscollected += len(items)
        yield from items


class Outcomes:
    """Writes for ``tools/run_tests.py`` what failed, at once, and how many tests had which outcome, at the end.

    Tests with the marker ``system`` are counted a second time as ``system run`` and ``system skipped``.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            with (self._folder / FAILED).open("a", encoding="utf-8") as failed:
                failed.write(f"{report.nodeid} ({report.when})\n")

    @pytest.hookimpl(trylast=True)
    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        counts = {category: len(reports) for category, reports in terminalreporter.stats.items() if category}
        system = terminalreporter.config.pluginmanager.get_plugin("system-tests")
        counts |= {f"system {outcome}": number for outcome, number in system.counts.items()} if system else {}
        (self._folder / COUNTS / f"{os.getpid()}.json").write_text(json.dumps(counts), encoding="utf-8")


def pytest_configure(config: pytest.Config) -> None:
    if (folder := folder_of_run(config)) is not None:
        config.pluginmanager.register(Outcomes(folder))
