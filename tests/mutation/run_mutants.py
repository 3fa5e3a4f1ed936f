"""Finds for each mutant a test that fails without the refusal: ``python run_mutants.py PYTEST_ARGUMENT… > FILE``.

A program of its own, because it changes modules while they are imported; ``tools`` must be on ``PYTHONPATH``.
A first session runs every test as it is and notes which mutants it meets. A second one takes each mutant and runs
tests that met it, everything made again for each, until one fails: only as a test or its fixtures, not in taking
them down, and only if it passes when it runs once more with the refusal back in its place.

Prints JSON: ``mutants`` (by name, how many tests met it and the one that caught it, null for none),
``controls`` (how many runs with the refusal back in its place), ``unsteady`` (tests that failed in one) and
``refused_by_moto`` (by API operation, the error codes that a client got in the first session for calls that met no
mutant).
"""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from contextlib import redirect_stdout
from typing import Any

import pytest
from botocore.client import BaseClient
from botocore.exceptions import ClientError
from mutants import MUTANTS, install

OPTIONS = ("-q", "--tb=short", "-p", "no:cacheprovider")


class Meeting:
    """The first session: every test as it is."""

    def __init__(self) -> None:
        self.refused_by_moto: defaultdict[str, set[str]] = defaultdict(set)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Any:
        MUTANTS.test = item.nodeid
        try:
            return (yield)
        finally:
            MUTANTS.test = ""

    def pytest_sessionstart(self) -> None:
        """Every client of boto3 makes its calls by one method."""
        make_call = BaseClient._make_api_call

        def make_noted_call(client: Any, operation: str, parameters: dict[str, Any]) -> Any:
            meetings = MUTANTS.meetings
            try:
                return make_call(client, operation, parameters)
            except ClientError as error:
                if MUTANTS.meetings == meetings:
                    name = f"{client.meta.service_model.service_name}:{operation}"
                    self.refused_by_moto[name].add(error.response["Error"]["Code"])
                raise

        BaseClient._make_api_call = make_noted_call


class Catching:
    """The second session: for each mutant, tests that met it, those that meet the fewest others first."""

    def __init__(self) -> None:
        self.met_by = {mutant: sorted(tests) for mutant, tests in MUTANTS.met_by.items() if tests}
        self.caught_by: dict[str, str] = {}
        self.controls = 0
        self.unsteady: list[str] = []
        self._has_failed = False

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = {item.nodeid: item for item in session.items}
        crowd = Counter(test for tests in self.met_by.values() for test in tests)
        for mutant, tests in self.met_by.items():
            for test in sorted(tests, key=lambda test: crowd[test]):
                if self._fails(items[test], mutant) and self._passes_as_it_is(items[test]):
                    self.caught_by[mutant] = test
                    break
        return True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._has_failed |= report.failed and report.when in {"setup", "call"}

    def _fails(self, item: pytest.Item, mutant: str) -> bool:
        MUTANTS.at_work, self._has_failed = mutant, False
        try:
            item.ihook.pytest_runtest_protocol(item=item, nextitem=None)
        finally:
            MUTANTS.at_work = ""
        return self._has_failed

    def _passes_as_it_is(self, item: pytest.Item) -> bool:
        """Else the failure is no proof: something was left over from another run, or the test is unsteady."""
        self.controls += 1
        if self._fails(item, mutant=""):
            self.unsteady.append(item.nodeid)
            return False
        return True


def main(arguments: list[str]) -> int:
    """0 when both sessions ran to their ends; pytest's own words go to standard error."""
    install()
    meeting = Meeting()
    with redirect_stdout(sys.stderr):
        if pytest.main([*OPTIONS, *arguments], plugins=[meeting]) is not pytest.ExitCode.OK:
            return 1
        catching = Catching()
        if pytest.main([*OPTIONS, *arguments], plugins=[catching]) not in {
            pytest.ExitCode.OK,
            pytest.ExitCode.TESTS_FAILED,
        }:
            return 1
    reported = {
        "mutants": {
            mutant: {"met": len(tests), "caught_by": catching.caught_by.get(mutant)}
            for mutant, tests in sorted(MUTANTS.met_by.items())
        },
        "controls": catching.controls,
        "unsteady": catching.unsteady,
        "refused_by_moto": {name: sorted(codes) for name, codes in sorted(meeting.refused_by_moto.items())},
    }
    json.dump(reported, sys.stdout, indent=1)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
