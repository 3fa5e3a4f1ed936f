"""Plain `cdk` takes no ids from examples to AWS; the verbs of the toolkit judge them by themselves."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from local_aws.environment import scrubbed

pytestmark = pytest.mark.slow
PROJECT = Path(__file__).parents[2]
RESERVATION = "eks.node_groups[1].capacity.reservation_id\n  cr-0123456789abcdef0 is a placeholder"


def synthesized(name: str, account: str, more: dict[str, str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs ``app.py`` as the CDK command does, on a shipped environment in this account."""
    file = folder / f"{name}.yaml"
    file.write_text((PROJECT / "environments" / file.name).read_text().replace("111122223333", account))
    context = json.loads((PROJECT / "cdk.json").read_text())["context"] | {"environment": str(file)}
    given = {"CDK_CONTEXT_JSON": json.dumps(context), "CDK_OUTDIR": str(folder / "out")}
    return subprocess.run(
        [sys.executable, "app.py"],
        cwd=PROJECT,
        env=scrubbed(os.environ, more | given),
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_reservation_from_an_example_ends_the_synthesis_for_aws(tmp_path: Path) -> None:
    """The file has an account and admins of its own, so that nothing else ends it."""
    ended = synthesized("train-trn2", "210987654321", {}, tmp_path)
    assert ended.returncode == 1, ended.stderr
    assert RESERVATION in ended.stderr
    assert not (tmp_path / "out" / "manifest.json").exists()


@pytest.mark.exhaustive
def test_placeholders_are_accepted_for_a_local_aws(tmp_path: Path) -> None:
    ended = synthesized("workstation", "111122223333", {"AWS_ENDPOINT_URL": "http://127.0.0.1:4510"}, tmp_path)
    assert ended.returncode == 0, ended.stderr
    assert "is a placeholder" not in ended.stderr
    assert (tmp_path / "out" / "manifest.json").exists()
