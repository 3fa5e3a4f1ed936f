"""What xdist workers tell their controller: of a test that passes, its result and that it ended.

xdist sends six messages for each test. The controller competes with the workers for two cores, and ten thousand short
tests cost more messages than work.
"""

from __future__ import annotations

from typing import Any

import pytest

UNUSED = {"logstart", "logfinish"}
"""Names of tests that begin and end: printed without xdist only."""

READ = ("system",)
"""Keywords of a test that passed that tests/system_tests.py counts by."""


@pytest.hookimpl
def pytest_sessionstart(session: pytest.Session) -> None:
    """Options that list set-up and tear-down by themselves keep all messages."""
    option = session.config.option
    if option.durations is None and option.xmlpath is None:
        for plugin in session.config.pluginmanager.get_plugins():
            if hasattr(plugin, "sendevent"):  # the worker's end of the channel
                plugin.sendevent = _fewer(plugin.sendevent)


def _fewer(send: Any) -> Any:
    def send_what_is_used(name: str, **content: Any) -> None:
        if name in UNUSED:
            return
        if name == "testreport" and _says_nothing(content["data"]):
            if content["data"]["when"] != "call":
                return
            keywords = content["data"]["keywords"]  # half of the message
            content["data"]["keywords"] = {name: keywords[name] for name in READ if name in keywords}
        send(name, **content)

    return send_what_is_used


def _says_nothing(report: dict[str, Any]) -> bool:
    """A part of a test that passed and printed nothing."""
    return report["outcome"] == "passed" and not report["sections"]
