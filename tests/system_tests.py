"""Hooks that count the tests with the marker ``system``: what ``make test`` skips of them is one line of its summary.

Where ``NEURON_CLUSTER_SYSTEM_TESTS`` is ``required``, as in ``.ci/run``, a run fails that skips one or has none.
"""

from __future__ import annotations

import os
import shutil
from collections import Counter

import pytest
from install_system_packages import system_packages

SKIPPED = "skipped without a system package"
PLUGIN = "system-tests"
"""The name under which pytest has the counts of a process."""


def needs_program(package: str, path: str | None = None) -> pytest.MarkDecorator:
    """Skips a test where the package's program is neither at the path nor on ``PATH``."""
    return pytest.mark.skipif(not (path or shutil.which(package)), reason=f"needs {package}")


class SystemTests:
    """Counts reports."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if "system" in report.keywords and (report.skipped or report.when == "call"):
            self.counts["skipped" if report.skipped else "run"] += 1

    def pytest_report_teststatus(self, report: pytest.TestReport) -> tuple[str, str, str] | None:
        """A category of its own, so that ``-ra`` does not list each test."""
        if report.skipped and "system" in report.keywords:
            return SKIPPED, "s", "SKIPPED"
        return None

    def problem(self) -> str | None:
        return problem_of(self.counts["run"], self.counts["skipped"])

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if problem := self.problem():
            required = system_tests_are_required()
            terminalreporter.write_line(problem, red=required, yellow=not required)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        if system_tests_are_required() and exitstatus == pytest.ExitCode.OK and self.problem():
            session.exitstatus = pytest.ExitCode.TESTS_FAILED


class CountedElsewhere(SystemTests):
    """One of several processes: tools/run_tests.py judges what all of them have counted."""

    def problem(self) -> str | None:
        return None


def problem_of(run: int, skipped: int) -> str | None:
    """Returns the problem with so many tests with the marker ``system``; None for none."""
    if skipped:
        packages = f"install {' '.join(system_packages())} (tools/system-packages.txt)"
        return f"tests with the marker system that were skipped: {skipped}; {packages}"
    if system_tests_are_required() and not run:
        return "no test with the marker system was run"
    return None


def pytest_configure(config: pytest.Config) -> None:
    kind = CountedElsewhere if config.getoption("file_queue", None) else SystemTests
    config.pluginmanager.register(kind(), PLUGIN)


def system_tests_are_required() -> bool:
    """Whether a run without them fails, as in ``.ci/run``."""
    return os.environ.get("NEURON_CLUSTER_SYSTEM_TESTS") == "required"
