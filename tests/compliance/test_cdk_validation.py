"""CDK's own validation, turned on as it is for users, over the shipped environments."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ENVIRONMENTS = sorted(path.stem for path in (ROOT / "environments").glob("*.yaml"))
SYNTHESIZE_ALL = Path(__file__).with_name("synthesize_all.py")


@pytest.mark.slow
def test_cdk_finds_nothing_in_the_shipped_environments(tmp_path: Path) -> None:
    """No violation of CDK's default rules, no deprecated call, no annotation in any stack's metadata."""
    from neuron_cluster.deploy.node import node_binary

    surroundings = {
        **{name: value for name, value in os.environ.items() if name != "CDK_VALIDATION"},
        "JSII_NODE": str(node_binary()),
        "JSII_DEPRECATED": "fail",
    }
    command = [sys.executable, str(SYNTHESIZE_ALL), str(tmp_path), *ENVIRONMENTS]
    ran = subprocess.run(command, cwd=ROOT, env=surroundings, capture_output=True, text=True, check=False)  # noqa: S603 - our own script
    assert ran.returncode == 0, ran.stderr
    # CDK writes the report when validation has run, and lists plug-ins that found something.
    reports = {name: json.loads((tmp_path / name / "validation-report.json").read_text()) for name in ENVIRONMENTS}
    assert {name: report["pluginReports"] for name, report in reports.items() if report["pluginReports"]} == {}
    files = sorted(tmp_path.glob("*/*.metadata.json"))
    noted = [
        (file.name, entry["type"], entry["data"])
        for file in files
        for entries in json.loads(file.read_text()).values()
        for entry in entries
        if entry["type"] in ("aws:cdk:warning", "aws:cdk:error", "aws:cdk:info")
    ]
    assert files
    assert noted == []
