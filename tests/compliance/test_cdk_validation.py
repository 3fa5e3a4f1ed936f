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


@pytest.mark.slow
@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_cdk_finds_nothing_in_a_shipped_environment(environment: str, tmp_path: Path) -> None:
    """No violation of CDK's default rules, no deprecated call, no annotation in any stack's metadata."""
    from neuron_cluster.deploy.synthesis import cdk_context

    surroundings = {
        **{name: value for name, value in os.environ.items() if name != "CDK_VALIDATION"},
        "CDK_OUTDIR": str(tmp_path),
        "CDK_CONTEXT_JSON": json.dumps(cdk_context(ROOT, environment)),
        "JSII_DEPRECATED": "fail",
    }
    app = subprocess.run(
        [sys.executable, "app.py"], cwd=ROOT, env=surroundings, capture_output=True, text=True, check=False
    )
    assert app.returncode == 0, app.stderr
    # CDK writes the report when validation has run, and lists plug-ins that found something.
    assert json.loads((tmp_path / "validation-report.json").read_text())["pluginReports"] == []
    noted = [
        (file.name, entry["type"], entry["data"])
        for file in sorted(tmp_path.glob("*.metadata.json"))
        for entries in json.loads(file.read_text()).values()
        for entry in entries
        if entry["type"] in ("aws:cdk:warning", "aws:cdk:error", "aws:cdk:info")
    ]
    assert noted == []
