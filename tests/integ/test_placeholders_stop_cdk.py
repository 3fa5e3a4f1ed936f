"""Plain `cdk` takes no ids from examples to AWS; the verbs of the toolkit judge them by themselves."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from neuron_cluster.local_aws.environment import scrubbed

pytestmark = pytest.mark.slow
PROJECT = Path(__file__).parents[2]
EXAMPLE = PROJECT / "environments" / "train-trn2.yaml"


@pytest.mark.parametrize(("more", "status"), [({}, 1), ({"AWS_ENDPOINT_URL": "http://127.0.0.1:4510"}, 0)])
def test_a_reservation_from_an_example_ends_the_synthesis_for_aws(
    more: dict[str, str], status: int, tmp_path: Path
) -> None:
    """The file has an account and admins of its own, so that nothing else ends it."""
    file = tmp_path / "train-trn2.yaml"
    file.write_text(EXAMPLE.read_text().replace("111122223333", "210987654321"))
    context = json.loads((PROJECT / "cdk.json").read_text())["context"] | {"environment": str(file)}
    given = {"CDK_CONTEXT_JSON": json.dumps(context), "CDK_OUTDIR": str(tmp_path / "out")}
    ended = subprocess.run(
        [sys.executable, "app.py"],
        cwd=PROJECT,
        env=scrubbed(os.environ, more | given),
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == status, ended.stderr
    words = "eks.node_groups[1].capacity.reservation_id\n  cr-0123456789abcdef0 is a placeholder"
    assert (words in ended.stderr) == bool(status)
    assert (tmp_path / "out" / "manifest.json").exists() != bool(status)
