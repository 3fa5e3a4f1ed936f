"""`report --status` has the lines that `status` prints."""

from __future__ import annotations

import json
import re
from html import escape
from pathlib import Path

import pytest

from neuron_cluster.cli.main import main
from tests.json_outputs import assert_has_format

from .breaks import NAME, suspend_versioning
from .conftest import Deployed, Read

pytestmark = [pytest.mark.slow, pytest.mark.exhaustive]


def page(project: Path, *arguments: str) -> str:
    """The page that `report` writes, without the marks of HTML."""
    file = project / "page.html"
    given = ["report", "--local", NAME, "--output", str(file), "--force", "--project", str(project), *arguments]
    assert main(given) == 0
    return re.sub(r"<[^>]+>", "", file.read_text())


def test_the_page_has_each_line_of_the_state_with_cause_and_command(
    deployed: Deployed, read: Read, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    environment = deployed(NAME)
    suspend_versioning(environment)
    text = page(project, "--status")
    assert re.search(r"Status at \d{4}-\d\d-\d\d \d\d:\d\d UTC", text)
    assert f"In the local AWS at {environment.aws.endpoint}" in text
    (bad,) = read(NAME).others
    assert f"ERROR {bad.section}: {bad.subject}" in text
    assert escape(bad.cause) in text
    assert escape(bad.command or "") in text
    assert [line for line in read(NAME).healthy if escape(line.cause) not in text] == []
    capsys.readouterr()
    given = ["report", "--local", NAME, "--output", str(project / "page.html"), "--force", "--status"]
    given += ["--format", "json", "--project", str(project)]
    assert main(given) == 0
    printed = capsys.readouterr().out
    assert_has_format(given, printed)
    assert json.loads(printed)["status"] == "error"


def test_without_the_option_the_page_says_that_no_status_was_read(deployed: Deployed, project: Path) -> None:
    deployed(NAME, ())
    text = page(project)
    assert "Status at" not in text
    assert "it shows what a deploy creates, and no status" in text


def test_without_an_answer_the_page_has_not_read_and_nothing_healthy_of_it(deployed: Deployed, project: Path) -> None:
    environment = deployed(NAME, ())
    with environment.aws.faults.access_denied("kms", "DescribeKey"):
        text = page(project, "--status")
    assert "not read Storage and keys: key " in text
    assert "KMS keys enabled" not in text
