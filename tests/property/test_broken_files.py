"""A broken file gives findings, whatever is wrong with it: never a traceback, never half of a result."""

from __future__ import annotations

import os
import re
import tempfile
from pathlib import Path

import pytest
from broken import Broken, broken_files
from hypothesis import HealthCheck, event, given, settings

from neuron_cluster.cli.main import main
from neuron_cluster.findings.finding import Finding, has_error
from neuron_cluster.pipeline import check_environment

ROOT = Path(__file__).parents[2]
FEW = 10
EXAMPLES = int(os.environ.get("NEURON_CLUSTER_EXAMPLES", FEW))
COMMANDS = (["plan"], ["synth"], ["deploy", "--local"], ["destroy", "--local"], ["diff", "--local"])
"""With a broken file none of them comes further than its findings."""
FILE = "environment.yaml"


def complete(finding: Finding, lines: int) -> bool:
    """Whether somebody can act on it: what is wrong, what to do, and a line that the file has."""
    place = finding.location
    return (
        bool(re.fullmatch(r"[EW]\d{4}", finding.id) and finding.message and finding.hint) and 0 <= place.line <= lines
    )


@pytest.mark.slow
@settings(max_examples=EXAMPLES, deadline=None, derandomize=EXAMPLES == FEW, suppress_health_check=list(HealthCheck))
@given(broken=broken_files())
def test_a_broken_file_gives_findings_with_places(broken: Broken) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / FILE
        file.write_bytes(broken.content)
        checked = check_environment(file, display_name=FILE)
    event("findings" if has_error(checked.findings) else "still without an error")
    assert (checked.plan is None) == has_error(checked.findings)
    lines = len(re.split(rb"\r\n|[\r\n]|\xc2\x85|\xe2\x80[\xa8\xa9]", broken.content))
    assert [finding for finding in checked.findings if not complete(finding, lines)] == []
    assert {finding.location.file for finding in checked.findings} <= {FILE}


@pytest.mark.slow
@settings(max_examples=3, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(broken=broken_files())
def test_no_command_writes_anything_for_a_broken_file(broken: Broken, capsys: pytest.CaptureFixture[str]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "out").mkdir()
        file = folder / FILE
        file.write_bytes(broken.content)
        if not has_error(check_environment(file).findings):
            return
        for verb, *options in COMMANDS:
            output = ["--output", str(folder / "out")] if verb == "synth" else []
            assert main([verb, str(file), *options, *output, "--project", str(ROOT)]) == 1
            said = capsys.readouterr()
            assert said.out == ""
            assert re.search(r"E\d{4}", said.err)
            assert "Traceback" not in said.err
        assert sorted(path.relative_to(folder) for path in folder.rglob("*")) == [Path(FILE), Path("out")]
        assert file.read_bytes() == broken.content
